import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { SCORE_COLUMNS } from "../deals/metrics.ts"
import type { Calendar } from "../deals/periods.ts"
import { zoneLiteral } from "../storage/timeZone.ts"
import type { DealMeasure, MeasureName } from "./measures.ts"

/**
 * The SQL of a measure over a group's deals: `d`, each once, with its stage `s` and, in a report of associations, the counts of its
 * associations in the group, `a`.
 */
interface MeasureSql {
  readonly sql: string
  readonly needsStage?: true
}

const plain = (sql: string): MeasureSql => ({ sql })
const staged = (sql: string): MeasureSql => ({ sql, needsStage: true })

const DECIDED = "s.category in ('won', 'lost')"
const total = (column: string, condition?: string) =>
  `coalesce(sum(${column})${condition === undefined ? "" : ` filter (where ${condition})`}, 0)`
const number = (condition: string) => staged(`count(*) filter (where ${condition})`)
const amountOf = (condition: string) => staged(total("d.amount", condition))
const DAY_OF_CREATION = "(d.created_at at time zone {zone})::date"
const OVERDUE = "s.category = 'open' and d.close_date < {today}::date"
const median = (of: string, condition: string) =>
  `percentile_cont(0.5) within group (order by ${of}) filter (where ${condition})`

const scores = Object.fromEntries(
  SCORE_COLUMNS.map((column) => [`${column}_avg`, plain(`avg(d.${column})`)]),
) as unknown as Readonly<Record<Extract<DealMeasure, `wl_${string}`>, MeasureSql>>

/** Shares are divided later, by the totals. */
const MEASURE_SQL: Readonly<Record<MeasureName, MeasureSql>> = {
  deals: plain("count(*)"),
  clients: plain("count(distinct d.client_id)"),
  open: number("s.category = 'open'"),
  won: number("s.category = 'won'"),
  lost: number("s.category = 'lost'"),
  decided: number(DECIDED),
  win_rate: staged(
    `count(*) filter (where s.category = 'won')::float8 / nullif(count(*) filter (where ${DECIDED}), 0)`,
  ),
  win_rate_by_amount: staged(`${total("d.amount", "s.category = 'won'")} / nullif(${total("d.amount", DECIDED)}, 0)`),
  loss_rate: staged(
    `count(*) filter (where s.category = 'lost')::float8 / nullif(count(*) filter (where ${DECIDED}), 0)`,
  ),
  amount: plain(total("d.amount")),
  amount_open: amountOf("s.category = 'open'"),
  amount_won: amountOf("s.category = 'won'"),
  amount_lost: amountOf("s.category = 'lost'"),
  amount_avg: plain("avg(d.amount)"),
  amount_median: plain("percentile_cont(0.5) within group (order by d.amount)"),
  amount_min: plain("min(d.amount)"),
  amount_max: plain("max(d.amount)"),
  share_of_deals: plain("count(*)"),
  share_of_amount: plain(total("d.amount")),
  cycle_days_avg: staged(`avg(d.close_date - ${DAY_OF_CREATION}) filter (where ${DECIDED})`),
  cycle_days_median: staged(median(`d.close_date - ${DAY_OF_CREATION}`, DECIDED)),
  age_days_avg: staged(`avg({today}::date - ${DAY_OF_CREATION}) filter (where s.category = 'open')`),
  overdue: number(OVERDUE),
  amount_overdue: amountOf(OVERDUE),
  ...scores,
  mentions: plain(total("a.mentions")),
  positive: plain(total("a.positive")),
  negative: plain(total("a.negative")),
  neutral: plain(total("a.neutral")),
}

/**
 * The measure's value as a double; null if there is nothing to compute it from. If `isExact`, amounts are added as `numeric`, some five times
 * slower, and a value beyond the range of a double is infinite. Otherwise the statement fails then.
 */
export const measureSql = (
  sql: SqlClient,
  name: MeasureName,
  { today, timezone }: Pick<Calendar, "today" | "timezone">,
  isExact: boolean,
): Fragment => {
  const text = isExact ? exact(MEASURE_SQL[name].sql) : `(${MEASURE_SQL[name].sql})::float8`
  const [first = "", ...rest] = text.replaceAll("{zone}", zoneLiteral(timezone)).split("{today}")
  return rest.reduce((all, part) => sql`${all}${today}${sql.literal(part)}`, sql`${sql.literal(first)}`)
}

const exact = (text: string): string => {
  // A median or extreme is one of the amounts, or between two.
  if (!/(?:sum|avg)\(d\.amount/.test(text)) return `(${text})::float8`
  const value = `(${text.replaceAll("d.amount", "d.amount::numeric").replaceAll("::float8", "")})`
  return `case when abs(${value}) > 1.797e308 then 'infinity' else ${value}::float8 end`
}

export const needsStage = (name: MeasureName): boolean => MEASURE_SQL[name].needsStage === true

/** The mean score of a custom metric. */
export const customMetricSql = (sql: SqlClient, id: string, isExact: boolean): Fragment =>
  sql`avg(case when jsonb_typeof(d.custom_metrics -> ${id}::text -> 'score') = 'number'
    then (d.custom_metrics -> ${id}::text ->> 'score')::${sql.literal(isExact ? "numeric" : "float8")} end)::float8`

/** The associations of one deal in one group, counted, as columns of `a`. */
export const ASSOCIATION_COUNTS = `count(*) as mentions, count(*) filter (where x.sentiment) as positive,
  count(*) filter (where not x.sentiment) as negative, count(*) filter (where x.sentiment is null) as neutral`
