import * as Effect from "effect/Effect"
import type { CrmProperty } from "../../deals/names/properties.ts"
import { deleteProperty, insertProperties, propertyKey } from "../../records/crmProperties.ts"
import { Outcomes, type Undoing } from "./context.ts"
import { fingerprint } from "../../records/log/fingerprint.ts"
import type { Logged } from "../../records/log/Logged.ts"

/** Undoes CRM properties. One that the import registered is removed if no deal or client has a value of it. */
export const undoProperties = Effect.fnUntraced(function* (
  { sql, org }: Undoing,
  entries: ReadonlyArray<Logged<CrmProperty>>,
) {
  const outcomes = new Outcomes()
  const rows = yield* sql<CrmProperty>`select crm, object, id, label, data_type from crm_properties
    where org_id = ${org} order by crm, object, id for update`
  const present = new Map(rows.map((row) => [propertyKey(row), row]))
  const restored: Array<CrmProperty> = []
  const created: Array<CrmProperty> = []
  for (const { id, mark, before } of entries) {
    const row = present.get(id)
    if (row === undefined) outcomes.keep("crm_property", id, "deleted_later")
    else if (fingerprint(row) !== mark) outcomes.keep("crm_property", id, "changed_later")
    else if (before === undefined) created.push(row)
    else restored.push(before)
  }
  const ids = created.map(({ id }) => id)
  const used =
    ids.length === 0
      ? []
      : yield* sql<{ object: string; id: string }>`
          select distinct 'deal' as object, k as id from deals, jsonb_object_keys(crm_properties) k
            where org_id = ${org} and k = any(${ids}::text[])
          union select distinct 'account', k from clients, jsonb_object_keys(crm_properties) k
            where org_id = ${org} and k = any(${ids}::text[])`
  for (const row of created) {
    // Values do not say which CRM their property belongs to.
    const isTwin = rows.some((other) => other !== row && other.object === row.object && other.id === row.id)
    if (!isTwin && used.some(({ object, id }) => object === row.object && id === row.id)) {
      outcomes.keep("crm_property", propertyKey(row), "in_use")
      continue
    }
    yield* deleteProperty(sql, org, row)
    outcomes.removed++
  }
  if (restored.length > 0) yield* insertProperties(sql, org, restored)
  outcomes.restored = restored.length
  return outcomes
})
