import type { Notices } from "../../records/Notices.ts"
import { type TableRow, type TableFacts, textOf } from "../table/Table.ts"
import { normalizeHeader } from "./headers.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import { isNumberProblem, readNumber } from "../../records/values/numbers.ts"
import { isDeleted } from "./outcome.ts"
import { countToTwo } from "./evidence.ts"
import { isEmptyAt, recordShape } from "./recordShape.ts"
import { isFigureLabel, isSureLabel, isTotalLabel } from "./totals.ts"

/** Rows of the file, without those that are no records. */
export interface RowFilter {
  /** Records among the rows, in order. The last one may be held back. */
  readonly push: (rows: ReadonlyArray<TableRow>) => ReadonlyArray<TableRow>
  readonly end: () => ReadonlyArray<TableRow>
  /** Rows so far that are no records. */
  readonly skipped: () => number
}

/**
 * Leaves out what reports write around their records: lines of one cell after an empty line, other tables after one, repeated headers,
 * short rows and totals. A total is a row that has only a label and numbers, or a last row whose amount is the sum of those above it and
 * that lacks a cell which every other row has.
 */
export const rowFilter = (plan: ImportPlan, { container }: TableFacts, notices: Notices): RowFilter => {
  const width = plan.header.length
  const header = plan.header.map(normalizeHeader).join("\0")
  const firstHeader = plan.header[0]?.trim().toLowerCase()
  const money = plan.fields.find(({ kind }) => kind === "money")
  const amountAt = money?.cells[0]
  const texts = new Set(
    plan.fields.filter(({ kind }) => kind !== "money" && kind !== "number").flatMap(({ cells }) => cells),
  )
  const ids = plan.fields.filter(({ kind }) => kind === "id").flatMap(({ cells }) => cells)
  const { meet, isWhole, isRecord, isOther, mayBeRecord, isUnlike } = recordShape(plan)
  let hasRecords = false
  let held: TableRow | undefined
  let sum = 0
  let summed = 0
  /** The same of the rows since the last empty line. */
  let blockSum = 0
  /** A row that may begin another table: the next one decides. */
  let doubted: TableRow | undefined
  let isAfterTotal = false
  let isAfterBlank = false
  let isAfterCaption = false
  let isInOther: "surely" | "perhaps" | undefined
  let skipped = 0

  const skip = (
    code: "footer_skipped" | "total_skipped" | "short_row" | "deleted_skipped",
    row: TableRow,
    message: string,
  ): void => {
    skipped++
    notices.add(code, { line: row.line, example: shownCells(row), message })
  }

  /** A label without a number may be the name of a company, but hardly that of a deal. */
  const mayBeLabel = (text: string): boolean => plan.type === "deal" || isSureLabel(text)

  const readAmount = (row: TableRow): number | undefined => {
    const cell = amountAt === undefined ? undefined : row.cells[amountAt]
    if (cell === undefined) return undefined
    if (typeof cell === "object") return typeof cell.value === "number" ? cell.value : undefined
    if (cell.trim() === "") return undefined
    const read = readNumber(cell.trim(), { mark: money?.mark, isMoney: true })
    return isNumberProblem(read) ? undefined : read.value
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

  /** Takes the held row as a record. */
  const release = (): ReadonlyArray<TableRow> => {
    if (held === undefined) return []
    const row = held
    held = undefined
    if (plan.type === "deal" && isLone(row)) {
      notices.add("row_of_one_cell", { line: row.line, example: shownCells(row), message: LONE_MESSAGE })
    }
    const amount = readAmount(row)
    if (amount !== undefined) {
      sum += amount
      blockSum += amount
      summed++
    }
    meet(row)
    hasRecords = true
    return [row]
  }

  /** Takes the held row as the last of its block: it may be the sum of the others. */
  const close = (): ReadonlyArray<TableRow> => {
    if (held === undefined || plan.exported !== undefined || summed < MIN_SUMMED || held.problem !== undefined)
      return release()
    const amount = readAmount(held)
    const isSum =
      amount !== undefined &&
      [sum, blockSum].some((each) => Math.abs(amount - each) <= Math.max(0.005, Math.abs(each) * 1e-9))
    const row = held
    // A total has no id.
    const hasId = ids.some((cell) => !isEmptyAt(row, cell))
    if (hasId || !isSum || isWhole(row)) return release()
    skip("total_skipped", row, "the last row has the sum of the amounts above it and is not imported")
    held = undefined
    return []
  }

  const isTotal = (row: TableRow): boolean => {
    if (plan.exported !== undefined) return false
    const { cells, uncalculated = [] } = row
    const filled = cells.flatMap((cell, index) =>
      textOf(cell).trim() === "" ? [] : [{ index, text: textOf(cell).trim() }],
    )
    const words = filled.filter(({ text }) => /\p{L}/u.test(text))
    const [label, ...others] = words
    return (
      label !== undefined &&
      (isTotalLabel(label.text) || (isAfterTotal && isFigureLabel(label.text))) &&
      others.every(({ text }) => isTotalLabel(text) || isFigureLabel(text)) &&
      (filled.length + uncalculated.length > words.length || (isLone(row) && mayBeLabel(label.text))) &&
      [...filled, ...uncalculated].every(({ index }) => words.some((word) => word.index === index) || !texts.has(index))
    )
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
    skip("footer_skipped", row, "another table or text after an empty line has no records and is not imported")
  }

  /** Whether the row belongs to another table, or the next row decides. */
  const findOther = (row: TableRow): typeof isInOther | "doubted" => {
    if (isInOther === "surely" || (isInOther === "perhaps" && !isRecord(row))) return isInOther
    if (!isAfterBlank || !hasRecords) return undefined
    if (isOther(row)) return mayBeRecord(row) ? "doubted" : "surely"
    return isUnlike(row, isAfterCaption) ? "doubted" : undefined
  }

  const endBlock = (): ReadonlyArray<TableRow> => {
    isAfterBlank = true
    isAfterCaption = false
    isInOther = undefined
    const closed = close()
    blockSum = 0
    return closed
  }

  const decideDoubted = (row: TableRow, isRecordBelow: boolean): ReadonlyArray<TableRow> => {
    doubted = undefined
    if (!isRecordBelow) {
      skipOther(row, isOther(row) ? "surely" : "perhaps")
      return []
    }
    isAfterBlank = false
    return [...release(), ...hold(row)]
  }

  const take = (row: TableRow): ReadonlyArray<TableRow> => {
    if (doubted !== undefined) return [...decideDoubted(doubted, isRecord(row)), ...take(row)]
    if (isBlank(row)) return endBlock()
    if (row.problem === undefined && isHeader(row)) {
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
    if (row.problem !== undefined) return [...release(), ...hold(row)]
    // Workbooks leave out the empty cells at a row's end.
    if (container === "csv" && row.cells.length < width) {
      skip("short_row", row, `rows with fewer cells than the header, which has ${width}, are not imported`)
      return []
    }
    if (isTotal(row)) {
      isAfterTotal = true
      skip("total_skipped", row, "rows of totals are no records and are not imported")
      return []
    }
    isAfterTotal = false
    if (isDeleted(plan, row)) {
      skip("deleted_skipped", row, DELETED_MESSAGE)
      return []
    }
    return [...release(), ...hold(row)]
  }

  const hold = (row: TableRow): ReadonlyArray<TableRow> => {
    held = row
    return []
  }

  const end = (): ReadonlyArray<TableRow> => {
    if (doubted !== undefined) skipOther(doubted, "surely")
    doubted = undefined
    return close()
  }

  return { push: (rows) => rows.flatMap(take), end, skipped: () => skipped }
}

const shownCells = ({ cells, text }: TableRow): string =>
  text ??
  cells
    .map(textOf)
    .filter((cell) => cell.trim() !== "")
    .join(", ")

const LONE_MESSAGE =
  "rows of one cell are imported as deals, although most rows have more: if they are headings of sections, delete these rows from the file and import it again"

const DELETED_MESSAGE =
  "records that the CRM has deleted are not imported. To delete their deals here, map the column to 'deleted'"

/** A last row can be a sum of two rows at least. */
const MIN_SUMMED = 2
