import { allows, type Grant, type Permission } from "../access/permissions.ts"
import type { SearchScope } from "../search/SearchIndex.ts"
import type { ToolName } from "./tools/names.ts"
import { TOOL_PERMISSIONS } from "./tools/permissions.ts"

/** The organization that a question is about, and the permissions that limit the answer. */
export interface Asker extends Grant {
  readonly organizationId: string
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
