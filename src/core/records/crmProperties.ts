import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CrmProperty } from "../deals/names/properties.ts"
import { insertSelected } from "../storage/recordChanges.ts"
import { isSame } from "./isSame.ts"
import type { Entry } from "./entry.ts"
import type { Store, RecordOutcome } from "./Session.ts"

export const propertyKey = ({ crm, object, id }: Pick<CrmProperty, "crm" | "object" | "id">) => `${crm} ${object} ${id}`

/** Registers CRM properties, which match by CRM, object and id. */
export const writeCrmProperties = Effect.fnUntraced(function* (
  store: Pick<Store, "registered" | "putProperties" | "show">,
  entries: ReadonlyArray<Entry<"crm_property">>,
) {
  const ids = entries.map(({ record }) => record.id.trim())
  const found = yield* store.registered(ids)
  const rows = new Map(found.map((row) => [propertyKey(row), row]))
  const changed = new Map<string, CrmProperty>()
  const outcomes = entries.map(({ line, record }): RecordOutcome => {
    const { crm, object } = record
    const id = record.id.trim()
    const key = propertyKey({ crm, object, id })
    const before = rows.get(key)
    const data_type = record.data_type ?? before?.data_type
    if (data_type === undefined) {
      return { line, problems: [{ field: "data_type", reason: "must be given for a new crm_property" }] }
    }
    const label = record.label === undefined ? (before?.label ?? null) : record.label
    const after: CrmProperty = { crm, object, id, label, data_type }
    if (before !== undefined && isSame(before, after)) return { line, result: "unchanged" }
    rows.set(key, after)
    changed.set(key, after)
    store.show?.(line, record, before, after)
    return { line, result: before === undefined ? "created" : "updated" }
  })
  if (changed.size > 0) yield* store.putProperties(found, [...changed.values()])
  return outcomes
})

/** Reads the properties with these ids, of both CRMs. `lock` ends the statement. */
export const readRegistered = (sql: SqlClient, org: string, ids: ReadonlyArray<string>, lock: "" | "for update") =>
  sql<CrmProperty>`select crm, object, id, label, data_type from crm_properties
    where org_id = ${org} and id = any(${[...ids]}::text[]) order by crm, object, id ${sql.literal(lock)}`

export const insertProperties = (sql: SqlClient, org: string, rows: ReadonlyArray<CrmProperty>) =>
  insertSelected(
    sql,
    org,
    (home) => sql`insert into crm_properties (org_id, crm, object, id, label, data_type)
      select ${home.org}, x.crm, x.object, x.id, x.label, x.data_type
      from ${home.from}json_to_recordset(${JSON.stringify(rows)}::json)
        as x(crm text, object text, id text, label text, data_type text) ${home.where}
      on conflict (org_id, crm, object, id) do update set label = excluded.label, data_type = excluded.data_type`,
  )

export const deleteProperty = (sql: SqlClient, org: string, { crm, object, id }: CrmProperty) =>
  sql`delete from crm_properties where org_id = ${org} and crm = ${crm} and object = ${object} and id = ${id}`
