import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
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
  /** The host's telemetry while it is open, for what is logged apart from the services. */
  readonly telemetry: () => Context.Context<never>
}

/**
 * Builds the services when they are first needed, and again after a failure: at most one attempt at a time, with growing pauses
 * between them. With `keepTrying`, attempts go on without callers. The telemetry is built before the first attempt and kept for all, so
 * that the host's logger gets what each of them logs. The scope closes the services, and then the telemetry.
 */
export const makeOpening = Effect.fnUntraced(function* <A, E>(
  layerTelemetry: Layer.Layer<never>,
  layerServices: (telemetry: Layer.Layer<never>) => Layer.Layer<A, E>,
  keepTrying: boolean,
) {
  const telemetryScope = yield* Scope.fork(yield* Effect.scope)
  const scope = yield* Scope.make()
  let telemetry: Context.Context<never> | undefined
  let opened: Context.Context<A> | undefined
  let attempt: Deferred.Deferred<Context.Context<A>, NotReady> | undefined
  let last: NotReady | undefined
  let failures = 0
  let resumesAtMs = 0
  let isClosed = false
  yield* Scope.addFinalizer(
    telemetryScope,
    Effect.sync(() => void (telemetry = undefined)),
  )
  /** For effects apart from the services, which have it as a layer. */
  const withTelemetry = <B, F, R>(effect: Effect.Effect<B, F, R>) =>
    Effect.suspend(() => (telemetry === undefined ? effect : Effect.provideContext(effect, telemetry)))
  yield* Effect.addFinalizer((exit) =>
    Effect.suspend(() => {
      isClosed = true
      opened = undefined
      const end = attempt === undefined ? Effect.void : Deferred.fail(attempt, disposed)
      return Effect.andThen(withTelemetry(Scope.close(scope, exit)), end)
    }),
  )

  /** Builds every layer anew, and closes what it built if it fails. */
  const build = <B, F>(layer: Layer.Layer<B, F>, within: Scope.Scope) =>
    Effect.gen(function* () {
      const own = yield* Scope.fork(within)
      return yield* Layer.buildWithMemoMap(layer, yield* Layer.makeMemoMap, own).pipe(
        Effect.onError((cause) => Scope.close(own, Exit.failCause(cause))),
      )
    })

  const buildAll = Effect.gen(function* () {
    telemetry ??= yield* Effect.catchCause(build(layerTelemetry, telemetryScope), (cause) =>
      Effect.fail(noTelemetry(Cause.squash(cause))),
    )
    return yield* build(layerServices(Layer.succeedContext(telemetry)), scope)
  })

  const start = (running: Deferred.Deferred<Context.Context<A>, NotReady>): Effect.Effect<void> =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(buildAll)
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
      yield* withTelemetry(Effect.logWarning(`the service is not open yet: ${failed.message}`))
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

  return {
    current: () => opened,
    join,
    wait,
    lastError: () => last,
    telemetry: () => telemetry ?? Context.empty(),
  } satisfies Opening<A>
})

export const disposed = new NotReady({ reason: "disposed", message: "the service was disposed" })

const noTelemetry = (cause: unknown) =>
  new NotReady({ reason: "unusable", message: `\`telemetry\` could not be built: ${describe(cause)}`, cause })

const toNotReady = (cause: unknown) =>
  cause instanceof NotReady
    ? cause
    : new NotReady({
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
