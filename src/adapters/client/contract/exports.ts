// `npm run client` writes this file from the contract.
import type { DealFilters } from "./filters.ts"

export interface ExportsCreateInput extends DealFilters {
  /** The columns of GET /deals, in the order of the file; `*` for every standard column. Ask only for the columns that you need. */
  readonly columns: ReadonlyArray<string>
  readonly filters?: DealFilters | undefined
  /** By default, text that a spreadsheet would run as a formula gets a leading apostrophe. False leaves it unchanged. */
  readonly csv_safe?: boolean | undefined
}

export interface AcceptedExport {
  readonly export_id: string
  readonly status: "pending"
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
  /** Why it failed, and what to do. */
  readonly error: string | null
}

export interface ExportsEndpoints {
  /** Export deals as CSV. */
  readonly create: { readonly input: ExportsCreateInput; readonly output: AcceptedExport }
  /** Read an export's progress and download. */
  readonly get: { readonly input: { readonly export_id: string }; readonly output: Export }
  /** Delete an export. */
  readonly delete: { readonly input: { readonly export_id: string }; readonly output: void }
}
