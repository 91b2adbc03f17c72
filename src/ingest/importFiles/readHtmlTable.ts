import type { TableRow } from "../../core/ports/table.ts"
import type { RecordType } from "../../core/records/record.ts"
import { writeLetter } from "../formats/office/xlsxHidden.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { type OpenTable, parseTables, type Reading } from "./htmlTables.ts"
import { PART_ROWS, type SheetPart } from "./sheetPart.ts"

/**
 * Reads the first table of a page that has headers of the records, else the first that has a row of several cells, as Salesforce writes
 * them into files that end in .xls. Later tables with headers of the records follow after an empty row, as they do in a sheet. Rows count
 * from the first table's first. A cell over several rows has its value in each of them.
 */
export function* readHtmlTable(
  bytes: Uint8Array,
  { sheet: choice, type }: { readonly sheet?: string | undefined; readonly type?: string | undefined },
): Generator<SheetPart> {
  if (choice !== undefined)
    throw new UnreadableError("unsupported", "is an HTML page, which has no sheets: leave 'sheet' out")
  const read = new Set<OpenTable>()
  let last: Reading | undefined
  let current: OpenTable | undefined
  let linesBefore = 0
  /** Tables with headers of the records that have been looked at. */
  let sought = 0

  /** Yields what has arrived of the current table, and of those that follow it. */
  function* readOn(reading: Reading): Generator<SheetPart> {
    while (current !== undefined) {
      const isOver = reading.isOver(current)
      if (!isOver && current.rows.length < PART_ROWS) return
      if (read.size === 0) yield {}
      read.add(current)
      const rows = current.rows.splice(0)
      if (rows.length > 0) yield { rows: linesBefore === 0 ? rows : rows.map((row) => moveDown(row, linesBefore)) }
      if (!isOver) return
      let next: OpenTable | undefined
      while (next === undefined && sought < reading.records.length) {
        const table = reading.records[sought++]!
        if (!read.has(table) && !isInside(table, read)) next = table
      }
      if (next === undefined) return
      linesBefore += current.line + 1
      yield { rows: [{ line: linesBefore, cells: [] }] }
      read.add(next)
      current = next
    }
  }

  for (const reading of parseTables(bytes, type as RecordType | undefined)) {
    last = reading
    const { wide, records } = reading
    // A long table is that of the records, whatever its headers, so that memory stays bounded.
    const isChosen = type === undefined || (wide !== undefined && wide.rows.length >= PART_ROWS)
    current ??= records[0] ?? (isChosen ? wide : undefined)
    yield* readOn(reading)
  }
  if (current === undefined && last !== undefined) {
    current = last.wide ?? last.first
    yield* readOn(last)
  }
  if (current === undefined)
    throw new UnreadableError("empty", "is an HTML page without a table: export the records as CSV or XLSX")
}

const isInside = (table: OpenTable, others: ReadonlySet<OpenTable>): boolean => {
  for (let { outer } = table; outer !== undefined; { outer } = outer) if (others.has(outer)) return true
  return false
}

const moveDown = (row: TableRow, lines: number): TableRow => {
  const line = row.line + lines
  const struck = row.struck?.map((each) => ({ ...each, cell: `${writeLetter(each.index + 1)}${line}` }))
  return { ...row, line, ...(struck === undefined ? {} : { struck }) }
}
