import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type * as Stream from "effect/Stream"

/**
 * The address is not one to fetch from. Every refusal says the same, so that nothing is learnt about a network that the
 * caller cannot see: a private host that is there and one that is not are told alike.
 */
export class FetchRefused extends Schema.TaggedError<FetchRefused>()("FetchRefused", { message: Schema.String }) {}

/** A public address did not give the file. `message` is for the person who sent the address. */
export class FetchFailed extends Schema.TaggedError<FetchFailed>()("FetchFailed", {
  /** `status`: it answered with something else than the file. */
  reason: Schema.Literals(["unreachable", "status", "too_large", "too_slow", "cut_off"]),
  message: Schema.String,
  /** What it answered with, of a `status` that is no 200. */
  status: Schema.optionalKey(Schema.Finite),
}) {}

export interface FetchLimits {
  readonly maxBytes: number
  /** For all of it, redirects and body included; 60 unless said. */
  readonly seconds?: number | undefined
}

export interface Fetched {
  /** As the server names it, in lower case, without parameters. */
  readonly contentType: string | undefined
  readonly bytes: Stream.Stream<Uint8Array, FetchRefused | FetchFailed>
}

/** What is sent to an address that wants to be told. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Fetches from addresses that callers send: public ones only, whatever names and redirects lead to. */
export class UrlFetcher extends Context.Service<
  UrlFetcher,
  {
    /** What can be known without asking anyone, to answer a request at once. `fetch` and `post` check it again, and more. */
    readonly check: (url: string, purpose: "fetch" | "post") => Effect.Effect<void, FetchRefused>
    /** The connection lives as long as the scope. The body is read as it is consumed. */
    readonly fetch: (url: string, limits: FetchLimits) => Effect.Effect<Fetched, FetchRefused | FetchFailed, Scope>
    /** POSTs to the address; what status it answers, within `seconds`. No redirect is followed, and no body read. */
    readonly post: (
      url: string,
      message: Message,
      limits: { readonly seconds: number },
    ) => Effect.Effect<{ readonly status: number }, FetchRefused | FetchFailed>
  }
>()("sightline/ports/UrlFetcher") {}

export const refused = new FetchRefused({
  message:
    "this address cannot be fetched: it must be an http or https URL on port 80 or 443 of a host on the public internet, " +
    "without user name or password, and so must every redirect (at most 5, never from https to http)",
})
