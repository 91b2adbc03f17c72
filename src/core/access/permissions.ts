/** Every permission, and the phrase that a refusal says: "role 'member' may not export deals". */
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

/** What each role may do. A key may carry fewer permissions than its role, never more. */
export const ROLES = { viewer, member, admin, owner } as const

export type Role = keyof typeof ROLES
export const ROLE_NAMES = ["viewer", "member", "admin", "owner"] as const satisfies ReadonlyArray<Role>

export interface Grant {
  readonly role: Role
  /** The key's own narrower list; null: all of its role's. */
  readonly permissions: ReadonlyArray<string> | null
}

export const allows = (grant: Grant, permission: Permission): boolean =>
  ROLES[grant.role].includes(permission) && (grant.permissions === null || grant.permissions.includes(permission))

/** Why it is refused, naming the role and the action. */
export const refusal = (grant: Grant, permission: Permission): string =>
  ROLES[grant.role].includes(permission)
    ? `this key of role '${grant.role}' cannot ${PERMISSIONS[permission]}: its permissions do not include ${permission}`
    : `role '${grant.role}' cannot ${PERMISSIONS[permission]}`

/** Does `caller` hold all that a key of this role and these permissions would? Only then may it make, rotate or revoke one. */
export const covers = (caller: Grant, other: Grant): boolean =>
  ROLES[other.role].every((permission) => !allows(other, permission) || allows(caller, permission))

/** Who is calling: the key, its organization, and what it may do. */
export interface Caller extends Grant {
  readonly organizationId: string
  readonly keyId: string
}
