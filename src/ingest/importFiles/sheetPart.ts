import type { TableFacts, TableRow } from "../../core/ports/table.ts"

/** The parts that a reader of sheets yields: first the sheet that it reads, then rows. */
export type SheetPart =
  | Pick<TableFacts, "sheet" | "sheets" | "unread" | "passedOver">
  | { readonly rows: ReadonlyArray<TableRow> }

/** Rows of one part. */
export const PART_ROWS = 500
