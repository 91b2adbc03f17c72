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
