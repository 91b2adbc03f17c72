import * as Effect from "effect/Effect"
import { Database } from "../../storage/Database.ts"
import type { Property } from "./properties.ts"

/** Properties that are read. */
const MAX_PROPERTIES = 200

/** Loads the properties of deals and accounts, without values. */
export const loadProperties = Effect.fnUntraced(function* (org: string) {
  const { scoped, sql } = yield* Database
  const rows = yield* scoped<Omit<Property, "labels" | "values"> & { readonly label: string }>(
    org,
    sql`select id, crm, object, data_type as type, lower(coalesce(label, id)) as label
      from crm_properties where org_id = scope.org and length(coalesce(label, id)) > 2
      order by object desc, id limit ${MAX_PROPERTIES}::int`,
  )
  return rows.map(({ label, ...row }): Property => {
    const byId = row.id.toLowerCase().replaceAll("_", " ")
    return { ...row, labels: byId === label ? [label] : [label, byId], values: [], alone: [] }
  })
})
