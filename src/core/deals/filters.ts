import * as Schema from "effect/Schema"
import { CalendarDate, DateOrInstant, Text } from "../http/parameters.ts"
import { SCORE_COLUMNS, type ScoreColumn } from "./metrics.ts"

/** How the values of an array filter apply; `is any of` by default. */
const MODIFIERS = ["is any of", "is not", "is all of", "is empty", "is not empty"] as const
export type Modifier = (typeof MODIFIERS)[number]

/** Operators of CRM filters. */
const OPERATORS = [
  "is",
  "is not",
  "is greater than",
  "is less than",
  "is greater than or equal to",
  "is less than or equal to",
  "is before",
  "is after",
  "contains",
  "does not contain",
] as const
export type Operator = (typeof OPERATORS)[number]

/** Account properties with a column of their own, which `{"map_to": …}` names. */
export const ACCOUNT_COLUMNS = ["name", "industry", "website_url"] as const

const values = (description: string) =>
  Schema.optional(
    Schema.Array(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400)))
      .check(Schema.isMaxLength(1000))
      .annotate({ description }),
  )

const range = <A extends Schema.Codec<any, any>, const From extends string, const To extends string>(
  from: From,
  to: To,
  value: A,
  description: string,
) =>
  Schema.optional(
    Schema.Struct({ [from]: Schema.optionalKey(value), [to]: Schema.optionalKey(value) } as {
      readonly [K in From | To]: Schema.optionalKey<A>
    })
      .annotate({ description })
      .check(
        Schema.makeFilter((bounds) => {
          const low = (bounds as Bounds)[from]
          const high = (bounds as Bounds)[to]
          if (low === undefined && high === undefined) return `must have ${from}, ${to} or both`
          return isOrdered(low, high) || `must have ${from} no greater than ${to}`
        }),
      ),
  )

type Bounds = { readonly [bound: string]: number | string | undefined }

const isOrdered = (low: number | string | undefined, high: number | string | undefined): boolean => {
  if (low === undefined || high === undefined) return true
  if (typeof low === "number" || typeof high === "number") return low <= high
  return Date.parse(low) < Date.parse(high) + (high.length === 10 ? DAY_MS : 1)
}

const DAY_MS = 86_400_000

const amounts = (what: string) => range("min", "max", Schema.Finite, `The ${what}; both ends are inclusive.`)

const CrmFilter = Schema.Struct({
  property: Schema.Union([
    Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400)),
    Schema.Struct({
      id: Schema.optionalKey(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400))),
      map_to: Schema.Literals(ACCOUNT_COLUMNS),
    }),
  ]).annotate({
    description: "A CRM property's id. For an account's name, industry or website, an object with `map_to`.",
  }),
  operator: Schema.Literals(OPERATORS),
  value: Schema.Union([Text.check(Schema.isMaxLength(2000)), Schema.Finite, Schema.Boolean]),
  crm: Schema.optionalKey(Schema.Literals(["crm_one", "crm_two"])),
}).annotate({ identifier: "CrmFilter" })
export type CrmFilter = typeof CrmFilter.Type

const crmFilters = (what: string) =>
  Schema.optional(
    Schema.Array(CrmFilter)
      .check(Schema.isMaxLength(50))
      .annotate({ description: `Conditions on ${what} CRM properties; all must hold.` }),
  )

const modifier = (of: string) =>
  Schema.optional(
    Schema.Literals(MODIFIERS).annotate({ description: `How \`${of}\` applies; 'is any of' by default.` }),
  )

const truth = (description: string) => Schema.optional(Schema.Boolean.annotate({ description }))

const scoreFilters = Object.fromEntries(
  SCORE_COLUMNS.map((name) => [name, amounts(name.slice(3).replaceAll("_", " "))]),
) as { readonly [K in ScoreColumn]: ReturnType<typeof amounts> }

/** The tables whose rows a filter names, by id or name, ignoring case. */
export type NamedTable = "owners" | "stages" | "competitors" | "reasons" | "features" | "segments"

interface ArrayFilterSpec {
  readonly description: string
  /** The parameter that says how the values apply. */
  readonly modifier?: string
  /** The filter's values name rows of this table; an unknown name is an error. */
  readonly names?: NamedTable
}

