import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { isSqlError } from "effect/sql/SqlError"
import { DatabaseUnavailable } from "./ports/DatabaseUnavailable.ts"
import { isTransient } from "./storage/Database.ts"

/** The service is not open. `cause` is the error of the last attempt to open it. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {
  /**
   * `unreachable`: the database does not answer yet. `unusable`: it answers, but waiting does not help; `message` says why.
   * `disposed`: the host closed the service.
   */
  reason: Schema.Literals(["unreachable", "unusable", "disposed"]),
  message: Schema.String,
  cause: Schema.optional(Schema.Defect()),
}) {}

const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

/** Opens services on demand. Any number of callers share one attempt. */
export interface Opening<A> {
  /** The services, if they are open. */
  readonly current: () => Context.Context<A> | undefined
  /** Waits for the attempt in flight; starts one if its pause is over; otherwise fails with the last error at once. */
  readonly join: Effect.Effect<Context.Context<A>, NotReady>
  /** Joins attempt after attempt until one succeeds, or fails with a reason that waiting does not change. */
  readonly wait: Effect.Effect<Context.Context<A>, NotReady>
  /** The error of the last attempt, if one failed. */
  readonly lastError: () => NotReady | undefined
}

/**
 * Builds a layer when it is first needed, and again after a failure: at most one attempt at a time, with growing pauses
 * between them. With `keepTrying`, attempts go on without callers. The scope closes what an attempt opened.
 */
export const makeOpening = Effect.fnUntraced(function* <A, E>(layer: Layer.Layer<A, E>, keepTrying: boolean) {
  const scope = yield* Effect.scope
  let opened: Context.Context<A> | undefined
  let attempt: Deferred.Deferred<Context.Context<A>, NotReady> | undefined
  let last: NotReady | undefined
  let failures = 0
  let resumesAtMs = 0
  let isClosed = false
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      opened = undefined
      return attempt === undefined ? Effect.void : Deferred.fail(attempt, disposed)
    }),
  )

  /** Closes the resources of a failed attempt before the next one. Each attempt builds every layer anew. */
  const build = Effect.gen(function* () {
    const own = yield* Scope.fork(scope)
    return yield* Layer.buildWithMemoMap(layer, yield* Layer.makeMemoMap, own).pipe(
      Effect.onError((cause) => Scope.close(own, Exit.failCause(cause))),
    )
  })

  const start = (running: Deferred.Deferred<Context.Context<A>, NotReady>): Effect.Effect<void> =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(build)
      attempt = undefined
      if (Exit.isSuccess(exit)) {
        opened = exit.value
        yield* Deferred.succeed(running, exit.value)
        return
      }
      const failed = toNotReady(Cause.squash(exit.cause))
      last = failed
      const pauseMs = Math.min(MIN_PAUSE_MS * 2 ** failures++, MAX_PAUSE_MS) * (yield* Random.nextBetween(0.75, 1.25))
      resumesAtMs = (yield* Clock.currentTimeMillis) + pauseMs
      yield* Effect.logWarning(`the service is not open yet: ${failed.message}`)
      yield* Deferred.fail(running, failed)
      if (keepTrying) yield* Effect.forkIn(Effect.delay(Effect.ignore(join), pauseMs + 1), scope)
    }).pipe(Effect.asVoid)

  const join: Opening<A>["join"] = Effect.gen(function* () {
    if (isClosed) return yield* disposed
    if (opened !== undefined) return opened
    if (attempt === undefined) {
      if (last !== undefined && (yield* Clock.currentTimeMillis) < resumesAtMs) return yield* last
      attempt = Deferred.makeUnsafe()
      yield* Effect.forkIn(start(attempt), scope)
    }
    return yield* Deferred.await(attempt)
  })

  const wait: Opening<A>["wait"] = Effect.catch(join, (error) =>
    error.reason === "unreachable"
      ? Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          Effect.delay(wait, Duration.millis(Math.max(resumesAtMs - nowMs, 1))),
        )
      : Effect.fail(error),
  )

  return { current: () => opened, join, wait, lastError: () => last } satisfies Opening<A>
})

export const disposed = new NotReady({ reason: "disposed", message: "the service was disposed" })

const toNotReady = (cause: unknown) =>
  new NotReady({
    reason: isPassing(cause) ? "unreachable" : "unusable",
    message: describe(cause),
    cause,
  })

/** A wrong password is no state that passes while a host waits. */
const isPassing = (error: unknown) =>
  isSqlError(error)
    ? isTransient(error) && error.reason._tag !== "AuthenticationError"
    : error instanceof DatabaseUnavailable

const describe = (error: unknown): string => {
  const inner = isSqlError(error) ? (error.reason.cause ?? error) : error
  return inner instanceof Error && inner.message !== "" ? inner.message : String(inner)
}
