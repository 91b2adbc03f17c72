// `npm run client` writes this file from the contract.

export interface Organization {
  readonly id: string
  readonly name: string
  readonly plan: string
}

export interface NewOrganization {
  readonly id?: string
  readonly name: string
  readonly plan: string
}

export interface OrganizationPatch {
  readonly name?: string
  readonly plan?: string
}

export interface ListedOrganization {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly created_at: string
}

export interface OrganizationPage {
  readonly data: ReadonlyArray<ListedOrganization>
  readonly next_cursor: string | null
}

export interface Erased {
  readonly id: string
  readonly files: "removed" | "pending"
}

export interface OperatorAuditQuery {
  readonly action?: "organization.erased" | "operator.refused" | "console.refused" | undefined
  readonly organization?: string | undefined
  readonly cursor?: string | undefined
}

export interface OperatorAuditEntry {
  readonly id: string
  readonly at: string
  readonly action: "organization.erased" | "operator.refused" | "console.refused"
  readonly organization_hash: string | null
  readonly actor:
    | { readonly key_id: string }
    | { readonly operator: true }
    | { readonly person: string; readonly name: string }
    | null
  readonly details: { readonly reason: string; readonly attempts: number } | null
  readonly request_id: string | null
  readonly address: string | null
}

export interface OperatorAuditPage {
  readonly data: ReadonlyArray<OperatorAuditEntry>
  readonly next_cursor: string | null
}

export interface NewAssistant {
  readonly name: string
  readonly redirect_uris: ReadonlyArray<string>
}

export interface Assistant {
  readonly id: string
  readonly name: string
  readonly redirect_uris: ReadonlyArray<string>
  readonly created_at: string
}

export interface AssistantList {
  readonly data: ReadonlyArray<Assistant>
}
