/** The longest wait that timers keep; they end longer ones at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Waits; rejects with the signal's reason if it is aborted first. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop)
        resolve()
      },
      Math.min(ms, MAX_TIMER_MS),
    )
    if (signal?.aborted) stop()
    else signal?.addEventListener("abort", stop, { once: true })
  })

/** Limits how long a request may be silent: its signal is aborted `ms` after the last `restart`, or with the caller's. */
export class Silence {
  readonly signal: AbortSignal
  readonly ms: number
  hasExpired = false
  readonly #own = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number, signal: AbortSignal | undefined) {
    this.ms = Math.min(ms, MAX_TIMER_MS)
    this.signal = signal === undefined ? this.#own.signal : AbortSignal.any([signal, this.#own.signal])
    this.restart()
  }

  restart = (): void => {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.hasExpired = true
      this.end()
    }, this.ms)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** Ends the request, if it is still running. */
  end(): void {
    this.stop()
    this.#own.abort()
  }
}
