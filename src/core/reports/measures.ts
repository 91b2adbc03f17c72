import { METRICS, SCORE_COLUMNS } from "../deals/metrics.ts"

export type Unit = "deals" | "mentions" | "clients" | "currency" | "fraction" | "days" | "score"

/** A number that a report computes for each group. `measureSql.ts` has its SQL. */
export interface Measure {
  readonly unit: Unit
  /** The groups' values add up to the total, unless a deal is in several groups. */
  readonly additive: boolean
  /** As answers write it, in lower case. */
  readonly label: string
  readonly definition: string
  /** Other words that people use for it, in lower case. */
  readonly synonyms: ReadonlyArray<string>
}

const measure = (
  unit: Unit,
  additive: boolean,
  label: string,
  definition: string,
  ...synonyms: ReadonlyArray<string>
): Measure => ({ unit, additive, label, definition, synonyms })

const count = (label: string, definition: string, ...synonyms: ReadonlyArray<string>) =>
  measure("deals", true, label, definition, ...synonyms)
const sum = (label: string, definition: string, ...synonyms: ReadonlyArray<string>) =>
  measure("currency", true, label, definition, ...synonyms)

/** Measures of both reports. */
const SHARED = {
  deals: count("deals", "The number of deals.", "opportunities", "opps", "how many"),
  clients: measure(
    "clients",
    false,
    "clients",
    "The number of different accounts.",
    "customers",
    "accounts",
    "companies",
  ),
  amount: sum("amount", "The sum of the deals' amounts.", "value", "revenue", "volume", "worth"),
  amount_open: sum(
    "open pipeline",
    "The sum of the amounts of open deals.",
    "pipeline",
    "pipeline value",
    "open value",
  ),
  amount_won: sum(
    "won amount",
    "The sum of the amounts of won deals.",
    "won value",
    "won revenue",
    "bookings",
    "closed won",
  ),
  amount_lost: sum("lost amount", "The sum of the amounts of lost deals.", "lost value", "lost revenue"),
} as const satisfies Readonly<Record<string, Measure>>

export const DEAL_MEASURES = {
  ...SHARED,
  open: count("open", "The number of open deals.", "ongoing", "active"),
  won: count("won", "The number of won deals.", "wins"),
  lost: count("lost", "The number of lost deals.", "losses"),
  decided: count("decided", "The number of won and lost deals.", "closed"),
  win_rate: measure(
    "fraction",
    false,
    "win rate",
    "Won deals divided by won and lost deals.",
    "close rate",
    "hit rate",
    "conversion",
  ),
  win_rate_by_amount: measure(
    "fraction",
    false,
    "win rate by amount",
    "The amount of won deals divided by the amount of won and lost deals.",
    "win rate by value",
    "win rate by revenue",
  ),
  loss_rate: measure("fraction", false, "loss rate", "Lost deals divided by won and lost deals."),
  amount_avg: measure("currency", false, "average deal size", "The mean amount of deals that have one.", "deal size"),
  amount_median: measure("currency", false, "median deal size", "The median amount of deals that have one."),
  amount_min: measure("currency", false, "smallest amount", "The smallest amount.", "smallest"),
  amount_max: measure("currency", false, "largest amount", "The largest amount.", "largest", "biggest"),
  share_of_deals: measure(
    "fraction",
    true,
    "share of deals",
    "The deals divided by all deals of the report.",
    "share",
    "percentage",
  ),
  share_of_amount: measure(
    "fraction",
    true,
    "share of the amount",
    "The amount divided by the amount of all deals of the report.",
  ),
  cycle_days_avg: measure(
    "days",
    false,
    "average sales cycle",
    "The mean days from creation to close date, of decided deals.",
    "cycle length",
    "sales cycle",
    "time to close",
  ),
  cycle_days_median: measure(
    "days",
    false,
    "median sales cycle",
    "The median days from creation to close date, of decided deals.",
  ),
  age_days_avg: measure("days", false, "average age", "The mean days since creation, of open deals.", "age"),
  overdue: count("overdue deals", "The number of open deals whose close date has passed.", "late", "slipped"),
  amount_overdue: sum("overdue amount", "The sum of the amounts of overdue deals.", "late value"),
  ...(Object.fromEntries(
    METRICS.map((metric, index) => {
      const words = metric.replaceAll("_", " ")
      return [
        `${SCORE_COLUMNS[index]}_avg`,
        measure("score", false, `average ${words} score`, `The mean score for ${words}, 1 to 5.`, words),
      ]
    }),
  ) as { readonly [M in (typeof METRICS)[number] as `wl_${M}_score_avg`]: Measure }),
} as const satisfies Readonly<Record<string, Measure>>
export type DealMeasure = keyof typeof DEAL_MEASURES

const mentions = (label: string, definition: string, ...synonyms: ReadonlyArray<string>) =>
  measure("mentions", true, label, definition, ...synonyms)

export const ASSOCIATION_MEASURES = {
  mentions: mentions(
    "mentions",
    "The number of associations of a feature with a deal.",
    "requests",
    "mentioned",
    "asked for",
  ),
  positive: mentions("positive mentions", "The number of positive associations.", "praised", "liked"),
  negative: mentions("negative mentions", "The number of negative associations.", "complaints", "missing"),
  neutral: mentions("neutral mentions", "The number of associations without a sentiment."),
  ...SHARED,
} as const satisfies Readonly<Record<string, Measure>>
export type AssociationMeasure = keyof typeof ASSOCIATION_MEASURES

export type MeasureName = DealMeasure | AssociationMeasure

export type Subject = "deals" | "associations"

/** The measures of each report; that of deals has `custom_metric_<name>_avg` too. */
export const MEASURES: Readonly<Record<Subject, Readonly<Record<string, Measure>>>> = {
  deals: DEAL_MEASURES,
  associations: ASSOCIATION_MEASURES,
}

export const DEFAULT_MEASURE = { deals: "deals", associations: "mentions" } as const satisfies Record<
  Subject,
  MeasureName
>

export const CUSTOM_METRIC = /^custom_metric_(.+)_avg$/s

export const customMetric = (name: string): Measure =>
  measure("score", false, `average ${name} score`, `The mean score of the custom metric ${name}.`, name.toLowerCase())
