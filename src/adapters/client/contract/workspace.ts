// `npm run client` writes this file from the contract.
import type { DealFilters } from "./filters.ts"
import type { RecordType } from "./records.ts"
import type { ImportReport, ImportSummary } from "./imports.ts"
import type {
  WorkspaceStage,
  WorkspaceCrmProperty,
  WorkspaceFeature,
  WorkspaceAnswer,
  WorkspaceMetric,
  WorkspaceSegment,
  WorkspaceCompetitor,
  WorkspaceReason,
  WorkspaceItem,
  WorkspaceValue,
  WorkspaceEntry,
} from "./entries.ts"

export interface WorkspaceImportInput {
  /** The type of every row. Required for CSV and workbooks. */
  readonly type?: RecordType | undefined
  /** Headers of a table and the fields they fill, `Header=field,Other=field2`, or the same as a JSON object. `First+Second=name` joins two cells, `Name[2]` is the second column of that name, and `Header=` ignores a column. Columns that it does not name fill the field that their header names in exports of CRMs, if any. */
  readonly map?: string | undefined
  /** The order of day and month in dates such as 04/03/2026. Without it, each column decides. Dates that begin with the year, or name the month, are always accepted. */
  readonly dates?: "ISO" | "DMY" | "MDY" | undefined
  /** The decimal mark of numbers. Without it, each column decides, then the file. */
  readonly decimal?: "." | "," | undefined
  /** Converts amounts of other currencies: units of the workspace's currency for one, `EUR:1.08,JPY:0.0067`, or the same as a JSON object. Without a rate, such a row is an error. */
  readonly rates?: string | undefined
  /** The categories of new stages, `Closed=lost,Signed=won`, or the same as a JSON object. Without it, their names decide, and one that says nothing is open, with a warning. */
  readonly stage?: string | undefined
  /** The encoding of a text, such as `windows-1252` or `shift_jis`, over that of the Content-Type. Without both, the bytes decide. */
  readonly encoding?: string | undefined
  /** The sheet of a workbook, by its name or number from 1. Without it, the first visible one that has headers of the records, or else cells. */
  readonly sheet?: string | undefined
  /** Whether records create the owners, clients, competitors and others that they name first (`all`, the default). With `none`, such a record is an error that shows the name. */
  readonly create?: "all" | "none" | undefined
  /** The effect of an empty cell of a table, or of one such as `N/A`, on its field: none (`keep`, the default), or it clears it. 400 for records, where `null` clears a field. */
  readonly empty?: "keep" | "clear" | undefined
  /** Keeps the columns of a table of deals that fill no field, as properties of this CRM: at most 300 new ones, typed by the first rows. A later cell of another type is left out and reported; its row is imported. 400 for records, which name their fields. */
  readonly keep_unmapped?: "crm_one" | "crm_two" | undefined
  /** Writes no record, and reports what the import would do, with examples. Of a table it keeps the plan for an hour: `plan_id`. Counts are exact up to 200,000 records. */
  readonly dry_run?: boolean | undefined
  /** Imports by the plan that a dry run of this file made. The file must have the same header; the plan decides everything else, so `map`, `dates`, `decimal`, `rates`, `stage`, `create`, `empty`, `keep_unmapped`, `encoding` and `sheet` are omitted. 409 if the header or the workspace has changed. */
  readonly plan_id?: string | undefined
}

export interface ImportUndo {
  readonly import_id: string
  readonly run_id: string
  readonly status: "queued"
}

export interface Rubric {
  readonly 1: string
  readonly 3: string
  readonly 5: string
}

export interface WorkspaceSettings {
  /** The organization's name. */
  readonly name: string
  /** The currency of amounts, as an ISO 4217 code. Null: unknown. */
  readonly currency: string | null
  /** The first month of the fiscal year, 1 to 12. */
  readonly fiscal_start: number
  /** The IANA name of the time zone in which a day begins and ends: in filters, periods, reports and questions. */
  readonly timezone: string
  /** Your company's names. Speakers and senders with one of them are the seller. */
  readonly our_names: ReadonlyArray<string>
  /** The domains of your own e-mail and websites. */
  readonly our_domains: ReadonlyArray<string>
  /** When deals are analyzed: `manual`, on request alone; or `automatic`, also when a document of the deal was read. A language model then costs tokens. */
  readonly analysis: "manual" | "automatic"
  /** Tokens that analyses by a language model may use in a calendar month (UTC), input and output together. Null: no limit. */
  readonly analysis_budget: number | null
  /** Links to figures of answers (`/r/`) show without a key: `figures`, the numbers and the filter in words; or `deals`, also the deals behind them. */
  readonly links: "deals" | "figures"
  /** The deal types that are renewals, ignoring case: the measure `renewal_rate` reads their deals. */
  readonly renewal_types: ReadonlyArray<string>
  /** The category of reasons, ignoring case, with which a lost deal had no decision: the measure `lost_no_decision` reads it. Null: none. */
  readonly no_decision: string | null
  /** The meanings of the scores 1, 3 and 5 of win-loss metrics in the workspace's words, which the language model sees. A metric without a rubric has a general one. */
  readonly rubrics: {
    readonly product_fit?: Rubric
    readonly sales_execution?: Rubric
    readonly relationship?: Rubric
    readonly price_sensitivity?: Rubric
    readonly competitive_intensity?: Rubric
    readonly customer_fit?: Rubric
    readonly messaging_fit?: Rubric
    readonly messaging_accuracy?: Rubric
  }
}

