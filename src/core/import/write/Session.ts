import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CrmProperty } from "../../deals/crmFilterSql.ts"
import type { DateOrder } from "../plan/cells.ts"
import type { Entry, Refused } from "../entry.ts"
import { insertNames } from "./entityRows.ts"
import { Names } from "./Names.ts"
import type { RecordType } from "../records.ts"

/** The context of one batch, inside its transaction. */
export interface Session {
  readonly sql: SqlClient
  readonly org: string
  /** The time of the batch: ISO 8601, UTC, with milliseconds. */
  readonly now: string
  readonly dates: DateOrder
  readonly names: Names
  readonly properties: ReadonlyArray<CrmProperty>
}

/** The context of a batch before its look-ups. */
export type Base = Omit<Session, "names" | "properties">

/** `absent`: the record deletes or changes something that does not exist. */
export type Result = "created" | "updated" | "unchanged" | "deleted" | "absent"
export type Outcome = { readonly line: number; readonly result: Result } | Refused

/** Opens a batch. `want` collects what its records name, for one look-up. */
export const openSession = Effect.fnUntraced(function* <T extends RecordType>(
  base: Base,
  entries: ReadonlyArray<Entry<T>>,
  want: (names: Names, record: Entry<T>["record"]) => void,
) {
  const { sql, org } = base
  const names = new Names()
  for (const { record } of entries) want(names, record)
  yield* names.load(sql, org)
  const asks = entries.some(({ record }) => "crm_properties" in record || "filters" in record)
  const properties = asks
    ? yield* sql<CrmProperty>`select crm, object, id, label, data_type from crm_properties where org_id = ${org} order by crm, object, id`
    : []
  return { ...base, names, properties } satisfies Session
})

/** Inserts what the batch's records name for the first time. */
export const insertCreated = Effect.fnUntraced(function* ({ sql, org, names }: Session) {
  for (const kind of new Set(names.created.map((each) => each.kind))) {
    yield* insertNames(
      sql,
      org,
      kind,
      names.created.filter((each) => each.kind === kind),
    )
  }
})
