import { Notices } from "../../../records/Notices.ts"
import { type TableFacts, type TableRow, textOf } from "../../table/Table.ts"
import { eachRow } from "../cells/evidence.ts"
import type { ImportPlan } from "../fields/ImportPlan.ts"
import { columnGroups, headingOf, readGroup } from "./groups.ts"
import { rowFilter } from "./notRows.ts"

const GROUPED: ReadonlySet<string> = new Set(["status", "owner", "client", "region", "deal_type"])

/**
 * Finds the columns in which a report writes each group with the number of its rows, and whether it does so in rows of one cell above them. The
 * numbers prove it: each group has as many rows. The last one may be longer than the sample, if there are others.
 */
export function* planGroups(
  plan: ImportPlan,
  facts: TableFacts,
  rows: ReadonlyArray<TableRow>,
): Generator<void, Pick<ImportPlan, "groups" | "hasHeadings">> {
  if (plan.type !== "deal" || plan.exported !== undefined) return {}
  const first = rows.find(({ cells }) => cells.some((cell) => textOf(cell).trim() !== ""))
  const columns = plan.fields.flatMap(({ field, cells: [cell, ...more] }) =>
    GROUPED.has(field) && more.length === 0 && readGroup(cellOf(first, cell!)) !== undefined ? [cell!] : [],
  )
  let mayHaveHeadings = false
  yield* eachRow(rows, (row) => (mayHaveHeadings = headingOf(row) !== undefined))
  if (columns.length === 0 && !mayHaveHeadings) return {}
  const filter = rowFilter(plan, facts, new Notices())
  const records: Array<TableRow> = []
  yield* eachRow(rows, (row) => void records.push(...filter.push([row])))
  const hasHeadings = mayHaveHeadings && (yield* haveHeadings(records))
  const deals = hasHeadings ? records.filter((row) => headingOf(row) === undefined) : records
  const groups: Array<number> = []
  for (const column of columns) if (yield* areGroups(deals, column, facts)) groups.push(column)
  return { ...(groups.length > 0 && { groups }), ...(hasHeadings ? { hasHeadings: true as const } : {}) }
}

const cellOf = (row: TableRow | undefined, at: number): string => textOf(row?.cells[at] ?? "").trim()

function* haveHeadings(records: ReadonlyArray<TableRow>): Generator<void, boolean> {
  let count = 0
  let left = 0
  let isProven = true
  yield* eachRow(records, (row) => {
    const group = headingOf(row)
    if (group === undefined) isProven = --left >= 0
    else {
      isProven = left === 0
      count++
      left = group.count
    }
    return !isProven
  })
  return isProven && (left === 0 || count > 1)
}

function* areGroups(
  records: ReadonlyArray<TableRow>,
  column: number,
  { container }: TableFacts,
): Generator<void, boolean> {
  const groups = columnGroups(container)
  let count = 0
  let isProven = records.length > 1
  yield* eachRow(records, (row) => {
    const before = groups.countLeft()
    const { group, isFirst } = groups.meet(cellOf(row, column))
    isProven &&= group !== undefined && (!isFirst || before === 0)
    if (isFirst) count++
    return !isProven
  })
  return isProven && (groups.countLeft() === 0 || count > 1)
}
