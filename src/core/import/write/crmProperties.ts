import * as Effect from "effect/Effect"
import { insertSelected } from "../../storage/recordChanges.ts"
import { isSame } from "./isSame.ts"
import type { Entry } from "../entry.ts"
import type { Outcome, Session } from "./Session.ts"

interface Row {
  readonly crm: string
  readonly object: string
  readonly id: string
  readonly label: string | null
  readonly data_type: string
}

const keyOf = ({ crm, object, id }: Pick<Row, "crm" | "object" | "id">) => `${crm} ${object} ${id}`

/** Registers CRM properties, which match by CRM, object and id. */
export const writeCrmProperties = Effect.fnUntraced(function* (
  { sql, org }: Pick<Session, "sql" | "org">,
  entries: ReadonlyArray<Entry<"crm_property">>,
) {
  const ids = entries.map(({ record }) => record.id.trim())
  const found = yield* sql<Row>`select crm, object, id, label, data_type from crm_properties
    where org_id = ${org} and id = any(${ids}::text[]) order by crm, object, id for update`
  const rows = new Map(found.map((row) => [keyOf(row), row]))
  const changed = new Map<string, Row>()
  const outcomes = entries.map(({ line, record }): Outcome => {
    const { crm, object } = record
    const id = record.id.trim()
    const key = keyOf({ crm, object, id })
    const before = rows.get(key)
    const data_type = record.data_type ?? before?.data_type
    if (data_type === undefined) {
      return { line, problems: [{ field: "data_type", reason: "must be given for a new crm_property" }] }
    }
    const label = record.label === undefined ? (before?.label ?? null) : record.label
    const after: Row = { crm, object, id, label, data_type }
    if (before !== undefined && isSame(before, after)) return { line, result: "unchanged" }
    rows.set(key, after)
    changed.set(key, after)
    return { line, result: before === undefined ? "created" : "updated" }
  })
  if (changed.size > 0) {
    yield* insertSelected(
      sql,
      org,
      (home) => sql`insert into crm_properties (org_id, crm, object, id, label, data_type)
        select ${home.org}, x.crm, x.object, x.id, x.label, x.data_type
        from ${home.from}json_to_recordset(${JSON.stringify([...changed.values()])}::json)
          as x(crm text, object text, id text, label text, data_type text) ${home.where}
        on conflict (org_id, crm, object, id) do update set label = excluded.label, data_type = excluded.data_type`,
    )
  }
  return outcomes
})
