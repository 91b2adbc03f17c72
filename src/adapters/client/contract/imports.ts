// `npm run client` writes this file from the contract.

export interface ImportAssumptions {
  /** The kind of file, from its bytes. */
  readonly container: "csv" | "ndjson" | "json" | "xlsx" | "html"
  /** The encoding of a text file. */
  readonly encoding?: string
  readonly compression?: "gzip"
  /** The separator of the cells of a CSV. */
  readonly delimiter?: string
  /** The sheet of a workbook that was read. */
  readonly sheet?: string
  /** The line of the headers. Lines above it are skipped. */
  readonly header_line?: number
  /** The currency of amounts. Null: neither the workspace nor the file has one. */
  readonly currency?: string | null
  /** Rates of the currencies that are converted: units of the workspace's for one. */
  readonly converted?: { readonly [key: string]: number }
  /** The decimal mark of each column of numbers. */
  readonly decimal?: { readonly [key: string]: "." | "," }
  /** The order of day and month in each column of dates that has it. */
  readonly date_order?: { readonly [key: string]: "DMY" | "MDY" }
  /** The time zone of times without an offset, if a column may have them. */
  readonly timezone?: string
  /** How many records found the row that they change, by way: `id`, `crm_one_id`, `crm_two_id`, `name_and_client`, `name`, `email`, `deal_and_feature`. */
  readonly matched_by?: { readonly [key: string]: number }
  /** The field that each column fills, how sure that is (0 to 1), and what says so. A field of null: the column is not imported. `export`: the file is an export of ours, and the column one of its columns; those that are computed have a field of null. */
  readonly columns?: ReadonlyArray<{
    readonly column: string
    readonly field: string | null
    readonly confidence: number
    readonly by: "map" | "name" | "values" | "export"
  }>
  /** The properties that keep the columns without a field (`keep_unmapped`), and whether the import registers them. */
  readonly properties?: ReadonlyArray<{
    readonly column: string
    readonly id: string
    readonly data_type: "text" | "number" | "date" | "boolean"
    readonly is_new: boolean
  }>
  /** The new stages, and why each is open, won or lost. `flags`: a column such as Is Won says so. `none`: nothing says so, and the stage is open. */
  readonly stages?: ReadonlyArray<{
    readonly name: string
    readonly category: "open" | "won" | "lost"
    readonly by: "option" | "words" | "flags" | "none"
  }>
}

export interface ImportReport {
  /** Names the import in `GET /import/{id}`. Absent in a dry run, as is `undo`. */
  readonly import_id?: string
  /** Whether `POST /import/{id}/undo` can undo it, within 7 days of its end. */
  readonly undo?: boolean
  /** Why it cannot be undone. */
  readonly undo_refusal?: string
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
    /** The refused value as the file has it, shortened. */
    readonly value?: string
  }>
  /** Lines that are no records, such as totals and footers, and were not imported. */
  readonly not_rows: number
  readonly assumptions: ImportAssumptions
  /** Guesses of the import, and names that it took for existing ones, by code and field. */
  readonly warnings: ReadonlyArray<{
    readonly code:
      | "stage_unclear"
      | "stage_kept"
      | "stage_missing"
      | "stage_contradicted"
      | "decimal_unclear"
      | "date_order_unclear"
      | "date_of_period"
      | "other_currency"
      | "amount_scaled"
      | "amount_approximate"
      | "unit_unclear"
      | "id_rounded"
      | "id_of_numbers"
      | "id_repeated"
      | "name_repeated"
      | "name_without_client"
      | "name_missing"
      | "deal_named"
      | "group_written_once"
      | "same_id_other_name"
      | "unknown_id"
      | "name_merged"
      | "new_name_like_existing"
      | "list_unsplit"
      | "footer_skipped"
      | "total_skipped"
      | "table_skipped"
      | "table_beside"
      | "deleted_skipped"
      | "struck_skipped"
      | "deletes_records"
      | "short_row"
      | "row_of_one_cell"
      | "row_hidden"
      | "column_hidden"
      | "placeholder_emptied"
      | "column_unmapped"
      | "column_like_field"
      | "cell_left_out"
      | "formulas_not_calculated"
      | "sheet_chosen"
      | "sheets_unread"
      | "separator_contradicted"
      | "encoding_guessed"
    readonly field?: string
    /** Describes the first occurrence. Its wording may change. */
    readonly message: string
    /** Occurrences. */
    readonly count: number
    /** The first ten lines. */
    readonly lines: ReadonlyArray<number>
    /** The first values. */
    readonly examples: ReadonlyArray<string>
  }>
  /** How many owners, clients, competitors and others were created because a record names them, by type. */
  readonly created_names: { readonly [key: string]: number }
  /** A dry run says where its counts come from. `sample`: the file is too long to count, and they are those of its first records, at most 200,000. */
  readonly counts_from?: "file" | "sample"
  /** A dry run shows up to 20 records that would change something, with names instead of ids. */
  readonly examples?: ReadonlyArray<{
    /** The line on which the record begins. */
    readonly line: number
    readonly result: "created" | "updated" | "deleted"
    /** The fields that the record gives, as the workspace has them. Null for a new row. */
    readonly before: { readonly [key: string]: unknown } | null
    /** The same fields, as they would be stored. Null for a row that would be deleted. */
    readonly after: { readonly [key: string]: unknown } | null
  }>
  /** The plan that a dry run of a table made, or by which the file was imported. A dry run gives none if the plan takes more than 256 KiB. */
  readonly plan_id?: string
}

export interface ImportSummary {
  readonly import_id: string
  /** `incomplete`: it ended before the end of its file. */
  readonly status: "running" | "completed" | "incomplete"
  /** The key that sent it. Null: the operator. */
  readonly created_by: string | null
  readonly started_at: string
  readonly ended_at: string | null
  /** Records read; 0 while it runs. */
  readonly received: number
  /** New records. */
  readonly created: number
  /** Records that changed something. */
  readonly updated: number
  /** Records that changed nothing. */
  readonly unchanged: number
  /** Records that deleted a deal or association. */
  readonly deleted: number
  /** Invalid records. */
  readonly failed: number
  /** Whether `POST /import/{id}/undo` can undo it, within 7 days of its end. */
  readonly undo: boolean
  /** Why it cannot be undone. */
  readonly undo_refusal?: string
  /** Until when it can be undone. Null while it runs. */
  readonly undo_until: string | null
  readonly undone_at: string | null
  /** The last undo that was asked for; null if none was. */
  readonly undone: {
    /** The run: GET /runs/{run_id}. */
    readonly run_id: string
    readonly status: "queued" | "running" | "completed" | "failed" | "cancelled"
    /** Records that have their old values again. */
    readonly restored: number
    /** Records and names that the import created, and that are deleted. */
    readonly removed: number
    /** Records that the import deleted, and that exist again. */
    readonly recreated: number
    /** Records that a later change touched, or that are not restored whole. */
    readonly kept_count: number
    /** The first 1,000 of them, once the run is completed. `changed_later`, `deleted_later` and `created_again`: a later change touched it. `in_use`: something else refers to what the import created. `conflict`: its old values refer to something that is gone, or its CRM id belongs to another record now. `documents_lost`: it exists again, without the documents that it had. */
    readonly kept: ReadonlyArray<{
      readonly type: string
      readonly id: string
      readonly reason: "changed_later" | "deleted_later" | "created_again" | "in_use" | "conflict" | "documents_lost"
    }>
    readonly error: string | null
  } | null
}
