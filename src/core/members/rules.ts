import * as Context from "effect/Context"
import { type Role, ROLE_NAMES } from "../access/permissions.ts"
import type { IdentityProvider, ProvidedPerson } from "../ports/IdentityProvider.ts"

/** A value of the claim, or `*` for everybody, and the role that it gives. */
export interface RoleRule {
  readonly value: string
  readonly role: Role
}

/** Who may sign in through the provider, besides the members that an administrator added. */
export interface MembershipRules {
  /** Domains of e-mail addresses; empty: all. */
  readonly domains: ReadonlyArray<string>
  /** The claim with the roles or groups of a person; dots lead into objects: `realm_access.roles`. */
  readonly roleClaim: string
  readonly roles: ReadonlyArray<RoleRule>
  /** The organization whose members these rules make. */
  readonly organization: string | undefined
}

/** A provider, and the people of it who may enter. */
export interface OpenIdOptions extends MembershipRules {
  readonly provider: IdentityProvider
}

export const NO_RULES: MembershipRules = { domains: [], roleClaim: "groups", roles: [], organization: undefined }

export const MembershipRulesOf = Context.Reference<MembershipRules>("sightline/members/MembershipRules", {
  defaultValue: () => NO_RULES,
})

/** Why a person whom the provider knows may not enter. */
export type NotAdmitted = "no_email" | "domain" | "not_a_member"

/** Undefined: the person's address is admitted. */
export const problemOfAddress = (
  { domains }: MembershipRules,
  { email }: ProvidedPerson,
): "no_email" | "domain" | undefined => {
  if (domains.length === 0) return undefined
  if (email === undefined) return "no_email"
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase()
  return domains.includes(domain) ? undefined : "domain"
}

const valueAt = (claims: Readonly<Record<string, unknown>>, path: string): unknown => {
  // A name with dots of its own, such as an address, comes first.
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const name of path.split("."))
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined
  return value
}

/** The highest role that the rules give a person; undefined: none. */
export const roleByRules = ({ roleClaim, roles }: MembershipRules, { claims }: ProvidedPerson): Role | undefined => {
  const found = valueAt(claims, roleClaim)
  const values = new Set(Array.isArray(found) ? found : [found])
  const given = new Set(roles.filter(({ value }) => value === "*" || values.has(value)).map(({ role }) => role))
  return ROLE_NAMES.findLast((role) => given.has(role))
}
