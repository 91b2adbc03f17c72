import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import type * as SqlClient from "effect/sql/SqlClient"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { observe, startTimer } from "../telemetry/family.ts"
import { databaseConnections, databaseErrors, databaseSeconds } from "../telemetry/metrics.ts"
import { hasConnection, makeAdmit } from "./admit.ts"
import { CurrentClass } from "./CurrentClass.ts"
import { CurrentScope } from "./session.ts"
import { type Operation, tooSlow, unavailable, unreachable } from "./unavailable.ts"

/** The connections of the adapter's pool, which are shared among organizations. */
export const PoolSize = Context.Reference<number>("sightline/storage/PoolSize", { defaultValue: () => 10 })

/**
 * How long a statement or transaction may run, in milliseconds. Background work may take what the session allows. An embedded engine
 * cannot be interrupted, so a limit would only throw its answer away.
 */
export const TimeLimits = Context.Reference<{ readonly short: number; readonly heavy: number }>(
  "sightline/storage/TimeLimits",
  { defaultValue: () => ({ short: 5_000, heavy: 10_000 }) },
)
export const NO_TIME_LIMITS = { short: Infinity, heavy: Infinity } as const

/**
 * Admits and measures statements and transactions, and ends those that take too long. Within a transaction, which has its connection, a
 * statement simply runs.
 */
export const makeServe = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const { admit, permits } = yield* makeAdmit(yield* PoolSize)
  const limits = yield* TimeLimits
  yield* observe(databaseConnections({ state: "in use" }), () => sumOf(permits.running))
  yield* observe(databaseConnections({ state: "waited for" }), () => sumOf(permits.waiting))
  yield* observe(databaseConnections({ state: "pool" }), () => permits.size)

  /** A transaction has its connection, and its commit is never cut short. A statement may still wait for a server that is away. */
  const endInTime =
    (operation: Operation): EndInTime =>
    (effect) =>
      Effect.withFiber((fiber) => {
        const workClass = fiber.getRef(CurrentClass)
        const limitMs = workClass === "background" ? Infinity : limits[workClass]
        if (limitMs === Infinity) return effect
        const fail = Effect.fail(tooSlow(operation, workClass === "heavy", limitMs))
        return Effect.timeoutOrElse(effect, {
          duration: limitMs,
          orElse: () => (operation === "transaction" ? fail : Effect.andThen(answers(sql), fail)),
        })
      })

  return <A, E, R>(
    operation: Operation,
    org: string,
    make: (endInTime: EndInTime) => Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | DatabaseUnavailable, R> =>
    Effect.withFiber((fiber) => {
      if (hasConnection(fiber)) return make(identity)
      const { context } = fiber
      const elapsed = startTimer(context)
      return Effect.onExit(admit(org, make(endInTime(operation))), (exit) => {
        databaseSeconds({ operation }).updateUnsafe(elapsed(), context)
        const error = Exit.isFailure(exit) ? exit.cause.reasons.find(Cause.isFailReason)?.error : undefined
        if (error instanceof DatabaseUnavailable && error.reason !== "concurrency")
          databaseErrors({ reason: error.reason ?? "unreachable" }).updateUnsafe(1, context)
        return Effect.void
      })
    })
})

type EndInTime = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | DatabaseUnavailable, R>

const sumOf = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Fails if the database does not answer: what was too slow never reached it. */
const answers = (sql: SqlClient.SqlClient) =>
  Effect.timeoutOrElse(unavailable(Effect.provideService(sql`select 1`, CurrentScope, undefined)), {
    duration: PROBE_TIMEOUT_MS,
    orElse: () => Effect.fail(unreachable),
  })

const PROBE_TIMEOUT_MS = 2_000
