import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Secrets of one sign-in, which the browser keeps: a reply of the provider that does not match them belongs to another browser. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** A person for whom the provider vouches. */
export interface ProvidedPerson {
  readonly issuer: string
  /** Unique at the issuer; it does not change and goes to nobody else. */
  readonly subject: string
  /** Undefined: the provider gives none that it has verified. */
  readonly email: string | undefined
  readonly name: string | undefined
  /** Everything that the provider says of the person. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** The provider signs nobody in now. `message` is for the log: it may have details of the provider. */
export class SignInFailed extends Schema.TaggedError<SignInFailed>()("SignInFailed", {
  /** `cancelled`: the person or the provider declined. `mismatch`: the reply belongs to no sign-in of this browser, or is not genuine. */
  reason: Schema.Literals(["unreachable", "cancelled", "mismatch"]),
  message: Schema.String,
}) {}

/** Signs people in elsewhere, by OpenID Connect. */
export interface IdentityProvider {
  /** Its name for people: the host of its address. */
  readonly name: string
  /** Makes the address at which the browser signs in. The provider sends it back to `redirectUri`. */
  readonly begin: (
    redirectUri: string,
  ) => Effect.Effect<{ readonly url: string; readonly pending: PendingSignIn }, SignInFailed>
  /** Checks the reply, which is the query of the address at which the browser arrived, and reads who signed in. */
  readonly finish: (
    redirectUri: string,
    query: URLSearchParams,
    pending: PendingSignIn,
  ) => Effect.Effect<ProvidedPerson, SignInFailed>
}

/** Undefined: people sign in to the console with keys alone. */
export const OpenIdProvider = Context.Reference<IdentityProvider | undefined>("sightline/ports/OpenIdProvider", {
  defaultValue: () => undefined,
})
