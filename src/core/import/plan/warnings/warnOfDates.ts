import { shorten } from "../../../common/shorten.ts"
import type { Notices } from "../../../records/Notices.ts"
import { detectDateOrder } from "../../../records/values/dates.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import { eachRow } from "../cells/evidence.ts"
import type { PlannedField } from "../fields/ImportPlan.ts"

/** Fewer dates before the thirteenth are an accident. */
const MIN_DATES = 2
const LAST_MONTH = 12

/**
 * Warns of dates that a spreadsheet of another country has read: 25/03/2026 stayed a text, for it has no 25th month, and 04/03/2026 became
 * the third of April.
 */
export function* warnOfDates(
  fields: ReadonlyArray<PlannedField>,
  rows: ReadonlyArray<TableRow>,
  notices: Notices,
): Generator<void, void> {
  for (const { field, kind, cells } of fields) {
    if (kind !== "day" && kind !== "date") continue
    const orders = new Set<string>()
    let text = ""
    const dates: Array<{ readonly line: number; readonly date: string }> = []
    yield* eachRow(rows, ({ line, cells: given }) => {
      const cell = given[cells[0]!]
      // A spreadsheet that expects slashes or hyphens keeps dates with points as texts, whatever their order.
      const order = typeof cell === "string" && !cell.includes(".") ? detectDateOrder(cell) : undefined
      if (order !== undefined) {
        orders.add(order)
        text = textOf(cell!).trim()
      }
      if (typeof cell !== "object" || typeof cell.value !== "object") return
      dates.push({ line, date: cell.value.date.slice(0, 10) })
    })
    const [first] = dates
    const mayBeExchanged = dates.every(({ date }) => Number(date.slice(8)) <= LAST_MONTH)
    if (orders.size !== 1 || dates.length < MIN_DATES || !mayBeExchanged) continue
    const [year, month, day] = first!.date.split("-")
    const message = `the spreadsheet kept '${shorten(text)}' as a text, so it may have read the others with day and month exchanged: ${first!.date} may be ${year}-${day}-${month}. Check them, or import the file in which the dates were written`
    for (const { line, date } of dates) notices.add("date_order_unclear", { field, line, example: date, message })
  }
}
