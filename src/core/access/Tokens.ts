import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { InvalidOptions } from "../common/InvalidOptions.ts"
import type { NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Principal } from "./principal.ts"
import type { TokenContent } from "./tokenContent.ts"

/** Who a token is for, what its holder may do, and how long. */
export interface NewToken extends Principal {
  /** How long it works: 1 to 3,600 s; 900 by default. */
  readonly seconds?: number | undefined
  /** The only origin whose pages may use it, such as `https://app.example.com`; by default it works everywhere. */
  readonly origin?: string | undefined
}

/** `malformed`: our secret did not sign it; `expired`: its time is over. */
export type TokenFault = "malformed" | "expired"

/** Makes and opens the bearer tokens that a host gives to its pages. They are signed, not stored. */
export class Tokens extends Context.Service<
  Tokens,
  {
    /**
     * Makes the identity known to its organization, and a token that acts as it: `sl_tok_…`, at most 300 characters. It ends with its
     * time, or once the identity is revoked, even if the host vouches for that person again. Needs the option `signingSecret`.
     */
    readonly create: (token: NewToken) => Effect.Effect<string, InvalidOptions | NotFound | DatabaseUnavailable>
    /** Checks signature and time. Whether the identity still exists is for `Admission.admitToken` to say. */
    readonly open: (text: string) => Effect.Effect<TokenContent | TokenFault>
  }
>()("sightline/access/Tokens") {}
