import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Caller } from "../access/permissions.ts"
import type { Conflict, Forbidden, NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { ProvidedPerson } from "../ports/IdentityProvider.ts"
import type { Member, NewMember } from "./contract.ts"
import type { NotAdmitted } from "./rules.ts"

/** A member that a signed-in person is. */
export interface Membership {
  readonly organization: string
  readonly id: string
  /** The name of the organization. */
  readonly name: string
}

/** Who signed in, without the claims that decided about the membership. */
export type KnownPerson = Pick<ProvidedPerson, "issuer" | "subject" | "email" | "name">

/** Manages the people who sign in through the OpenID provider of the server. A member acts as an identity of the organization. */
export class Members extends Context.Service<
  Members,
  {
    /** With keys.manage, the members of the organization; otherwise the caller, if it is one. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<Member>, DatabaseUnavailable>
    /** Adds a member, or replaces the role of the member with this address. */
    readonly put: (
      caller: Caller,
      member: NewMember,
    ) => Effect.Effect<Member, Conflict | Forbidden | DatabaseUnavailable>
    /** Ends everything that the person left behind in the organization. */
    readonly remove: (caller: Caller, id: string) => Effect.Effect<void, Forbidden | NotFound | DatabaseUnavailable>
    /** Applies the rules of the server to a person whom the provider just signed in. Undefined: the person has a membership. */
    readonly admit: (person: ProvidedPerson) => Effect.Effect<NotAdmitted | undefined, DatabaseUnavailable>
    /** The memberships of a person, at most 100, the latest sign-in first. */
    readonly find: (person: KnownPerson) => Effect.Effect<ReadonlyArray<Membership>, DatabaseUnavailable>
    /** Signs a person in as a member; returns the token of the session, or undefined if the membership ended meanwhile. */
    readonly enter: (
      person: KnownPerson,
      membership: Pick<Membership, "organization" | "id">,
      browser: string | undefined,
    ) => Effect.Effect<string | undefined, DatabaseUnavailable>
  }
>()("sightline/members/Members") {}
