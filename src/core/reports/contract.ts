import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { filterFields } from "../deals/filters/filters.ts"
import { inQueryString } from "../deals/filters/queryString.ts"
import { AnswersBytes } from "../http/api/annotations.ts"
import { described } from "../http/values/described.ts"
import { Text, Uri } from "../http/values/parameters.ts"
import { queryValue } from "../http/query/value.ts"
import { AssociationFilters } from "../intelligence/contract.ts"
import { type Dimension, DIMENSIONS, GRAINS } from "./dimensions.ts"
import { type Measure, UNITS } from "./measure.ts"
import { MEASURES, type Subject } from "./measures.ts"
import { COMPARISONS, DEFAULT_LIMIT, MAX_DIMENSIONS, MAX_LIMIT, MAX_MEASURES } from "./limits.ts"

const text = Schema.NullOr(Schema.String)
const Filters = Schema.Record(Schema.String, Schema.Unknown)
const Values = Schema.Record(Schema.String, Schema.NullOr(Schema.Finite))

const Interval = Schema.Struct({
  n: described(Schema.Int, "The number of won and lost deals."),
  low: Schema.NullOr(Schema.Finite),
  high: Schema.NullOr(Schema.Finite),
}).annotate({ identifier: "Interval", description: "The Wilson interval at 95 %. Null without decided deals." })

const numbers = {
  values: described(
    Values,
    "By measure. Counts and sums over nothing are 0; averages, medians, extremes and rates are null.",
  ),
  intervals: Schema.optionalKey(described(Schema.Record(Schema.String, Interval), "For each requested rate of deals.")),
  partial: Schema.optionalKey(described(Schema.Literal(true), "The period is still running.")),
  previous: Schema.optionalKey(
    described(Values, "The earlier period; if the period is running, the same span of the earlier one."),
  ),
  previous_whole: Schema.optionalKey(described(Values, "The whole earlier period, if the period is running.")),
  change: Schema.optionalKey(described(Values, "The difference from `previous`.")),
  filters: described(Filters, "The filters of GET /deals that select exactly these deals."),
  deals_url: described(Uri, "The same as a link. It needs the key."),
  drills: Schema.optionalKey(
    described(
      Schema.Record(
        Schema.String,
        Schema.Struct({ filters: Filters, deals_url: Uri, deals: Schema.Int }).annotate({ identifier: "ReportDrill" }),
      ),
      "For each requested measure that is about some of these deals only, such as a rate of decided deals: the filters that select those, " +
        "the same as a link, and their number.",
    ),
  ),
}

const Group = Schema.Record(
  Schema.String,
  Schema.Union([Schema.String, Schema.Struct({ id: text, name: text })]),
).annotate({
  description:
    "By dimension: a text for dates (`2026-Q1`), otherwise an id and a name. Without a value, both are null; so is the id of a " +
    "dimension without ids.",
})

const named = {
  group: Group,
  labels: Schema.optionalKey(
    described(
      Schema.Record(Schema.String, Schema.String),
      "By date dimension: the group's name for people. `FY27 Q3` if the fiscal year is not the calendar's, else as in `group`.",
    ),
  ),
}

export interface RowSchema extends Schema.Struct<typeof named & typeof numbers> {}
const Row: RowSchema = Schema.Struct({ ...named, ...numbers }).annotate({ identifier: "ReportRow" })
export type ReportRow = typeof Row.Type

const Span = Schema.Struct({ from: Schema.String, to: Schema.String })

const Meta = Schema.Struct({
  measures: Schema.Record(
    Schema.String,
    Schema.Struct({
      definition: Schema.String,
      unit: Schema.Literals(UNITS),
      additive: described(Schema.Boolean, "The groups add up to the total, except on overlapping dimensions."),
    }),
  ),
  dimensions: Schema.Record(Schema.String, Schema.String),
  overlapping: described(Schema.Array(Schema.String), "The dimensions on which a deal can be in several groups."),
  without_amount: described(Schema.Int, "The number of deals that have no amount."),
  groups: described(Schema.Int, "The number of groups, also those beyond the limit."),
  fiscal_start: Schema.Int,
  since: Schema.optionalKey(
    described(
      Schema.String,
      "The day since when close dates are tracked, of a report about deals that slipped: what slipped before is unknown.",
    ),
  ),
  reasons: Schema.optionalKey(
    described(
      Schema.Record(Schema.String, Schema.String),
      "By measure: why its values are null, if not for lack of deals. A setting names nothing that the workspace has, an open stage has no probability, or close dates were not tracked yet.",
    ),
  ),
  out_of_range: Schema.optionalKey(
    described(
      Schema.Array(Schema.String),
      "The measures with a value that is null because it is too large for a number. Only deals from before there was a largest amount cause this.",
    ),
  ),
  compared: Schema.NullOr(
    Schema.Struct({ field: Schema.String, period: Span, earlier: Span, same_span: Schema.NullOr(Span) }),
  ),
}).annotate({ identifier: "ReportMeta" })

