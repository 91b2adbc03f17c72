import { allows, type Grant, type Permission } from "../access/permissions.ts"
import type { SearchScope } from "../search/SearchIndex.ts"
import type { ToolName } from "./tools/names.ts"
import { TOOL_PERMISSIONS } from "./tools/permissions.ts"

/** The organization that a question is about, and what the answer may read of it. */
export interface Asker extends Grant {
  readonly organizationId: string
}

/** Reads everything: the command line, and a host that asks in its own process. */
export const unrestricted = (organizationId: string): Asker => ({ organizationId, role: "owner", permissions: null })

/** What `asker` lacks to use the tool. */
export const lackedFor = (asker: Asker, tool: ToolName): ReadonlyArray<Permission> =>
  TOOL_PERMISSIONS[tool].filter((permission) => !allows(asker, permission))

export const mayUse = (asker: Asker, tool: ToolName): boolean => lackedFor(asker, tool).length === 0

export const readsDocuments = (asker: Asker): boolean => allows(asker, "documents.read")
export const readsDeals = (asker: Asker): boolean => allows(asker, "deals.read")

/** The passages that `asker` may read: all, the library's, the deals' records, or none. */
export const scopeOf = (asker: Asker): SearchScope | undefined => {
  if (readsDocuments(asker)) return readsDeals(asker) ? {} : { within: "library" }
  return readsDeals(asker) ? { within: "records" } : undefined
}

/** Says what an answer leaves out for want of permissions; empty if it leaves out nothing. */
export const omission = (asker: Asker): string => {
  const lacked = [
    ...(readsDeals(asker) ? [] : [["deals", "deals.read"] as const]),
    ...(readsDocuments(asker) ? [] : [["documents", "documents.read"] as const]),
  ]
  if (lacked.length === 0) return ""
  const things = lacked.map(([thing]) => thing).join(" or ")
  const permissions = lacked.map(([, permission]) => `\`${permission}\``).join(" and ")
  const ask = "Ask an administrator for a key that has"
  return lacked.length === 1
    ? `This key cannot read ${things}: it lacks ${permissions}. ${ask} it.`
    : `This key cannot read ${things}: it lacks ${permissions}. ${ask} at least one of them.`
}
