import { type TableRow, textOf } from "../table/Table.ts"
import { isPlaceholder } from "./emptyCells.ts"
import type { PlannedField } from "./ImportPlan.ts"
import { unwrap } from "./plainText.ts"

/** The cell of a field, or the text of the cells that fill it together. */
export const cellOf = (row: TableRow, { cells, kind }: PlannedField) =>
  cells.length === 1 ? (row.cells[cells[0]!] ?? "") : joined(row, cells, kind === "list" ? "; " : " - ")

const joined = (row: TableRow, cells: ReadonlyArray<number>, separator: string): string =>
  cells
    .map((cell) => unwrap(textOf(row.cells[cell] ?? "").trim()))
    .filter((cell) => cell !== "" && !isPlaceholder(cell))
    .join(separator)
