// `npm run client` writes this file from the contract.

export interface Grant {
  readonly id: string
  /** The application's id: the address of its description, or a registered id. */
  readonly client_id: string
  /** The name that the application gave itself when the person connected it. */
  readonly client_name: string
  /** The key or identity that the application acts as. The grant ends with it. */
  readonly key_id: string
  /** The id of an identity of the embedding host. Null: a key. */
  readonly identity: string | null
  /** The name of the key or identity. */
  readonly name: string
  /** The scopes that the person granted. */
  readonly scopes: ReadonlyArray<string>
  /** The permissions of these scopes that the person had. */
  readonly permissions: ReadonlyArray<string>
  readonly created_at: string
  /** When the person is asked again: 30 days after the consent. */
  readonly expires_at: string
  /** The last day with a request, in UTC. Null: none yet. */
  readonly last_used_on: string | null
}

export interface GrantList {
  readonly data: ReadonlyArray<Grant>
}

export interface GrantsEndpoints {
  /** List connected assistants. */
  readonly list: { readonly input: {}; readonly output: GrantList }
  /** Disconnect an assistant. */
  readonly end: { readonly input: { readonly id: string }; readonly output: void }
}
