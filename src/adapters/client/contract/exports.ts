// `npm run client` writes this file from the contract.
import type { DealFilters } from "./filters.ts"

export interface ExportsCreateInput extends DealFilters {
  /** The columns of GET /deals, in the order of the file; `*` for every standard column. Ask only for the columns that you need. */
  readonly columns: ReadonlyArray<string>
  readonly filters?: DealFilters | undefined
  /** `csv` by default. `xlsx` has dates, numbers and truth values as such; `csv_safe`, `bom`, `delimiter` and `decimal` belong to csv. */
  readonly format?: "csv" | "xlsx" | undefined
  /** By default, text that a spreadsheet would run as a formula gets a leading apostrophe. False leaves it unchanged. */
  readonly csv_safe?: boolean | undefined
  /** True starts the file with a byte-order mark, without which Excel takes UTF-8 for another encoding. */
  readonly bom?: boolean | undefined
  /** The separator of cells: a comma by default, a semicolon or a tab. */
  readonly delimiter?: "," | ";" | "\t" | undefined
  /** The decimal mark of numbers: a point by default. A comma needs another `delimiter`. */
  readonly decimal?: "." | "," | undefined
}

export interface AcceptedExport {
  readonly export_id: string
  readonly status: "pending"
}

export interface ExportWarning {
  /** Stays the same; the message may change. */
  readonly code: "cell_too_long_for_excel" | "too_many_rows_for_excel"
  readonly message: string
  /** The cells or rows concerned. */
  readonly count: number
  /** At most five cells. */
  readonly examples: ReadonlyArray<{
    /** The row in a spreadsheet, whose first row is the header. */
    readonly row: number
    readonly column: string
    /** The length of the cell, in UTF-16 code units. */
    readonly characters: number
  }>
}

export interface Export {
  readonly export_id: string
  readonly status: "pending" | "processing" | "completed" | "failed"
  readonly progress: number
  /** Rows in the file, without the header. */
  readonly row_count: number | null
  /** The size in bytes. */
  readonly file_size: number | null
  readonly created_at: string
  /** When the export started. */
  readonly started_at: string | null
  /** When the file was complete. */
  readonly completed_at: string | null
  /** Opens without a key and accepts ranges. After 7 days, or once the key that asked for it is revoked or expires, it replies 410. */
  readonly download_url: string | null
  /** 7 days after completion. */
  readonly download_expires_at: string | null
  readonly download_expired: boolean
  /** 30 days after creation. */
  readonly record_expires_at: string
  /** The parts of the file that a spreadsheet program does not show, once the export is completed. */
  readonly warnings: ReadonlyArray<ExportWarning>
  /** Why it failed, and what to do. */
  readonly error: string | null
}

export interface ExportsEndpoints {
  /** Export deals as CSV or XLSX. */
  readonly create: { readonly input: ExportsCreateInput; readonly output: AcceptedExport }
  /** Read an export's progress and download. */
  readonly get: { readonly input: { readonly export_id: string }; readonly output: Export }
  /** Delete an export. */
  readonly delete: { readonly input: { readonly export_id: string }; readonly output: void }
}
