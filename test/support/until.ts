import * as Effect from "effect/Effect"

/** Bounds a hang. A correct program is ready long before, even on a machine that is ten times slower. */
const HANG_MS = 600_000
const FIRST_PAUSE_MS = 10
const MAX_PAUSE_MS = 1_000

/** The reply was a 429: the next look comes after `seconds`. */
export class Throttled {
  readonly seconds: number
  constructor(seconds: number) {
    this.seconds = seconds
  }
}

/** A 429 as `Throttled`; undefined for any other reply. */
export const throttled = (reply: { readonly status: number; readonly headers: Headers }): Throttled | undefined =>
  reply.status === 429 ? new Throttled(Number(reply.headers.get("retry-after") ?? 1)) : undefined

/** The values that a look may return before the wait ends. */
type NotYet = Throttled | undefined | null | false

const rest = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/**
 * Looks until it finds a value, with pauses that grow from 10 ms to a second. After 600 s it throws, and names what was expected.
 * This is how tests wait: a fixed pause before an assertion fails on a slow machine.
 */
export const until = async <A>(
  expected: string,
  look: () => A | NotYet | Promise<A | NotYet>,
): Promise<Exclude<A, NotYet>> => {
  const end = performance.now() + HANG_MS
  for (let pauseMs = FIRST_PAUSE_MS; performance.now() < end; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    const found = await look()
    if (found instanceof Throttled) await rest(found.seconds * 1000)
    else if (found !== undefined && found !== null && found !== false) return found as Exclude<A, NotYet>
    else await rest(pauseMs)
  }
  throw new Error(`after ${HANG_MS / 1000} s, still not: ${expected}`)
}

/** `until` for an effect. It waits in real time, whatever clock the test has. */
export const untilEffect = Effect.fnUntraced(function* <A, E, R>(
  expected: string,
  look: Effect.Effect<A | NotYet, E, R>,
) {
  const end = performance.now() + HANG_MS
  for (let pauseMs = FIRST_PAUSE_MS; performance.now() < end; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    const found = yield* look
    if (found instanceof Throttled) yield* Effect.promise(() => rest(found.seconds * 1000))
    else if (found !== undefined && found !== null && found !== false) return found as Exclude<A, NotYet>
    else yield* Effect.promise(() => rest(pauseMs))
  }
  return yield* Effect.die(new Error(`after ${HANG_MS / 1000} s, still not: ${expected}`))
})

/**
 * A delay that is part of the behaviour under test: a double that answers late, writers that overlap. No assertion may
 * depend on it having been long enough.
 */
export const late = rest
export const lateEffect = (milliseconds: number) => Effect.promise(() => rest(milliseconds))
