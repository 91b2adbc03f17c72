import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** A retryable failure of an endpoint; `after` is its `Retry-After` in seconds. */
export class Transient extends Data.TaggedError("Transient")<{
  readonly message: string
  readonly after?: number | undefined
}> {}

/** A longer `Retry-After`, in seconds, is not awaited: the job retries later. */
const MAX_RETRY_AFTER_SECONDS = 60

/** Retries retryable failures with exponential backoff, or after the endpoint's `Retry-After`. */
export const retryTransient = <A, E>(
  attempt: Effect.Effect<A, E | Transient>,
  { tries, pause }: { readonly tries: number; readonly pause: number },
  n = 1,
): Effect.Effect<A, E | Transient> =>
  Effect.catchIf(
    attempt,
    (error): error is E & Transient => error instanceof Transient,
    (failure) =>
      n >= tries || (failure.after ?? 0) > MAX_RETRY_AFTER_SECONDS
        ? Effect.fail(failure)
        : Effect.andThen(
            Effect.sleep(`${failure.after ?? pause * 2 ** (n - 1)} seconds`),
            Effect.suspend(() => retryTransient(attempt, { tries, pause }, n + 1)),
          ),
  )

/** Sends a request to the endpoint that messages call `name`; returns its reply or fails with `Transient`. Drops a reply longer than `most` bytes. */
export const exchange = Effect.fnUntraced(function* (
  { name, seconds, most }: { readonly name: string; readonly seconds: number; readonly most: number },
  send: (signal: AbortSignal) => Promise<Response>,
) {
  const sent = Effect.tryPromise({
    try: async (signal) => {
      const reply = await send(signal)
      return {
        status: reply.status,
        after: reply.headers.get("retry-after") ?? undefined,
        text: await readLimited(reply, most),
      }
    },
    catch: () => new Transient({ message: `${name} is unreachable` }),
  })
  const { status, after, text } = yield* Effect.timeoutOrElse(sent, {
    duration: `${seconds} seconds`,
    orElse: () => Effect.fail(new Transient({ message: `${name} did not reply in time` })),
  })
  if (status === 408 || status === 429 || status >= 500) {
    const message = status === 429 ? `${name} is busy` : `${name} failed (${status})`
    return yield* new Transient({ message, after: yield* parseRetryAfter(after) })
  }
  return { status, text }
})

/** Parses a `Retry-After`, a number of seconds or a date, to seconds. */
export const parseRetryAfter = Effect.fnUntraced(function* (header: string | undefined) {
  const text = header?.trim() ?? ""
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
  const until = Date.parse(text)
  return Number.isNaN(until) ? undefined : Math.max(0, (until - (yield* Clock.currentTimeMillis)) / 1000)
})

const readLimited = async (reply: Response, most: number) => {
  const decoder = new TextDecoder()
  const parts: Array<string> = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.length
    if (size > most) return ""
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  return parts.join("") + decoder.decode()
}
