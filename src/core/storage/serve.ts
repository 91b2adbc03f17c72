import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Fiber } from "effect/Fiber"
import { identity } from "effect/Function"
import type * as SqlClient from "effect/sql/SqlClient"
import { orElseAfter } from "../common/orElseAfter.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { observe, startTimer } from "../telemetry/family.ts"
import { databaseConnections, databaseErrors, databaseSeconds } from "../telemetry/metrics.ts"
import { hasConnection, makeAdmit } from "./admit.ts"
import { CurrentClass } from "./CurrentClass.ts"
import { CurrentEngine, type EmbeddedEngine, IsUnlimited } from "./EmbeddedEngine.ts"
import { CurrentScope } from "./session.ts"
import { canceled, type Operation, tooSlow, unavailable, unreachable } from "./unavailable.ts"

/** The connections of the adapter's pool, which are shared among organizations. */
export const PoolSize = Context.Reference<number>("sightline/storage/PoolSize", { defaultValue: () => 10 })

/**
 * How long a statement or transaction may run, in milliseconds. Background work may take what the session allows. An embedded engine
 * runs in this thread, where a timer would only throw its answer away: it has limits of its own.
 */
export const TimeLimits = Context.Reference<{ readonly short: number; readonly heavy: number }>(
  "sightline/storage/TimeLimits",
  { defaultValue: () => ({ short: 5_000, heavy: 10_000 }) },
)

/**
 * Admits and measures statements and transactions, and ends those that take too long. Within a transaction, which has its connection, a
 * statement simply runs.
 */
export const makeServe = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const { admit, permits } = yield* makeAdmit(yield* PoolSize)
  const limits = yield* TimeLimits
  const engine = yield* CurrentEngine
  yield* observe(databaseConnections({ state: "in use" }), () => sumOf(permits.running))
  yield* observe(databaseConnections({ state: "waited for" }), () => sumOf(permits.waiting))
  yield* observe(databaseConnections({ state: "pool" }), () => permits.size)

  /** A transaction has its connection, and its commit is never cut short. A statement may still wait for a server that is away. */
  const endInTime =
    (operation: Operation): EndInTime =>
    (effect) =>
      Effect.withFiber((fiber) => {
        const workClass = fiber.getRef(CurrentClass)
        if (workClass === "background") return effect
        if (engine !== undefined)
          return fiber.getRef(IsUnlimited) ? effect : endByEngine(engine, engine.limits[workClass], effect)
        const limitMs = limits[workClass]
        if (limitMs === Infinity) return effect
        return orElseAfter(limitMs, () => {
          const fail = Effect.fail(tooSlow(operation, workClass === "heavy", limitMs))
          return operation === "transaction" ? fail : Effect.andThen(answers(sql), fail)
        })(effect)
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
      const made = make(endInTime(operation))
      const admitted = admit(
        org,
        engine === undefined ? made : Effect.mapError(made, nameLimit(engine, operation, fiber)),
      )
      return Effect.onExit(admitted, (exit) => {
        databaseSeconds({ operation }).updateUnsafe(elapsed(), context)
        const error = Exit.isFailure(exit) ? exit.cause.reasons.find(Cause.isFailReason)?.error : undefined
        if (error instanceof DatabaseUnavailable && error.reason !== "concurrency")
          databaseErrors({ reason: error.reason ?? "unreachable" }).updateUnsafe(1, context)
        return Effect.void
      })
    })
})

/** The one connection runs nothing else meanwhile. */
const endByEngine = <A, E, R>(engine: EmbeddedEngine, limitMs: number, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => engine.setLimit(limitMs)),
    () => effect,
    () => Effect.sync(() => engine.setLimit(Infinity)),
  )

/** Says which limit ended a statement. */
const nameLimit =
  (engine: EmbeddedEngine, operation: Operation, fiber: Fiber<unknown, unknown>) =>
  <E>(error: E): E | DatabaseUnavailable => {
    const workClass = fiber.getRef(CurrentClass)
    if (error !== canceled || workClass === "background") return error
    return tooSlow(operation, workClass === "heavy", engine.limits[workClass])
  }

type EndInTime = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | DatabaseUnavailable, R>

const sumOf = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Fails if the database does not answer: what was too slow never reached it. */
const answers = (sql: SqlClient.SqlClient) =>
  unavailable(Effect.provideService(sql`select 1`, CurrentScope, undefined)).pipe(
    orElseAfter(PROBE_TIMEOUT_MS, () => Effect.fail(unreachable)),
  )

const PROBE_TIMEOUT_MS = 2_000
