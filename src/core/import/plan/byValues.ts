import { type Row, textOf } from "../table/Table.ts"
import type { FilledField, MatchedColumns } from "./columns.ts"
import { eachRow } from "./evidence.ts"
import type { PlannedColumn, PlanOptions } from "./ImportPlan.ts"

/** Ids of Salesforce begin with the kind of thing that they name, and e-mail addresses have one shape. */
const SHAPES: Readonly<Record<string, ReadonlyArray<readonly [field: string, shape: RegExp]>>> = {
  deal: [["crm_one_id", /^006[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/]],
  client: [["crm_one_id", /^001[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/]],
  owner: [["email", /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i]],
}
const CONFIDENCE_OF_SHAPE = 0.7

/** Gives a column without a known header to the field whose shape all its cells have. */
export function* byValues(
  { type }: PlanOptions,
  rows: ReadonlyArray<Row>,
  matched: MatchedColumns,
): Generator<void, MatchedColumns> {
  const columns: Array<PlannedColumn> = [...matched.columns]
  const fields: Array<FilledField> = [...matched.fields]
  for (const [field, shape] of SHAPES[type] ?? []) {
    if (fields.some((each) => each.field === field)) continue
    let found: number | undefined
    for (const [index, { column, field: taken, by }] of columns.entries()) {
      // Data Loader calls the id of the CRM "ID".
      const isId = taken === "id" && field === "crm_one_id" && by === "name" && column !== "id"
      if ((taken !== null && !isId) || by === "map" || !(yield* haveShape(rows, index, shape))) continue
      found = index
      break
    }
    if (found === undefined) continue
    const claimed = fields.findIndex(({ cells }) => cells.includes(found))
    if (claimed !== -1) fields.splice(claimed, 1)
    columns[found] = { column: columns[found]!.column, field, confidence: CONFIDENCE_OF_SHAPE, by: "values" }
    fields.push({ field, cells: [found] })
  }
  return { ...matched, columns, fields }
}

function* haveShape(rows: ReadonlyArray<Row>, index: number, shape: RegExp): Generator<void, boolean> {
  let filled = 0
  let isOther = false
  yield* eachRow(rows, ({ cells }) => {
    const text = textOf(cells[index] ?? "").trim()
    if (text === "") return
    filled++
    isOther = !shape.test(text)
    return isOther
  })
  return filled > 0 && !isOther
}
