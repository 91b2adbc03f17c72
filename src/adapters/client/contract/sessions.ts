// `npm run client` writes this file from the contract.

export interface Session {
  readonly id: string
  /** The key that signed in, or the row of a person who did. The session has its permissions and ends with it. */
  readonly key_id: string
  /** The name of the key or person. */
  readonly name: string
  /** The id of the member, or of the identity of an embedding host, that signed in. Null: a key. */
  readonly identity: string | null
  readonly role: "viewer" | "member" | "admin" | "owner"
  /** The key's permissions, if it has fewer than its role. Null: all permissions of the role. */
  readonly permissions: ReadonlyArray<string> | null
  /** The `User-Agent` at the sign-in. */
  readonly browser: string | null
  /** The IP address at the sign-in, if the server knows it. */
  readonly address: string | null
  /** Whether the request belongs to this session. */
  readonly current: boolean
  readonly created_at: string
  readonly expires_at: string
  /** The last admitted request, to the minute. */
  readonly last_used_at: string | null
}

export interface SessionList {
  readonly data: ReadonlyArray<Session>
}

export interface SignInLink {
  /** Opens the console once, signed in as the caller's key. */
  readonly url: string
  readonly expires_at: string
}

export interface SessionsEndpoints {
  /** List sessions of the console. */
  readonly list: { readonly input: {}; readonly output: SessionList }
  /** Create a one-time link to the console. */
  readonly createLink: { readonly input: {}; readonly output: SignInLink }
  /** End a session of the console. */
  readonly end: { readonly input: { readonly id: string }; readonly output: void }
}
