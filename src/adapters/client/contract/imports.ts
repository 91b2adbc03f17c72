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
  /** The field that each column fills, how sure that is (0 to 1), and what says so. A field of null: the column is not imported. */
  readonly columns?: ReadonlyArray<{
    readonly column: string
    readonly field: string | null
    readonly confidence: number
    readonly by: "map" | "name" | "values"
  }>
  /** The new stages, and why each is open, won or lost. `none`: nothing says so, and the stage is open. */
  readonly stages?: ReadonlyArray<{
    readonly name: string
    readonly category: "open" | "won" | "lost"
    readonly by: "option" | "words" | "none"
  }>
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
      | "decimal_unclear"
      | "date_order_unclear"
      | "other_currency"
      | "id_rounded"
      | "same_id_other_name"
      | "name_merged"
      | "new_name_like_existing"
      | "list_unsplit"
      | "footer_skipped"
      | "total_skipped"
      | "short_row"
      | "placeholder_emptied"
      | "column_unmapped"
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
}
