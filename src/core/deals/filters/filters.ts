import * as Schema from "effect/Schema"
import { CalendarDate, DateOrInstant, Int4, namesAreText, Text } from "../../http/values/parameters.ts"
import { isDay } from "../../common/zone.ts"
import { arrayFields, modifierFields, values } from "./arrays.ts"
import { crmFilters } from "./crm.ts"
import { SCORE_COLUMNS, type ScoreColumn } from "../columns/metrics.ts"
import { PERIODS } from "./periods.ts"

type Bounds = { readonly [bound: string]: number | string | undefined }

const isOrdered = (low: number | string | undefined, high: number | string | undefined): boolean => {
  if (low === undefined || high === undefined) return true
  if (typeof low === "number" || typeof high === "number") return low <= high
  // The time zone decides on a day and an instant that are close: see `unorderedDates`.
  const slackMs = isDay(low) === isDay(high) ? 0 : MAX_OFFSET_MS
  return Date.parse(low) < Date.parse(high) + (isDay(high) ? DAY_MS : 1) + slackMs
}

const DAY_MS = 86_400_000
/** The largest offset of a time zone: 14 hours. */
const MAX_OFFSET_MS = 14 * 3_600_000

export const notOrdered = (low: string, high: string): string => `must have ${low} no greater than ${high}`

const checkOrder = (low: string, high: string) =>
  Schema.makeFilter((bounds) => isOrdered((bounds as Bounds)[low], (bounds as Bounds)[high]) || notOrdered(low, high))

const bounds = { min: Schema.optionalKey(Schema.Finite), max: Schema.optionalKey(Schema.Finite) }

const numbers = <F extends Schema.Struct.Fields>(fields: F, description: string) =>
  Schema.optional(
    Schema.Struct(fields)
      .annotate({ description })
      .check(
        Schema.makeFilter(
          (given) => Object.keys(given).length > 0 || `must have at least one of ${Object.keys(fields).join(", ")}`,
        ),
        checkOrder("min", "max"),
      ),
  )

// Declarations repeat the type of a filter in every endpoint, unless an interface names it.
export interface Scores extends Schema.optional<Schema.Struct<typeof bounds>> {}
const scores = (what: string): Scores => numbers(bounds, `The ${what}; both ends are inclusive.`)

const datesFields = (value: Schema.Codec<string, string>) => ({
  from: Schema.optionalKey(value),
  to: Schema.optionalKey(value),
  period: Schema.optionalKey(
    Schema.Literals(PERIODS).annotate({
      description:
        "Instead of `from` and `to`. Relative to today in the workspace's time zone; quarters and years are fiscal.",
    }),
  ),
})

export interface DatesFilter extends Schema.optional<Schema.Struct<ReturnType<typeof datesFields>>> {}
const dates = (value: Schema.Codec<string, string>, description: string): DatesFilter =>
  Schema.optional(
    Schema.Struct(datesFields(value))
      .annotate({ description })
      .check(
        Schema.makeFilter(({ from, to, period }) => {
          const isSpan = from !== undefined || to !== undefined
          return isSpan !== (period !== undefined) || "must have from, to or both, or else a period"
        }),
        checkOrder("from", "to"),
      ),
  )

/** A column that may be null has this modifier for deals without a value. */
const presence = (of: string) =>
  Schema.optional(
    Schema.Literals(["is empty", "is not empty"]).annotate({ description: `Deals without, or with, \`${of}\`.` }),
  )

const truth = (description: string) => Schema.optional(Schema.Boolean.annotate({ description }))

const scoreFilters = Object.fromEntries(
  SCORE_COLUMNS.map((name) => [name, scores(name.slice(3).replaceAll("_", " "))]),
) as { readonly [K in ScoreColumn]: ReturnType<typeof scores> }

