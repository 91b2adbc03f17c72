import { unguard } from "../../../common/formula.ts"
import { shorten } from "../../../common/shorten.ts"
import type { ExportedRow, Problem } from "../../../records/entry.ts"
import type { Notices } from "../../../records/Notices.ts"
import { type Cell, type TableRow, textOf, type TypedCell } from "../../table/Table.ts"
import { makeConverter } from "./amounts.ts"
import { isDateProblem, readDate } from "../../../records/values/dates.ts"
import { isNoValue, isPlaceholder } from "../cells/emptyCells.ts"
import { completeRecord, nameOfNew } from "./completeRecord.ts"
import { clear, putValue, removeEmptyMetrics } from "./putValue.ts"
import type { ImportPlan, PlannedField } from "../fields/ImportPlan.ts"
import { TRUTH } from "../cells/outcome.ts"
import { readNearNumber } from "../../../records/values/nearNumbers.ts"
import { isNumberProblem, type NumberProblem, type ReadNumber, readNumber } from "../../../records/values/numbers.ts"
import { type Period, describePeriod, readPeriod, type UnclearPeriod } from "../../../records/values/periods.ts"
import { isPercentage, cellOf, plainText, shownId } from "../cells/plainText.ts"
import { exactNumber, isExactDate, readCombined } from "./readExport.ts"
import { listReader } from "./readList.ts"
import { hasSeveral, isDitto, ONE_NAME } from "../cells/namesOfCell.ts"

/** The record of a row, or the cells that cannot be read. */
export type ReadRow =
  | {
      readonly record: Record<string, unknown>
      readonly exported?: ExportedRow
      /** Cells that cannot be read, and without which the row is imported. */
      readonly leftOut?: ReadonlyArray<Problem>
      readonly newName?: string
    }
  | { readonly problems: ReadonlyArray<Problem> }

