import * as Schema from "effect/Schema"
import type { ReportQuery } from "../deals/reportQuery.ts"
import { describeMeasure } from "../deals/measureWords.ts"
import { formatValue } from "../deals/numbers.ts"
import { nameOf, type Report, type ReportRow } from "../deals/reply.ts"
import { describeDimension, outcomeOf } from "../deals/table.ts"
import type { Figure } from "./FigureLinks.ts"

/** A report that was run, whose rows answers cite. */
export interface ReportRows {
  readonly figure: Omit<Figure, "row">
  readonly report: Pick<Report, "data" | "totals">
  readonly currency: string | undefined
}

/** A report as it is stored for its links, which name the row. */
export const FigureText = Schema.fromJsonString(
  Schema.Struct({
    subject: Schema.Literals(["deals", "associations"]),
    query: Schema.Struct({
      measures: Schema.Array(Schema.String),
      groupBy: Schema.Array(Schema.String),
      filters: Schema.Record(Schema.String, Schema.Unknown),
      orderBy: Schema.optionalKey(Schema.String),
      limit: Schema.Int,
      having: Schema.optionalKey(Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Finite))),
      compare: Schema.optionalKey(Schema.Literals(["previous_period", "previous_year"])),
    }),
  }),
)

/** "Report: win rate by competitor". */
export const titleOf = ({ query }: Figure): string => {
  const [measure = "deals"] = query.measures
  const by = query.groupBy.map(describeDimension)
  return `Report: ${describeMeasure(measure, outcomeOf(query))}${by.length === 0 ? "" : ` by ${by.join(" and ")}`}`
}

/** A row in words: "Orvanta: win rate 36.4 %, won 40, lost 70". The totals have no name. */
export const writeRow = (
  query: ReportQuery,
  row: Pick<ReportRow, "values"> & Partial<Pick<ReportRow, "group" | "previous">>,
  currency: string | undefined,
): string => {
  const { group } = row
  const names = group === undefined ? [] : query.groupBy.map((each) => nameOf({ ...row, group, filters: {} }, each))
  const outcome = outcomeOf(query)
  const values = query.measures.map(
    (each) => `${describeMeasure(each, outcome)} ${formatValue(each, row.values[each] ?? null, currency)}`,
  )
  const [main = "deals"] = query.measures
  const before = row.previous === undefined ? [] : [`before ${formatValue(main, row.previous[main] ?? null, currency)}`]
  return `${names.length === 0 ? "" : `${names.join(", ")}: `}${[...values, ...before].join(", ")}`
}

/** The row that a figure cites; undefined if the report no longer has it. */
export const rowOf = ({ row }: Figure, { data, totals }: Pick<Report, "data" | "totals">) =>
  row === undefined ? totals : data[row]
