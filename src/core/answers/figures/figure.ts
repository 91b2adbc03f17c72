import * as Schema from "effect/Schema"
import type { ReportQuery } from "../deals/plan.ts"
import { describeMeasure } from "../deals/measureWords.ts"
import { formatValue } from "../deals/numbers.ts"
import { nameOf, type Report, type ReportRow } from "../deals/reply.ts"
import { describeDimension, outcomeOf } from "../deals/table.ts"

/** A report that an answer cites, and the row that has the number. */
export interface Figure {
  readonly subject: "deals" | "associations"
  readonly query: ReportQuery
  /** From 0; undefined for the totals. */
  readonly row?: number | undefined
}

/** A figure as its link carries it. */
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
    row: Schema.optionalKey(Schema.Int),
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
export const rowOf = ({ row }: Figure, { data, totals }: Report) => (row === undefined ? totals : data[row])