/** The filters that combine by AND with each other, under their canonical names. */
const ownFields = {
  searchQuery: Schema.optional(
    Text.check(Schema.isNonEmpty(), Schema.isMaxLength(200)).annotate({
      description: "Fuzzy search on deal names.",
    }),
  ),
  amount: numbers(
    { ...bounds, below: Schema.optionalKey(Schema.Finite) },
    "The deal value; `min` and `max` are inclusive, `below` is exclusive.",
  ),
  amount_filter_type: presence("amount"),
  close_date: dates(CalendarDate, "The close date; both days are inclusive."),
  close_date_filter_type: presence("close_date"),
  created_at: dates(DateOrInstant, "The time of creation. A day is the whole day in the workspace's time zone."),
  updated_at: dates(DateOrInstant, "The time of the last change. A day is the whole day in the workspace's time zone."),
  asked_at: dates(
    DateOrInstant,
    "The time of the association. A day is the whole day in the workspace's time zone. See `feature_ids`.",
  ),
  stage_changed_at: dates(
    DateOrInstant,
    "The time of a stage change. A day is the whole day in the workspace's time zone. See `entered_stages`.",
  ),
  stage_changed_at_filter_type: Schema.optional(
    Schema.Literals(["is empty", "is not empty"]).annotate({
      description: "Deals whose stage changes are unknown, or known.",
    }),
  ),
  slipped_from: dates(
    CalendarDate,
    "An earlier close date of a deal that slipped: the deal closes in a later fiscal quarter now. Both days are inclusive.",
  ),
  slipped_from_filter_type: Schema.optional(
    Schema.Literals(["is empty", "is not empty"]).annotate({
      description: "Deals that did not slip, or that did, since close dates are tracked.",
    }),
  ),
  analyzed: truth("Whether the analysis has run."),
  verified: truth("Whether the analysis is verified."),
  overdue: truth("Whether the deal is open and its close date has passed."),
  first_won: truth(
    "Whether the deal is the first that its client won, by close date, then by id, of all deals of the client.",
  ),
  open_days: numbers(
    { min: Schema.optionalKey(Int4), max: Schema.optionalKey(Int4) },
    "The age of an open deal in days; both ends are inclusive.",
  ),
  crm_filters: crmFilters("the deal's"),
  crm_account_filters: crmFilters("the account's"),
  custom_answers: Schema.optional(
    Schema.Record(Schema.String, Schema.Array(Schema.NullOr(Text)).check(Schema.isNonEmpty(), Schema.isMaxLength(1000)))
      .annotate({
        description: "By custom answer, by id or name: the answers, ignoring case. Null: deals without this answer.",
      })
      .check(namesAreText),
  ),
}

const conditionFields: typeof ownFields & typeof arrayFields & typeof modifierFields & typeof scoreFilters = {
  ...ownFields,
  ...arrayFields,
  ...modifierFields,
  ...scoreFilters,
}

export interface ConditionSchema extends Schema.Struct<typeof conditionFields> {}
const ConditionSchema: ConditionSchema = Schema.Struct(conditionFields).annotate({ identifier: "DealCondition" })

const conjunction = {
  and: Schema.optional(
    Schema.Array(ConditionSchema).check(Schema.isMaxLength(25)).annotate({
      description: "More filters that must hold too, for example two conditions on competitors.",
    }),
  ),
}

/** The filters of GET /deals and of the export, as native values. Null matches only negations. */
export const canonicalFilters: typeof conditionFields & typeof conjunction = { ...conditionFields, ...conjunction }

const truths = (of: string) =>
  Schema.optional(
    Schema.Union([
      Schema.Boolean,
      Schema.Array(Schema.Union([Schema.Boolean, Schema.Literals(["true", "false"])])),
    ]).annotate({
      description: `Older name of \`${of}\`, with a JSON array of the text \`true\` or \`false\`.`,
    }),
  )
const older = (of: string) => values(`Older name of \`${of}\`.`)

/** Older names of filters, still accepted. */
const olderFilters = {
  deal_analyzed: truths("analyzed"),
  analysis_verified: truths("verified"),
  competitor_ids: older("competitors"),
  product_ids: older("product_labels"),
  proposal_due: dates(CalendarDate, "Older name of `close_date`."),
  type: older("deal_type"),
}

/** Maps each older name to the current one. */
export const OLDER_NAMES = {
  deal_analyzed: "analyzed",
  analysis_verified: "verified",
  competitor_ids: "competitors",
  product_ids: "product_labels",
  proposal_due: "close_date",
  type: "deal_type",
} as const satisfies Record<keyof typeof olderFilters, keyof typeof canonicalFilters>

export const filterFields: typeof canonicalFilters & typeof olderFilters = { ...canonicalFilters, ...olderFilters }

export interface DealFiltersSchema extends Schema.Struct<typeof filterFields> {}
export const DealFilters: DealFiltersSchema = Schema.Struct(filterFields).annotate({
  identifier: "DealFilters",
  description: "The filters of GET /deals, as JSON values.",
})
export type DealFilters = typeof DealFilters.Type

export const CanonicalFilters: Schema.Struct<typeof canonicalFilters> = Schema.Struct(canonicalFilters)
/** Filters under their canonical names only, as `canonicalize` returns them. */
type NativeFilters = typeof CanonicalFilters.Type
export interface CanonicalFilters extends NativeFilters {}
/** Filters without `and`. */
export type Condition = typeof ConditionSchema.Type

/** The filters themselves and those in `and`, each with the prefix of its field names. */
export const partsOf = ({ and = [], ...own }: CanonicalFilters): ReadonlyArray<readonly [Condition, string]> => [
  [own, ""],
  ...and.map((part, index) => [part, `and[${index}].`] as const),
]

export const DATE_FILTERS = [
  "close_date",
  "created_at",
  "updated_at",
  "asked_at",
  "stage_changed_at",
  "slipped_from",
] as const
export type DateFilter = (typeof DATE_FILTERS)[number]
