import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { JobQueue } from "../jobs/JobQueue.ts"
import type { BlobStore } from "../ports/BlobStore.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database, isTransient } from "../storage/Database.ts"
import { inOrder } from "../storage/inOrder.ts"
import { reusePlans } from "../storage/sql.ts"
import { writeAssociations } from "./associations.ts"
import type { DateOrder } from "./values/dates.ts"
import { writeCrmProperties } from "./crmProperties.ts"
import { writeDeals } from "./deals.ts"
import { writeEntities } from "./entities.ts"
import type { EntityType } from "./names/kinds.ts"
import { type Entry, refused } from "./entry.ts"
import { ImportState } from "./ImportState.ts"
import type { Overlay } from "./dryRun/Overlay.ts"
import type { RecordType } from "./record.ts"
import type { Base, RecordOutcome } from "./Session.ts"
import { databaseStore } from "./Store.ts"

/** The services that writing needs: `JobQueue` and `BlobStore` delete the documents of deleted deals. */
export type Writing = Database | JobQueue | BlobStore

/** The organization to write to, and how its records write dates. */
export interface Destination {
  readonly org: string
  readonly dates: DateOrder
  /** `none` refuses records that name something new. */
  readonly create?: "all" | "none" | undefined
  /** The import that the batch is a part of. */
  readonly state?: ImportState | undefined
  /** A dry run reads the database, and writes here. */
  readonly overlay?: Overlay | undefined
}

/** The database rejected the batch. */
export class WriteRefused extends Schema.TaggedError<WriteRefused>()("WriteRefused", { cause: Schema.String }) {}

const findCause = ({ reason }: SqlError): string => (reason.cause instanceof Error ? reason.cause.message : reason._tag)

const REFUSED = new Set(["UniqueViolation", "ConstraintError", "UnknownError"])

/**
 * Writes records of one type in one transaction. If the database rejects the batch, writes each record alone, so that only
 * the bad ones fail. Imports of one organization alternate by batch.
 */
export const writeBatch = (
  to: Destination,
  type: RecordType,
  entries: ReadonlyArray<Entry>,
): Effect.Effect<ReadonlyArray<RecordOutcome>, DatabaseUnavailable, Writing> =>
  Effect.catchTag(writeTogether(to, type, entries), "WriteRefused", ({ cause }) =>
    entries.length === 1
      ? Effect.as(Effect.logWarning(`the database refused an imported record: ${cause}`), [
          refused(entries[0]!.line, "record", "conflicts with stored data, or has a value out of range"),
        ])
      : Effect.map(
          Effect.forEach(entries, (entry) => writeBatch(to, type, [entry])),
          (outcomes) => outcomes.flat(),
        ),
  )

/** Turns the error of a database that refuses rows into `WriteRefused`, inside their transaction. */
export const refusedAs = <A, E, R>(write: Effect.Effect<A, E | SqlError, R>) =>
  Effect.catchIf(
    write,
    (error): error is SqlError => isSqlError(error) && REFUSED.has(error.reason._tag) && !isTransient(error),
    (error) => Effect.fail(new WriteRefused({ cause: findCause(error) })),
  )

/** Waits until no other transaction writes records of the organization, and keeps others waiting until this one ends. */
export const waitForTurn = (sql: SqlClient, org: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(current_schema || ${`.import ${org}`}, 0))`

const writeTogether = Effect.fnUntraced(function* (
  { org, dates, create = "all", state = new ImportState(), overlay }: Destination,
  type: RecordType,
  entries: ReadonlyArray<Entry>,
) {
  const database = yield* Database
  const { sql } = database
  const now = DateTime.formatIso(yield* DateTime.now)
  let batch = state.begin()
  const write = Effect.suspend(() => {
    batch = state.begin()
    const store = overlay === undefined ? databaseStore(sql, org, batch.log) : overlay.store(sql, org)
    const base = { org, dates, sql, now, create, state, batch, store }
    const first = overlay === undefined ? waitForTurn(sql, org) : sql`set transaction read only`
    return Effect.andThen(inOrder([first, reusePlans(sql)]), chooseWriter(type, base, entries))
  })
  const logged = Effect.tap(write, () => state.log?.write(sql, org, batch.log) ?? Effect.void)
  const outcomes = yield* database.transaction(org, refusedAs(logged))
  state.commit(batch)
  return outcomes
})

const chooseWriter = (
  type: RecordType,
  base: Base,
  entries: ReadonlyArray<Entry>,
): Effect.Effect<ReadonlyArray<RecordOutcome>, SqlError | DatabaseUnavailable, Writing> => {
  switch (type) {
    case "deal":
      return writeDeals(base, entries as ReadonlyArray<Entry<"deal">>)
    case "association":
      return writeAssociations(base, entries as ReadonlyArray<Entry<"association">>)
    case "crm_property":
      return writeCrmProperties(base.store, entries as ReadonlyArray<Entry<"crm_property">>)
    default:
      return writeEntities(type, base, entries as ReadonlyArray<Entry<EntityType>>)
  }
}
