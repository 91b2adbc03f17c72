import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { DEFAULT_ZONE, needsZone } from "../common/zone.ts"
import type { CrmProperty } from "../deals/names/properties.ts"
import type { AssociationRow } from "../intelligence/writing.ts"
import type { JobQueue } from "../jobs/JobQueue.ts"
import type { BlobStore } from "../ports/BlobStore.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Database } from "../storage/Database.ts"
import type { ChangedDeal, DealRow } from "./dealRows.ts"
import type { CreatedName, EntityType } from "./names/kinds.ts"
import type { Identified } from "./names/matching.ts"
import type { History } from "./History.ts"
import type { DateOrder } from "./values/dates.ts"
import type { Entry, Refused } from "./entry.ts"
import type { BatchState, ImportState } from "./ImportState.ts"
import { Names } from "./names/Names.ts"
import type { ImportRecord, RecordType } from "./record.ts"

export type EntityRow = Identified & Readonly<Record<string, unknown>>

/** The changes of a batch of deals. `found`: the rows before. */
export interface DealChanges {
  readonly found: ReadonlyArray<DealRow>
  readonly deleted: ReadonlyArray<string>
  readonly changed: ReadonlyArray<ChangedDeal>
  readonly history: History
}

/** The changes of a batch of entities. `found`: the rows before. `shown`: the ids of those whose dependents show the change. */
export interface EntityChanges {
  readonly found: ReadonlyArray<EntityRow>
  readonly changed: ReadonlyArray<EntityRow>
  readonly shown: ReadonlyArray<string>
  readonly renamed: ReadonlyArray<{ readonly id: string; readonly from: string }>
}

/** The changes of a batch of associations. `found`: the rows before. */
export interface AssociationChanges {
  readonly found: ReadonlyArray<AssociationRow>
  readonly changed: ReadonlyArray<AssociationRow>
  readonly deleted: ReadonlyArray<string>
}

type Read<A> = Effect.Effect<A, SqlError>
type Written<R = never> = Effect.Effect<void, SqlError | DatabaseUnavailable, R>

/** The rows that a batch reads and writes: the database, or the memory of a dry run over it. */
export interface Store {
  /** Looks up what the batch names. */
  readonly names: (names: Names) => Read<void>
  /** Names of a kind that new ones are compared with. */
  readonly knownNames: (kind: EntityType) => Read<ReadonlyArray<string>>
  readonly properties: Read<ReadonlyArray<CrmProperty>>
  /** The registered properties with these ids, of both CRMs. */
  readonly registered: (ids: ReadonlyArray<string>) => Read<ReadonlyArray<CrmProperty>>
  readonly deals: (ids: ReadonlyArray<string>) => Read<ReadonlyArray<DealRow>>
  readonly entities: (type: EntityType, ids: ReadonlyArray<string>) => Read<ReadonlyArray<EntityRow>>
  /** The associations with these ids, or of these deals. */
  readonly associations: (
    ids: ReadonlyArray<string>,
    deals: ReadonlyArray<string>,
  ) => Read<ReadonlyArray<AssociationRow>>
  /** Whether the stored deal is changed or deleted by the file, which the database does not know. */
  readonly hidesDeal: (id: string) => boolean
  /** How many deals the database does not know have this key of a name and client. */
  readonly countSame: (key: string) => number
  readonly putNames: (session: Session, kind: EntityType, rows: ReadonlyArray<CreatedName>) => Written
  readonly putDeals: (session: Session, changes: DealChanges) => Written<Database | JobQueue | BlobStore>
  readonly putEntities: (session: Session, type: EntityType, changes: EntityChanges) => Written
  readonly putAssociations: (session: Session, changes: AssociationChanges) => Written
  /** Puts rows over those that were found. */
  readonly putProperties: (found: ReadonlyArray<CrmProperty>, rows: ReadonlyArray<CrmProperty>) => Written
  /** Takes a record and the row before and after it, as an example. Without `after`, the record deletes. */
  readonly show?: <T extends RecordType>(
    line: number,
    record: ImportRecord<T>,
    before: object | undefined,
    after: object | undefined,
  ) => void
}

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
export type RecordOutcome = { readonly line: number; readonly result: Result } | Refused

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

/** Inserts what the batch's records name for the first time, and the names of owners that were known by their address. */
export const insertCreated = Effect.fnUntraced(function* (session: Session) {
  const { names, state, store } = session
  for (const [kind, rows] of Map.groupBy(names.created, (each) => each.kind)) {
    if (state.needsNames(kind)) state.setNames(kind, yield* store.knownNames(kind))
    yield* store.putNames(session, kind, rows)
  }
  if (names.renamed.size === 0) return
  const found = yield* store.entities("owner", [...names.renamed.keys()])
  yield* store.putEntities(session, "owner", {
    found,
    changed: found.map((row) => ({ ...row, name: names.renamed.get(row.id)! })),
    shown: found.map(({ id }) => id),
    renamed: found.map(({ id, name }) => ({ id, from: name })),
  })
})
