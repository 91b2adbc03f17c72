import type { Notices } from "../../../records/Notices.ts"
import type { RecordType } from "../../../records/record.ts"
import type { TableRow } from "../../table/Table.ts"
import { haveAll } from "../columns/byValues.ts"
import type { PlannedColumn } from "../fields/ImportPlan.ts"

const SHORT_NUMBER = /^\d{1,6}$/

/** Warns of running numbers that become the ids of our rows, although the header is not exactly `id`: another list has the same. */
export function* warnOfIds(
  type: RecordType,
  columns: ReadonlyArray<PlannedColumn>,
  rows: ReadonlyArray<TableRow>,
  notices: Notices,
): Generator<void, void> {
  for (const [index, { column, field, by }] of columns.entries()) {
    if (field !== "id" || by !== "name" || column === "id") continue
    if (!(yield* haveAll(rows, index, (text) => SHORT_NUMBER.test(text)))) continue
    const name = column.slice(0, 100)
    const cure =
      type === "deal" || type === "client"
        ? `map '${name}=crm_two_id' if a CRM gave them, or '${name}=' if they only number the rows`
        : `map '${name}=' if they only number the rows`
    notices.add("id_of_numbers", {
      field: "id",
      example: column,
      message: `the numbers in '${name}' become the ids of ${type}s: a row of another list with the same number will change the same ${type}. ${cure[0]!.toUpperCase()}${cure.slice(1)}`,
    })
  }
}
