import { type TableRow, textOf } from "../../table/Table.ts"
import { type Currency, nameCurrency, readCurrency, readCurrencyCell } from "../../../records/values/currency.ts"
import { type DateOrder, detectDateOrder } from "../../../records/values/dates.ts"
import { isPlaceholder } from "./emptyCells.ts"
import { type DecimalMark, detectDecimalMark } from "../../../records/values/numbers.ts"

/** The proofs that the cells of a column give, by how many cells give each. */
export interface Proof<T extends string> {
  readonly counts: ReadonlyMap<T, number>
  /** The first cell and its line for each. */
  readonly examples: ReadonlyMap<T, { readonly cell: string; readonly line: number }>
}

/** A cell may be as long as a line, so a step takes few rows. */
const ROWS_OF_STEP = 10

/** Loops over rows, and yields after some. */
export function* eachRow(
  rows: ReadonlyArray<TableRow>,
  take: (row: TableRow) => boolean | void,
): Generator<void, void> {
  for (let at = 0; at < rows.length; at++) {
    if (take(rows[at]!) === true) return
    if (at % ROWS_OF_STEP === ROWS_OF_STEP - 1) yield
  }
}

function* prove<T extends string>(
  rows: ReadonlyArray<TableRow>,
  cell: number,
  read: (text: string) => T | undefined,
): Generator<void, Proof<T>> {
  const counts = new Map<T, number>()
  const examples = new Map<T, { readonly cell: string; readonly line: number }>()
  yield* eachRow(rows, ({ line, cells }) => {
    const given = cells[cell]
    // A cell of a workbook has a value, whose text proves nothing.
    if (given === undefined || typeof given !== "string") return
    const text = given.trim()
    const found = text === "" || isPlaceholder(text) ? undefined : read(text)
    if (found === undefined) return
    counts.set(found, (counts.get(found) ?? 0) + 1)
    if (!examples.has(found)) examples.set(found, { cell: text, line })
  })
  return { counts, examples }
}

/** The one thing that all cells prove. Undefined without any proof, or with contradicting ones. */
const only = <T extends string>({ counts }: Proof<T>): T | undefined =>
  counts.size === 1 ? [...counts.keys()][0] : undefined

export interface NumberEvidence {
  readonly mark: DecimalMark | undefined
  /** Both marks are proven, each by some cells. */
  readonly mixed: Proof<DecimalMark> | undefined
  /** The one mark that stands before exactly three digits wherever one does, as in 1,500, and the first such cell. */
  readonly groups: { readonly mark: string; readonly cell: string; readonly line: number } | undefined
}

export function* numberEvidence(rows: ReadonlyArray<TableRow>, cell: number): Generator<void, NumberEvidence> {
  const proof = yield* prove(rows, cell, detectDecimalMark)
  const grouped = yield* prove(rows, cell, (text) => GROUPED.exec(text)?.[1])
  const mark = only(grouped)
  return {
    mark: only(proof),
    mixed: proof.counts.size > 1 ? proof : undefined,
    groups: mark === undefined ? undefined : { mark, ...grouped.examples.get(mark)! },
  }
}

const GROUPED = /^\D*[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*\D*$/

export interface DateEvidence {
  readonly order: DateOrder | undefined
  readonly mixed: Proof<DateOrder> | undefined
  /** Dates such as 04.03.2026, which have the day first. */
  readonly hasPoints: boolean
}

export function* dateEvidence(rows: ReadonlyArray<TableRow>, cell: number): Generator<void, DateEvidence> {
  const proof = yield* prove(rows, cell, detectDateOrder)
  const counts = new Map([...proof.counts].filter((each): each is ["DMY" | "MDY", number] => each[0] !== "points"))
  const hasPoints = proof.counts.has("points")
  const numbers = { counts, examples: proof.examples } as Proof<DateOrder>
  return {
    order: only(numbers) ?? (counts.size === 0 && hasPoints ? "DMY" : undefined),
    mixed: counts.size > 1 ? numbers : undefined,
    hasPoints,
  }
}

/** The currencies that the sample shows, by name: `EUR`, `$`. */
export function* currencyEvidence(
  rows: ReadonlyArray<TableRow>,
  amounts: ReadonlyArray<number>,
  column: number | undefined,
): Generator<void, ReadonlyMap<string, Currency>> {
  const found = new Map<string, Currency>()
  yield* eachRow(rows, ({ cells }) => {
    const own = column === undefined ? undefined : readCurrencyCell(textOf(cells[column] ?? ""))
    if (own !== undefined) found.set(nameCurrency(own), own)
    for (const amount of own === undefined ? amounts : []) {
      const cell = cells[amount]
      // A zero, such as "$ -", is one in any currency.
      if (typeof cell === "object" ? cell.value === 0 : !/[1-9]/.test((cell ?? "").normalize("NFKC"))) continue
      const { currency } = readCurrency(
        typeof cell === "object" ? currencyOfFormat(cell.format ?? "") : (cell ?? "").normalize("NFKC").trim(),
      )
      if (currency !== undefined) found.set(nameCurrency(currency), currency)
    }
  })
  return found
}

/** The currency in a number format such as `#,##0.00 "€"` or `[$€-407] #,##0.00`, as an amount of 0. */
export const currencyOfFormat = (format: string): string => {
  const sign =
    /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(format)?.[1] ??
    /"([^"]*\p{Sc}[^"]*|[A-Z]{3})"/u.exec(format)?.[1] ??
    /\p{Sc}/u.exec(format)?.[0]
  return sign === undefined ? "" : `${sign.trim()}0`
}
