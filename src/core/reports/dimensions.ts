import type { Subject } from "./measures.ts"

export const GRAINS = ["day", "week", "month", "quarter", "year"] as const
export type Grain = (typeof GRAINS)[number]

/** A property of deals or associations by which a report groups. `dimensionSql.ts` has its SQL. */
export interface Dimension {
  readonly definition: string
  /** Other words for a dimension that `words.ts` does not have. */
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
  outcome: one("open, won or lost: the category of the stage"),
  status: one("the stage"),
  owner: one("the owner"),
  collaborator: several("people who work on the deal besides its owner"),
  client: one("the account"),
  industry: one("the account's industry"),
  region: one("the region"),
  deal_type: one("the deal's type"),
  product_label: several("the products in the deal"),
  segment: several("the segments that include the deal"),
  competitor: several("the competitors in the deal"),
  primary_competitor: several("the primary competitor"),
  incumbent: several("the incumbent competitors"),
  driver: several("the reasons that influenced the deal"),
  driver_category: several("the categories of these reasons"),
  driver_effect: several("whether a reason helped (positive) or hurt (negative)"),
  feature: several("the product features that came up"),
  product: several("the products of these features"),
  product_area: several("the product areas of these features"),
  amount_band: one("the size: under 10 k, 10-25 k, 25-50 k, 50-100 k, 100-250 k, 250 k-1 m, over 1 m"),
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
  association_tag: several("the association's tags"),
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
