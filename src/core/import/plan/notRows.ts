import type { Notices } from "../../records/Notices.ts"
import { type Row, type TableFacts, textOf } from "../table/Table.ts"
import { normalizeHeader } from "./headers.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import { isNoValue, isPlaceholder } from "./emptyCells.ts"
import { isNumberProblem, readNumber } from "../../records/values/numbers.ts"

/** Labels of totals and averages, in the languages of the large CRMs. */
const TOTAL =
  /^(?:(?:grand |sub-?)?totals?|sum|sums|summe|gesamt|gesamtsumme|gesamtergebnis|zwischensumme|ergebnis|total général|sous-total|somme|suma|total general|totale|subtotaal|totaal|average|durchschnitt|mittelwert|moyenne|promedio|media aritmetica|gemiddelde|sub-?total)\b[\s:]*(?:\(.*\)|\d[\d\s.,]*.*)?$/i

/** Rows of the file, without those that are no records. */
export interface RowFilter {
  /** Records among the rows, in order. The last one may be held back. */
  readonly push: (rows: ReadonlyArray<Row>) => ReadonlyArray<Row>
  readonly end: () => ReadonlyArray<Row>
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
  let held: Row | undefined
  let sum = 0
  let summed = 0
  let isAfterBlank = false
  let isInOther = false
  let hasRecords = false
  let skipped = 0

  const skip = (
    code: "footer_skipped" | "total_skipped" | "short_row",
    { line, cells, text }: Row,
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

  const amountOf = (row: Row): number | undefined => {
    const cell = amountAt === undefined ? undefined : row.cells[amountAt]
    if (cell === undefined) return undefined
    if (typeof cell === "object") return typeof cell.value === "number" ? cell.value : undefined
    if (cell.trim() === "") return undefined
    const read = readNumber(cell.trim(), { mark: money?.mark, isMoney: true })
    return isNumberProblem(read) ? undefined : read.value
  }

  const isBlank = ({ cells, problem, uncalculated }: Row) =>
    problem === undefined && uncalculated === undefined && cells.every((cell) => textOf(cell).trim() === "")

  /** Takes the held row as a record. */
  const release = (): ReadonlyArray<Row> => {
    if (held === undefined) return []
    const row = held
    held = undefined
    hasRecords = true
    const amount = amountOf(row)
    if (amount !== undefined) {
      sum += amount
      summed++
    }
    if (row.problem === undefined) {
      for (const cell of always) if (textOf(row.cells[cell] ?? "").trim() === "") always.delete(cell)
    }
    return [row]
  }

  /** Takes the held row as the last of its block: it may be the sum of the others. */
  const close = (): ReadonlyArray<Row> => {
    if (held === undefined || plan.exported !== undefined || summed < MIN_SUMMED || held.problem !== undefined)
      return release()
    const amount = amountOf(held)
    const isSum = amount !== undefined && Math.abs(amount - sum) <= Math.max(0.005, Math.abs(sum) * 1e-9)
    const row = held
    // A total has no id.
    const hasId = ids.some((cell) => textOf(row.cells[cell] ?? "").trim() !== "")
    if (hasId || !isSum || ![...always].some((cell) => textOf(row.cells[cell] ?? "").trim() === "")) return release()
    skip("total_skipped", row, "the last row has the sum of the amounts above it and is not imported")
    held = undefined
    return []
  }

  const isTotal = ({ cells, uncalculated = [] }: Row): boolean => {
    if (plan.exported !== undefined) return false
    const first = cells.find((cell) => /\p{L}/u.test(textOf(cell)))
    if (first === undefined || !TOTAL.test(textOf(first).trim())) return false
    const filled = cells.flatMap((cell, index) =>
      textOf(cell).trim() === "" ? [] : [{ index, text: textOf(cell).trim() }],
    )
    const words = filled.filter(({ text }) => /\p{L}/u.test(text))
    const [label] = words
    return (
      label !== undefined &&
      words.length === 1 &&
      filled.length + uncalculated.length > 1 &&
      [...filled, ...uncalculated].every(({ index }) => index === label.index || !texts.includes(index))
    )
  }

  /** A row that has words where records have numbers and dates, and no digit at all: the header of another table, or a caption. */
  const isOther = ({ cells, problem }: Row): boolean => {
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

  const take = (row: Row): ReadonlyArray<Row> => {
    if (isBlank(row)) {
      isAfterBlank = true
      isInOther = false
      return close()
    }
    const isBlockOfOne =
      isAfterBlank &&
      plan.exported === undefined &&
      row.problem === undefined &&
      row.uncalculated === undefined &&
      width > 1 &&
      row.cells.filter((cell) => textOf(cell).trim() !== "").length === 1
    if (isBlockOfOne) {
      skip("footer_skipped", row, "lines of one cell after an empty line are no records and are not imported")
      return []
    }
    if (isInOther || (isAfterBlank && hasRecords && isOther(row))) {
      isInOther = true
      skip("footer_skipped", row, "another table or text after an empty line has no records and is not imported")
      return []
    }
    isAfterBlank = false
    if (row.problem !== undefined) return [...release(), ...hold(row)]
    // Workbooks leave out the empty cells at a row's end.
    if (container === "csv" && row.cells.length < width) {
      skip("short_row", row, `rows with fewer cells than the header, which has ${width}, are not imported`)
      return []
    }
    if (
      row.cells.length >= width &&
      textOf(row.cells[0] ?? "")
        .trim()
        .toLowerCase() === firstHeader &&
      row.cells
        .slice(0, width)
        .map((cell) => normalizeHeader(textOf(cell)))
        .join("\0") === header
    ) {
      skip("footer_skipped", row, "lines that repeat the header are not imported")
      return []
    }
    if (isTotal(row)) {
      skip("total_skipped", row, "rows of totals are no records and are not imported")
      return []
    }
    return [...release(), ...hold(row)]
  }

  const hold = (row: Row): ReadonlyArray<Row> => {
    held = row
    return []
  }

  return { push: (rows) => rows.flatMap(take), end: close, skipped: () => skipped }
}

/** A last row can be a sum of two rows at least. */
const MIN_SUMMED = 2
