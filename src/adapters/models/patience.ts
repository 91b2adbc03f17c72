import * as AiError from "effect/ai/AiError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

export interface Patience {
  /** Attempts per request; default 4. */
  readonly tries?: number | undefined
  /** Seconds before the first retry, doubled each time; default 0.5. A `Retry-After` takes precedence. */
  readonly pause?: number | undefined
  /** Seconds of silence after which the model fails; default 30. */
  readonly silence?: number | undefined
}

/** A longer `Retry-After`, in seconds, is not awaited: a caller waits for the answer. */
const MAX_RETRY_AFTER_SECONDS = 20

/** A request that modelError before its reply began. `after`: its `Retry-After` in seconds. */
export class Unsent extends Data.TaggedError("Unsent")<{
  readonly error: AiError.AiError
  readonly isTransient: boolean
  readonly after?: number | undefined
}> {}

/** Retries retryable failures with exponential backoff, or after the provider's `Retry-After`. */
export const retryUnsent = <A, R>(
  attempt: Effect.Effect<A, Unsent, R>,
  { tries = 4, pause = 0.5, silence = 30 }: Patience,
): Effect.Effect<A, AiError.AiError, R> => {
  const silent = Effect.suspend(() => Effect.fail(new Unsent({ error: silenceError(silence), isTransient: true })))
  const nth = (n: number): Effect.Effect<A, AiError.AiError, R> =>
    Effect.timeoutOrElse(attempt, { duration: `${silence} seconds`, orElse: () => silent }).pipe(
      Effect.catchTag("Unsent", ({ error, isTransient, after }) =>
        !isTransient || n >= tries || (after ?? 0) > MAX_RETRY_AFTER_SECONDS
          ? Effect.fail(error)
          : Effect.andThen(
              Effect.sleep(`${after ?? pause * 2 ** (n - 1)} seconds`),
              Effect.suspend(() => nth(n + 1)),
            ),
      ),
    )
  return nth(1)
}

/** Fails if the model falls silent in the middle of its reply. */
export const failOnSilence =
  ({ silence = 30 }: Patience) =>
  <A, E, R>(stream: Stream.Stream<A, E, R>) =>
    Stream.timeoutOrElse(stream, {
      duration: `${silence} seconds`,
      orElse: () => Stream.fromEffect(Effect.suspend(() => Effect.fail(silenceError(silence)))),
    })

export const modelError = (reason: AiError.AiErrorReason) => AiError.make({ module: "model", method: "answer", reason })

export const unreachable = (cause: unknown) =>
  modelError(new AiError.NetworkError({ reason: "TransportError", method: "POST", url: "the model's", cause }))

const silenceError = (silence: number) =>
  modelError(new AiError.InternalProviderError({ description: `the model sent nothing for ${silence} s` }))
