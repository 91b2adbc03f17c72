import { shorten } from "../../../common/shorten.ts"
import type { NoticeCode, Notices } from "../../../records/Notices.ts"
import { type TableRow, type TableFacts, textOf } from "../../table/Table.ts"
import { normalizeHeader } from "../headers/headers.ts"
import type { ImportPlan } from "../fields/ImportPlan.ts"
import { isDeleted } from "../cells/outcome.ts"
import { eachRow } from "../cells/evidence.ts"
import { countToTwo, groupReader, headingOf } from "./groups.ts"
import { recordShape } from "./recordShape.ts"
import { isTotalLabel, totalFinder } from "./totals.ts"

/** Rows of the file, without those that are no records. */
export interface RowFilter {
  /** Records among the rows, in order. The last one may be held back after an empty line. */
  readonly push: (rows: ReadonlyArray<TableRow>) => ReadonlyArray<TableRow>
  readonly end: () => ReadonlyArray<TableRow>
  /** Rows so far that are no records. */
  readonly skipped: () => number
}

/**
 * Leaves out what reports write around their records: lines of one cell after an empty line, other tables after one, repeated headers,
 * short rows and totals.
 */
export const rowFilter = (plan: ImportPlan, { container }: TableFacts, notices: Notices): RowFilter => {
  const width = plan.header.length
  const header = plan.header.map(normalizeHeader).join("\0")
  const firstHeader = plan.header[0]?.trim().toLowerCase()
  const shape = recordShape(plan)
  const { isRecord, isOther, mayBeRecord, isUnlike } = shape
  const totals = totalFinder(plan, shape)
  let hasRecords = false
  /** A row that may begin another table: the next one decides. */
  let doubted: TableRow | undefined
  let isAfterBlank = false
  let isAfterCaption = false
  let isInOther: "surely" | "perhaps" | "deals" | undefined
  let skipped = 0

  const skip = (code: NoticeCode, row: TableRow, message: string, example = shownCells(row)): void => {
    skipped++
    notices.add(code, { line: row.line, example, message })
  }

  const isBlank = ({ cells, problem, uncalculated }: TableRow) =>
    problem === undefined && uncalculated === undefined && cells.every((cell) => textOf(cell).trim() === "")

  const isOneCell = (row: TableRow): boolean =>
    plan.exported === undefined &&
    row.problem === undefined &&
    row.uncalculated === undefined &&
    width > 1 &&
    countToTwo(row) === 1

  /** Whether the row has one cell, and most rows have more. */
  const isLone = (row: TableRow): boolean => plan.hasFullRows === true && isOneCell(row)

  const meet = (row: TableRow): ReadonlyArray<TableRow> => {
    if (plan.type === "deal" && isLone(row)) {
      notices.add("row_of_one_cell", { line: row.line, example: shownCells(row), message: LONE_MESSAGE })
    }
    totals.meet(row)
    shape.meet(row)
    hasRecords = true
    return [row]
  }

  const isHeader = ({ cells }: TableRow): boolean =>
    cells.length >= width &&
    textOf(cells[0] ?? "")
      .trim()
      .toLowerCase() === firstHeader &&
    cells
      .slice(0, width)
      .map((cell) => normalizeHeader(textOf(cell)))
      .join("\0") === header

  const skipOther = (row: TableRow, state: typeof isInOther): void => {
    isInOther = state
    if (state === "deals") skip("table_skipped", row, OTHER_DEALS_MESSAGE)
    else skip("footer_skipped", row, "another table or text after an empty line has no records and is not imported")
  }

  /** Whether the row belongs to another table, or the next row decides. */
  const findOther = (row: TableRow): typeof isInOther | "doubted" => {
    if (isInOther === "surely" || isInOther === "deals" || (isInOther === "perhaps" && !isRecord(row))) return isInOther
    if (!isAfterBlank || !hasRecords) return undefined
    if (isOther(row)) return mayBeRecord(row) ? "doubted" : "surely"
    return isUnlike(row, isAfterCaption) ? "doubted" : undefined
  }

  const endBlock = (): ReadonlyArray<TableRow> => {
    isAfterBlank = true
    isAfterCaption = false
    isInOther = undefined
    totals.endBlock()
    return []
  }

  const decideDoubted = (row: TableRow, isRecordBelow: boolean): ReadonlyArray<TableRow> => {
    doubted = undefined
    if (!isRecordBelow) {
      skipOther(row, isOther(row) ? "surely" : "perhaps")
      return []
    }
    isAfterBlank = false
    return meet(row)
  }

  const naming = plan.fields.find(({ field }) => field === "name")?.cells ?? []

  /** Whether a person has struck out the name of the row, or all that it has. */
  const isStruckOut = ({ struck, cells }: TableRow): boolean =>
    struck !== undefined &&
    (struck.some(({ index }) => naming.includes(index) && textOf(cells[index] ?? "").trim() === "") ||
      cells.every((cell) => textOf(cell).trim() === ""))

  const take = (row: TableRow): ReadonlyArray<TableRow> => {
    if (doubted !== undefined) return [...decideDoubted(doubted, isRecord(row)), ...take(row)]
    if (isBlank(row)) return endBlock()
    const header = hasRecords ? shape.findHeader(row) : undefined
    if (header === "other") {
      skipOther(row, "deals")
      return []
    }
    if (header === "same" || (row.problem === undefined && isHeader(row))) {
      isAfterBlank = false
      isInOther = undefined
      skip("footer_skipped", row, "lines that repeat the header are not imported")
      return []
    }
    if (isAfterBlank && isOneCell(row)) {
      isAfterCaption = true
      skip("footer_skipped", row, "lines of one cell after an empty line are no records and are not imported")
      return []
    }
    const other = findOther(row)
    if (other !== undefined) {
      if (other === "doubted") doubted = row
      else skipOther(row, other)
      return []
    }
    isInOther = undefined
    isAfterBlank = false
    if (row.problem !== undefined) return meet(row)
    // Workbooks leave out the empty cells at a row's end.
    if (container === "csv" && row.cells.length < width) {
      skip("short_row", row, `rows with fewer cells than the header, which has ${width}, are not imported`)
      return []
    }
    const total = totals.find(row, isLone(row))
    if (total !== undefined) {
      skip("total_skipped", row, TOTAL_MESSAGES[total])
      return []
    }
    if (plan.hasHeadings === true && isLone(row) && headingOf(row) !== undefined) {
      skip("group_written_once", row, HEADING_MESSAGE)
      return []
    }
    if (isDeleted(plan, row)) {
      skip("deleted_skipped", row, DELETED_MESSAGE)
      return []
    }
    return meet(row)
  }

  /** Leaves out a row that is struck out, and names struck-out text of others. */
  const takeUnlessStruck = (row: TableRow): ReadonlyArray<TableRow> => {
    if (isStruckOut(row)) {
      skip("struck_skipped", row, STRUCK_MESSAGE, row.struck!.map(({ text }) => text).join(", "))
      return []
    }
    for (const { cell, text } of row.struck ?? []) {
      const message = `struck-out text of a row is not imported, such as '${shorten(text)}' in ${cell}: take the line off if it counts`
      notices.add("struck_skipped", { line: row.line, example: text, message, kind: "cell" })
    }
    return take(withoutBeside(row))
  }

  const end = (): ReadonlyArray<TableRow> => {
    if (doubted !== undefined) skipOther(doubted, "surely")
    doubted = undefined
    return []
  }

  const beside = new Set(plan.beside)
  const withoutBeside = (row: TableRow): TableRow =>
    beside.size === 0 ? row : { ...row, cells: row.cells.map((cell, at) => (beside.has(at) ? "" : cell)) }

  const readGroups = groupReader(plan, container, notices)

  return { push: (rows) => rows.flatMap(takeUnlessStruck).map(readGroups), end, skipped: () => skipped }
}

