import * as Schema from "effect/Schema"
import type { ReportQuery } from "../questions/plan/reportQuery.ts"
import { describeMeasure } from "../questions/reply/measureWords.ts"
import { formatValue } from "../questions/words/numbers.ts"
import { nameOf, type Report, type ReportRow } from "../questions/reply/reply.ts"
import { describeDimension, findOutcome } from "../questions/reply/table.ts"

/** A report that an answer cites, and the row that has the number. */
export interface Figure {
  readonly subject: "deals" | "associations"
  readonly query: ReportQuery
  /** From 0; undefined for the totals. */
  readonly row?: number | undefined
}

/** A report that was run, whose rows answers cite. */
export interface ReportRows {
  readonly figure: Omit<Figure, "row">
  readonly report: Pick<Report, "data" | "totals">
  readonly currency: string | undefined
}

/** Rows of a report whose values a figure keeps; answers cite fewer. */
const MAX_ROWS = 100
/** In UTF-16 units, as JSON. Beyond it, only the totals are kept. */
const MAX_ANSWERED_LENGTH = 32_768

const Values = Schema.Record(Schema.String, Schema.NullOr(Schema.Finite))
const values = { values: Values, previous: Schema.optionalKey(Values) }
const Group = Schema.Record(
  Schema.String,
  Schema.Union([
    Schema.String,
    Schema.Struct({ id: Schema.NullOr(Schema.String), name: Schema.NullOr(Schema.String) }),
  ]),
)

/** The values of a report as an answer said them. */
export const AnsweredText = Schema.fromJsonString(
  Schema.Struct({
    currency: Schema.optionalKey(Schema.String),
    totals: Schema.Struct(values),
    rows: Schema.Array(
      Schema.Struct({
        group: Group,
        labels: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
        ...values,
      }),
    ),
  }),
)
export type AnsweredRow = Pick<ReportRow, "values"> & Partial<Pick<ReportRow, "group" | "labels" | "previous">>

/** Writes what `AnsweredText` reads. */
export const writeAnswered = ({ report: { data, totals }, currency }: ReportRows): string => {
  const write = (rows: Report["data"]) =>
    JSON.stringify({
      currency,
      totals: { values: totals.values, previous: totals.previous },
      rows: rows.map(({ group, labels, values, previous }) => ({ group, labels, values, previous })),
    })
  const text = write(data.slice(0, MAX_ROWS))
  return text.length <= MAX_ANSWERED_LENGTH ? text : write([])
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
export const writeTitle = ({ query }: Pick<Figure, "query">): string => {
  const [measure = "deals"] = query.measures
  const by = query.groupBy.map(describeDimension)
  return `Report: ${describeMeasure(measure, findOutcome(query))}${by.length === 0 ? "" : ` by ${by.join(" and ")}`}`
}

/** A row in words: "Orvanta: win rate 36.4 %, won 40, lost 70". The totals have no name. */
export const writeRow = (query: ReportQuery, row: AnsweredRow, currency: string | undefined): string => {
  const { group, labels } = row
  const names = group === undefined ? [] : query.groupBy.map((each) => nameOf({ group, labels }, each))
  const outcome = findOutcome(query)
  const values = query.measures.map(
    (each) => `${describeMeasure(each, outcome)} ${formatValue(each, row.values[each] ?? null, currency)}`,
  )
  const [main = "deals"] = query.measures
  const before = row.previous === undefined ? [] : [`before ${formatValue(main, row.previous[main] ?? null, currency)}`]
  return `${names.length === 0 ? "" : `${names.join(", ")}: `}${[...values, ...before].join(", ")}`
}

/** The row that a figure cites; undefined if the report does not have it. */
export const rowAt = (row: number | undefined, { data, totals }: Pick<Report, "data" | "totals">) =>
  row === undefined ? totals : data[row]

/** The place of an answer's row in the report as it is now, where it may have moved; -1 if it is gone. */
export const findRow = ({ groupBy }: ReportQuery, { group = {} }: AnsweredRow, rows: Report["data"]): number => {
  const keyOf = (values: ReportRow["group"]) =>
    JSON.stringify(groupBy.map((each) => (typeof values[each] === "object" ? values[each].id : values[each])))
  const key = keyOf(group)
  return rows.findIndex((row) => keyOf(row.group) === key)
}
