import * as Schema from "effect/Schema"
import { decodeInput } from "../../http/validation/decodeInput.ts"
import { ColumnNames } from "../columns/selectors.ts"
import { SORT_ORDERS, SORTS } from "../columns/sorting.ts"

/** Deals per page of `Deals.rows`. */
const MAX_ROWS = 1000

const PageSize = Schema.Number.check(
  Schema.makeFilter(
    (size: number) =>
      (Number.isInteger(size) && size >= 1 && size <= MAX_ROWS) || `must be a whole number from 1 to ${MAX_ROWS}`,
  ),
)

/** Reads the input of `Deals.rows`. Its filters are read with the workspace that they name. */
export const decodeRowsQuery = decodeInput(
  Schema.Struct({
    columns: Schema.optionalKey(ColumnNames),
    filters: Schema.optionalKey(Schema.Unknown),
    sort: Schema.optionalKey(Schema.Literals(SORTS)),
    sortOrder: Schema.optionalKey(Schema.Literals(SORT_ORDERS)),
    pageSize: Schema.optionalKey(PageSize),
    cursor: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(4000))),
  }),
  "query",
)

/** Reads the input of `Deals.row`. */
export const decodeRowQuery = decodeInput(Schema.Struct({ columns: Schema.optionalKey(ColumnNames) }), "query")
