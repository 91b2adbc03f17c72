import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Database, type DatabaseUnavailable, isTransient } from "../../storage/Database.ts"
import { writeAssociations } from "./associations.ts"
import type { DateOrder } from "./cells.ts"
import { writeCrmProperties } from "./crmProperties.ts"
import { writeDeals } from "./deals.ts"
import { type EntityType, writeEntities } from "./entities.ts"
import { type Entry, refused } from "./entry.ts"
import type { RecordType } from "./records.ts"
import type { Outcome } from "./Session.ts"

/** The database refused what the batch would write. */
class WriteRefused extends Schema.TaggedError<WriteRefused>()("WriteRefused", { cause: Schema.String }) {}

const causeOf = ({ reason }: SqlError): string => (reason.cause instanceof Error ? reason.cause.message : reason._tag)

const REFUSED = new Set(["UniqueViolation", "ConstraintError", "UnknownError"])

/**
 * Writes records of one type, all in one transaction. Where the database refuses the batch, each record is tried by
 * itself, so that the good ones land. Imports of one organization take turns, batch by batch.
 */
export const writeBatch = (
  database: Database["Service"],
  org: string,
  dates: DateOrder,
  type: RecordType,
  entries: ReadonlyArray<Entry>,
): Effect.Effect<ReadonlyArray<Outcome>, DatabaseUnavailable> =>
  Effect.catchTag(together(database, org, dates, type, entries), "WriteRefused", ({ cause }) =>
    entries.length === 1
      ? Effect.as(Effect.logWarning(`the database refused an imported record: ${cause}`), [
          refused(entries[0]!.line, "record", "conflicts with what is stored, or holds a value out of range"),
        ])
      : Effect.map(
          Effect.forEach(entries, (entry) => writeBatch(database, org, dates, type, [entry])),
          (outcomes) => outcomes.flat(),
        ),
  )

/** Writers of one organization's records take turns, each until the end of its transaction. */
const turn = (sql: SqlClient, org: string) =>
  sql`pg_advisory_xact_lock(hashtextextended(${`sightline.import ${org}`}, 0))`

/** Waits for the turn to write records of the organization. */
export const inTurn = (sql: SqlClient, org: string) => sql`select ${turn(sql, org)}`

const together = Effect.fnUntraced(function* (
  database: Database["Service"],
  org: string,
  dates: DateOrder,
  type: RecordType,
  entries: ReadonlyArray<Entry>,
) {
  const { sql } = database
  const base = { sql, org, dates, now: DateTime.formatIso(yield* DateTime.now) }
  const write = Effect.andThen(
    // The session plans every statement anew, those that check foreign keys too, a plan for each row; not here.
    sql`select ${turn(sql, org)}, set_config('plan_cache_mode', 'auto', true)`,
    writerOf(type, base, entries),
  )
  return yield* database.transaction(
    org,
    Effect.catchTag(write, "SqlError", (error: SqlError): Effect.Effect<never, SqlError | WriteRefused> =>
      REFUSED.has(error.reason._tag) && !isTransient(error)
        ? Effect.fail(new WriteRefused({ cause: causeOf(error) }))
        : Effect.fail(error),
    ),
  )
})

const writerOf = (
  type: RecordType,
  base: Parameters<typeof writeDeals>[0],
  entries: ReadonlyArray<Entry>,
): Effect.Effect<ReadonlyArray<Outcome>, SqlError> => {
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
