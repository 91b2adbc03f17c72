import * as Effect from "effect/Effect"
import type { Fiber } from "effect/Fiber"

/** The work of this process that a host still waits for: replies until their last byte, and effects. */
export class InFlight {
  /** Functions that end each of them at a cut. */
  readonly #cuts = new Set<() => void>()
  #waiting: Array<() => void> = []

  /** Counts an effect. A cut leaves it to what closing does to it. */
  readonly run = <A>(work: Promise<A>): Promise<A> => {
    const end = this.#begin(() => end())
    work.then(end, end)
    return work
  }

  /**
   * Counts a reply. If it has not begun when `cut` is called, the caller gets what `refuse` returns in its place. A stream of events
   * stays in flight: it has a last event to send.
   */
  readonly reply = (answering: Promise<Response>, refuse: () => Promise<Response>): Promise<Response> =>
    new Promise((resolve, reject) => {
      let state: "waiting" | "begun" | "events" | "cut" = "waiting"
      const end = this.#begin(() => {
        if (state === "begun") end()
        if (state !== "waiting") return
        state = "cut"
        refuse().then(resolve, reject).finally(end)
      })
      answering.then(
        (response) => {
          if (state === "cut") return void response.body?.cancel().catch(() => {})
          state = response.headers.get("content-type")?.startsWith("text/event-stream") === true ? "events" : "begun"
          // A reply with a length is at hand. A stream is in flight until its end.
          if (response.body === null || response.headers.has("content-length")) {
            end()
            return resolve(response)
          }
          resolve(new Response(withEnd(response.body, end), response))
        },
        (error: unknown) => {
          end()
          reject(error)
        },
      )
    })

  /** Resolves once nothing is in flight. */
  readonly idle = (): Promise<void> =>
    this.#cuts.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve))

  /** Answers the replies that have not begun. */
  readonly cut = (): void => {
    for (const cut of this.#cuts) cut()
  }

  readonly #begin = (cut: () => void) => {
    this.#cuts.add(cut)
    return () => {
      this.#cuts.delete(cut)
      if (this.#cuts.size > 0) return
      for (const resolve of this.#waiting) resolve()
      this.#waiting = []
    }
  }
}

const withEnd = (body: ReadableStream<Uint8Array>, end: () => void) => {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read().catch((error: unknown) => {
          end()
          throw error
        })
        if (!done) return controller.enqueue(value)
        end()
        controller.close()
      },
      cancel: (reason) => {
        end()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

export interface Draining {
  /** Resolves once it has closed. */
  readonly closed: Promise<void>
  /** Waits at most this long from now, if that is sooner than before. */
  readonly within: (ms: number) => void
}

/** Calls `close` once nothing is in flight, or when the time is over. */
export const drain = (inFlight: InFlight, close: () => Promise<void>): Draining => {
  let endsAt = Infinity
  let timer: Fiber<void> | undefined
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const closed = Promise.race([inFlight.idle(), over]).then(() => {
    timer?.interruptUnsafe()
    return close()
  })
  const within = (ms: number) => {
    const at = performance.now() + ms
    if (at >= endsAt) return
    endsAt = at
    timer?.interruptUnsafe()
    timer = Effect.runFork(Effect.delay(Effect.sync(resolve), ms))
  }
  return { closed, within }
}
