import type { Notices } from "../../records/Notices.ts"
import { type Cell, type TableRow, type TableFacts, textOf } from "../table/Table.ts"
import { isDateProblem, readDate } from "../../records/values/dates.ts"
import { fieldCalled, normalizeHeader } from "./headers.ts"
import type { ImportPlan, PlannedField } from "./ImportPlan.ts"
import { isNoValue, isPlaceholder } from "./emptyCells.ts"
import { isNumberProblem, readNumber } from "../../records/values/numbers.ts"
import { isDeleted } from "./outcome.ts"

/** Labels of totals and averages, in the languages of the large CRMs. */
const TOTAL =
  /^(?:(?:grand |sub-?)?totals?|sum|sums|summe|gesamt|gesamtsumme|gesamtergebnis|zwischensumme|ergebnis|total général|sous-total|somme|suma|total general|totale|subtotaal|totaal|average|durchschnitt|mittelwert|moyenne|promedio|media aritmetica|gemiddelde|sub-?total)\b[\s:]*(?:\(.*\)|\d[\d\s.,]*.*)?$/i

/** Labels of the figures of a total, each in a row of its own. */
const FIGURE = /^(?:sum|avg|average|min|max|median|(?:record )?count|anzahl|nombre|recuento)$/i

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
  const texts = plan.fields.filter(({ kind }) => kind !== "money" && kind !== "number").flatMap(({ cells }) => cells)
  const ids = plan.fields.filter(({ kind }) => kind === "id").flatMap(({ cells }) => cells)
  /** Columns that every record so far fills. */
  const always = new Set(texts)
  const typed = plan.fields.filter(
    ({ kind }) => kind === "money" || kind === "number" || kind === "day" || kind === "date",
  )
  let held: TableRow | undefined
  let sum = 0
  let summed = 0
  /** The same of the rows since the last empty line. */
  let blockSum = 0
  /** A row that may begin another table: the next one decides. */
  let doubted: TableRow | undefined
  let isAfterTotal = false
  let isAfterBlank = false
  let isInOther = false
  let hasRecords = false
  let skipped = 0

  const skip = (
    code: "footer_skipped" | "total_skipped" | "short_row" | "deleted_skipped",
    { line, cells, text }: TableRow,
    message: string,
  ): void => {
    skipped++
    notices.add(code, {
      line,
      example:
        text ??
        cells
          .map(textOf)
          .filter((cell) => cell.trim() !== "")
          .join(", "),
      message,
    })
  }

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

  /** Takes the held row as a record. */
  const release = (): ReadonlyArray<TableRow> => {
    if (held === undefined) return []
    const row = held
    held = undefined
    hasRecords = true
    const amount = readAmount(row)
    if (amount !== undefined) {
      sum += amount
      blockSum += amount
      summed++
    }
    if (row.problem === undefined) {
      for (const cell of always) if (textOf(row.cells[cell] ?? "").trim() === "") always.delete(cell)
    }
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
    const hasId = ids.some((cell) => textOf(row.cells[cell] ?? "").trim() !== "")
    if (hasId || !isSum || ![...always].some((cell) => textOf(row.cells[cell] ?? "").trim() === "")) return release()
    skip("total_skipped", row, "the last row has the sum of the amounts above it and is not imported")
    held = undefined
    return []
  }

  const isTotal = ({ cells, uncalculated = [] }: TableRow): boolean => {
    if (plan.exported !== undefined) return false
    const filled = cells.flatMap((cell, index) =>
      textOf(cell).trim() === "" ? [] : [{ index, text: textOf(cell).trim() }],
    )
    const words = filled.filter(({ text }) => /\p{L}/u.test(text))
    const [label, ...others] = words
    return (
      label !== undefined &&
      (TOTAL.test(label.text) || (isAfterTotal && FIGURE.test(label.text))) &&
      others.every(({ text }) => TOTAL.test(text) || FIGURE.test(text)) &&
      filled.length + uncalculated.length > words.length &&
      [...filled, ...uncalculated].every(
        ({ index }) => words.some((word) => word.index === index) || !texts.includes(index),
      )
    )
  }

  /** A row that has words where records have numbers and dates, and no digit at all: the header of another table, or a caption. */
  const isOther = ({ cells, problem }: TableRow): boolean => {
    if (problem !== undefined || plan.exported !== undefined) return false
    const texts = cells.map((cell) => textOf(cell).trim())
    return (
      texts.every((text) => !/\d/.test(text)) &&
      typed.some((field) => {
        const text = texts[field.cells[0]!] ?? ""
        return /\p{L}{2}/u.test(text) && !isPlaceholder(text) && !isNoValue(field, text)
      })
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

  /** Whether the row has all cells that every record has. */
  const isWhole = ({ cells }: TableRow): boolean => [...always].every((cell) => textOf(cells[cell] ?? "").trim() !== "")

  const isReadable = ({ kind, mark, order }: PlannedField, cell: Cell): boolean => {
    if (typeof cell === "object" && typeof cell.value !== "string") return true
    const text = textOf(cell).trim()
    return kind === "money" || kind === "number"
      ? !isNumberProblem(readNumber(text, { mark, isMoney: kind === "money" }))
      : !isDateProblem(readDate(text, order ?? "ISO"))
  }

  /** Whether the row is like the records above: it has their cells, with numbers and dates in the columns of these. */
  const isRecord = (row: TableRow): boolean => {
    const filled = typed.filter(({ cells }) => textOf(row.cells[cells[0]!] ?? "").trim() !== "")
    return (
      row.problem === undefined &&
      isWhole(row) &&
      filled.length > 0 &&
      filled.every((field) => isReadable(field, row.cells[field.cells[0]!]!))
    )
  }

  const skipOther = (row: TableRow): void => {
    isInOther = true
    skip("footer_skipped", row, "another table or text after an empty line has no records and is not imported")
  }

  /** Whether words in the columns of numbers and dates may still be cells of a record, such as "to be agreed". */
  const mayBeRecord = (row: TableRow): boolean =>
    isWhole(row) && row.cells.every((cell) => fieldCalled(plan.type, textOf(cell)) === undefined)

  const endBlock = (): ReadonlyArray<TableRow> => {
    isAfterBlank = true
    isInOther = false
    const closed = close()
    blockSum = 0
    return closed
  }

  const decideDoubted = (row: TableRow, isRecordBelow: boolean): ReadonlyArray<TableRow> => {
    doubted = undefined
    if (!isRecordBelow) {
      skipOther(row)
      return []
    }
    isAfterBlank = false
    return [...release(), ...hold(row)]
  }

  const isOneCell = ({ cells, problem, uncalculated }: TableRow): boolean =>
    plan.exported === undefined &&
    problem === undefined &&
    uncalculated === undefined &&
    width > 1 &&
    cells.filter((cell) => textOf(cell).trim() !== "").length === 1

  const take = (row: TableRow): ReadonlyArray<TableRow> => {
    if (doubted !== undefined) return [...decideDoubted(doubted, isRecord(row)), ...take(row)]
    if (isBlank(row)) return endBlock()
    if (row.problem === undefined && isHeader(row)) {
      isAfterBlank = false
      isInOther = false
      skip("footer_skipped", row, "lines that repeat the header are not imported")
      return []
    }
    if (isAfterBlank && isOneCell(row)) {
      skip("footer_skipped", row, "lines of one cell after an empty line are no records and are not imported")
      return []
    }
    if (isInOther) {
      skipOther(row)
      return []
    }
    if (isAfterBlank && hasRecords && isOther(row)) {
      if (mayBeRecord(row)) doubted = row
      else skipOther(row)
      return []
    }
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
    if (doubted !== undefined) skipOther(doubted)
    doubted = undefined
    return close()
  }

  return { push: (rows) => rows.flatMap(take), end, skipped: () => skipped }
}

const DELETED_MESSAGE =
  "records that the CRM has deleted are not imported. To delete their deals here, map the column to 'deleted'"

/** A last row can be a sum of two rows at least. */
const MIN_SUMMED = 2
