import { SightlineError, type SightlineErrorCode } from "./SightlineError.ts"
import { sleep } from "./timing.ts"

export interface WaitOptions<A> {
  readonly signal?: AbortSignal | undefined
  /** Gives up after this time with a `SightlineError` of code `timeout`. 15 minutes by default. */
  readonly timeoutMs?: number | undefined
  /** Runs after each look. */
  readonly onProgress?: ((state: A) => void) | undefined
}

/** The result of one look at the state. */
export interface Look<A> {
  readonly state: A
  /** The time before the next look that the server asks for. */
  readonly retryAfterMs?: number | undefined
}

const TIMEOUT_MS = 15 * 60_000
/** Most things end within seconds. The first looks are early; later ones wait longer, up to the time that the server asks for. */
const FIRST_WAIT_MS = 300
const GROWTH = 1.25
const MAX_WAIT_MS = 5_000

/** Looks until `state` has ended. */
export const waitUntil = async <A>(
  look: (signal: AbortSignal | undefined) => Promise<Look<A>>,
  stateOf: (state: A) => "ended" | "running" | Failed,
  { signal, timeoutMs = TIMEOUT_MS, onProgress }: WaitOptions<A> = {},
): Promise<A> => {
  const began = Date.now()
  for (let looks = 0; ; looks++) {
    const { state, retryAfterMs = MAX_WAIT_MS } = await look(signal)
    onProgress?.(state)
    const found = stateOf(state)
    if (found === "ended") return state
    if (found !== "running") throw new SightlineError({ ...found, details: { state } })
    const waitMs = Math.min(FIRST_WAIT_MS * GROWTH ** looks, retryAfterMs)
    if (Date.now() - began + waitMs > timeoutMs) {
      throw new SightlineError({
        code: "timeout",
        message: `it has not ended after ${timeoutMs} ms`,
        details: { state },
      })
    }
    await sleep(waitMs, signal)
  }
}

/** Why a thing that was waited for failed. */
export interface Failed {
  readonly code: SightlineErrorCode
  readonly message: string
}
