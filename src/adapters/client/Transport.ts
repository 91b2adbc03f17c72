import type { Body } from "./Body.ts"
import { assertClientOptions, type CallOptions, type ClientOptions } from "./options.ts"
import { randomKey } from "./randomKey.ts"
import { readError, SightlineError } from "./SightlineError.ts"
import { Silence, sleep } from "./timing.ts"

export interface Call extends CallOptions {
  readonly method: string
  /** The path below `baseUrl`, with its query. */
  readonly path: string
  readonly json?: unknown
  readonly body?: Body | undefined
}

/** Reads a reply that is a success. `silence` limits how long it may take; restart it whenever bytes arrive. */
export type Read<A> = (response: Response, silence: Silence) => Promise<A>

const TIMEOUT_MS = 60_000
const MAX_RETRIES = 4
/** Limits are windows of a minute, so a reply to 429 asks for a minute at most, and jitter comes on top. */
const MAX_RETRY_DELAY_MS = 70_000
const FIRST_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 8_000
const IN_PROGRESS_POLL_MS = 1_000

/** Sends requests, with retries, time limits and idempotency keys. */
export class Transport {
  readonly #options: ClientOptions
  readonly #base: string | undefined

  constructor(options: ClientOptions) {
    assertClientOptions(options)
    this.#options = options
    this.#base = resolveBase(options.baseUrl)
  }

  /** The address of the server, without a trailing slash. */
  get base(): string {
    if (this.#base === undefined) throw refuse(this.#options.baseUrl, "outside of a page it has no default")
    return this.#base
  }

  /** Sends until an attempt succeeds, or fails in a way that another attempt does not mend. */
  async run<A>(call: Call, read: Read<A>): Promise<A> {
    const { maxRetries = MAX_RETRIES, maxRetryDelayMs = MAX_RETRY_DELAY_MS, timeoutMs = TIMEOUT_MS } = this.#options
    const key = chooseKey(call)
    const began = Date.now()
    let retries = 0
    let isOutcomeUnknown = false
    for (;;) {
      try {
        return await this.#attempt(call, key, read)
      } catch (error) {
        if (!(error instanceof SightlineError)) throw error
        // The attempt whose reply was lost has deleted it.
        if (isOutcomeUnknown && call.method === "DELETE" && error.status === 404) return undefined as A
        if (call.body?.isReplayable === false) throw error
        if (error.details["in_progress"] === true) {
          if (Date.now() - began > (call.timeoutMs ?? timeoutMs)) throw error
          await sleep(IN_PROGRESS_POLL_MS, call.signal)
          continue
        }
        const waitMs = waitBeforeRetry(error, retries)
        if (!isTemporary(error, call, key)) throw error
        if (waitMs > maxRetryDelayMs || retries >= (call.maxRetries ?? maxRetries)) throw error
        retries++
        isOutcomeUnknown ||= mayHaveSucceeded(error)
        await sleep(waitMs, call.signal)
      }
    }
  }

  async #attempt<A>(call: Call, idempotencyKey: string | undefined, read: Read<A>): Promise<A> {
    const { signal, method } = call
    const { key, credentials, fetch: send } = this.#options
    const headers = new Headers({ ...this.#options.headers, ...call.headers })
    if (key !== undefined) headers.set("authorization", `Bearer ${typeof key === "function" ? await key() : key}`)
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey)
    const contentType = call.body?.contentType ?? (call.json === undefined ? undefined : "application/json")
    if (contentType !== undefined) headers.set("content-type", contentType)
    const url = this.base + call.path
    signal?.throwIfAborted()
    const silence = new Silence(call.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS, signal)
    try {
      const init: RequestInit = { method, headers, signal: silence.signal, ...(credentials && { credentials }) }
      if (call.json !== undefined) init.body = JSON.stringify(call.json)
      const response = await (call.body === undefined
        ? (send ?? fetch)(url, init)
        : call.body.send(send as typeof fetch, url, init, silence.restart))
      silence.restart()
      if (!response.ok) throw await readError(response)
      return await read(response, silence)
    } catch (cause) {
      silence.end()
      throw explainFailure(cause, silence, signal)
    } finally {
      silence.stop()
    }
  }
}

/**
 * A path, by default `/`, is one of the page's origin. Undefined where there is no page: a server that renders a component makes its client
 * too, and sends nothing with it.
 */
const resolveBase = (baseUrl: string | URL = "/"): string | undefined => {
  const isPath = String(baseUrl).startsWith("/")
  const page = (globalThis as { readonly location?: { readonly origin: string } }).location?.origin
  // The origin of a page from a file is "null".
  if (isPath && (page === undefined || page === "null")) return undefined
  const url = isPath ? new URL(baseUrl, page) : URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw refuse(baseUrl, "a page may also name a path, such as /intel")
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "")
}

