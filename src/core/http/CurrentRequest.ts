import * as Context from "effect/Context"

/** The window a response describes in its `X-RateLimit-*` headers. */
export interface RateLimitWindow {
  readonly limit: number
  readonly remaining: number
  /** Unix milliseconds. */
  readonly resetAt: number
}

/** The principal of a request, as the audit log names it. */
export type Actor = { readonly key_id: string } | { readonly operator: true } | { readonly person: string }

/** What is known of the request being answered; the outermost layer turns it into response headers. */
export interface RequestState {
  readonly id: string
  /** False outside HTTP: the command line, or a host that calls a service in its own process. */
  readonly received: boolean
  /** The client's IP address, where the adapter knows it. */
  readonly address: string | undefined
  /** Scheme and host as the caller wrote them; undefined outside HTTP. */
  readonly origin: string | undefined
  /** Set once the request's credential is known. */
  actor: Actor | undefined
  rateLimit: RateLimitWindow | undefined
  /** Seconds; undefined: there is nothing to wait for. */
  retryAfter: number | undefined
}

export const CurrentRequest = Context.Reference<RequestState>("sightline/http/CurrentRequest", {
  defaultValue: () => ({
    id: "none",
    received: false,
    origin: undefined,
    address: undefined,
    actor: undefined,
    rateLimit: undefined,
    retryAfter: undefined,
  }),
})
