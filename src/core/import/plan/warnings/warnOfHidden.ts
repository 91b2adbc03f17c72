import { shorten } from "../../../common/shorten.ts"
import type { Notices } from "../../../records/Notices.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import type { PlannedColumn } from "../fields/ImportPlan.ts"

/** Warns of columns that the file hides and that fill a field by their header. A `map` of a person has chosen its columns. */
export const warnOfHiddenColumns = (
  { line, hiddenCells = [] }: TableRow,
  columns: ReadonlyArray<PlannedColumn>,
  notices: Notices,
): void => {
  for (const at of hiddenCells) {
    const { column, field = null, by } = columns[at] ?? {}
    if (column === undefined || field === null || by === "map") continue
    const message = `columns that the file hides are imported like the others, such as '${shorten(column)}', which fills ${shorten(field)}: ignore one with 'map', as in ${shorten(column)}=, or delete it from the file, if it does not count`
    notices.add("column_hidden", { line, example: column, message })
  }
}

/** Warns of a row that the file hides and that is imported. */
export const warnOfHiddenRow = ({ line, cells }: TableRow, notices: Notices): void =>
  notices.add("row_hidden", {
    line,
    example: cells
      .map(textOf)
      .filter((cell) => cell.trim() !== "")
      .join(", "),
    message: HIDDEN_ROWS,
  })

const HIDDEN_ROWS =
  "rows that the file hides, as a filter or a folded group does, are imported like the others: delete them from the file and import it again, if only those that it shows count"