const refuse = (baseUrl: string | URL | undefined, addition: string) =>
  new TypeError(
    `\`baseUrl\` must be an address such as https://sightline.example.com, not ${baseUrl === undefined ? "undefined" : `'${String(baseUrl)}'`}; ${addition}`,
  )

/** Turns what `fetch` or a reader threw into a typed error. */
export const explainFailure = (
  cause: unknown,
  { hasExpired, ms }: Silence,
  signal: AbortSignal | undefined,
): unknown => {
  if (signal?.aborted) return signal.reason
  if (cause instanceof SightlineError) return cause
  return hasExpired
    ? new SightlineError({ code: "timeout", message: `the server was silent for ${ms} ms`, cause })
    : new SightlineError({
        code: "network_error",
        message: "the server is unreachable, or the reply was cut off",
        cause,
      })
}

/** The idempotency key of a call: only a POST has one. */
const chooseKey = ({ method, idempotencyKey }: Call): string | undefined =>
  method === "POST" && idempotencyKey !== false ? (idempotencyKey ?? randomKey()) : undefined

/** Statuses and codes that another attempt may mend. */
const TEMPORARY: ReadonlySet<string | number> = new Set([502, 503, 504, "network_error", "timeout"])

/** Whether another attempt may succeed, and does nothing twice. */
const isTemporary = ({ status, code, details }: SightlineError, { method }: Call, key: string | undefined): boolean => {
  // A request that was too slow would only cost the same again.
  if (details["reason"] === "too_slow") return false
  const isRepeatable = method === "POST" ? key !== undefined : method !== "PATCH"
  return status === 429 || (isRepeatable && TEMPORARY.has(status ?? code))
}

/** Whether the server may have done what was asked, although its reply did not arrive. */
const mayHaveSucceeded = ({ status }: SightlineError): boolean =>
  status === undefined || status === 502 || status === 504

/** Full jitter below the backoff. After a time that the server asks for, some jitter too, so that not all clients return at once. */
const waitBeforeRetry = ({ retryAfterMs }: SightlineError, retries: number): number =>
  retryAfterMs === undefined
    ? Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retries)
    : retryAfterMs + Math.random() * FIRST_BACKOFF_MS

/** Reads the text of a reply, as long as bytes keep arriving. */
export const readText: Read<string> = async ({ body }, silence) => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of chunksIn(body)) {
    silence.restart()
    text += decoder.decode(bytes, { stream: true })
  }
  return text + decoder.decode()
}

/** The chunks of a stream. Not every browser iterates over streams. */
export async function* chunksIn(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader()
  if (reader === undefined) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** Reads a JSON reply; undefined if it is empty. */
export const readJson: Read<unknown> = async (response, silence) => {
  const text = await readText(response, silence)
  if (text === "") return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SightlineError({
      code: "invalid_reply",
      status: response.status,
      message: "the reply is not JSON; check baseUrl and the proxies before it",
      cause,
    })
  }
}
