import {
  count,
  countIn,
  CYCLE,
  cycle,
  DAY_OF_CREATION,
  DECIDED,
  LOST,
  type Measure,
  measure,
  MEDIAN,
  type More,
  ofAmounts,
  OPEN,
  OVERDUE,
  rate,
  RENEWED,
  scope,
  type StandardMeasure,
  sum,
  TOTAL,
  totalIn,
  UNDECIDED,
  where,
  WITH_CLIENT,
  WON,
  type Words,
} from "./measure.ts"
import { HISTORY_MEASURES } from "./historyMeasures.ts"
import { SCORE_MEASURES } from "./scoreMeasures.ts"

const COMPETITORS = "(select count(*) from deal_competitors c where c.org_id = scope.org and c.deal_id = d.id)"

/** Measures of both reports. */
const SHARED = {
  deals: measure(
    "deals",
    true,
    "count(*)",
    ["deals", "Deals", "The number of deals.", "opportunities, opps, how many"],
    { beside: ["amount"] },
  ),
  clients: measure(
    "clients",
    false,
    "count(distinct d.client_id)",
    ["clients", "Kunden", "The number of different accounts.", "customers, accounts, companies"],
    { scope: WITH_CLIENT, beside: ["deals", "amount"] },
  ),
  amount: measure(
    "currency",
    true,
    TOTAL,
    ["amount", "Betrag", "The sum of the deals' amounts.", "value, revenue, volume, worth"],
    { beside: ["deals"] },
  ),
  amount_open: sum(OPEN, [
    "open pipeline",
    "Offene Pipeline",
    "The sum of the amounts of open deals.",
    "pipeline, pipeline value, open value",
  ]),
  amount_won: sum(WON, [
    "won amount",
    "Gewonnener Betrag",
    "The sum of the amounts of won deals.",
    "won value, won revenue, bookings, closed won",
  ]),
  amount_lost: sum(LOST, [
    "lost amount",
    "Verlorener Betrag",
    "The sum of the amounts of lost deals.",
    "lost value, lost revenue",
  ]),
}

/** The measures of deals. A new one is an entry here and in `test/reports/measureOracle.ts`. */
export const DEAL_MEASURES = {
  ...SHARED,
  open: count(OPEN, ["open", "Offen", "The number of open deals.", "ongoing, active"]),
  won: count(WON, ["won", "Gewonnen", "The number of won deals.", "wins"]),
  lost: count(LOST, ["lost", "Verloren", "The number of lost deals.", "losses"], { isLessBetter: true }),
  decided: count(DECIDED, ["decided", "Entschieden", "The number of won and lost deals.", "closed"]),
  win_rate: rate(
    `${countIn(WON)}::float8`,
    countIn(DECIDED),
    ["win rate", "Gewinnquote", "Won deals divided by won and lost deals.", "close rate, hit rate, conversion"],
    { isProportion: true, beside: ["won", "lost", "decided"] },
  ),
  win_rate_by_amount: rate(
    totalIn(WON),
    totalIn(DECIDED),
    [
      "win rate by amount",
      "Gewinnquote nach Betrag",
      "The amount of won deals divided by the amount of won and lost deals.",
      "win rate by value, win rate by revenue",
    ],
    { beside: ["amount_won", "amount_lost", "decided"] },
  ),
  loss_rate: rate(
    `${countIn(LOST)}::float8`,
    countIn(DECIDED),
    ["loss rate", "Verlustquote", "Lost deals divided by won and lost deals."],
    { isProportion: true, isLessBetter: true, beside: ["lost", "won", "decided"] },
  ),
  renewal_rate: rate(
    `(count(*) filter (where ${RENEWED.sql} and ${WON.sql}))::float8`,
    countIn(RENEWED),
    [
      "renewal rate",
      "Verlängerungsquote",
      "Won divided by won and lost deals of the types in the setting `renewal_types`. Null if no deal has one of these types.",
      "renewal win rate",
    ],
    { scope: RENEWED, setting: "renewal_types", isProportion: true, beside: [] },
  ),
  lost_no_decision: count(
    UNDECIDED,
    [
      "lost without a decision",
      "Ohne Entscheidung verloren",
      "The number of lost deals with a reason of the category in the setting `no_decision`. Null if no reason has this category.",
      "no decision, lost to no decision",
    ],
    { setting: "no_decision", isLessBetter: true, beside: ["lost"] },
  ),
  amount_weighted: measure(
    "currency",
    true,
    `case when bool_or(${OPEN.sql} and s.probability is null) then null
      else coalesce(sum(d.amount * s.probability::numeric) ${where(OPEN)}, 0) end`,
    [
      "weighted pipeline",
      "Gewichtete Pipeline",
      "The amounts of open deals, each multiplied by its stage's `probability`. Null while an open stage of the deals has none.",
      "weighted amount, expected revenue",
    ],
    { scope: OPEN, needsProbability: true, beside: ["amount_open"] },
  ),
  amount_avg: ofAmounts(
    "avg(d.amount)",
    ["average deal size", "Mittlere Dealgröße", "The mean amount of deals that have one.", "deal size"],
    "amount_median",
    "deals",
  ),
  amount_median: ofAmounts(
    `${MEDIAN} (order by d.amount)`,
    ["median deal size", "Median der Dealgröße", "The median amount of deals that have one."],
    "amount_avg",
    "deals",
  ),
  amount_min: ofAmounts("min(d.amount)", ["smallest amount", "Kleinster Betrag", "The smallest amount.", "smallest"]),
  amount_max: ofAmounts("max(d.amount)", [
    "largest amount",
    "Größter Betrag",
    "The largest amount.",
    "largest, biggest",
  ]),
  share_of_deals: measure(
    "fraction",
    true,
    "count(*)",
    ["share of deals", "Anteil der Deals", "The deals divided by all deals of the report.", "share, percentage"],
    { isShare: true },
  ),
  share_of_amount: measure(
    "fraction",
    true,
    TOTAL,
    ["share of the amount", "Anteil am Betrag", "The amount divided by the amount of all deals of the report."],
    { isShare: true },
  ),
  cycle_days_avg: cycle(
    `avg(${CYCLE})`,
    [
      "average sales cycle",
      "Mittlere Verkaufsdauer",
      "The mean days from creation to close date, of decided deals.",
      "cycle length, sales cycle, time to close",
    ],
    "cycle_days_median",
  ),
  cycle_days_median: cycle(
    `${MEDIAN} (order by ${CYCLE})`,
    [
      "median sales cycle",
      "Median der Verkaufsdauer",
      "The median days from creation to close date, of decided deals.",
    ],
    "cycle_days_avg",
  ),
  age_days_avg: measure(
    "days",
    false,
    `avg({today}::date - ${DAY_OF_CREATION}) ${where(OPEN)}`,
    ["average age", "Mittleres Alter", "The mean days since creation, of open deals.", "age"],
    { scope: OPEN, isLessBetter: true, beside: ["deals"] },
  ),
  overdue: count(OVERDUE, [
    "overdue deals",
    "Überfällige Deals",
    "The number of open deals whose close date has passed.",
    "late",
  ]),
  amount_overdue: sum(OVERDUE, [
    "overdue amount",
    "Überfälliger Betrag",
    "The sum of the amounts of overdue deals.",
    "late value",
  ]),
  competitors_avg: measure("competitors", false, `avg(${COMPETITORS})`, [
    "average number of competitors",
    "Mittlere Zahl der Wettbewerber",
    "The mean number of competitors of a deal, also of deals without one.",
    "competitors per deal",
  ]),
  ...HISTORY_MEASURES,
  ...SCORE_MEASURES,
} satisfies Readonly<Record<string, StandardMeasure>>
export type DealMeasure = keyof typeof DEAL_MEASURES

