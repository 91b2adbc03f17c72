// `npm run client` writes this file from the contract.
import type { DealFilters } from "./filters.ts"
import type { ImportReference } from "./records.ts"
import type { AnyDeal } from "./rows.ts"

export interface DealsListInput extends DealFilters {
  /** Deals per page; 50 by default. */
  readonly page_size?: number | undefined
  /** The page, from 0. For distant pages, `cursor` is cheaper. */
  readonly page_index?: number | undefined
  /** The end of the previous page. Follow the `Link` header with rel=next instead of making a cursor yourself. */
  readonly cursor?: string | undefined
  /** True returns only `{"count": n}`. */
  readonly count?: boolean | undefined
  /** `created_at` by default; with `searchQuery`, the best match first. Nulls come last. */
  readonly sort?:
    | "created_at"
    | "updated_at"
    | "close_date"
    | "amount"
    | "name"
    | "wl_product_fit_score"
    | "wl_sales_execution_score"
    | "wl_relationship_score"
    | "wl_price_sensitivity_score"
    | "wl_competitive_intensity_score"
    | "wl_customer_fit_score"
    | "wl_messaging_fit_score"
    | "wl_messaging_accuracy_score"
    | undefined
  /** `desc` by default. */
  readonly sort_order?: "asc" | "desc" | undefined
  /** Columns to return, separated by commas or repeated; `*` for every standard column. Besides the standard ones: `crm_{property_id}`, `crm_crm_one_account_{property_id}`, `crm_crm_two_account_{property_id}`, `custom_metric_score_{metric_name}`, `custom_metric_explanation_{metric_name}`, `custom_answer_{answer_name}`. `id` is always returned. */
  readonly columns?: ReadonlyArray<string> | undefined
}

export interface DealCount {
  /** The number of deals that match. */
  readonly count: number
}

export interface DealsUpdateInput {
  readonly id: string
  readonly name?: string | undefined
  readonly crm_one_id?: string | null | undefined
  readonly crm_two_id?: string | null | undefined
  readonly amount?: number | null | undefined
  readonly close_date?: string | null | undefined
  readonly deal_analyzed?: boolean | undefined
  readonly analysis_verified?: boolean | undefined
  readonly deal_type?: string | null | undefined
  readonly region?: string | null | undefined
  readonly status?: ImportReference | null | undefined
  readonly previous_status?: ImportReference | null | undefined
  /** An instant, or a day or a time without offset in the workspace's time zone. */
  readonly created_at?: string | undefined
  /** An instant, or a day or a time without offset in the workspace's time zone. */
  readonly updated_at?: string | undefined
  readonly owner?: ImportReference | null | undefined
  readonly collaborators?: ReadonlyArray<ImportReference> | null | undefined
  readonly client?: ImportReference | null | undefined
  readonly product_labels?: ReadonlyArray<string> | null | undefined
  readonly competitors?:
    | ReadonlyArray<
        | {
            readonly competitor: ImportReference
            readonly is_primary?: boolean | undefined
            readonly is_incumbent?: boolean | undefined
          }
        | string
      >
    | null
    | undefined
  readonly drivers?:
    | ReadonlyArray<
        | {
            readonly reason: ImportReference
            readonly positive?: boolean | null | undefined
            readonly summary?: string | null | undefined
          }
        | string
      >
    | null
    | undefined
  readonly summary?: string | { readonly [key: string]: unknown } | null | undefined
  readonly scorecard?:
    | {
        readonly product_fit?:
          | { readonly score?: number | null | undefined; readonly explanation?: string | null | undefined }
          | null
          | undefined
        readonly sales_execution?:
          | { readonly score?: number | null | undefined; readonly explanation?: string | null | undefined }
          | null
          | undefined
        readonly relationship?:
          | { readonly score?: number | null | undefined; readonly explanation?: string | null | undefined }
          | null
          | undefined
        readonly price_sensitivity?:
          | { readonly score?: number | null | undefined; readonly explanation?: string | null | undefined }
          | null
          | undefined
        readonly competitive_intensity?:
          | { readonly score?: number | null | undefined; readonly explanation?: string | null | undefined }
          | null
          | undefined
        readonly customer_fit?:
          | { readonly score?: number | null | undefined; readonly explanation?: string | null | undefined }
          | null
          | undefined
        readonly messaging_fit?:
          | { readonly score?: number | null | undefined; readonly explanation?: string | null | undefined }
          | null
          | undefined
        readonly messaging_accuracy?:
          | { readonly score?: number | null | undefined; readonly explanation?: string | null | undefined }
          | null
          | undefined
      }
    | null
    | undefined
  readonly crm_properties?: { readonly [key: string]: string | number | boolean | null } | null | undefined
  readonly custom_metrics?:
    | {
        readonly [key: string]: {
          readonly score?: number | null | undefined
          readonly explanation?: string | null | undefined
        } | null
      }
    | null
    | undefined
  readonly custom_answers?: { readonly [key: string]: string | null } | null | undefined
}

export interface StageChange {
  /** The `updated_at` of the record that changed the stage, if it is not in the future and not before the previous change; otherwise the time of the import. */
  readonly changed_at: string
  /** The stage since then. Null: no stage. */
  readonly status: {
    readonly id: string
    /** Null if the stage was deleted since then. */
    readonly name: string | null
    readonly category: "open" | "won" | "lost" | null
  } | null
  /** The stage until then. Null: unknown. */
  readonly previous_status: {
    readonly id: string
    /** Null if the stage was deleted since then. */
    readonly name: string | null
    readonly category: "open" | "won" | "lost" | null
  } | null
}

export interface StageChanges {
  readonly data: ReadonlyArray<StageChange>
}

export interface DealsEndpoints {
  /** List deals, or count them. */
  readonly list: { readonly input: DealsListInput; readonly output: ReadonlyArray<AnyDeal> | DealCount }
  /** Read one deal. */
  readonly get: {
    readonly input: {
      readonly id: string
      /** Columns to return, separated by commas or repeated; `*` for every standard column. Besides the standard ones: `crm_{property_id}`, `crm_crm_one_account_{property_id}`, `crm_crm_two_account_{property_id}`, `custom_metric_score_{metric_name}`, `custom_metric_explanation_{metric_name}`, `custom_answer_{answer_name}`. `id` is always returned. */
      readonly columns?: ReadonlyArray<string> | undefined
    }
    readonly output: AnyDeal
  }
  /** Change one deal. */
  readonly update: { readonly input: DealsUpdateInput; readonly output: AnyDeal }
  /** Delete one deal. */
  readonly delete: { readonly input: { readonly id: string }; readonly output: void }
  /** List a deal's stage changes. */
  readonly stages: { readonly input: { readonly id: string }; readonly output: StageChanges }
}
