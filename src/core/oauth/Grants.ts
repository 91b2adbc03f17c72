import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Caller } from "../access/permissions.ts"
import type { NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { GrantedAccess } from "./contract.ts"

export const CODE_SECONDS = 60
export const ACCESS_SECONDS = 3600
/** After these days the person is asked again, however often the application renewed its token. */
export const GRANT_DAYS = 30

/** The grant of a person to an application. */
export interface NewGrant {
  readonly client: { readonly id: string; readonly name: string }
  readonly redirectUri: string
  /** The client's PKCE challenge: the SHA-256 of its verifier, in base64url. */
  readonly challenge: string
  readonly scopes: ReadonlyArray<string>
  readonly permissions: ReadonlyArray<string>
  readonly resource: string
}

/** A live grant, found by one of its secrets. */
export interface FoundGrant {
  readonly org_id: string
  readonly id: string
  readonly kind: "code" | "access" | "refresh"
  readonly is_used: boolean
  readonly is_expired: boolean
  readonly client_id: string
  readonly client_name: string
  readonly key_id: string
  readonly key_hash: Uint8Array
  readonly identity: string | null
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly permissions: ReadonlyArray<string>
  readonly resource: string
  /** No request of this day (UTC) used it before. */
  readonly is_new_day: boolean
}

export interface IssuedTokens {
  readonly access: string
  readonly refresh: string
  readonly scopes: ReadonlyArray<string>
}

/** A code or refresh token, as a client presents it. */
export interface Presented {
  readonly secret: string
  readonly clientId: string
  readonly resource: string | undefined
}

/** The reasons for which a grant ends before its time. */
export type EndReason = "by_person" | "by_application" | "code_used_again" | "wrong_proof" | "token_used_again"

/** Keeps the applications that people connected, each with the key or identity of its person. */
export class Grants extends Context.Service<
  Grants,
  {
    /**
     * Makes a grant and the code by which the client takes it, once, within a minute. `credential` is what the person signed in with;
     * undefined if that has ended meanwhile.
     */
    readonly create: (
      caller: Caller,
      credential: string,
      grant: NewGrant,
    ) => Effect.Effect<string | undefined, DatabaseUnavailable>
    /** Turns a code into tokens. A code that is used again, or presented with a wrong proof, ends the grant. */
    readonly exchange: (
      given: Presented & { readonly redirectUri: string | undefined; readonly verifier: string },
    ) => Effect.Effect<IssuedTokens | "invalid_grant" | "invalid_target", DatabaseUnavailable>
    /** Turns a refresh token into new tokens. One that is used again ends the grant, because somebody else has a copy. */
    readonly refresh: (
      given: Presented,
    ) => Effect.Effect<IssuedTokens | "invalid_grant" | "invalid_target", DatabaseUnavailable>
    /** Ends the grant of a token of this client; does nothing for any other text. */
    readonly revoke: (token: string, clientId: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Finds the live grant of an access token. Notes the first use of each day. */
    readonly find: (token: string) => Effect.Effect<FoundGrant | undefined, DatabaseUnavailable>
    /** With keys.manage, the live grants of the organization; otherwise those of the caller's key or identity. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<GrantedAccess>, DatabaseUnavailable>
    readonly end: (caller: Caller, id: string) => Effect.Effect<void, NotFound | DatabaseUnavailable>
    /** The organization and the name of a signed-in person's key or identity, for the consent page. */
    readonly describe: (
      caller: Caller,
    ) => Effect.Effect<{ readonly organization: string; readonly name: string }, DatabaseUnavailable>
  }
>()("sightline/oauth/Grants") {}