export interface WorkspaceDuplicate {
  readonly type: "deal" | "client"
  readonly field: "crm_one_id" | "crm_two_id"
  /** The common part of their ids: the first 15 characters of an id of Salesforce. */
  readonly key: string
  /** The oldest first. */
  readonly records: ReadonlyArray<{ readonly id: string; readonly name: string; readonly crm_id: string }>
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
    readonly data: ReadonlyArray<WorkspaceMetric>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly answers: {
    readonly data: ReadonlyArray<WorkspaceAnswer>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  readonly crm_properties: {
    readonly data: ReadonlyArray<WorkspaceCrmProperty>
    /** True if there are more than 100. */
    readonly has_more: boolean
  }
  /** Deals and clients that an earlier version stored twice, with the short and the long form of one CRM id: the first 100. Nothing merges them. */
  readonly duplicates: ReadonlyArray<WorkspaceDuplicate>
}

export interface WorkspaceUpdateInput {
  /** The organization's name. */
  readonly name?: string
  /** The currency of amounts, as an ISO 4217 code. Null: unknown. Upper and lower case are alike. */
  readonly currency?: string | null
  /** The first month of the fiscal year, 1 to 12. */
  readonly fiscal_start?: number
  /** The IANA name of the time zone in which a day begins and ends: in filters, periods, reports and questions. Upper and lower case are alike. Null: UTC. */
  readonly timezone?: string | null
  /** Your company's names. Speakers and senders with one of them are the seller. */
  readonly our_names?: ReadonlyArray<string>
  /** The domains of your own e-mail and websites. */
  readonly our_domains?: ReadonlyArray<string>
  /** When deals are analyzed: `manual`, on request alone; or `automatic`, also when a document of the deal was read. A language model then costs tokens. */
  readonly analysis?: "manual" | "automatic"
  /** Tokens that analyses by a language model may use in a calendar month (UTC), input and output together. Null: no limit. */
  readonly analysis_budget?: number | null
  /** Links to figures of answers (`/r/`) show without a key: `figures`, the numbers and the filter in words; or `deals`, also the deals behind them. */
  readonly links?: "deals" | "figures"
  /** The deal types that are renewals, ignoring case: the measure `renewal_rate` reads their deals. */
  readonly renewal_types?: ReadonlyArray<string>
  /** The category of reasons, ignoring case, with which a lost deal had no decision: the measure `lost_no_decision` reads it. Null: none. */
  readonly no_decision?: string | null
  /** The meanings of the scores 1, 3 and 5 of win-loss metrics in the workspace's words, which the language model sees. A metric without a rubric has a general one. Replaces all of them. */
  readonly rubrics?: {
    readonly product_fit?: Rubric
    readonly sales_execution?: Rubric
    readonly relationship?: Rubric
    readonly price_sensitivity?: Rubric
    readonly competitive_intensity?: Rubric
    readonly customer_fit?: Rubric
    readonly messaging_fit?: Rubric
    readonly messaging_accuracy?: Rubric
  }
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
  /** For a stage: the part of its deals that will be won, 0 to 1. The measure `amount_weighted` multiplies amounts by it. */
  readonly probability?: number | null
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
  /** For a segment: the filters of GET /deals that define it. For a metric or answer: those of the deals that its question is asked of. */
  readonly filters?: DealFilters | null
  /** For a metric or answer: what an analysis by a language model asks of a deal's documents. A metric is a score from 1 to 5; its question says what these mean. */
  readonly question?: string | null
  /** For an answer: true or false with a sentence, a sentence (the default), a paragraph, or one of `options`. */
  readonly form?: "boolean" | "sentence" | "paragraph" | "option" | null
  /** For an answer of the form `option`: its values. */
  readonly options?: ReadonlyArray<string> | null
}

export interface WorkspaceEndpoints {
  /** Import records. */
  readonly import: { readonly input: WorkspaceImportInput; readonly output: ImportReport }
  /** Read what an import did. */
  readonly getImport: { readonly input: { readonly id: string }; readonly output: ImportSummary }
  /** Undo an import. */
  readonly undoImport: { readonly input: { readonly id: string }; readonly output: ImportUndo }
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
