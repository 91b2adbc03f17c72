import * as Effect from "effect/Effect"
import { allows, type Grant, type Permission, type Role, ROLE_NAMES, ROLES } from "../access/permissions.ts"
import type { BadRequest } from "../http/errors/errors.ts"
import { badRequest, notOneOf } from "../http/validation/validation.ts"
import type { SearchScope } from "../search/SearchIndex.ts"
import type { ToolName } from "./tools/names.ts"
import { TOOL_PERMISSIONS } from "./tools/permissions.ts"

/** The organization that a question is about, and the permissions that limit the answer. `askerOf` and `unrestricted` make it. */
export interface Asker extends Grant {
  readonly organizationId: string
}

/** A user of a host who asks, as the host knows the user. */
export interface AskingUser {
  /** The id of the organization. */
  readonly organization: string
  readonly role: Role
  /** Fewer permissions than the role has. Without it, all of them; an empty list reads nothing. */
  readonly permissions?: ReadonlyArray<Permission> | undefined
}

/**
 * The asker for a user. Fails with BadRequest for an unknown role or permission, and for a permission that the role does not have, so
 * that text of a session or database never widens an answer.
 */
export const askerOf = ({ organization, role, permissions }: AskingUser): Effect.Effect<Asker, BadRequest> => {
  if (!ROLE_NAMES.includes(role)) return Effect.fail(badRequest({ invalid: [notOneOf("role", role, ROLE_NAMES)] }))
  const beyond = (permissions ?? []).filter((permission) => !ROLES[role].includes(permission))
  if (beyond.length === 0)
    return Effect.succeed({ organizationId: organization, role, permissions: permissions ?? null })
  return Effect.fail(badRequest({ invalid: beyond.map((each) => notOneOf("permissions", each, ROLES[role])) }))
}

/** An asker that may read everything: the command line, or an application that embeds Sightline. */
export const unrestricted = (organizationId: string): Asker => ({ organizationId, role: "owner", permissions: null })

/** The permissions that `asker` lacks for the tool. */
export const missingPermissions = (asker: Asker, tool: ToolName): ReadonlyArray<Permission> =>
  TOOL_PERMISSIONS[tool].filter((permission) => !allows(asker, permission))

export const mayUse = (asker: Asker, tool: ToolName): boolean => missingPermissions(asker, tool).length === 0

export const readsDocuments = (asker: Asker): boolean => allows(asker, "documents.read")
export const readsDeals = (asker: Asker): boolean => allows(asker, "deals.read")

/** The passages that `asker` may read: all, those of the library, those of deal records, or none (undefined). */
export const scopeOf = (asker: Asker): SearchScope | undefined => {
  if (readsDocuments(asker)) return readsDeals(asker) ? {} : { within: "library" }
  return readsDeals(asker) ? { within: "records" } : undefined
}

/** Names what an answer omits because the key lacks permissions; empty if it omits nothing. */
export const describeOmission = (asker: Asker): string => {
  const missing = [
    ...(readsDeals(asker) ? [] : [["deals", "deals.read"] as const]),
    ...(readsDocuments(asker) ? [] : [["documents", "documents.read"] as const]),
  ]
  if (missing.length === 0) return ""
  const things = missing.map(([thing]) => thing).join(" or ")
  const permissions = missing.map(([, permission]) => `\`${permission}\``).join(" and ")
  const ask = "Ask an administrator for a key that has"
  return missing.length === 1
    ? `This key cannot read ${things}: it lacks ${permissions}. ${ask} it.`
    : `This key cannot read ${things}: it lacks ${permissions}. ${ask} at least one of them.`
}
