import type { Subject } from "./measures.ts"

export const GRAINS = ["day", "week", "month", "quarter", "year"] as const
export type Grain = (typeof GRAINS)[number]

/** A property of deals or associations by which a report groups. `dimensionSql.ts` has its SQL. */
export interface Dimension {
  readonly definition: string
  /** Other words that people use for it, in lower case. */
  readonly synonyms: ReadonlyArray<string>
  /** A deal can be in several groups. */
  readonly several?: true
  /** A date, which takes a grain: `close_date.quarter`. */
  readonly dated?: true
}

const one = (definition: string, ...synonyms: ReadonlyArray<string>) => ({ definition, synonyms })
const several = (definition: string, ...synonyms: ReadonlyArray<string>) =>
  ({ definition, synonyms, several: true }) as const
const dated = (definition: string, ...synonyms: ReadonlyArray<string>) =>
  ({ definition, synonyms, dated: true }) as const

export const DEAL_DIMENSIONS = {
  outcome: one("open, won or lost: the category of the stage", "result"),
  status: one("the stage", "stage", "stages"),
  owner: one("the owner", "owners", "rep", "reps", "seller", "salesperson", "account executive"),
  collaborator: several("people who work on the deal besides its owner", "collaborators"),
  client: one("the account", "clients", "customer", "customers", "account", "accounts", "company"),
  industry: one("the account's industry", "industries", "sector", "vertical"),
  region: one("the region", "regions", "territory", "market"),
  deal_type: one("the deal's type", "type", "types", "deal types"),
  product_label: several("the products in the deal", "product", "products"),
  segment: several("the segments that include the deal", "segments"),
  competitor: several("the competitors in the deal", "competitors", "rival", "rivals", "competition"),
  primary_competitor: several("the primary competitor", "main competitor"),
  incumbent: several("the incumbent competitors", "incumbents", "existing vendor"),
  driver: several("the reasons that influenced the deal", "reason", "reasons", "drivers", "why"),
  driver_category: several("the categories of these reasons", "reason category"),
  driver_effect: several("whether a reason helped (positive) or hurt (negative)", "effect", "side"),
  feature: several("the product features that came up", "features", "feature request"),
  product: several("the products of these features", "feature product"),
  product_area: several("the product areas of these features", "area", "areas"),
  amount_band: one("the size: under 10 k, 10-25 k, 25-50 k, 50-100 k, 100-250 k, 250 k-1 m, over 1 m", "size", "band"),
  analyzed: one("whether the analysis has run"),
  close_date: dated("the expected or actual close date", "closed", "closing"),
  created_at: dated("the time of creation", "created", "opened"),
  updated_at: dated("the time of the last change", "updated"),
} as const satisfies Readonly<Record<string, Dimension>>
export type DealDimension = keyof typeof DEAL_DIMENSIONS

export const ASSOCIATION_DIMENSIONS = {
  ...DEAL_DIMENSIONS,
  // An association has one feature; a deal has several.
  sentiment: several("the association's sentiment: positive, negative or neutral", "feeling"),
  association_tag: several("the association's tags", "tag", "tags"),
  asked_at: { ...dated("the time of the association", "asked", "requested"), several: true },
} as const satisfies Readonly<Record<string, Dimension>>
export type DimensionName = keyof typeof ASSOCIATION_DIMENSIONS

/**
 * The dimensions of each report, besides `crm_<property>`, `crm_crm_one_account_<property>`, `crm_crm_two_account_<property>` and
 * `custom_answer_<name>`.
 */
export const DIMENSIONS: Readonly<Record<Subject, Readonly<Record<string, Dimension>>>> = {
  deals: DEAL_DIMENSIONS,
  associations: ASSOCIATION_DIMENSIONS,
}

/** The bounds between amount bands. A band includes its lower bound. */
export const BAND_BOUNDS = [10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000] as const
export const BAND_NAMES = [
  "under 10 k",
  "10-25 k",
  "25-50 k",
  "50-100 k",
  "100-250 k",
  "250 k-1 m",
  "over 1 m",
] as const
