import type { Actor } from "../http/CurrentRequest.ts"

/**
 * Every permission, with its phrase in a refusal: "role 'member' cannot export deals". Tokens store the index, so a new one goes last, and
 * there are at most 32.
 */
export const PERMISSIONS = {
  "deals.read": "read deals",
  "intelligence.read": "read product intelligence",
  "answers.create": "ask for answers",
  "documents.read": "read documents",
  "usage.read": "read usage",
  "deals.documents.write": "add documents to deals",
  "library.write": "add documents to the library",
  "deals.export": "export deals",
  "keys.manage": "manage API keys",
  "webhooks.manage": "manage webhooks",
  "audit.read": "read the audit log",
  "import.write": "import records",
  "workspace.manage": "change the workspace",
  "analysis.run": "run analyses of deals",
  "analysis.verify": "verify analyses of deals",
  "organization.manage": "manage the organization",
} as const

export type Permission = keyof typeof PERMISSIONS

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as ReadonlyArray<Permission>

export const isPermission = (text: string): text is Permission => text in PERMISSIONS

const viewer: ReadonlyArray<Permission> = [
  "deals.read",
  "intelligence.read",
  "answers.create",
  "documents.read",
  "usage.read",
]
const member: ReadonlyArray<Permission> = [...viewer, "deals.documents.write", "analysis.run"]
const admin: ReadonlyArray<Permission> = [
  ...member,
  "library.write",
  "deals.export",
  "keys.manage",
  "webhooks.manage",
  "audit.read",
  "import.write",
  "workspace.manage",
  "analysis.verify",
]
const owner: ReadonlyArray<Permission> = [...admin, "organization.manage"]

/** The permissions of each role. A key may have fewer permissions than its role, never more. */
export const ROLES = { viewer, member, admin, owner } as const

export type Role = keyof typeof ROLES
/** Tokens store the index, so the order must not change. */
export const ROLE_NAMES = ["viewer", "member", "admin", "owner"] as const satisfies ReadonlyArray<Role>

export interface Grant {
  readonly role: Role
  /** The key's own shorter list; null: all permissions of its role. */
  readonly permissions: ReadonlyArray<string> | null
}

export const allows = (grant: Grant, permission: Permission): boolean =>
  ROLES[grant.role].includes(permission) && (grant.permissions === null || grant.permissions.includes(permission))

/** Explains a refusal, naming the role and the action. */
export const explainRefusal = (grant: Grant & Pick<Caller, "identity">, permission: Permission): string =>
  ROLES[grant.role].includes(permission)
    ? `this ${grant.identity === undefined ? "key" : "identity"} of role '${grant.role}' cannot ${PERMISSIONS[permission]}: its permissions do not include ${permission}`
    : `role '${grant.role}' cannot ${PERMISSIONS[permission]}`

/** Checks that `caller` has every permission of `other`; only then may it create, rotate or revoke such a key. */
export const covers = (caller: Grant, other: Grant): boolean =>
  ROLES[other.role].every((permission) => !allows(other, permission) || allows(caller, permission))

/** The user or service of an embedding host. `id` is unique in the organization and does not change; `name` is for people. */
export interface Identity {
  readonly id: string
  readonly name: string
}

/** The key or identity of a request, its organization, and its permissions. */
export interface Caller extends Grant {
  readonly organizationId: string
  /** The id of the key. An identity of an embedding host is a key without a secret. Empty for the operator. */
  readonly keyId: string
  readonly isOperator?: true
  /** The session of the console that the request belongs to; it has its key's permissions. */
  readonly sessionId?: string | undefined
  /** Undefined: a key. */
  readonly identity?: Identity | undefined
  /** The scopes that the person granted to the application that calls. Undefined: no application does. */
  readonly scopes?: ReadonlyArray<string> | undefined
}

/** The operator acting for an organization: may do everything that needs no key, and has no limits. */
export const operatorOf = (organizationId: string): Caller => ({
  organizationId,
  keyId: "",
  isOperator: true,
  role: "owner",
  permissions: null,
})

/** A caller in the form of the audit log. */
export const actorOf = (keyId: string, identity: Identity | undefined): Actor =>
  identity === undefined ? { key_id: keyId } : { person: identity.id, name: identity.name }
