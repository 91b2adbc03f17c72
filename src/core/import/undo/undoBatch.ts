import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Database } from "../../storage/Database.ts"
import type { EntityType } from "../../records/names/kinds.ts"
import { restoreCurrency } from "../run/prepareCurrency.ts"
import { refusedAs, type Writing } from "../../records/writeBatch.ts"
import { Outcomes, type Undoing } from "./context.ts"
import type { Logged, LoggedBatch } from "../../records/log/Logged.ts"
import { hasLaterImport } from "../../records/log/sql.ts"
import { undoAssociations } from "./undoAssociations.ts"
import { undoDeals } from "./undoDeals.ts"
import { undoEntities } from "./undoEntities.ts"
import { undoProperties } from "./undoProperties.ts"

/** The key of a row among those that later batches of the import left. */
export const keyOf = (type: string, id: string) => `${type} ${id}`

type Undo<Row> = (
  entries: ReadonlyArray<Logged<Row>>,
) => Effect.Effect<Outcomes, SqlError | DatabaseUnavailable, Writing>

/**
 * Undoes one batch in the caller's transaction: what refers to others first. If the database refuses the rows, undoes each alone, so that
 * only those that conflict stay. `isKept` names rows that a later batch of the same import changed too, and that stay.
 */
export const undoBatch = Effect.fnUntraced(function* (
  to: Undoing,
  id: string,
  { associations = [], deals = [], entities = {}, properties = [], currency }: LoggedBatch,
  isKept: (key: string) => boolean,
) {
  const { sql, org } = to
  const database = yield* Database
  const outcomes = new Outcomes()

  /** A savepoint: what the database refuses leaves nothing behind. References that are checked at a commit are checked in it. */
  const attempt = <Row>(entries: ReadonlyArray<Logged<Row>>, undo: Undo<Row>) =>
    database.transaction(org, refusedAs(Effect.tap(undo(entries), sql`set constraints all immediate`)))

  const run = <Row>(type: string, given: ReadonlyArray<Logged<Row>>, undo: Undo<Row>) => {
    const entries = given.filter((entry) => !isKept(keyOf(type, entry.id)))
    if (entries.length === 0) return Effect.void
    const alone = ([id, ofRow]: readonly [string, ReadonlyArray<Logged<Row>>]) =>
      Effect.catchTag(attempt(ofRow, undo), "WriteRefused", () =>
        Effect.sync(() => {
          const refused = new Outcomes()
          refused.keep(type, id, "conflict")
          return refused
        }),
      )
    const all = Effect.catchTag(attempt(entries, undo), "WriteRefused", () =>
      Effect.map(
        Effect.forEach(
          Map.groupBy(entries, ({ id }) => id),
          alone,
        ),
        (each) => {
          const sum = new Outcomes()
          for (const one of each) sum.addAll(one)
          return sum
        },
      ),
    )
    return Effect.map(all, (some) => outcomes.addAll(some))
  }

  yield* run("association", associations, (entries) => undoAssociations(to, entries))
  yield* run("deal", deals, (entries) => undoDeals(to, entries))
  // Segments first: they name others.
  const { segment, ...others } = entities
  const ofEntities = Object.entries({ segment, ...others }) as ReadonlyArray<
    [EntityType, LoggedBatch["entities"] extends infer E ? NonNullable<E>[keyof NonNullable<E>] : never]
  >
  for (const [type, rows = []] of ofEntities) {
    yield* run(type, rows, (entries) => undoEntities(to, type, entries))
  }
  yield* run("crm_property", properties, (entries) => undoProperties(to, entries))
  if (currency !== undefined) {
    const isReset = !(yield* hasLaterImport(sql, org, id)) && (yield* restoreCurrency(sql, org, currency))
    if (isReset) outcomes.restored++
    else outcomes.keep("currency", currency, "changed_later")
  }
  return outcomes
})
