import { maxExamples, type Notices } from "../../../records/Notices.ts"
import type { RecordType } from "../../../records/record.ts"
import { readCurrency } from "../../../records/values/currency.ts"
import { isNumberProblem, readNumber } from "../../../records/values/numbers.ts"
import { type Cell, type TableRow, textOf } from "../../table/Table.ts"
import { filledBy } from "../fields/aspects.ts"
import type { MatchedColumns } from "../headers/matchColumns.ts"
import { currencyOfFormat, eachRow } from "../cells/evidence.ts"
import { isEmpty, guessType } from "../columns/keepColumns.ts"

/** Warns of columns that fill no field: of those whose cells look like an empty field apart. `used`: columns that are read in another way. */
export function* warnOfUnmapped(
  type: RecordType,
  { columns, fields }: MatchedColumns,
  used: ReadonlyMap<number, unknown>,
  rows: ReadonlyArray<TableRow>,
  notices: Notices,
): Generator<void, void> {
  const isFree = (field: string) => type === "deal" && fields.every((each) => filledBy(each.field) !== field)
  const needsAmount = isFree("amount")
  const needsDate = isFree("close_date")
  const unmapped: Array<string> = []
  for (const [index, { column, field, by }] of columns.entries()) {
    if (field !== null || by === "map" || by === "export" || used.has(index)) continue
    let isFilled = false
    yield* eachRow(rows, ({ cells }) => (isFilled = textOf(cells[index] ?? "").trim() !== ""))
    if (!isFilled) continue
    const name = `'${column.slice(0, 100)}'`
    const isMoney = needsAmount && (yield* areAmounts(rows, index))
    const guessed = isMoney ? undefined : yield* guessType(column, rows, index)
    if (isMoney || (needsAmount && guessed === "number" && (yield* mayBeAmounts(rows, index)))) {
      const message = `${name} fills no field, so it is not imported, but its cells are ${isMoney ? "amounts of money" : "numbers, and no column is the amount"}: map it to amount if it is that of the deal`
      notices.add("column_like_field", { field: "amount", example: column, message })
    } else if (needsDate && guessed === "date") {
      const message = `${name} fills no field, so it is not imported, but its cells are dates: map it to close_date if the deal closes then`
      notices.add("column_like_field", { field: "close_date", example: column, message })
    } else unmapped.push(column)
  }
  for (const example of unmapped) {
    notices.add("column_unmapped", { example, message: describeUnmapped(type, unmapped) })
  }
}

const describeUnmapped = (type: RecordType, columns: ReadonlyArray<string>): string => {
  const cure = (it: string) => (type === "deal" ? `, or keep ${it} as a property with 'keep_unmapped'` : "")
  const [first = ""] = columns
  if (columns.length === 1) {
    return `'${first.slice(0, 100)}' fills no field, so it is not imported: map it to one${cure("it")}`
  }
  const unnamed = columns.length - maxExamples("column_unmapped")
  const more = unnamed > 0 ? ` (${unnamed} of them are not listed here)` : ""
  return `${columns.length} columns${more} fill no field, so they are not imported: map those to one that you need${cure("each")}`
}

/** Larger numbers are no percentages. */
const MAX_PERCENT = 100
const YEAR = /^(?:19|20)\d{2}$/

/** Whether one of the numbers is too large for a percentage, and not all are years. */
function* mayBeAmounts(rows: ReadonlyArray<TableRow>, index: number): Generator<void, boolean> {
  let found = false
  yield* eachRow(rows, ({ cells }) => {
    const text = textOf(cells[index] ?? "").trim()
    const read = isEmpty(text) ? undefined : readNumber(text, { isMoney: true })
    return (found = read !== undefined && "value" in read && read.value > MAX_PERCENT && !YEAR.test(text))
  })
  return found
}

/** Whether a column has cells, and all are numbers with a currency. */
function* areAmounts(rows: ReadonlyArray<TableRow>, index: number): Generator<void, boolean> {
  let found: boolean | undefined
  yield* eachRow(rows, ({ cells }) => {
    const cell = cells[index] ?? ""
    if (!isEmpty(textOf(cell))) found = isAmount(cell)
    return found === false
  })
  return found === true
}

const isAmount = (cell: Cell): boolean => {
  if (typeof cell === "object") return typeof cell.value === "number" && currencyOfFormat(cell.format ?? "") !== ""
  if (readCurrency(cell.normalize("NFKC").trim()).currency === undefined) return false
  const read = readNumber(cell)
  return !isNumberProblem(read) || read.isUnclear === true
}
