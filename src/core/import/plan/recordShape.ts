import { isDateProblem, readDate } from "../../records/values/dates.ts"
import { isNumberProblem, readNumber } from "../../records/values/numbers.ts"
import { type Cell, type TableRow, textOf } from "../table/Table.ts"
import { isNoValue, isPlaceholder } from "./emptyCells.ts"
import { fieldCalled } from "./headers.ts"
import type { ImportPlan, PlannedField } from "./ImportPlan.ts"

/** Records whose cells say which columns have words. */
const MAX_WORDY = 100

export const isEmptyAt = ({ cells }: TableRow, at: number): boolean => textOf(cells[at] ?? "").trim() === ""

const isNumberAt = ({ cells }: TableRow, at: number): boolean => /^\P{L}*\d\P{L}*$/u.test(textOf(cells[at] ?? ""))

const isReadable = ({ kind, mark, order }: PlannedField, cell: Cell): boolean => {
  if (typeof cell === "object" && typeof cell.value !== "string") return true
  const text = textOf(cell).trim()
  return kind === "money" || kind === "number"
    ? !isNumberProblem(readNumber(text, { mark, isMoney: kind === "money" }))
    : !isDateProblem(readDate(text, order ?? "ISO", kind === "day"))
}

/** Learns from the records of a file which cells each has, and compares rows with them. */
export const recordShape = (plan: ImportPlan) => {
  const typed = plan.fields.filter(
    ({ kind }) => kind === "money" || kind === "number" || kind === "day" || kind === "date",
  )
  /** Columns of neither amounts nor numbers that every record so far fills. */
  const always = new Set(
    plan.fields.filter(({ kind }) => kind !== "money" && kind !== "number").flatMap(({ cells }) => cells),
  )
  /** Columns in which the first records have words. */
  const wordy = new Set(
    plan.fields.filter(({ kind }) => kind === "text" || kind === "list").flatMap(({ cells }) => cells),
  )
  let met = 0

  /** How many of the cells that every record has the row lacks. */
  const countLacking = (row: TableRow): number => [...always].filter((cell) => isEmptyAt(row, cell)).length

  /** Whether the row has all cells that every record has. */
  const isWhole = (row: TableRow): boolean => [...always].every((cell) => !isEmptyAt(row, cell))

  return {
    /** Learns from a record. */
    meet: (row: TableRow): void => {
      if (row.problem !== undefined) return
      for (const cell of always) if (isEmptyAt(row, cell)) always.delete(cell)
      if (met++ < MAX_WORDY) for (const cell of wordy) if (isNumberAt(row, cell)) wordy.delete(cell)
    },
    isWhole,
    countLacking,
    /** Whether the row is like the records above: it has their cells, with numbers and dates in the columns of these. */
    isRecord: (row: TableRow): boolean => {
      const filled = typed.filter(({ cells }) => !isEmptyAt(row, cells[0]!))
      return (
        row.problem === undefined &&
        isWhole(row) &&
        filled.length > 0 &&
        filled.every((field) => isReadable(field, row.cells[field.cells[0]!]!))
      )
    },
    /** A row that has words where records have numbers and dates, and no digit at all: the header of another table, or a caption. */
    isOther: ({ cells, problem }: TableRow): boolean => {
      if (problem !== undefined || plan.exported !== undefined) return false
      const texts = cells.map((cell) => textOf(cell).trim())
      return (
        texts.every((text) => !/\d/.test(text)) &&
        typed.some((field) => {
          const text = texts[field.cells[0]!] ?? ""
          return /\p{L}{2}/u.test(text) && !isPlaceholder(text) && !isNoValue(field, text)
        })
      )
    },
    /** Whether words in the columns of numbers and dates may still be cells of a record, such as "to be agreed". */
    mayBeRecord: (row: TableRow): boolean =>
      isWhole(row) && row.cells.every((cell) => fieldCalled(plan.type, textOf(cell)) === undefined),
    /** A row that lacks cells which every record has, and has numbers where these have words or is below a caption: one of another table. */
    isUnlike: (row: TableRow, isBelowCaption: boolean): boolean => {
      if (row.problem !== undefined || plan.exported !== undefined) return false
      const lacking = countLacking(row)
      return (lacking > 0 && [...wordy].some((cell) => isNumberAt(row, cell))) || (lacking > 1 && isBelowCaption)
    },
  }
}

export type RecordShape = ReturnType<typeof recordShape>
