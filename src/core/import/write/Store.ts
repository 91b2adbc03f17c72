import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CrmProperty } from "../../deals/crmFilterSql.ts"
import { type AssociationRow, readAssociations, writeAssociationRows } from "../../intelligence/writing.ts"
import { deleteOriginals } from "../../library/removal.ts"
import type { BlobStore } from "../../ports/BlobStore.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { JobQueue } from "../../jobs/JobQueue.ts"
import type { Database } from "../../storage/Database.ts"
import type { ImportRecord, RecordType } from "../records.ts"
import type { BatchLog } from "../undo/ImportLog.ts"
import { logDeals } from "../undo/logDeals.ts"
import { byId, logRows } from "../undo/logRows.ts"
import { type ChangedDeal, type DealRow, deleteDealRows, readDeals, writeDealRows } from "./dealRows.ts"
import { insertProperties, propertyKey, readRegistered } from "./crmProperties.ts"
import { recordDependents } from "./dependents.ts"
import { COLUMNS, type EntityType, insertNames, namedRow, upsertEntities } from "./entityRows.ts"
import { type CreatedName, MAX_COMPARED_NAMES } from "./ImportState.ts"
import type { Identified } from "./matching.ts"
import { type Names, TABLES } from "./Names.ts"
import { replaceNamesInSegments } from "./segmentNames.ts"
import type { Session } from "./Session.ts"
import type { StageChanges } from "./StageChanges.ts"

export type EntityRow = Identified & Readonly<Record<string, unknown>>

/** The changes of a batch of deals. `found`: the rows before. */
export interface DealChanges {
  readonly found: ReadonlyArray<DealRow>
  readonly deleted: ReadonlyArray<string>
  readonly changed: ReadonlyArray<ChangedDeal>
  readonly stages: StageChanges
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

/** Reads rows and locks them until the transaction ends, and writes them. `log` collects their old values, so that an undo has them. */
export const databaseStore = (sql: SqlClient, org: string, log?: BatchLog): Store => ({
  names: (names) => names.load(sql, org),
  knownNames: (kind) =>
    Effect.map(
      sql<{ name: string }>`select name from ${sql.literal(TABLES[kind].table)}
        where org_id = ${org} order by folded limit ${MAX_COMPARED_NAMES}::int`,
      (rows) => rows.map(({ name }) => name),
    ),
  properties: readProperties(sql, org),
  registered: (ids) => readRegistered(sql, org, ids, "for update"),
  deals: (ids) => readDeals(sql, org, ids, LOCK_DEALS),
  entities: (type, ids) => readEntities(sql, org, type, ids, "for update"),
  associations: (ids, deals) => readAssociations(sql, org, ids, deals, "for update"),
  hidesDeal: () => false,
  countSame: () => 0,
  putNames: Effect.fnUntraced(function* (session, kind, rows) {
    yield* insertNames(session, kind, rows)
    log?.addEntities(
      kind,
      [],
      rows.map((row) => namedRow(session.state, row)),
    )
  }),
  putDeals: Effect.fnUntraced(function* (session, changes) {
    const { deleted, changed, stages } = changes
    if (log !== undefined) log.add("deals", yield* logDeals(sql, org, changes))
    const documents = yield* deleteDealRows(session, deleted)
    yield* writeDealRows(sql, org, changed, stages)
    if (documents.length > 0) yield* sql.afterCommit(discard(org, documents))
  }),
  putEntities: Effect.fnUntraced(function* (session, type, { found, changed, shown, renamed }) {
    yield* upsertEntities(session, type, changed)
    yield* recordDependents(sql, org, type, shown)
    log?.addEntities(type, found, changed)
    const segments = yield* replaceNamesInSegments(sql, org, type, renamed)
    log?.addEntities("segment", segments.found, segments.changed)
  }),
  putAssociations: Effect.fnUntraced(function* (_, { found, changed, deleted }) {
    const replaced = new Set([...changed.map(({ id }) => id), ...deleted])
    const formerDeals = found.flatMap(({ id, deal_id }) => (replaced.has(id) ? [deal_id] : []))
    yield* writeAssociationRows(sql, org, { changed, deleted, formerDeals })
    log?.add("associations", logRows(found, changed, deleted, byId))
  }),
  putProperties: Effect.fnUntraced(function* (found, rows) {
    yield* insertProperties(sql, org, rows)
    log?.add("properties", logRows(found, rows, [], propertyKey))
  }),
})

/** Locks the rows, but lets foreign keys refer to them: rendering deal records does so while this transaction waits for its marks. */
export const LOCK_DEALS = "for no key update of d"

export const readProperties = (sql: SqlClient, org: string) =>
  sql<CrmProperty>`select crm, object, id, label, data_type from crm_properties where org_id = ${org} order by crm, object, id`

export const readEntities = (
  sql: SqlClient,
  org: string,
  type: EntityType,
  ids: ReadonlyArray<string>,
  lock: "" | "for update",
) =>
  sql<EntityRow>`select ${sql.literal(["id", "name", ...Object.keys(COLUMNS[type])].join(", "))}
    from ${sql.literal(TABLES[type].table)} where org_id = ${org} and id = any(${[...ids]}::text[]) order by id ${sql.literal(lock)}`

/** Deletes originals. One that cannot be deleted now is an orphan, which `reconcile` deletes later. */
const discard = (org: string, documents: ReadonlyArray<string>) =>
  Effect.catchCause(deleteOriginals(org, documents), (cause) =>
    Effect.logWarning("could not delete the files of a deleted deal's documents", cause),
  )
