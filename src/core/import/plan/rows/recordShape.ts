import { isDateProblem, readDate } from "../../../records/values/dates.ts"
import { readNearNumber } from "../../../records/values/nearNumbers.ts"
import { isNumberProblem, readNumber } from "../../../records/values/numbers.ts"
import { readPeriod } from "../../../records/values/periods.ts"
import { type Cell, type TableRow, textOf } from "../../table/Table.ts"
import { filledBy } from "../fields/aspects.ts"
import { fieldNamed } from "../headers/matchColumns.ts"
import { isNoValue, isPlaceholder } from "../cells/emptyCells.ts"
import { fieldCalled } from "../headers/headers.ts"
import type { ImportPlan, PlannedField } from "../fields/ImportPlan.ts"

/** Fields that say which deal a row is about. */
const NAMING: ReadonlySet<string> = new Set(["name", "id", "crm_one_id", "crm_two_id"])

/** Records whose cells say which columns have words. */
const MAX_WORDY = 100

export const isEmptyAt = ({ cells }: TableRow, at: number): boolean => textOf(cells[at] ?? "").trim() === ""

const isNumberAt = ({ cells }: TableRow, at: number): boolean => {
  const text = textOf(cells[at] ?? "")
  return /\d/.test(text) && !/\p{L}/u.test(text)
}

const isReadable = ({ kind, mark, order }: PlannedField, cell: Cell): boolean => {
  if (typeof cell === "object" && typeof cell.value !== "string") return true
  const text = textOf(cell).trim()
  return kind === "money" || kind === "number"
    ? !isNumberProblem(readNumber(text, { mark, isMoney: kind === "money" })) || isNear(text, kind)
    : !isDateProblem(readDate(text, order ?? "ISO", kind === "day")) ||
        (kind === "day" && readPeriod(text) !== undefined)
}

const isNear = (text: string, kind: string): boolean =>
  kind === "money" && readNearNumber(text, { isMoney: true }) !== undefined

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

  /** Whether there are words where records have numbers and dates, and no digit at all. */
  const isWordy = (texts: ReadonlyArray<string>): boolean =>
    texts.every((text) => !/\d/.test(text)) &&
    typed.some((field) => {
      const text = texts[field.cells[0]!] ?? ""
      return /\p{L}{2}/u.test(text) && !isPlaceholder(text) && !isNoValue(field, text)
    })

  return {
    /** Learns from a record. */
    meet: (row: TableRow): void => {
      if (row.problem !== undefined) return
      for (const cell of always) if (isEmptyAt(row, cell)) always.delete(cell)
      if (met++ < MAX_WORDY) for (const cell of wordy) if (isNumberAt(row, cell)) wordy.delete(cell)
    },
    isWhole,
    countLacking,
    /** Whether the cell is a number, as a count of rows, and the records above have words there. */
    isNumberBelowWords: (row: TableRow, at: number): boolean => met > 0 && wordy.has(at) && isNumberAt(row, at),
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
      return isWordy(cells.map((cell) => textOf(cell).trim()))
    },
    /**
     * Whether the row is the header of deals below: of the columns above in other words, or of others. It names the deal and one thing more.
     */
    findHeader: ({ cells, problem }: TableRow): "same" | "other" | undefined => {
      if (plan.type !== "deal" || problem !== undefined || plan.exported !== undefined) return undefined
      const texts = cells.map((cell) => textOf(cell).trim())
      if (!isWordy(texts)) return undefined
      const named = texts.map((text) => (text === "" ? undefined : fieldNamed("deal", text)))
      const known = named.filter((field) => field !== undefined)
      const isOfDeals = known.length > 1 && known.length * 2 >= texts.filter((text) => text !== "").length
      if (!isOfDeals || !known.some((field) => NAMING.has(field))) return undefined
      const isSame = texts.every((text, at) => {
        const field = plan.fields.find((each) => each.cells.includes(at))
        return field === undefined
          ? text === "" || text.toLowerCase() === plan.header[at]?.trim().toLowerCase()
          : named[at] !== undefined && filledBy(named[at]) === field.path[0]
      })
      return isSame ? "same" : "other"
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
