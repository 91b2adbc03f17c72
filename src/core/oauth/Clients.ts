import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"

/** An application that asks for access. */
export interface Client {
  readonly id: string
  /** Undefined: it gave no usable name. */
  readonly name: string | undefined
  readonly redirectUris: ReadonlyArray<string>
  /** `operator`: registered by hand, so that its name can be trusted; otherwise the client chose it. */
  readonly source: "operator" | "document" | "dynamic"
}

export interface RegisteredClient {
  readonly id: string
  readonly name: string
  readonly redirect_uris: ReadonlyArray<string>
  readonly created_at: string
}

/** The reasons for which a client is not known: it never registered, or the document at its address is missing, private or of another client. */
export type UnknownClient = "unknown" | "unreachable" | "not_its_own"

export class Clients extends Context.Service<
  Clients,
  {
    /** Fetches the client's document if its id is an address, at most once in the time that its server allows. */
    readonly find: (id: string) => Effect.Effect<Client | UnknownClient, DatabaseUnavailable>
    /** Registers a client that nobody vouches for. It expires in a day unless a person connects it. Undefined: too many wait. */
    readonly register: (
      name: string,
      redirectUris: ReadonlyArray<string>,
    ) => Effect.Effect<RegisteredClient | undefined, DatabaseUnavailable>
    /** Registers a client by hand. */
    readonly add: (
      name: string,
      redirectUris: ReadonlyArray<string>,
    ) => Effect.Effect<RegisteredClient, DatabaseUnavailable>
    /** The clients that were registered by hand, oldest first. */
    readonly list: () => Effect.Effect<ReadonlyArray<RegisteredClient>, DatabaseUnavailable>
    /** Removes a client that was registered by hand. What it was granted before stays until it is revoked. */
    readonly remove: (id: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("sightline/oauth/Clients") {}
