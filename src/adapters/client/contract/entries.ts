// `npm run client` writes this file from the contract.

export interface WorkspaceStage {
  readonly id: string
  readonly name: string
  readonly category: "open" | "won" | "lost"
  /** Stages are listed in this order. */
  readonly position: number
  /** The part of its deals that will be won, 0 to 1, for the measure `amount_weighted`. */
  readonly probability: number | null
  /** The number of deals in it. */
  readonly deals: number
}

export interface WorkspaceCrmProperty {
  readonly id: string
  readonly name: string
  readonly crm: "crm_one" | "crm_two"
  readonly object: "deal" | "account"
  readonly data_type: "text" | "number" | "date" | "boolean"
  /** The number of deals with a value, in the deal or its account. */
  readonly deals: number
}

export interface WorkspaceFeature {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly product: string | null
  readonly product_area: string | null
  /** Other names that texts use for it. */
  readonly aliases: ReadonlyArray<string>
  /** The number of deals that have it. */
  readonly deals: number
}

export interface WorkspaceAnswer {
  readonly id: string
  readonly name: string
  /** The question that an analysis by a language model answers. Null: people answer it. */
  readonly question: string | null
  /** The filters of GET /deals for which it is asked. Empty: of every deal. */
  readonly filters: { readonly [key: string]: unknown }
  /** The form of the answer. Null: a sentence. */
  readonly form: "boolean" | "sentence" | "paragraph" | "option" | null
  /** The values of the form `option`. */
  readonly options: ReadonlyArray<string>
  /** The number of deals that have it. */
  readonly deals: number
}

export interface WorkspaceMetric {
  readonly id: string
  readonly name: string
  /** The question that an analysis by a language model answers. Null: people answer it. */
  readonly question: string | null
  /** The filters of GET /deals for which it is asked. Empty: of every deal. */
  readonly filters: { readonly [key: string]: unknown }
  /** The number of deals that have it. */
  readonly deals: number
}

export interface WorkspaceSegment {
  readonly id: string
  readonly name: string
  /** The filters of GET /deals that define the segment. */
  readonly filters: { readonly [key: string]: unknown }
  /** The number of deals that have it. */
  readonly deals: number
}

export interface WorkspaceCompetitor {
  readonly id: string
  readonly name: string
  readonly website_url: string | null
  /** Other names that texts use for it. */
  readonly aliases: ReadonlyArray<string>
  /** The number of deals that have it. */
  readonly deals: number
}

export interface WorkspaceReason {
  readonly id: string
  readonly name: string
  readonly category: string | null
  /** Other names that texts use for it. */
  readonly aliases: ReadonlyArray<string>
  /** The number of deals that have it. */
  readonly deals: number
}

export interface WorkspaceItem {
  readonly id: string
  readonly name: string
  /** The number of deals that have it. */
  readonly deals: number
}

export interface WorkspaceValue {
  /** Plain values have no id; filters take the name. */
  readonly id: null
  readonly name: string
  /** The number of deals that have it. */
  readonly deals: number
}

export type WorkspaceEntry =
  | WorkspaceStage
  | WorkspaceCrmProperty
  | WorkspaceFeature
  | WorkspaceAnswer
  | WorkspaceMetric
  | WorkspaceSegment
  | WorkspaceCompetitor
  | WorkspaceReason
  | WorkspaceItem
  | WorkspaceValue
