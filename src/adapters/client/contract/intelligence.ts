// `npm run client` writes this file from the contract.

export interface IntelligenceExportInput {
  /** Inclusive lower bound of the association's created_at. A day starts in the workspace's time zone. */
  readonly date_from?: string | undefined
  /** Inclusive upper bound. A day is the whole day in the workspace's time zone. */
  readonly date_to?: string | undefined
  /** `neutral` finds associations without a sentiment. By default, all. */
  readonly sentiment?: "positive" | "negative" | "neutral" | undefined
  /** Separated by commas or repeated. A row must have all of them. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Exact match on the feature's product. */
  readonly product?: string | undefined
  /** Exact match on the feature's product area. */
  readonly product_area?: string | undefined
}

export interface Feature {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly product: string
  readonly product_area: string
}

export interface Client {
  readonly id: string
  readonly name: string
  /** The account's id in the first CRM, if synced. */
  readonly crm_one_id: string | null
  /** The company's id in the second CRM, if synced. */
  readonly crm_two_id: string | null
  readonly industry: string | null
  readonly website_url: string | null
}

export interface AssociatedDeal {
  readonly id: string
  readonly name: string
  /** The opportunity's id in the first CRM, if synced. */
  readonly crm_one_id: string | null
  /** The deal's id in the second CRM, if synced. */
  readonly crm_two_id: string | null
  /** The stage's name. */
  readonly status: string | null
  readonly amount: number | null
  readonly close_date: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly clients: Client | null
}

export interface Association {
  readonly id: string
  readonly created_at: string
  readonly deal_id: string
  readonly feature_id: string
  readonly influence_summary: string | null
  /** True: positive. False: negative. Null: neutral or unspecified. */
  readonly sentiment: boolean | null
  readonly tags: ReadonlyArray<string>
  readonly features: Feature
  readonly deals: AssociatedDeal
}

/** The number of rows, and the applied filters. */
export interface AssociationMeta {
  readonly count: number
  readonly sentiment: "positive" | "negative" | "neutral" | null
  readonly date_from: string | null
  readonly date_to: string | null
  readonly product: string | null
  readonly product_area: string | null
  readonly tags: ReadonlyArray<string>
}

export interface AssociationExport {
  readonly data: ReadonlyArray<Association>
  readonly meta: AssociationMeta
}

export interface IntelligenceEndpoints {
  /** Export product-feature associations. */
  readonly export: { readonly input: IntelligenceExportInput; readonly output: AssociationExport }
  /** Delete one association. */
  readonly delete: { readonly input: { readonly id: string }; readonly output: void }
}