/** The filters that take an array of values. Without `names`, a filter accepts any value, because an import may add it later. */
export const ARRAY_FILTERS = {
  deal_ids: { description: "Deal ids." },
  crm_one_ids: { description: "Opportunity ids in the first CRM." },
  crm_two_ids: { description: "Deal ids in the second CRM." },
  owner_ids: {
    description: "Owners, by id or name, ignoring case.",
    modifier: "owner_filter_type",
    names: "owners",
  },
  collaborators: {
    description: "Collaborating owners, by id or name, ignoring case.",
    modifier: "collaborator_filter_type",
    names: "owners",
  },
  status: {
    description: "Stages, by id or name, ignoring case.",
    modifier: "status_filter_type",
    names: "stages",
  },
  deal_type: { description: "Deal types, ignoring case.", modifier: "deal_type_filter_type" },
  region: { description: "Regions, ignoring case.", modifier: "region_filter_type" },
  industry: { description: "Industries of the account, ignoring case.", modifier: "industry_filter_type" },
  product_labels: { description: "Products of the deal, ignoring case.", modifier: "product_filter_type" },
  competitors: {
    description: "Competitors, by id or name, ignoring case.",
    modifier: "competitors_filter_type",
    names: "competitors",
  },
  primary_competitors: {
    description: "Primary competitors, by id or name, ignoring case.",
    modifier: "primary_competitor_filter_type",
    names: "competitors",
  },
  driver_ids: { description: "Reasons among the drivers, by id or name, ignoring case.", names: "reasons" },
  feature_ids: {
    description: "Features associated with the deal, by id or name, ignoring case.",
    names: "features",
  },
  segment_ids: { description: "Segments that include the deal, by id or name, ignoring case.", names: "segments" },
} as const satisfies Readonly<Record<string, ArrayFilterSpec>>

export type ArrayFilter = keyof typeof ARRAY_FILTERS
export const ARRAY_FILTER_NAMES = Object.keys(ARRAY_FILTERS) as ReadonlyArray<ArrayFilter>

/** Array filters that take a modifier. */
export type ModifiedFilter = {
  [K in ArrayFilter]: (typeof ARRAY_FILTERS)[K] extends { readonly modifier: string } ? K : never
}[ArrayFilter]
const MODIFIED_NAMES = ARRAY_FILTER_NAMES.filter((name): name is ModifiedFilter => "modifier" in ARRAY_FILTERS[name])

/** For each filter that takes a modifier, the modifier's name. */
export const MODIFIER_OF = Object.fromEntries(MODIFIED_NAMES.map((name) => [name, ARRAY_FILTERS[name].modifier])) as {
  readonly [K in ModifiedFilter]: (typeof ARRAY_FILTERS)[K]["modifier"]
}

const arrayFilters = Object.fromEntries(
  ARRAY_FILTER_NAMES.map((name) => [name, values(ARRAY_FILTERS[name].description)]),
) as { readonly [K in ArrayFilter]: ReturnType<typeof values> }

const modifiers = Object.fromEntries(MODIFIED_NAMES.map((name) => [MODIFIER_OF[name], modifier(name)])) as {
  readonly [K in ModifiedFilter as (typeof MODIFIER_OF)[K]]: ReturnType<typeof modifier>
}

/** The filters of GET /deals and of the export, as native values. Null matches only negations. */
export const canonicalFilters = {
  searchQuery: Schema.optional(
    Text.check(Schema.isNonEmpty(), Schema.isMaxLength(200)).annotate({
      description: "Fuzzy search on deal names.",
    }),
  ),
  ...arrayFilters,
  ...modifiers,
  amount: amounts("deal value"),
  ...scoreFilters,
  close_date: range("from", "to", CalendarDate, "The close date; both days are inclusive."),
  created_at: range("from", "to", DateOrInstant, "The time of creation. A day as `to` is inclusive, in UTC."),
  updated_at: range("from", "to", DateOrInstant, "The time of the last change. A day as `to` is inclusive, in UTC."),
  analyzed: truth("Whether the analysis has run."),
  verified: truth("Whether the analysis is verified."),
  crm_filters: crmFilters("the deal's"),
  crm_account_filters: crmFilters("the account's"),
}

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
  proposal_due: range("from", "to", CalendarDate, "Older name of `close_date`."),
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

export const filterFields = { ...canonicalFilters, ...olderFilters }

export const DealFilters = Schema.Struct(filterFields).annotate({
  identifier: "DealFilters",
  description: "The filters of GET /deals, as JSON values.",
})
export type DealFilters = typeof DealFilters.Type

const CanonicalFilters = Schema.Struct(canonicalFilters)
/** Filters under their canonical names only, as `canonicalize` returns them. */
export type CanonicalFilters = typeof CanonicalFilters.Type
