/** How to reach a server. */
export interface ClientOptions {
  /**
   * The server's address, such as `https://sightline.example.com`, or in a page a path of its origin, such as `/intel`. A trailing
   * `/api/v1` is ignored. By default the page's origin; elsewhere a call without an address fails with a TypeError.
   */
  readonly baseUrl?: string | URL | undefined
  /**
   * The API key, or a function that the client calls before each attempt, for keys that change. Without it the client sends no
   * `Authorization`: the application that embeds the server knows its users by their cookies.
   */
  readonly key?: string | (() => string | Promise<string>) | undefined
  /** Whether a browser sends cookies: `include` also to another origin. The runtime's default is `same-origin`. */
  readonly credentials?: RequestCredentials | undefined
  /** Replaces the runtime's `fetch`, for example to add a proxy or to call a server in the same process. */
  readonly fetch?: ((request: string, init: RequestInit) => Promise<Response>) | undefined
  /** How long a request may be silent, in both directions. 60,000 by default. */
  readonly timeoutMs?: number | undefined
  /** Attempts after the first one. 4 by default. */
  readonly maxRetries?: number | undefined
  /** The longest `Retry-After` that the client waits for; a longer one is an error at once. 70,000 by default. */
  readonly maxRetryDelayMs?: number | undefined
  /** Added to every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const NAMES: ReadonlyArray<string> = [
  "baseUrl",
  "key",
  "credentials",
  "fetch",
  "timeoutMs",
  "maxRetries",
  "maxRetryDelayMs",
  "headers",
] satisfies ReadonlyArray<keyof ClientOptions>

/** Throws for a misspelt option: types do not hold in JavaScript, and without its key each call would fail with a 401. */
export const assertClientOptions = (options: ClientOptions): void => {
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new TypeError(`\`${unknown}\` is no option. The options are ${NAMES.join(", ")}.`)
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Replaces the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined
  /** Replaces the client's `maxRetries`. */
  readonly maxRetries?: number | undefined
  /** For a POST: your own `Idempotency-Key`, to repeat the call later. By default, a random one for each call. False sends none. */
  readonly idempotencyKey?: string | false | undefined
  /** Added to the request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Progress {
  readonly sentBytes: number
  /** Undefined if the size of the file is unknown. */
  readonly totalBytes: number | undefined
}
