import { suggestion } from "../../../common/nearest.ts"
import type { Invalid } from "../../../http/validation/validation.ts"
import type { RecordType } from "../../../records/record.ts"
import { type TableFacts, type TableRow, textOf } from "../../table/Table.ts"
import { countKnown, fieldNamed } from "./matchColumns.ts"
import type { Mapping } from "../fields/parameters.ts"

/** Rows in which the header is sought: reports have a few lines of title above it. */
const MAX_SOUGHT = 30
const MAX_SHOWN = 100
const MAX_SHEETS = 10

interface Sought {
  readonly index: number
  readonly row: TableRow
  readonly cells: ReadonlyArray<string>
}

/** Records have more cells than their headers that are called like fields. */
const isRow = (cells: ReadonlyArray<string>, known: number): boolean => {
  const filled = cells.filter((cell) => cell.trim() !== "").length
  return filled > 1 && known * 2 < filled
}

/** The row with most headers that are called like fields. */
function* findBest(
  type: RecordType,
  sought: ReadonlyArray<Sought>,
  mapping: Mapping | undefined,
  isMapped: boolean,
): Generator<void, Sought & { readonly known: number }> {
  let best = { ...sought[0]!, known: 0 }
  let hasNames = false
  for (const each of sought) {
    const known = yield* countKnown(type, each.cells, mapping)
    // A header with a column of names has records below it: a later header, even of more fields, begins another table.
    if (hasNames && isRow(each.cells, known)) break
    if (known <= best.known) continue
    best = { ...each, known }
    hasNames = !isMapped && known > 1 && each.cells.some((cell) => fieldNamed(type, cell) === "name")
  }
  return best
}

/** The row with the headers, by its place among the rows, or why there is none. */
export function* findHeader(
  type: RecordType,
  rows: ReadonlyArray<TableRow>,
  { sheet, sheets = [] }: TableFacts,
  mapping: Mapping | undefined,
): Generator<void, number | ReadonlyArray<Invalid>> {
  const sought: Array<Sought> = []
  for (const [index, row] of rows.entries()) {
    const cells = row.cells.map(textOf)
    if (cells.some((cell) => cell.trim() !== "")) sought.push({ index, row, cells })
    if (sought.length === MAX_SOUGHT) break
    yield
  }
  const first = sought[0]
  if (first === undefined) return [{ field: "body", reason: "The file is empty" }]
  const isMapped = mapping !== undefined && Object.keys(mapping).length > 0
  const best = yield* findBest(type, sought, mapping, isMapped)
  // A map whose headers are not in the file is refused with the header that the file seems to have.
  if (best.known > 0 || isMapped) return best.index
  const shown = first.cells.filter((cell) => cell.trim() !== "").join(", ")
  const name = first.cells.find((cell) => cell.trim() !== "")!
  const others = sheets.filter((each) => each !== sheet)
  const inSheet = sheet === undefined ? "" : ` of the sheet '${sheet}'`
  const orSheet =
    others.length === 0
      ? ""
      : `. Set 'sheet' to read another: ${others
          .slice(0, MAX_SHEETS)
          .map((each) => `'${each}'`)
          .join(", ")}`
  const where =
    `line ${first.row.line}${inSheet} reads '${shown.slice(0, MAX_SHOWN)}${shown.length > MAX_SHOWN ? "…" : ""}', ` +
    `and no line to ${sought.at(-1)!.row.line} names a field of ${type === "owner" || type === "answer" || type === "association" ? "an" : "a"} ${type}`
  return [
    {
      field: "header",
      reason: `must be a row of headers: ${where}; map its columns, such as ${name.trim().slice(0, 30)}=name${orSheet}`,
      ...suggestion(name, ["name", "amount", "status", "owner", "client"]),
    },
  ]
}
