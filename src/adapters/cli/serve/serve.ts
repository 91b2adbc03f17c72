import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Configuration, configuration } from "../../configuration/configuration.ts"
import { announce } from "../../directory/directoryLock.ts"
import { inspectEnvironment } from "../../configuration/environment.ts"
import { options, withOperatorKey, withSigningSecret } from "../../configuration/options.ts"
import { type Serving } from "../../serving/address.ts"
import { DRAIN_SECONDS, type Services } from "../../serving/serving.ts"
import { adviceOn, lacksBaseUrl } from "../doctor/baseUrl.ts"
import { print } from "../terminal/output.ts"
import { signal } from "../terminal/signal.ts"

/** Serves until a signal, then finishes what is in flight. */
export const serve = Effect.fnUntraced(function* (input: { readonly json: boolean }) {
  const settings = yield* configuration.pipe(Effect.flatMap(withSigningSecret), Effect.flatMap(withOperatorKey))
  yield* untilSignal(settings, {}, ({ url, host, port }) =>
    Effect.andThen(
      lacksBaseUrl(settings) ? Effect.logWarning(adviceOn(url)) : Effect.void,
      print(input.json, { url, host, port }, [`Sightline listens at ${url}`]),
    ),
  )
})

/** On the runtime at hand. */
const listener = Effect.promise(async () =>
  "Bun" in globalThis
    ? import("../../bun.ts")
    : "Deno" in globalThis
      ? import("../../deno.ts")
      : import("../../node.ts"),
)

/** Closing takes as long as the requests in flight, and a little for pools. */
const CLOSE_SECONDS = DRAIN_SECONDS + 5

export const untilSignal = Effect.fnUntraced(function* <E2, R, P = never>(
  settings: Configuration,
  { prepare }: { readonly prepare?: Effect.Effect<unknown, P, Services> },
  onListening: (serving: Serving) => Effect.Effect<unknown, E2, R>,
) {
  const { host, port, metricsAt, database } = settings
  const { problems } = yield* inspectEnvironment()
  for (const problem of problems) yield* Effect.logWarning(problem)
  const { serve } = yield* listener
  const scope = yield* Scope.make()
  const reason = yield* Effect.raceFirst(
    Effect.flatMap(Scope.provide(serve({ ...options(settings), host, port, metricsAt, prepare }), scope), (serving) =>
      (database.kind === "directory" ? announce(database.directory, serving.url) : Effect.void).pipe(
        Effect.andThen(onListening(serving)),
        Effect.andThen(Effect.never),
      ),
    ),
    signal,
  ).pipe(Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause))))
  yield* Effect.logInfo(`${reason}: finishing requests in flight`)
  yield* Effect.timeoutOrElse(Scope.close(scope, Exit.void), {
    duration: `${CLOSE_SECONDS} seconds`,
    orElse: () =>
      Effect.sync(() => {
        console.error(`sightline: did not stop within ${CLOSE_SECONDS} s`)
        process.exit(1)
      }),
  })
})
