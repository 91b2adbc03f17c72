import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { JobQueue } from "../../jobs/JobQueue.ts"
import type { BlobStore } from "../../ports/BlobStore.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Database, isTransient } from "../../storage/Database.ts"
import { inOrder } from "../../storage/inOrder.ts"
import { reusePlans } from "../../storage/sql.ts"
import { writeAssociations } from "./associations.ts"
import type { DateOrder } from "../plan/dates.ts"
import { writeCrmProperties } from "./crmProperties.ts"
import { writeDeals } from "./deals.ts"
import { writeEntities } from "./entities.ts"
import type { EntityType } from "./entityRows.ts"
import { type Entry, refused } from "../entry.ts"
import { ImportState } from "./ImportState.ts"
import type { RecordType } from "../records.ts"
import type { Base, Outcome } from "./Session.ts"

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
}

/** The database rejected the batch. */
class WriteRefused extends Schema.TaggedError<WriteRefused>()("WriteRefused", { cause: Schema.String }) {}

const causeOf = ({ reason }: SqlError): string => (reason.cause instanceof Error ? reason.cause.message : reason._tag)

const REFUSED = new Set(["UniqueViolation", "ConstraintError", "UnknownError"])

/**
 * Writes records of one type in one transaction. If the database rejects the batch, writes each record alone, so that only
 * the bad ones fail. Imports of one organization alternate by batch.
 */
export const writeBatch = (
  to: Destination,
  type: RecordType,
  entries: ReadonlyArray<Entry>,
): Effect.Effect<ReadonlyArray<Outcome>, DatabaseUnavailable, Writing> =>
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

/** Waits until no other transaction writes records of the organization, and keeps others waiting until this one ends. */
export const waitForTurn = (sql: SqlClient, org: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(current_schema || ${`.import ${org}`}, 0))`

const writeTogether = Effect.fnUntraced(function* (
  { org, dates, create = "all", state = new ImportState() }: Destination,
  type: RecordType,
  entries: ReadonlyArray<Entry>,
) {
  const database = yield* Database
  const { sql } = database
  const now = DateTime.formatIso(yield* DateTime.now)
  let batch = state.begin()
  const write = Effect.suspend(() => {
    batch = state.begin()
    const base = { org, dates, sql, now, create, state, batch }
    return Effect.andThen(inOrder([waitForTurn(sql, org), reusePlans(sql)]), writerOf(type, base, entries))
  })
  const outcomes = yield* database.transaction(
    org,
    Effect.catchTag(write, "SqlError", (error: SqlError): Effect.Effect<never, SqlError | WriteRefused> =>
      REFUSED.has(error.reason._tag) && !isTransient(error)
        ? Effect.fail(new WriteRefused({ cause: causeOf(error) }))
        : Effect.fail(error),
    ),
  )
  state.commit(batch)
  return outcomes
})

const writerOf = (
  type: RecordType,
  base: Base,
  entries: ReadonlyArray<Entry>,
): Effect.Effect<ReadonlyArray<Outcome>, SqlError | DatabaseUnavailable, Writing> => {
  switch (type) {
    case "deal":
      return writeDeals(base, entries as ReadonlyArray<Entry<"deal">>)
    case "association":
      return writeAssociations(base, entries as ReadonlyArray<Entry<"association">>)
    case "crm_property":
      return writeCrmProperties(base, entries as ReadonlyArray<Entry<"crm_property">>)
    default:
      return writeEntities(type, base, entries as ReadonlyArray<Entry<EntityType>>)
  }
}
