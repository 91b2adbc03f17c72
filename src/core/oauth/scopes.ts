import { allows, type Grant, type Permission } from "../access/permissions.ts"

/** Groups of permissions that a person grants to an application. None of them writes. */
export const SCOPES = {
  "workspace:read": ["deals.read", "intelligence.read", "documents.read", "answers.create"],
  "deals:read": ["deals.read", "intelligence.read"],
  "documents:read": ["documents.read"],
} as const satisfies Readonly<Record<string, ReadonlyArray<Permission>>>

type Scope = keyof typeof SCOPES

const SCOPE_NAMES = Object.keys(SCOPES) as ReadonlyArray<Scope>

/** The scope of a client that asks for none. It covers every tool. */
export const DEFAULT_SCOPE: Scope = "workspace:read"

/** The scopes in a request that exist. Undefined if it names only others. Clients add some of other servers, such as `offline_access`. */
export const parseScopes = (text: string | undefined): ReadonlyArray<Scope> | undefined => {
  const named = new Set((text ?? "").split(" ").filter((name) => name !== ""))
  if (named.size === 0) return [DEFAULT_SCOPE]
  const known = SCOPE_NAMES.filter((name) => named.has(name))
  return known.length === 0 ? undefined : known
}

/** The permissions of scopes that the person has. */
export const permissionsOf = (scopes: ReadonlyArray<Scope>, person: Grant): ReadonlyArray<Permission> => [
  ...new Set(scopes.flatMap((scope) => SCOPES[scope]).filter((permission) => allows(person, permission))),
]

/** Permissions in the words of the consent page. */
export const PHRASES: Partial<Record<Permission, string>> = {
  "deals.read": "read deals, with their amounts, contacts and notes",
  "intelligence.read": "read what customers say about features",
  "documents.read": "read documents and recordings",
  "answers.create": "ask questions, which are answered from all of these",
}
