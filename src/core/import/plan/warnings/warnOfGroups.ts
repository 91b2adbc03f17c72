import { Notices } from "../../../records/Notices.ts"
import { type TableFacts, type TableRow, textOf } from "../../table/Table.ts"
import { eachRow } from "../cells/evidence.ts"
import type { ImportPlan } from "../fields/ImportPlan.ts"
import { rowFilter } from "../rows/notRows.ts"

const GROUPED: ReadonlySet<string> = new Set(["status", "owner", "client"])
/** Fewer blank cells are an accident. */
const MIN_BLANK = 2

/**
 * Warns of columns in which a report writes each group once: the first record has a value, others have none, and no value comes twice. Half
 * of the records or more have no client: many deals are the only one of theirs.
 */
export function* warnOfGroups(
  plan: ImportPlan,
  facts: TableFacts,
  rows: ReadonlyArray<TableRow>,
  notices: Notices,
): Generator<void, void> {
  if (plan.type !== "deal" || plan.exported !== undefined) return
  for (const { field, cells } of plan.fields) {
    const [cell] = cells
    if (!GROUPED.has(field) || cells.length > 1 || plan.groups?.includes(cells[0]!) === true) continue
    if ((yield* findBlanks(field, rows, cell!)) === undefined) continue
    const filter = rowFilter(plan, facts, new Notices())
    const records: Array<TableRow> = []
    yield* eachRow(rows, (row) => void records.push(...filter.push([row])))
    records.push(...filter.end())
    for (const { line } of (yield* findBlanks(field, records, cell!)) ?? []) {
      notices.add("group_written_once", {
        field,
        line,
        message: `some rows have no ${field === "status" ? "stage" : field}, as in a report that writes each group once, above its rows: they are imported without it. Export the report without groups, or fill the column`,
      })
    }
  }
}

/** The rows without a value, if the others look like the first ones of groups. */
function* findBlanks(
  field: string,
  rows: ReadonlyArray<TableRow>,
  cell: number,
): Generator<void, ReadonlyArray<TableRow> | undefined> {
  const values = new Set<string>()
  const blank: Array<TableRow> = []
  let isGrouped = true
  yield* eachRow(rows, (row) => {
    if (row.cells.every((each) => textOf(each).trim() === "")) return
    const text = textOf(row.cells[cell] ?? "").trim()
    isGrouped = text === "" ? values.size > 0 : !values.has(text)
    if (text === "") blank.push(row)
    else values.add(text)
    return !isGrouped
  })
  return isGrouped && blank.length >= MIN_BLANK && (field !== "client" || blank.length >= values.size)
    ? blank
    : undefined
}
