// `npm run client` writes this file from the contract.
import type { DealFilters } from "./filters.ts"

export type RecordType =
  | "stage"
  | "owner"
  | "competitor"
  | "reason"
  | "feature"
  | "metric"
  | "answer"
  | "crm_property"
  | "client"
  | "segment"
  | "deal"
  | "association"

export interface StageRecord {
  readonly type: "stage"
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly category?: "open" | "won" | "lost" | undefined
  readonly position?: number | undefined
  readonly probability?: number | null | undefined
}

export interface OwnerRecord {
  readonly type: "owner"
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | null | undefined
}

export interface CompetitorRecord {
  readonly type: "competitor"
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly website_url?: string | null | undefined
  readonly aliases?: ReadonlyArray<string> | null | undefined
}

export interface ReasonRecord {
  readonly type: "reason"
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly category?: string | null | undefined
  readonly aliases?: ReadonlyArray<string> | null | undefined
}

export interface FeatureRecord {
  readonly type: "feature"
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly product?: string | null | undefined
  readonly product_area?: string | null | undefined
  readonly aliases?: ReadonlyArray<string> | null | undefined
}

export interface MetricRecord {
  readonly type: "metric"
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly question?: string | null | undefined
  readonly filters?: DealFilters | null | undefined
}

export interface AnswerRecord {
  readonly type: "answer"
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly question?: string | null | undefined
  readonly filters?: DealFilters | null | undefined
  readonly form?: "boolean" | "sentence" | "paragraph" | "option" | null | undefined
  readonly options?: ReadonlyArray<string> | null | undefined
}

export interface CrmPropertyRecord {
  readonly type: "crm_property"
  readonly crm: "crm_one" | "crm_two"
  readonly object: "deal" | "account"
  readonly id: string
  readonly label?: string | null | undefined
  readonly data_type?: "text" | "number" | "date" | "boolean" | undefined
}

export interface ClientRecord {
  readonly type: "client"
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly crm_one_id?: string | null | undefined
  readonly crm_two_id?: string | null | undefined
  readonly industry?: string | null | undefined
  readonly website_url?: string | null | undefined
  readonly crm_properties?: { readonly [key: string]: string | number | boolean | null } | null | undefined
}

export interface SegmentRecord {
  readonly type: "segment"
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly filters?: DealFilters | null | undefined
}

/** An id or, if no id matches, a name; an unknown name creates a row. `{id}` must exist; `{name}` is never read as an id; `{id, name}` creates a row with this id and name if no row has the id. An owner may also be an e-mail, `Last, First` or `Name (e-mail)`. */
export type ImportReference =
  | string
  | { readonly id: string; readonly name: string }
  | { readonly id: string }
  | { readonly name: string }

export interface DealRecord {
  readonly type: "deal"
  readonly id?: string | undefined
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
  /** True deletes the row; the other fields only identify it. */
  readonly deleted?: boolean | undefined
}

export interface AssociationRecord {
  readonly type: "association"
  readonly id?: string | undefined
  /** A deal's id or CRM id. */
  readonly deal?:
    | string
    | { readonly id: string }
    | { readonly crm_one_id: string }
    | { readonly crm_two_id: string }
    | undefined
  readonly feature?: ImportReference | undefined
  /** An instant, or a day or a time without offset in the workspace's time zone. */
  readonly created_at?: string | undefined
  readonly influence_summary?: string | null | undefined
  readonly sentiment?: boolean | null | undefined
  readonly tags?: ReadonlyArray<string> | null | undefined
  /** True deletes the row; the other fields only identify it. */
  readonly deleted?: boolean | undefined
}

export type ImportRecord =
  | StageRecord
  | OwnerRecord
  | CompetitorRecord
  | ReasonRecord
  | FeatureRecord
  | MetricRecord
  | AnswerRecord
  | CrmPropertyRecord
  | ClientRecord
  | SegmentRecord
  | DealRecord
  | AssociationRecord
