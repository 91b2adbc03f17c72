import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { FIRST_WON } from "../deals/conditions/firstWon.ts"
import type { Calendar } from "../deals/filters/periods.ts"
import type { RelationName } from "../deals/filters/relations.ts"
import { zoneLiteral } from "../storage/timeZone.ts"

/**
 * The value of a measure's SQL as a double, with the folded values of its setting; null if there is nothing to compute it from. If `isExact`, amounts are added as `numeric`, some
 * five times slower, and a value beyond the range of a double is infinite. Otherwise the statement fails then.
 */
export const measureSql = (
  sql: SqlClient,
  given: string,
  { today, timezone }: Pick<Calendar, "today" | "timezone">,
  isExact: boolean,
  setting: ReadonlyArray<string> = [],
): Fragment => {
  const text = isExact ? exact(given) : `(${given})::float8`
  const values = { today: () => sql`${today}`, setting: () => sql`${[...setting]}::text[]` }
  const [first = "", ...rest] = text.replaceAll("{zone}", zoneLiteral(timezone)).split(/\{(today|setting)\}/)
  // Names of values and texts alternate.
  return rest.reduce(
    (all, part, index) => sql`${all}${index % 2 === 0 ? values[part as keyof typeof values]() : sql.literal(part)}`,
    sql`${sql.literal(first)}`,
  )
}

const exact = (text: string): string => {
  // A median or extreme is one of the amounts, or between two.
  if (!/(?:sum|avg)\(d\.amount/.test(text)) return `(${text})::float8`
  const value = `(${text.replaceAll("d.amount", "d.amount::numeric").replaceAll("::float8", "")})`
  return `case when abs(${value}) > 1.797e308 then 'infinity' else ${value}::float8 end`
}

/** Beside the deal, the SQL of measures may read its stage `s`, itself as `f` if it is the first that its client won, its stage changes `c` and its slips `h`. */
const JOINED = {
  s: "left join stages s on s.org_id = scope.org and s.id = d.status_id",
  f: `left join (${FIRST_WON}) f on f.id = d.id`,
  // Rows of the deal, which the report's filters and groups limit.
  c: "",
  h: "",
} as const
export type Joined = keyof typeof JOINED

const READS: ReadonlyArray<readonly [Joined, RegExp]> = [
  ["s", /\bs\.category\b/],
  ["f", /\bf\.id\b/],
  ["c", /\bc\.(?:entered|exited)\b/],
  ["h", /\bh\.slipped\b/],
]

/** The tables that the SQL of a measure reads. */
export const findJoins = (sql: string): ReadonlyArray<Joined> =>
  READS.flatMap(([name, pattern]) => (pattern.test(sql) ? [name] : []))

/** The joins that these measures need. */
export const joinsFor = (
  measures: ReadonlyArray<{ readonly joins: ReadonlyArray<Joined> }>,
  more: ReadonlyArray<Joined> = [],
) => [...new Set([...more, ...measures.flatMap(({ joins }) => joins)])].map((name) => JOINED[name]).join(" ")

/** The mean score of a custom metric. */
export const customMetricSql = (sql: SqlClient, id: string, isExact: boolean): Fragment =>
  sql`avg(case when jsonb_typeof(d.custom_metrics -> ${id}::text -> 'score') = 'number'
    then (d.custom_metrics -> ${id}::text ->> 'score')::${sql.literal(isExact ? "numeric" : "float8")} end)::float8`

const isStage = (id: string) => `x.${id} in (select n.id from stages n where n.org_id = scope.org)`
/** The relations that measures read, by the alias of their rows: what these say of one deal in one group. */
export const COUNTED = {
  c: {
    relation: "stage_changes",
    columns: `bool_or(${isStage("status_id")}) as entered, bool_or(${isStage("previous_status_id")}) as exited`,
  },
  h: { relation: "slips", columns: "true as slipped" },
} as const satisfies Readonly<Record<string, { readonly relation: RelationName; readonly columns: string }>>

/** The associations of one deal in one group, counted, as columns of `a`. */
export const ASSOCIATION_COUNTS = `count(*) as mentions, count(*) filter (where x.sentiment) as positive,
  count(*) filter (where not x.sentiment) as negative, count(*) filter (where x.sentiment is null) as neutral`
