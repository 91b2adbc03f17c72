import type { TableRow } from "../../core/ports/table.ts"

/** The parts that a reader of sheets yields: first the sheet that it reads, then rows. */
export type SheetPart =
  | { readonly sheet?: string | undefined; readonly sheets?: ReadonlyArray<string> | undefined }
  | { readonly rows: ReadonlyArray<TableRow> }

/** Rows of one part. */
export const PART_ROWS = 500
