// `npm run client` writes this file from the contract.
import type { DealFilters } from "./filters.ts"
import type { RecordType } from "./records.ts"
import type {
  WorkspaceStage,
  WorkspaceCrmProperty,
  WorkspaceFeature,
  WorkspaceSegment,
  WorkspaceCompetitor,
  WorkspaceReason,
  WorkspaceItem,
  WorkspaceValue,
  WorkspaceEntry,
} from "./entries.ts"

export interface WorkspaceImportInput {
  /** The type of every row. Required for CSV. */
  readonly type?: RecordType | undefined
  /** Headers of a CSV and the fields they fill, `Header=field,Other=field2`, or the same as a JSON object. `First+Second=name` joins two cells. Headers that match neither the map nor a field are ignored. */
  readonly map?: string | undefined
  /** The format of dates. ISO is always accepted. */
  readonly dates?: "ISO" | "DMY" | "MDY" | undefined
  /** Writes nothing, and reports what the import would do. The body has at most 4 MiB. */
  readonly dry_run?: boolean | undefined
}

export interface ImportReport {
  /** Records read. */
  readonly received: number
  /** New records. */
  readonly created: number
  /** Records that changed something. */
  readonly updated: number
  /** Records that changed nothing, or deleted what did not exist. */
  readonly unchanged: number
  /** Records with `deleted` that deleted a deal or association. */
  readonly deleted: number
  /** Invalid records, which were skipped whole. */
  readonly failed: number
  /** The first 1,000 errors, by line. */
  readonly errors: ReadonlyArray<{
    /** The line on which the record begins. */
    readonly line: number
    readonly field: string
    readonly reason: string
  }>
}

export interface WorkspaceSettings {
  /** The organization's name. */
  readonly name: string
  /** The currency of amounts, as an ISO 4217 code. Null: unknown. */
  readonly currency: string | null
  /** The first month of the fiscal year, 1 to 12. */
  readonly fiscal_start: number
  /** Your company's names. Speakers and senders with one of them are the seller. */
  readonly our_names: ReadonlyArray<string>
  /** The domains of your own e-mail and websites. */
  readonly our_domains: ReadonlyArray<string>
  /** Tokens that analyses by a language model may use in a calendar month (UTC), input and output together. Null: no limit. */
  readonly analysis_budget: number | null
}

export interface Workspace {
  readonly settings: WorkspaceSettings
  readonly stages: {
    readonly data: ReadonlyArray<WorkspaceStage>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly owners: {
    readonly data: ReadonlyArray<WorkspaceItem>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly competitors: {
    readonly data: ReadonlyArray<WorkspaceCompetitor>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly reasons: {
    readonly data: ReadonlyArray<WorkspaceReason>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly features: {
    readonly data: ReadonlyArray<WorkspaceFeature>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly segments: {
    readonly data: ReadonlyArray<WorkspaceSegment>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly regions: {
    readonly data: ReadonlyArray<WorkspaceValue>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly industries: {
    readonly data: ReadonlyArray<WorkspaceValue>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly deal_types: {
    readonly data: ReadonlyArray<WorkspaceValue>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly product_labels: {
    readonly data: ReadonlyArray<WorkspaceValue>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly tags: {
    readonly data: ReadonlyArray<WorkspaceValue>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly metrics: {
    readonly data: ReadonlyArray<WorkspaceItem>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly answers: {
    readonly data: ReadonlyArray<WorkspaceItem>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly crm_properties: {
    readonly data: ReadonlyArray<WorkspaceCrmProperty>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
}

export interface WorkspaceUpdateInput {
  /** The organization's name. */
  readonly name?: string
  /** The currency of amounts, as an ISO 4217 code. Null: unknown. Upper and lower case are alike. */
  readonly currency?: string | null
  /** The first month of the fiscal year, 1 to 12. */
  readonly fiscal_start?: number
  /** Your company's names. Speakers and senders with one of them are the seller. */
  readonly our_names?: ReadonlyArray<string>
  /** The domains of your own e-mail and websites. */
  readonly our_domains?: ReadonlyArray<string>
  /** Tokens that analyses by a language model may use in a calendar month (UTC), input and output together. Null: no limit. */
  readonly analysis_budget?: number | null
}

export interface WorkspaceListInput {
  /** One of `stages`, `owners`, `competitors`, `reasons`, `features`, `segments`, `regions`, `industries`, `deal_types`, `product_labels`, `tags`, `metrics`, `answers`, `crm_properties` */
  readonly kind: string
  /** Names that contain this text, ignoring case; if there are none, similar names. */
  readonly searchQuery?: string | undefined
  /** The `next_cursor` of the previous page of the same kind and search. */
  readonly cursor?: string | undefined
}

export interface WorkspaceEntries {
  readonly data: ReadonlyArray<WorkspaceEntry>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface WorkspacePutInput {
  /** One of `stages`, `competitors`, `reasons`, `features`, `segments`, `metrics`, `answers` */
  readonly kind: string
  readonly id: string
  /** Required for a new one. It must be unique within the kind. */
  readonly name?: string
  /** For a stage: `open`, `won` or `lost`; by default, derived from its name. For a reason: any text. */
  readonly category?: string | null
  /** For a stage: its position among the others. */
  readonly position?: number
  /** For a competitor. */
  readonly website_url?: string | null
  /** For a feature. */
  readonly description?: string | null
  /** For a feature. */
  readonly product?: string | null
  /** For a feature. */
  readonly product_area?: string | null
  /** For a competitor, reason or feature: other names that texts use for it. They replace those that it has. */
  readonly aliases?: ReadonlyArray<string> | null
  /** For a segment: the filters of GET /deals that define it. */
  readonly filters?: DealFilters | null
}

export interface WorkspaceEndpoints {
  /** Import records. */
  readonly import: { readonly input: WorkspaceImportInput; readonly output: ImportReport }
  /** Read the workspace. */
  readonly get: { readonly input: {}; readonly output: Workspace }
  /** Change the settings. */
  readonly update: { readonly input: WorkspaceUpdateInput; readonly output: WorkspaceSettings }
  /** List one kind of names. */
  readonly list: { readonly input: WorkspaceListInput; readonly output: WorkspaceEntries }
  /** Create or change a stage, competitor, reason, feature, segment, metric or answer. */
  readonly put: { readonly input: WorkspacePutInput; readonly output: WorkspaceEntry }
  /** Delete a stage, competitor, reason, feature, segment, metric or answer. */
  readonly delete: {
    readonly input: {
      /** One of `stages`, `competitors`, `reasons`, `features`, `segments`, `metrics`, `answers` */
      readonly kind: string
      readonly id: string
    }
    readonly output: void
  }
}
