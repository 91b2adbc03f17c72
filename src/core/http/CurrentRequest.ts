import * as Context from "effect/Context"

/** The window a response describes in its `X-RateLimit-*` headers. */
export interface RateLimitWindow {
  readonly limit: number
  readonly remaining: number
  /** Unix milliseconds. */
  readonly resetAt: number
}

/** What is known of the request being answered; the outermost layer turns it into response headers. */
export interface RequestState {
  readonly id: string
  rateLimit: RateLimitWindow | undefined
  /** Seconds; undefined: there is nothing to wait for. */
  retryAfter: number | undefined
}

export const CurrentRequest = Context.Reference<RequestState>("sightline/http/CurrentRequest", {
  defaultValue: () => ({ id: "none", rateLimit: undefined, retryAfter: undefined }),
})