/** Why a cell cannot be read. */
class CellProblem {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Why a cell gives no single value: its row is imported without it. */
class Vague extends CellProblem {}

const NOTHING = Symbol("nothing")

/** Returns a function that reads the rows of a file by its plan. A problem that nobody is shown has no value. */
export const rowReader = (plan: ImportPlan, notices: Notices): ((row: TableRow, isShown?: boolean) => ReadRow) => {
  const split = listReader(plan, notices)
  const readList = (...cell: Parameters<typeof split>) => split(...cell) ?? NOTHING
  const convert = makeConverter(plan.currency, notices)
  const known = new Map(Object.entries(plan.known).map(([field, names]) => [field, new Set(names)]))

  const readCell = (field: PlannedField, line: number, cell: Cell, row: TableRow): unknown => {
    if (typeof cell === "object") return readTyped(field, line, cell, row)
    if (field.isExported) return readExact(field, cell, row) ?? readText(field, line, cell, row)
    return isDitto(field, cell.trim()) ? new CellProblem(AS_ABOVE) : readText(field, line, cell, row)
  }

  /** Reads a cell as our exports write it: nothing is trimmed, and no text stands for an empty cell. Undefined: it is not. */
  const readExact = (field: PlannedField, cell: string, row: TableRow): unknown => {
    if (cell.trim() === "") return NOTHING
    switch (field.kind) {
      case "text":
      case "id":
        return plan.exported?.isGuarded ? unguard(cell) : cell
      case "money":
      case "number": {
        const value = exactNumber(cell, { mark: field.mark, delimiter: plan.exported?.delimiter })
        return value === undefined || field.kind === "number" ? value : money(field, row, { value })
      }
      case "day":
      case "date":
        return isExactDate(cell) ? (field.kind === "day" ? cell.slice(0, 10) : cell) : undefined
      case "summary":
        return /^["{]/.test(cell) ? readJson(cell) : cell
      default:
        return undefined
    }
  }

  const readTyped = (field: PlannedField, line: number, cell: TypedCell, row: TableRow): unknown => {
    const { value } = cell
    switch (field.kind) {
      case "money":
        if (isPercentage(cell)) return new CellProblem(NO_AMOUNT)
        return typeof value === "number"
          ? money(field, row, scaled(field, { value, format: cell.format }))
          : readText(field, line, cell.text, row)
      case "number":
        return typeof value === "number" ? value : readText(field, line, cell.text, row)
      case "day":
      case "date":
        if (typeof value === "object" && isNoDay(field, cell)) return readText(field, line, cell.text, row)
        if (typeof value === "object") return dated(field, field.isExported ? inUtc(value.date) : value.date)
        return readText(field, line, typeof value === "number" ? String(value) : cell.text, row)
      case "id":
        if (typeof value !== "number") return readText(field, line, cell.text, row)
        if (Number.isSafeInteger(value)) return shownId(cell.text, cell.format, value)
        return rounded(field, line, cell.text)
      default:
        return readText(field, line, typeof value === "boolean" ? String(value) : cell.text, row)
    }
  }

  const money = (field: PlannedField, row: TableRow, given: Parameters<typeof convert>[0]): unknown => {
    const found = convert(given, row, field.field)
    return typeof found === "string" ? new CellProblem(found) : found
  }

  const rounded = (field: PlannedField, line: number, text: string): CellProblem => {
    const message =
      "a spreadsheet has rounded ids: several of them may have become one. Format the column as text and export again"
    notices.add("id_rounded", { field: field.field, line, example: text, message })
    return new CellProblem("is an id that a spreadsheet has rounded: format the column as text and export it again")
  }

  const readDay = (field: PlannedField, line: number, text: string) => {
    if (ISO_DAY.test(text)) return text
    const read = readDate(text, field.order ?? "ISO", field.kind === "day")
    const period = isDateProblem(read) && field.kind === "day" ? readPeriod(text, plan.fiscalStart) : undefined
    if (period !== undefined) return lastDayOf(field, line, text, period)
    return isDateProblem(read) ? unclear("date_order_unclear", field, line, text, read) : read
  }

  const lastDayOf = ({ field }: PlannedField, line: number, text: string, period: Period | UnclearPeriod) => {
    if ("reason" in period) return new Vague(period.reason)
    const message = `'${shorten(text)}' is read as ${period.day}, the last day of ${describePeriod(period, plan.fiscalStart)}: write the day if another is meant`
    const kind = period.isFiscal === true ? "fiscal" : undefined
    notices.add("date_of_period", { field, line, example: text, message, kind })
    return period.day
  }

  const readMoney = (field: PlannedField, line: number, text: string, row: TableRow): unknown => {
    const options = { mark: field.mark, isMoney: true, currency: plan.currency.target }
    let read: ReadNumber | NumberProblem | undefined = readNumber(text, options)
    if (isNumberProblem(read)) {
      const near = readNearNumber(text, options)
      if (near === undefined) return unclear("decimal_unclear", field, line, text, read)
      if ("reason" in near) return new Vague(near.reason)
      const message = `'${shorten(text)}' is taken as the amount ${near.value}: correct it if you know it exactly`
      notices.add("amount_approximate", { field: field.field, line, example: text, message })
      read = near
    }
    return money(field, row, read.hasUnit === true ? read : scaled(field, read))
  }

  const readText = (field: PlannedField, line: number, given: string, row: TableRow): unknown => {
    const text = plainText(plan, field, given)
    if (text === "") return NOTHING
    if (isPlaceholder(text) || isNoValue(field, text)) {
      notices.add("placeholder_emptied", {
        field: field.field,
        line,
        example: text,
        message: `cells such as '${text}' count as empty`,
      })
      return NOTHING
    }
    switch (field.kind) {
      case "text":
        return readOne(field, line, text)
      case "id":
        return ROUNDED.test(text) ? rounded(field, line, text) : text
      case "money":
        return readMoney(field, line, text, row)
      case "number": {
        const read = readNumber(text, { mark: field.mark })
        return isNumberProblem(read) ? unclear("decimal_unclear", field, line, text, read) : read.value
      }
      case "day":
      case "date":
        return readDay(field, line, text)
      case "boolean":
        return TRUTH.get(text.toLowerCase()) ?? new CellProblem("must be true or false, yes or no, 1 or 0")
      case "list":
        return text.startsWith("[") ? readJson(text) : readList(field, line, text)
      case "json":
        return readJson(text)
      case "summary":
        return readSummary(text)
    }
  }

  /** Reads a text, and warns of one that seems to have the names of several owners or clients. */
  const readOne = ({ field }: PlannedField, line: number, text: string): string => {
    if (!ONE_NAME.has(field) || !hasSeveral(text, known.get(field))) return text
    const message = `'${shorten(text)}' is imported as one ${field}, because a deal has one: keep the one that counts, and put others into another column`
    notices.add("list_unsplit", { field, line, example: text, message })
    return text
  }

  const unclear = (
    code: "decimal_unclear" | "date_order_unclear",
    { field }: PlannedField,
    line: number,
    text: string,
    { reason, isUnclear }: { readonly reason: string; readonly isUnclear?: true },
  ): CellProblem => {
    if (isUnclear === true) notices.add(code, { field, line, example: text, message: `'${shorten(text)}' ${reason}` })
    return new CellProblem(reason)
  }

  const noticed = (problem: Problem, line: number, which: string): Problem => {
    const { field, reason, value } = problem
    const message = `cells ${which} are left out, and their rows imported: '${value}' ${reason}`
    notices.add("cell_left_out", { field, line, example: value, message })
    return problem
  }

  const noticeDeletion = (
    { deleted, name, crm_one_id, crm_two_id, id }: Record<string, unknown>,
    line: number,
  ): void => {
    if (deleted !== true) return
    const message = `rows with yes in the column of 'deleted' delete their ${plan.type}s here. To leave such rows out, map the column to 'is_deleted'`
    const example = String(name ?? crm_one_id ?? crm_two_id ?? id ?? "")
    notices.add("deletes_records", { field: "deleted", line, example, message })
  }

  return (row, isShown = true) => {
    const combined = plan.exported === undefined ? undefined : readCombined(plan.exported, row, plan.clears)
    const record: Record<string, unknown> = { type: plan.type, ...combined?.fields }
    const problems: Array<Problem> = [...(combined?.problems ?? []), ...withoutValue(plan, row)]
    const leftOut: Array<Problem> = []
    for (const field of plan.fields) {
      const given = cellOf(row, field)
      const value = given === "" ? NOTHING : readCell(field, row.line, given, row)
      if (value === NOTHING) {
        if (field.isCleared) clear(record, field)
        continue
      }
      if (value instanceof CellProblem) {
        const { reason } = value
        const problem = { field: field.field, reason, ...(isShown && { value: shorten(textOf(given).trim()) }) }
        if (field.isKept !== true && !(value instanceof Vague)) problems.push(problem)
        else leftOut.push(noticed(problem, row.line, value instanceof Vague ? VAGUE : OTHER_TYPE))
      } else putValue(record, field, value)
    }
    if (problems.length > 0) return { problems }
    completeRecord(plan, record, row, notices)
    if (plan.clears) removeEmptyMetrics(record)
    noticeDeletion(record, row.line)
    const rest = { ...(leftOut.length > 0 && { leftOut }), ...nameOfNew(plan, record) }
    if (combined === undefined) return { record, ...rest }
    const hasWholeSeconds = typeof row.cells.find((cell) => typeof cell === "object" && isDate(cell)) === "object"
    return { record, ...rest, exported: { ...combined.exported, ...(hasWholeSeconds && { hasWholeSeconds }) } }
  }
}

/** Fields whose cells have formulas without a value. */
const withoutValue = ({ fields }: ImportPlan, { uncalculated = [] }: TableRow): ReadonlyArray<Problem> =>
  uncalculated.flatMap(({ index, cell }) =>
    fields
      .filter(({ cells }) => cells.includes(index))
      .map(({ field }) => ({
        field,
        reason: `has a formula without a value in ${cell}: open the file in a spreadsheet, save it, and send it again`,
      })),
  )

const isDate = ({ value }: TypedCell) => typeof value === "object"

/** Whether a date of a workbook counts as its text: a month without a day, as `2026-03`, and a day that stands for none. */
const isNoDay = (field: PlannedField, { text }: TypedCell): boolean =>
  (field.kind === "day" && text.length === MONTH_LENGTH) || (field.isExported !== true && isNoValue(field, text))

/** A workbook has no zone; our exports write it in UTC. */
const inUtc = (date: string): string => (date.includes("T") ? `${date}Z` : date)

const OTHER_TYPE = "of another type than the column's"
const VAGUE = "that give no single value"

const AS_ABOVE = "means the same as the cell above: write its value into each row"
const NO_AMOUNT = "must be an amount, not a percentage"
const MONTH_LENGTH = 7
const ISO_DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const ROUNDED = /^[+-]?\d(?:[.,]\d+)?E\+\d+$/i

/** In units, if the header is in thousands or millions. */
const scaled = <A extends { readonly value: number }>({ scale }: PlannedField, given: A): A =>
  scale === undefined ? given : { ...given, value: Number((given.value * scale).toPrecision(15)) }

/** A day is kept as written, whatever the offset of its time. */
const dated = ({ kind }: PlannedField, read: string): string => (kind === "day" ? read.slice(0, 10) : read)

/** A summary may be text or, in our exports, an object. */
const readSummary = (text: string): unknown => {
  const value = text.startsWith("{") ? readJson(text) : text
  return value instanceof CellProblem ? text : value
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return new CellProblem("must be JSON")
  }
}