const mentions = (name: string, words: Words, more: More) =>
  measure("mentions", true, `coalesce(sum(a.${name}), 0)`, words, more)
const ofSentiment = (name: string, words: Words, more: More = {}) =>
  mentions(name, words, {
    scope: scope(`deals_${name}`, `a.${name} > 0`, { feature_sentiment: [name] }),
    ...more,
  })

export const ASSOCIATION_MEASURES = {
  mentions: mentions(
    "mentions",
    ["mentions", "Nennungen", "The number of associations of a feature with a deal.", "requests, mentioned, asked for"],
    { beside: ["deals", "amount"] },
  ),
  positive: ofSentiment(
    "positive",
    ["positive mentions", "Positive Nennungen", "The number of positive associations.", "praised, liked"],
    { beside: ["negative", "mentions", "deals"] },
  ),
  negative: ofSentiment(
    "negative",
    ["negative mentions", "Negative Nennungen", "The number of negative associations.", "complaints, missing"],
    { isLessBetter: true, beside: ["positive", "mentions", "deals"] },
  ),
  neutral: ofSentiment("neutral", [
    "neutral mentions",
    "Neutrale Nennungen",
    "The number of associations without a sentiment.",
  ]),
  ...SHARED,
} satisfies Readonly<Record<string, StandardMeasure>>
export type AssociationMeasure = keyof typeof ASSOCIATION_MEASURES

export type MeasureName = DealMeasure | AssociationMeasure

export type Subject = "deals" | "associations"

/** The measures of each report; that of deals has `custom_metric_<name>_avg` too. */
export const MEASURES: Readonly<Record<Subject, Readonly<Record<string, StandardMeasure>>>> = {
  deals: DEAL_MEASURES,
  associations: ASSOCIATION_MEASURES,
}

export const DEFAULT_MEASURE = { deals: "deals", associations: "mentions" } as const satisfies Record<
  Subject,
  MeasureName
>

export const CUSTOM_METRIC = /^custom_metric_(.+)_avg$/s

export const customMetric = (name: string): Measure => ({
  unit: "score",
  additive: false,
  label: `average ${name} score`,
  german: name,
  definition: `The mean score of the custom metric ${name}.`,
  synonyms: [name.toLowerCase()],
})

/** Finds a measure by its name. A custom metric's words are its name. Undefined if no measure has this name. */
export const measureOf = (name: string): Measure | undefined => {
  const metric = CUSTOM_METRIC.exec(name)?.[1]
  return metric === undefined
    ? (MEASURES.deals[name] ?? MEASURES.associations[name])
    : customMetric(metric.replaceAll("_", " "))
}