const fields = {
  data: Schema.Array(Row),
  totals: described(Schema.Struct(numbers), "Over all deals of the report, each counted once."),
  other: described(
    Schema.NullOr(Schema.Struct({ groups: Schema.Int, values: Values })),
    "The groups beyond the limit, each of their deals counted once. Null: there are none.",
  ),
  meta: Meta,
}

export interface ReportSchema extends Schema.Struct<typeof fields> {}
export const Report: ReportSchema = Schema.Struct(fields).annotate({ identifier: "Report" })
export type Report = typeof Report.Type

const names = (description: string, most: number, example: ReadonlyArray<string>) =>
  Schema.optional(
    queryValue(
      described(Schema.Array(Text).check(Schema.isMaxLength(most)), `${description} Separated by commas or repeated.`),
      { commas: true, example },
    ),
  )

const code = (all: Readonly<Record<string, unknown>>) =>
  Object.keys(all)
    .map((name) => `\`${name}\``)
    .join(", ")

const listed = (subject: Subject) => {
  const dimensions: ReadonlyArray<readonly [string, Dimension]> = Object.entries(DIMENSIONS[subject])
  const measures: ReadonlyArray<readonly [string, Measure]> = Object.entries(MEASURES[subject])
  return [
    "**Measures.**",
    ...measures.map(([name, { definition }]) => `- \`${name}\`: ${definition}`),
    ...(subject === "deals" ? ["- `custom_metric_<name>_avg`: The mean score of a custom metric."] : []),
    "",
    "**Dimensions.**",
    ...dimensions.map(([name, { definition, dated }]) => `- \`${name}${dated ? ".<grain>" : ""}\`: ${definition}`),
    "- `crm_<property>`, `crm_crm_one_account_<property>`, `crm_crm_two_account_<property>`, `custom_answer_<name>`",
    "",
    `Grains: ${GRAINS.join(", ")}. Quarters and years are fiscal, weeks are ISO weeks. Days are those of the workspace's time zone.`,
  ].join("\n")
}

const parameters = (subject: Subject) => ({
  measures: names(
    `1 to ${MAX_MEASURES} of ${code(MEASURES[subject])}.`,
    MAX_MEASURES,
    subject === "deals" ? ["win_rate", "deals"] : ["mentions", "amount_lost"],
  ),
  group_by: names(
    `Up to ${MAX_DIMENSIONS} dimensions; a date with its grain.`,
    MAX_DIMENSIONS,
    subject === "deals" ? ["competitor", "close_date.quarter"] : ["feature"],
  ),
  order_by: Schema.optional(
    described(
      Text,
      "A measure or dimension of the report; descending after `-`. By default, dates ascend, else the first measure descends.",
    ),
  ),
  limit: Schema.optional(
    described(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_LIMIT })),
      `The number of groups; ${DEFAULT_LIMIT} by default.`,
    ),
  ),
  having: Schema.optional(
    queryValue(
      described(
        Schema.Record(
          Schema.String,
          Schema.Struct({ min: Schema.optionalKey(Schema.Finite), max: Schema.optionalKey(Schema.Finite) }),
        ),
        "Bounds of measures, inclusive: other groups are left out.",
      ),
      { example: { deals: { min: 5 } } },
    ),
  ),
  compare: Schema.optional(
    described(Schema.Literals(COMPARISONS), "Compares with an earlier period. Needs one date filter with both ends."),
  ),
  fiscal_start: Schema.optional(
    described(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })),
      "The first month of the fiscal year; by default the workspace's.",
    ),
  ),
})

const Parameters = Schema.Struct(parameters("deals"))
/** The parameters of both reports, besides filters. */
export type ReportParameters = typeof Parameters.Type

type DealFields = ReturnType<typeof parameters> & typeof filterFields

export interface DealReportQuerySchema extends Schema.Struct<DealFields> {}
const DealReportQuery: DealReportQuerySchema = Schema.Struct({
  ...parameters("deals"),
  ...inQueryString(filterFields),
})

export interface AssociationReportQuerySchema extends Schema.Struct<DealFields & typeof AssociationFilters.fields> {}
const AssociationReportQuery: AssociationReportQuerySchema = Schema.Struct({
  ...parameters("associations"),
  ...AssociationFilters.fields,
  ...inQueryString(filterFields),
})

const success = [Report, Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))] as const
const DESCRIPTION =
  "Computes measures for each group of deals. A filter on a dimension with several values per deal also limits the groups. " +
  "With `Accept: text/csv`, returns the table as CSV.\n\n"

export const ReportsGroup = HttpApiGroup.make("reports")
  .add(
    HttpApiEndpoint.get("deals", "/deals/report", {
      query: DealReportQuery,
      success,
    })
      .annotate(AnswersBytes, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Report numbers of deals by group",
          description: DESCRIPTION + listed("deals"),
        }),
      ),
    HttpApiEndpoint.get("associations", "/product-intelligence/report", {
      query: AssociationReportQuery,
      success,
    })
      .annotate(AnswersBytes, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Report numbers of product-feature associations by group",
          description:
            `${DESCRIPTION}Takes the filters of GET /product-intelligence too, ignoring case, and those of GET /deals.\n\n` +
            listed("associations"),
        }),
      ),
  )
  .annotate(OpenApi.Description, "Numbers by group, each with the filters that select its deals")
