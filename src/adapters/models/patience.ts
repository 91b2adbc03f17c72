import * as AiError from "effect/ai/AiError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

export interface Patience {
  /** How often a request is sent before it is given up; 4 unless said. */
  readonly tries?: number | undefined
  /** Before a request is tried again, in seconds, doubled each time; 0.5 unless said. A `Retry-After` wins. */
  readonly pause?: number | undefined
  /** How long the model may say nothing, in seconds; 30 unless said. */
  readonly silence?: number | undefined
}

/** Seconds that a provider may ask to wait for; a question is not worth more. */
const MOST_PATIENCE = 20

/** A request that failed before its reply began. `after`: seconds, if the provider said so. */
export class Unsent extends Data.TaggedError("Unsent")<{
  readonly error: AiError.AiError
  readonly passing: boolean
  readonly after?: number | undefined
}> {}

/** What may pass is tried again, with growing pauses, or after as long as the provider says. */
export const patiently = <A, R>(
  attempt: Effect.Effect<A, Unsent, R>,
  { tries = 4, pause = 0.5, silence = 30 }: Patience,
): Effect.Effect<A, AiError.AiError, R> => {
  const silent = Effect.suspend(() => Effect.fail(new Unsent({ error: saidNothing(silence), passing: true })))
  const nth = (n: number): Effect.Effect<A, AiError.AiError, R> =>
    Effect.timeoutOrElse(attempt, { duration: `${silence} seconds`, orElse: () => silent }).pipe(
      Effect.catchTag("Unsent", ({ error, passing, after }) =>
        !passing || n >= tries || (after ?? 0) > MOST_PATIENCE
          ? Effect.fail(error)
          : Effect.andThen(
              Effect.sleep(`${after ?? pause * 2 ** (n - 1)} seconds`),
              Effect.suspend(() => nth(n + 1)),
            ),
      ),
    )
  return nth(1)
}

/** Fails where the model falls silent in the middle of its reply. */
export const unlessSilent =
  ({ silence = 30 }: Patience) =>
  <A, E, R>(stream: Stream.Stream<A, E, R>) =>
    Stream.timeoutOrElse(stream, {
      duration: `${silence} seconds`,
      orElse: () => Stream.fromEffect(Effect.suspend(() => Effect.fail(saidNothing(silence)))),
    })

export const failed = (reason: AiError.AiErrorReason) => AiError.make({ module: "model", method: "answer", reason })

export const unreachable = (cause: unknown) =>
  failed(new AiError.NetworkError({ reason: "TransportError", method: "POST", url: "the model's", cause }))

const saidNothing = (silence: number) =>
  failed(new AiError.InternalProviderError({ description: `the model sent nothing for ${silence} s` }))
