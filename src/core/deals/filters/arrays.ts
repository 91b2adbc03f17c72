import * as Schema from "effect/Schema"
import { Text } from "../../http/values/parameters.ts"

/** How the values of an array filter apply; `is any of` by default. */
export const MODIFIERS = ["is any of", "is not", "is all of", "is empty", "is not empty"] as const
export type Modifier = (typeof MODIFIERS)[number]

/** The tables whose rows a filter names, by id or name, ignoring case. An exact id wins. */
export type NamedTable = "owners" | "stages" | "competitors" | "reasons" | "features" | "segments" | "clients"

interface ArrayFilterSpec {
  readonly description: string
  /** The parameter that says how the values apply; by default the filter's name with `_filter_type`. */
  readonly modifier?: string
  /** The filter's values name rows of this table; an unknown name is an error. */
  readonly names?: NamedTable
  /** The only values that the filter accepts. */
  readonly options?: ReadonlyArray<string>
  /** The table and column of the values that exist, compared folded. Tools of answers refuse others; the API accepts them. */
  readonly valuesIn?: ValueColumn
}

/** Each has a column `folded_<column>` beside it. */
export type ValueColumn = readonly [
  table: "clients" | "deal_product_labels" | "deals" | "features" | "reasons",
  column: string,
]

export const OUTCOMES = ["open", "won", "lost"] as const
export const EFFECTS = ["positive", "negative"] as const
export const SENTIMENTS = ["positive", "negative", "neutral"] as const

/** The filters that take an array of values. Without `names` or `options`, a filter accepts any value, because an import may add it later. */
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
  client_ids: { description: "Accounts, by id or name, ignoring case.", names: "clients" },
  status: {
    description: "Stages, by id or name, ignoring case.",
    modifier: "status_filter_type",
    names: "stages",
  },
  outcome: { description: "The category of the stage.", options: OUTCOMES },
  deal_type: {
    description: "Deal types, ignoring case.",
    modifier: "deal_type_filter_type",
    valuesIn: ["deals", "type"],
  },
  region: {
    description: "Regions, ignoring case.",
    modifier: "region_filter_type",
    valuesIn: ["deals", "region"],
  },
  industry: {
    description: "Industries of the account, ignoring case.",
    modifier: "industry_filter_type",
    valuesIn: ["clients", "industry"],
  },
  product_labels: {
    description: "Products of the deal, ignoring case.",
    modifier: "product_filter_type",
    valuesIn: ["deal_product_labels", "label"],
  },
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
  incumbents: { description: "Incumbent competitors, by id or name, ignoring case.", names: "competitors" },
  driver_ids: {
    description:
      "Reasons among the drivers, by id or name, ignoring case. One driver must meet this, `driver_effect` and `driver_categories`.",
    names: "reasons",
  },
  driver_effect: { description: "Whether the driver helped or hurt. See `driver_ids`.", options: EFFECTS },
  driver_categories: {
    description: "Categories of the driver's reason, ignoring case. See `driver_ids`.",
    valuesIn: ["reasons", "category"],
  },
  feature_ids: {
    description:
      "Features associated with the deal, by id or name, ignoring case. One association must meet this, `products`, " +
      "`product_areas`, `feature_sentiment`, `association_tags` and `asked_at`.",
    names: "features",
  },
  products: {
    description: "Products of the associated feature, ignoring case. See `feature_ids`.",
    valuesIn: ["features", "product"],
  },
  product_areas: {
    description: "Product areas of the associated feature, ignoring case. See `feature_ids`.",
    valuesIn: ["features", "product_area"],
  },
  feature_sentiment: {
    description: "Sentiments of the association; `neutral` has none. See `feature_ids`.",
    options: SENTIMENTS,
  },
  association_tags: { description: "Tags of the association, ignoring case. See `feature_ids`." },
  entered_stages: {
    description:
      "Stages that the deal entered, also by its creation, by id or name, ignoring case. One stage change must meet this, `left_stages` and `stage_changed_at`.",
    names: "stages",
  },
  left_stages: {
    description: "Stages that the deal left, by id or name, ignoring case. See `entered_stages`.",
    names: "stages",
  },
  segment_ids: { description: "Segments that include the deal, by id or name, ignoring case.", names: "segments" },
} as const satisfies Readonly<Record<string, ArrayFilterSpec>>

export type ArrayFilter = keyof typeof ARRAY_FILTERS
export const ARRAY_FILTER_NAMES = Object.keys(ARRAY_FILTERS) as ReadonlyArray<ArrayFilter>

type ModifierOf<K extends ArrayFilter> = (typeof ARRAY_FILTERS)[K] extends { readonly modifier: infer M extends string }
  ? M
  : `${K}_filter_type`

/** The name of each filter's modifier. */
export const MODIFIER_OF = Object.fromEntries(
  Object.entries<ArrayFilterSpec>(ARRAY_FILTERS).map(([name, { modifier }]) => [
    name,
    modifier ?? `${name}_filter_type`,
  ]),
) as { readonly [K in ArrayFilter]: ModifierOf<K> }
export type ModifierName = (typeof MODIFIER_OF)[ArrayFilter]

const anyText = Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400))

/** An optional array of texts or of `options`. */
export const values = <const O extends ReadonlyArray<string> = ReadonlyArray<string>>(
  description: string,
  options?: O,
) =>
  Schema.optional(
    Schema.Array((options === undefined ? anyText : Schema.Literals(options)) as Schema.Codec<O[number]>)
      .check(Schema.isMaxLength(1000))
      .annotate({ description }),
  )

const modifier = (of: string) =>
  Schema.optional(
    Schema.Literals(MODIFIERS).annotate({
      description: `How \`${of}\` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values.`,
    }),
  )

type OptionsOf<K extends ArrayFilter> = (typeof ARRAY_FILTERS)[K] extends {
  readonly options: infer O extends ReadonlyArray<string>
}
  ? O
  : ReadonlyArray<string>

export const arrayFields = Object.fromEntries(
  Object.entries<ArrayFilterSpec>(ARRAY_FILTERS).map(([name, { description, options }]) => [
    name,
    values(description, options),
  ]),
) as unknown as { readonly [K in ArrayFilter]: ReturnType<typeof values<OptionsOf<K>>> }

export const modifierFields = Object.fromEntries(
  ARRAY_FILTER_NAMES.map((name) => [MODIFIER_OF[name], modifier(name)]),
) as { readonly [K in ModifierName]: ReturnType<typeof modifier> }
