import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { DEFAULT_ZONE, needsZone } from "../../common/zone.ts"
import type { CrmProperty } from "../../deals/crmFilterSql.ts"
import type { DateOrder } from "../plan/dates.ts"
import type { Entry, Refused } from "../entry.ts"
import type { BatchState, ImportState } from "./ImportState.ts"
import { Names } from "./Names.ts"
import type { ImportRecord, RecordType } from "../records.ts"
import type { Store } from "./Store.ts"

/** The context of one batch, inside its transaction. */
export interface Session {
  readonly sql: SqlClient
  readonly org: string
  readonly store: Store
  /** The time of the batch: ISO 8601, UTC, with milliseconds. */
  readonly now: string
  readonly dates: DateOrder
  readonly names: Names
  readonly properties: ReadonlyArray<CrmProperty>
  /** The workspace's time zone, in which days begin and local times are. */
  readonly zone: string
  readonly state: ImportState
  readonly batch: BatchState
  /** `none`: a record that names something new is refused. */
  readonly create: "all" | "none"
}

/** The context of a batch before its look-ups. */
export type Base = Omit<Session, "names" | "properties" | "zone">

/** `absent`: the record deletes or changes something that does not exist. */
export type Result = "created" | "updated" | "unchanged" | "deleted" | "absent"
export type Outcome = { readonly line: number; readonly result: Result } | Refused

/** Opens a batch. `want` collects what its records name, for one look-up. */
export const openSession = Effect.fnUntraced(function* <T extends RecordType>(
  base: Base,
  entries: ReadonlyArray<Entry<T>>,
  want: (names: Names, record: Entry<T>["record"], entry: Entry<T>) => void,
) {
  const { sql, org, store } = base
  const names = new Names(base.batch.created)
  for (const entry of entries) want(names, entry.record, entry)
  yield* store.names(names)
  const asks = entries.some(({ record }) => "crm_properties" in record || "filters" in record)
  const stored = asks ? yield* store.properties : []
  const properties = [...stored, ...base.state.properties.filter(({ id }) => !stored.some((each) => each.id === id))]
  const zone = entries.some(({ record }) => mayNeedZone(record)) ? yield* readZone(sql, org) : DEFAULT_ZONE
  return { ...base, names, properties, zone } satisfies Session
})

const readZone = (sql: SqlClient, org: string) =>
  Effect.map(
    sql<{ timezone: string }>`select timezone from organizations where id = ${org}`,
    ([row]) => row?.timezone ?? DEFAULT_ZONE,
  )

/** Whether a record has a day or a local time that becomes an instant, or may have one among its properties. */
const mayNeedZone = (record: ImportRecord) =>
  "crm_properties" in record ||
  ["created_at", "updated_at"].some((field) => {
    const given = (record as Readonly<Record<string, unknown>>)[field]
    return typeof given === "string" && needsZone(given)
  })

/** Inserts what the batch's records name for the first time. */
export const insertCreated = Effect.fnUntraced(function* (session: Session) {
  const { names, state, store } = session
  for (const [kind, rows] of Map.groupBy(names.created, (each) => each.kind)) {
    if (state.needsNames(kind)) state.setNames(kind, yield* store.knownNames(kind))
    yield* store.putNames(session, kind, rows)
  }
})
