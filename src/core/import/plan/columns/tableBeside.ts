import { shorten } from "../../../common/shorten.ts"
import type { Notices } from "../../../records/Notices.ts"
import type { RecordType } from "../../../records/record.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import { countKnown } from "../headers/matchColumns.ts"
import { eachRow } from "../cells/evidence.ts"
import { normalizeHeader } from "../headers/headers.ts"
import type { PlannedColumn } from "../fields/ImportPlan.ts"
import type { Mapping } from "../fields/parameters.ts"

/** Columns from one place to another, without the second. */
interface Span {
  readonly from: number
  readonly to: number
}

/** A table has several columns. One that stands apart may be the notes of the deals. */
const MIN_COLUMNS = 2

/**
 * Finds columns of other tables beside that of the deals: an empty column separates them, and they end before the deals do, or go on below
 * them. Columns that the mapping names belong to the deals.
 */
export function* columnsBeside(
  type: RecordType,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<TableRow>,
  mapping: Mapping = {},
  notices: Notices,
): Generator<void, ReadonlySet<number>> {
  const spans = type === "deal" ? yield* findSpans(header, rows) : []
  if (spans.length < 2) return new Set()
  const known: Array<number> = []
  for (const { from, to } of spans) known.push(yield* countKnown("deal", header.slice(from, to), mapping))
  const deals = spans[known.indexOf(Math.max(...known))]!
  const mapped = new Set(Object.keys(mapping).flatMap((name) => [name, ...name.split("+")].map(normalizeHeader)))
  const beside = new Set<number>()
  for (const span of spans) {
    const names = header.slice(span.from, span.to).filter((name) => name.trim() !== "")
    const isMapped = names.some((name) => mapped.has(normalizeHeader(name)))
    if (span === deals || isMapped || names.length < MIN_COLUMNS || !(yield* isOther(rows, span, deals))) continue
    for (let at = span.from; at < span.to; at++) beside.add(at)
    const shown = names.map((name) => `'${shorten(name.trim())}'`).join(", ")
    const message = `the columns ${shown} are beside an empty column and have other rows than the deals: they are taken for another table, and not imported. If they belong to the deals, delete the empty column`
    for (const name of names) notices.add("table_beside", { example: name.trim(), message })
  }
  return beside
}

/** The tables of a sheet, from left to right: between them are columns without a header and without cells. */
function* findSpans(
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<TableRow>,
): Generator<void, ReadonlyArray<Span>> {
  const gaps = new Set(header.flatMap((name, index) => (name.trim() === "" ? [index] : [])))
  yield* eachRow(gaps.size === 0 ? [] : rows, ({ cells }) => {
    for (const index of gaps) if (textOf(cells[index] ?? "").trim() !== "") gaps.delete(index)
    return gaps.size === 0
  })
  const spans: Array<Span> = []
  for (let from = 0; from < header.length; from++) {
    if (gaps.has(from)) continue
    let to = from
    while (to < header.length && !gaps.has(to)) to++
    spans.push({ from, to })
    from = to
  }
  return spans
}

/** Whether the rows of a table end before those of the deals, or go on below them; its first column has words. */
function* isOther(rows: ReadonlyArray<TableRow>, span: Span, deals: Span): Generator<void, boolean> {
  const isFilled = ({ cells }: TableRow, { from, to }: Span) =>
    cells.slice(from, to).some((cell) => textOf(cell).trim() !== "")
  let filled = 0
  /** Deals without cells of the table, and rows of it without a deal. */
  let [lacking, longer] = [0, 0]
  let isOther = true
  yield* eachRow(rows, (row) => {
    const isOfDeals = isFilled(row, deals)
    if (!isFilled(row, span)) lacking += isOfDeals ? 1 : 0
    else if (!/\p{L}/u.test(textOf(row.cells[span.from] ?? ""))) isOther = false
    else {
      filled++
      // A table without gaps: of the deals, some would have these cells and some not.
      if (lacking > 0) isOther = false
      if (!isOfDeals) longer++
    }
    return !isOther
  })
  return isOther && filled > 0 && lacking + longer > 0
}

/** The header without the names of columns. */
export const withoutColumns = (header: ReadonlyArray<string>, left: { has(index: number): boolean } | undefined) =>
  left === undefined ? header : header.map((name, index) => (left.has(index) ? "" : name))

/** Shows the columns of another table under their headers. */
export const namedBeside = (
  columns: ReadonlyArray<PlannedColumn>,
  names: ReadonlyArray<string>,
  beside: ReadonlySet<number>,
): ReadonlyArray<PlannedColumn> =>
  columns.map((each, index) => (beside.has(index) ? { ...each, column: names[index]! } : each))
