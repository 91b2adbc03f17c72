// `npm run client` writes this file from the contract.

export interface Usage {
  readonly organization: {
    readonly id: string
    readonly plan: string
    readonly requests_per_minute: {
      /** Null: no limit. */
      readonly limit: number | null
      readonly used: number
      /** Null: no limit. */
      readonly remaining: number | null
      readonly resets_at: string
    }
    readonly requests_per_month: {
      /** Null: no limit. */
      readonly limit: number | null
      readonly used: number
      /** Null: no limit. */
      readonly remaining: number | null
      readonly resets_at: string
    }
    readonly exports_per_month: {
      /** Null: no limit. */
      readonly limit: number | null
      readonly used: number
      /** Null: no limit. */
      readonly remaining: number | null
      readonly resets_at: string
    }
    /** Views of figures that answers cite (`/r/`), with or without a key, this month. They count within a minute, and no limit holds them. */
    readonly link_views: number
  }
  readonly keys: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly display: string
    readonly role: "viewer" | "member" | "admin" | "owner"
    readonly revoked: boolean
    readonly requests_per_minute: {
      /** Null: no limit. */
      readonly limit: number | null
      readonly used: number
      /** Null: no limit. */
      readonly remaining: number | null
    }
    readonly requests_this_month: number
  }>
  /** The users of an application that embeds the service, if they had requests this month. Their requests do not count among the organization's. Without keys.manage, only the caller. */
  readonly identities: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly role: "viewer" | "member" | "admin" | "owner"
    readonly requests_per_minute: {
      /** Null: no limit. */
      readonly limit: number | null
      readonly used: number
      /** Null: no limit. */
      readonly remaining: number | null
    }
    readonly requests_this_month: number
  }>
}

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly role: "viewer" | "member" | "admin" | "owner"
  /** The key's permissions, if it has fewer than its role. Null: all permissions of the role. */
  readonly permissions: ReadonlyArray<string> | null
  /** The key's first characters, to recognize it. */
  readonly display: string
  /** The key's own limit. Null: the limit of its plan. */
  readonly requests_per_minute: number | null
  readonly created_at: string
  /** The key that created it. Null: the operator. */
  readonly created_by: string | null
  /** The last admitted request, to the minute. Null: never used. */
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

export interface ApiKeyList {
  readonly data: ReadonlyArray<ApiKey>
}

export interface AccessCreateKeyInput {
  /** The purpose of the key. */
  readonly name: string
  readonly role: "viewer" | "member" | "admin" | "owner"
  /** `live` by default. */
  readonly environment?: "live" | "test"
  /** Fewer permissions than the role has. By default, all of them. */
  readonly permissions?: ReadonlyArray<
    | "deals.read"
    | "intelligence.read"
    | "answers.create"
    | "documents.read"
    | "usage.read"
    | "deals.documents.write"
    | "library.write"
    | "deals.export"
    | "keys.manage"
    | "webhooks.manage"
    | "audit.read"
    | "import.write"
    | "workspace.manage"
    | "analysis.run"
    | "analysis.verify"
    | "organization.manage"
  >
  /** By default a third of the plan's limit, at least 5. */
  readonly requests_per_minute?: number
  readonly expires_at?: string
}

export interface CreatedApiKey {
  readonly id: string
  readonly name: string
  readonly role: "viewer" | "member" | "admin" | "owner"
  /** The key's permissions, if it has fewer than its role. Null: all permissions of the role. */
  readonly permissions: ReadonlyArray<string> | null
  /** The key's first characters, to recognize it. */
  readonly display: string
  /** The key's own limit. Null: the limit of its plan. */
  readonly requests_per_minute: number | null
  readonly created_at: string
  /** The key that created it. Null: the operator. */
  readonly created_by: string | null
  /** The last admitted request, to the minute. Null: never used. */
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
  /** The secret. It appears only in this reply and is not stored. */
  readonly key: string
}

export interface AccessEndpoints {
  /** Read limits and usage. */
  readonly usage: { readonly input: {}; readonly output: Usage }
  /** List API keys. */
  readonly listKeys: { readonly input: {}; readonly output: ApiKeyList }
  /** Create an API key. */
  readonly createKey: { readonly input: AccessCreateKeyInput; readonly output: CreatedApiKey }
  /** Rotate an API key's secret. */
  readonly rotateKey: {
    readonly input: {
      readonly id: string
      /** How long the old secret still works; 86400 by default. */
      readonly grace_seconds?: number
    }
    readonly output: CreatedApiKey
  }
  /** Revoke an API key. */
  readonly revokeKey: {
    readonly input: {
      readonly id: string
      /** Also revokes the keys that this key created, and the keys that those created, and disables the webhooks of all of them. */
      readonly descendants?: boolean | undefined
    }
    readonly output: void
  }
}
