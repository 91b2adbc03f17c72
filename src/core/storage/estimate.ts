import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { BoundedCache } from "../common/BoundedCache.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { CurrentClass } from "./CurrentClass.ts"
import { type EmbeddedEngine, IsUnlimited } from "./EmbeddedEngine.ts"
import { canceled, toUnavailable } from "./unavailable.ts"

/** A heavy statement of the embedded database may take so much CPU time, by its estimate. */
const MAX_SECONDS = 2

/**
 * CPU time for each unit of the planner's cost, of a statement that this process has not run: `npm run bench -- estimates` prints it. Most
 * take longer. Better to run one to its time limit once than to refuse one that is fast.
 */
export const LEAST_MS_PER_UNIT = 0.003

/** Cheaper statements say little about the time for a unit. */
const MIN_MEASURED_UNITS = 10_000

/** How long a measurement counts: the machine, the data or our SQL may be faster meanwhile. */
const REMEMBERED_MS = 10 * 60_000
const MAX_REMEMBERED = 300

/** Nothing is estimated while no table has more rows. */
const MAX_SMALL_ROWS = 5_000
const ROWS_CHECK_INTERVAL_MS = 60_000

interface Measured {
  readonly msPerUnit: number
  readonly atMs: number
  /** Its time limit ended it. */
  readonly isEnded: boolean
}

type Plan = ReadonlyArray<{ readonly Plan: { readonly "Total Cost": number } }>

/**
 * Makes the function that refuses a heavy statement of the embedded database if it would take too long. The estimate is the planner's cost
 * times what the same text took for each unit when it ran last. Without statistics the planner guesses few rows, and refuses nothing.
 */
export const makeEstimate = (sql: SqlClient.SqlClient, engine: EmbeddedEngine) => {
  const measured = new BoundedCache<string, Measured>(MAX_REMEMBERED)
  let checkedMs = -Infinity
  let isSmall = true

  const check = Effect.fnUntraced(function* (nowMs: number) {
    checkedMs = nowMs
    const [row] = yield* sql<{ rows: number }>`
      select coalesce(max(reltuples), 0)::float8 as rows from pg_class
      where relnamespace = to_regnamespace(current_schema()) and relkind = 'r'`
    isSmall = (row?.rows ?? 0) <= MAX_SMALL_ROWS
  })

  const runIfShort = Effect.fnUntraced(function* <Row>(
    org: string,
    statement: Fragment,
    run: Effect.Effect<ReadonlyArray<Row>, SqlError>,
  ) {
    const nowMs = yield* Clock.currentTimeMillis
    if (nowMs - checkedMs >= ROWS_CHECK_INTERVAL_MS) yield* check(nowMs)
    if (isSmall) return yield* run
    const { text, units } = yield* planCost(sql, org, statement)
    const last = measured.get(text)
    const before = last !== undefined && nowMs - last.atMs < REMEMBERED_MS ? last : undefined
    const seconds = (units * (before?.msPerUnit ?? LEAST_MS_PER_UNIT)) / 1000
    if (seconds > MAX_SECONDS) return yield* tooLong(seconds, before?.isEnded === true)
    const beganMs = engine.cpuMs()
    const remember = (isEnded: boolean) =>
      Effect.sync(() => {
        const msPerUnit = (engine.cpuMs() - beganMs) / units
        if (units >= MIN_MEASURED_UNITS) measured.set(text, { msPerUnit, atMs: nowMs, isEnded })
      })
    return yield* run.pipe(
      Effect.tap(remember(false)),
      Effect.tapError(({ reason }) => (toUnavailable(reason.cause) === canceled ? remember(true) : Effect.void)),
    )
  })

  return <Row>(org: string, statement: Fragment, run: Effect.Effect<ReadonlyArray<Row>, SqlError>) =>
    Effect.withFiber<ReadonlyArray<Row>, SqlError | DatabaseUnavailable>((fiber) =>
      fiber.getRef(CurrentClass) === "heavy" && !fiber.getRef(IsUnlimited) ? runIfShort(org, statement, run) : run,
    )
}

/** The planner's cost of a statement in the scope of `org`, and its text, in which parameters are numbers. */
export const planCost = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, org: string, statement: Fragment) {
  // The planner knows how many rows this organization has, but not that of a statement that sets it.
  const explain = sql<{ "QUERY PLAN": Plan }>`explain (format json)
    with scope as not materialized (select ${org}::text as org) select answer.* from scope, lateral (${statement}) answer`
  const [text] = explain.compile()
  const [row] = yield* explain
  return { text, units: row?.["QUERY PLAN"][0]?.Plan["Total Cost"] ?? 0 }
})

const tooLong = (seconds: number, isLeast: boolean) => {
  const shown = Number(seconds.toPrecision(2))
  return new DatabaseUnavailable({
    message: `the embedded database would work for ${isLeast ? "more than" : "about"} ${shown} s on this, and at most ${MAX_SECONDS} s are allowed: narrow it by a filter, ask for fewer dimensions, or export the deals`,
    reason: "too_slow",
    details: { reason: "too_slow", estimated_seconds: shown, limit_seconds: MAX_SECONDS },
  })
}