const shownCells = ({ cells, text }: TableRow): string =>
  text ??
  cells
    .map(textOf)
    .filter((cell) => cell.trim() !== "")
    .join(", ")

const LONE_MESSAGE =
  "rows of one cell are imported as deals, although most rows have more: if they are headings of sections, delete these rows from the file and import it again"

const HEADING_MESSAGE =
  "rows of one cell that say how many deals follow are headings: they are not imported, and no deal gets a field from them. Export the report without groups, or write what they say into a column"

const OTHER_DEALS_MESSAGE =
  "another header begins a table of deals with other columns: the deals below it are not imported. Put them into a file or a sheet of their own"

const DELETED_MESSAGE =
  "records that the CRM has deleted are not imported. To delete their deals here, map the column to 'deleted'"

const STRUCK_MESSAGE =
  "rows whose name is struck out, or all that they have, are not imported: take the line off those that count, and import the file again"

const TOTAL_MESSAGES = {
  label: "rows of totals are no records and are not imported",
  sum: "rows that have nothing but a label and the sum of the amounts above them are totals, and are not imported",
}

/** Whether at least half of the rows have more than one cell. Labels of totals and numbers that stand alone do not count. */
export function* areMostFull(rows: ReadonlyArray<TableRow>): Generator<void, boolean> {
  let full = 0
  let lone = 0
  yield* eachRow(rows, (row) => {
    const filled = countToTwo(row)
    if (filled === 2) full++
    else if (filled === 1) {
      const text = textOf(row.cells.find((cell) => textOf(cell).trim() !== "") ?? "").trim()
      if (/\p{L}/u.test(text) && !isTotalLabel(text)) lone++
    }
  })
  return full > 0 && full >= lone
}
