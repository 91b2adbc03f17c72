// `npm run client` writes this file from the contract.

export interface Member {
  readonly id: string
  /** Null: the provider gave none that it has verified when the person joined. */
  readonly email: string | null
  /** The name at the provider. Null: the person has not signed in yet. */
  readonly name: string | null
  readonly role: "viewer" | "member" | "admin" | "owner"
  /** `added`: by an administrator. `provider`: the person joined by a rule of the server, and each sign-in sets the role anew. */
  readonly origin: "added" | "provider"
  readonly created_at: string
  /** Null: the person has not signed in yet. */
  readonly last_sign_in_at: string | null
}

export interface MemberList {
  readonly data: ReadonlyArray<Member>
}

export interface MembersEndpoints {
  /** List members. */
  readonly list: { readonly input: {}; readonly output: MemberList }
  /** Add a member, or change a member's role. */
  readonly put: {
    readonly input: {
      /** The address that the provider verifies. Its case does not matter. */
      readonly email: string
      /** At most the caller's role. */
      readonly role: "viewer" | "member" | "admin" | "owner"
    }
    readonly output: Member
  }
  /** Remove a member. */
  readonly remove: { readonly input: { readonly id: string }; readonly output: void }
}
