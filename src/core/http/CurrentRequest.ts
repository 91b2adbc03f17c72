import * as Context from "effect/Context"

/** The limit that the `X-RateLimit-*` headers of a response describe. */
export interface RateLimitWindow {
  readonly limit: number
  readonly remaining: number
  /** Unix milliseconds. */
  readonly resetAt: number
}

/** The principal of a request, in the form of the audit log. */
export type Actor =
  | { readonly key_id: string }
  | { readonly operator: true }
  | { readonly person: string; readonly name: string }

/** The state of the current request. `envelope` turns it into response headers. */
export interface RequestState {
  readonly id: string
  /** False outside HTTP: the command line, or a host that calls a service in its own process. */
  readonly received: boolean
  /** The client's IP address, if the adapter knows it. */
  readonly address: string | undefined
  /** Scheme and host as the caller sent them; undefined outside HTTP. An accessor would give the object of each request a shape of its own. */
  readonly origin: () => string | undefined
  /** Undefined until the request is authenticated. */
  actor: Actor | undefined
  /** The id of the key, or of the row of an identity. It bounds links and keys that the request makes. */
  keyId: string | undefined
  /** When the credential of the request expires, in Unix seconds, if it says so itself: a host's token. It bounds links and keys too. */
  expires: number | undefined
  rateLimit: RateLimitWindow | undefined
  /** Seconds; undefined if the caller need not wait. Null: the same request would fail again. */
  retryAfter: number | null | undefined
  /** The path of the endpoint, with names for its parameters; undefined until it is known, and outside the API. */
  route: string | undefined
  /** The organization of the key; undefined until the request is authenticated. */
  organization: string | undefined
  /** Why the request was refused before its handler: the scope of a limit, or the fault of a key. */
  refusal: { readonly limit: string } | { readonly key: string } | undefined
}

export const CurrentRequest = Context.Reference<RequestState>("sightline/http/CurrentRequest", {
  defaultValue: () => ({
    id: "none",
    received: false,
    origin: () => undefined,
    address: undefined,
    actor: undefined,
    keyId: undefined,
    expires: undefined,
    rateLimit: undefined,
    retryAfter: undefined,
    route: undefined,
    organization: undefined,
    refusal: undefined,
  }),
})
