import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type * as Stream from "effect/Stream"

/**
 * The address is not allowed. All refusals have the same message, so that a caller cannot probe the private network:
 * existing and missing hosts look alike.
 */
export class FetchRefused extends Schema.TaggedError<FetchRefused>()("FetchRefused", { message: Schema.String }) {}

/** A public address did not return the file. `message` tells the user why. */
export class FetchFailed extends Schema.TaggedError<FetchFailed>()("FetchFailed", {
  /** `status`: the server replied with another status than 200. */
  reason: Schema.Literals(["unreachable", "status", "too_large", "too_slow", "cut_off"]),
  message: Schema.String,
  /** The HTTP status, if `reason` is `status`. */
  status: Schema.optionalKey(Schema.Finite),
}) {}

export interface FetchLimits {
  readonly maxBytes: number
  /** Timeout of the whole fetch, with redirects and body; 60 by default. */
  readonly seconds?: number | undefined
  /** Redirects to follow; 5 by default. */
  readonly redirects?: number | undefined
}

export interface Fetched {
  /** The header `Cache-Control`. */
  readonly cacheControl?: string | undefined
  /** The server's content type in lower case, without parameters. */
  readonly contentType: string | undefined
  readonly bytes: Stream.Stream<Uint8Array, FetchRefused | FetchFailed>
}

/** A webhook message to POST. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Connects to addresses from callers. Allows only public hosts, also after name resolution and redirects. */
export class UrlFetcher extends Context.Service<
  UrlFetcher,
  {
    /** Checks what needs no network, to reject a request at once. `fetch` and `post` repeat it and check more. */
    readonly check: (url: string, purpose: "fetch" | "post") => Effect.Effect<void, FetchRefused>
    /** Keeps the connection until the scope closes. Reads the body only as the stream is consumed. */
    readonly fetch: (url: string, limits: FetchLimits) => Effect.Effect<Fetched, FetchRefused | FetchFailed, Scope>
    /** POSTs the message and returns the status of the reply within `seconds`. Follows no redirect and reads no body. */
    readonly post: (
      url: string,
      message: Message,
      limits: { readonly seconds: number },
    ) => Effect.Effect<{ readonly status: number }, FetchRefused | FetchFailed>
  }
>()("sightline/ports/UrlFetcher") {}

export const refusedFetch = new FetchRefused({
  message:
    "this address cannot be fetched: it must be an http or https URL on port 80 or 443 of a host on the public internet, " +
    "without user name or password, and so must every redirect (at most 5, never from https to http)",
})

export const refusedPost = new FetchRefused({
  message:
    "webhooks call only http and https URLs on port 80 or 443 of hosts on the public internet, and the hosts and ports in " +
    "`webhookHosts` (SIGHTLINE_WEBHOOK_HOSTS), such as localhost:4000; no URL has a user name or password",
})
