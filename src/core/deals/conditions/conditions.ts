import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { fold } from "../../common/fold.ts"
import { moveIntoYears } from "../../http/values/bounds.ts"
import { arrayFilters, ownCondition } from "./arrays.ts"
import { ARRAY_FILTER_NAMES, type ArrayFilter, MODIFIER_OF, type ModifierName } from "../filters/arrays.ts"
import { crmCondition } from "./crm.ts"
import { findByIdOrName } from "../names/dynamic.ts"
import type { FilterContext } from "./context.ts"
import { FIRST_WON } from "./firstWon.ts"
import { type CanonicalFilters, type Condition, type DateFilter, partsOf } from "../filters/filters.ts"
import { SCORE_COLUMNS, type ScoreColumn } from "../columns/metrics.ts"
import { addDays, type Calendar, resolvePeriod } from "../filters/periods.ts"
import { during } from "../../storage/timeZone.ts"
import { type GivenRowFilter, relationConditions, type RowFilters } from "./relations.ts"
import { type RelationName, RELATIONS } from "../filters/relations.ts"

/**
 * The conditions of `filters` over `deals d`, except the `searchQuery` at the top, which changes the `from` clause (`source`). Every
 * subquery names the organization by `scope.org`, so they work only inside `Database.scoped`.
 */
export const conditions = (
  sql: SqlClient,
  filters: CanonicalFilters,
  context: FilterContext,
): ReadonlyArray<Fragment> =>
  partsOf(filters).flatMap(([part, prefix]) => [
    ...(prefix === "" ? [] : namedLike(sql, part)),
    ...makeConditions(sql, part, context),
  ])

const namedLike = (sql: SqlClient, { searchQuery }: Condition): ReadonlyArray<Fragment> =>
  searchQuery === undefined ? [] : [sql`d.id in (select m.id from deals_named_like(scope.org, ${fold(searchQuery)}) m)`]

const makeConditions = (sql: SqlClient, part: Condition, context: FilterContext): ReadonlyArray<Fragment> => {
  const { own, onRows } = arrayConditions(sql, part, context)
  const plain = PLAIN_FILTERS.flatMap((name) => {
    const value = part[name]
    return value === undefined ? [] : (PLAIN[name] as Plain<unknown>)(sql, value, context)
  })
  return [...own, ...[...onRows.values()].flatMap((each) => relationConditions(sql, each)), ...plain]
}

/** The filters on rows of the deal, by relation. */
export const makeRowFilters = (
  sql: SqlClient,
  part: Condition,
  context: FilterContext,
): ReadonlyMap<RelationName, RowFilters> => arrayConditions(sql, part, context).onRows

const arrayConditions = (sql: SqlClient, part: Condition, context: FilterContext) => {
  const own: Array<Fragment> = []
  const onRows = new Map<
    RelationName,
    { relation: RelationName; given: Array<GivenRowFilter>; others: Array<Fragment> }
  >()
  const rowsOf = (relation: RelationName) => {
    const found = onRows.get(relation) ?? { relation, given: [], others: [] }
    onRows.set(relation, found)
    return found
  }
  const filters = arrayFilters(sql, context, inSegment)
  for (const name of ARRAY_FILTER_NAMES) {
    const values = part[name] ?? []
    const modifier = part[MODIFIER_OF[name]] ?? "is any of"
    if (part[name] === undefined && part[MODIFIER_OF[name]] === undefined) continue
    const filter = filters[name]
    if ("relation" in filter) rowsOf(filter.relation).given.push({ filter, values, modifier })
    else own.push(ownCondition(sql, filter, values, modifier))
  }
  if (part.asked_at !== undefined) {
    rowsOf("associations").others.push(...span("x.created_at")(sql, part.asked_at, context))
  }
  if (part.stage_changed_at !== undefined) {
    rowsOf("stage_changes").others.push(...span("x.changed_at")(sql, part.stage_changed_at, context))
  }
  if (part.slipped_from !== undefined) {
    rowsOf("slips").others.push(...days("x.close_date")(sql, part.slipped_from, context))
  }
  return { own, onRows }
}

/** The filters besides arrays, their modifiers, dates of rows, and `searchQuery`. */
type PlainFilter = Exclude<
  keyof Condition,
  ArrayFilter | ModifierName | "asked_at" | "stage_changed_at" | "slipped_from" | "searchQuery"
>
type Plain<Value> = (sql: SqlClient, value: Value, context: FilterContext) => ReadonlyArray<Fragment>

interface Amounts {
  readonly min?: number
  readonly max?: number
  readonly below?: number
}

const amount =
  (column: "amount" | ScoreColumn): Plain<Amounts> =>
  (sql, { min, max, below }) => [
    ...(min === undefined ? [] : [sql`d.${sql.literal(column)} >= ${min}::float8`]),
    ...(max === undefined ? [] : [sql`d.${sql.literal(column)} <= ${max}::float8`]),
    ...(below === undefined ? [] : [sql`d.${sql.literal(column)} < ${below}::float8`]),
  ]

type Dates = NonNullable<Condition[DateFilter]>

/** The bounds of a date filter. */
export const boundsOf = ({ period, ...bounds }: Dates, calendar: Calendar): { from?: string; to?: string } =>
  period === undefined ? bounds : resolvePeriod(period, calendar)

const span =
  (column: "d.created_at" | "d.updated_at" | "x.created_at" | "x.changed_at"): Plain<Dates> =>
  (sql, given, { calendar }) =>
    during(sql, column, boundsOf(given, calendar), calendar.timezone)

const days =
  (column: "d.close_date" | "x.close_date"): Plain<Dates> =>
  (sql, given, { calendar }) => {
    const { from, to } = boundsOf(given, calendar)
    return [
      ...(from === undefined ? [] : [sql`${sql.literal(column)} >= ${from}::date`]),
      ...(to === undefined ? [] : [sql`${sql.literal(column)} <= ${to}::date`]),
    ]
  }

/** Whether a deal has rows of a relation. */
const hasRows =
  (relation: RelationName): Plain<"is empty" | "is not empty"> =>
  (sql, value) => [
    sql.literal(
      `${value === "is empty" ? "not " : ""}exists (select from ${RELATIONS[relation].table} x where x.org_id = scope.org and x.deal_id = d.id)`,
    ),
  ]

const presence =
  (column: "amount" | "close_date"): Plain<"is empty" | "is not empty"> =>
  (sql, value) => [sql.literal(`d.${column} is ${value === "is empty" ? "null" : "not null"}`)]

const isOpen = (sql: SqlClient) =>
  sql`d.status_id in (select n.id from stages n where n.org_id = scope.org and n.category = 'open')`

/** Days that lead beyond every date. */
const MAX_AGE_DAYS = 200_000

const PLAIN: { readonly [K in PlainFilter]: Plain<NonNullable<Condition[K]>> } = {
  amount: amount("amount"),
  amount_filter_type: presence("amount"),
  ...(Object.fromEntries(SCORE_COLUMNS.map((column) => [column, amount(column)])) as {
    readonly [K in ScoreColumn]: ReturnType<typeof amount>
  }),
  close_date: days("d.close_date"),
  close_date_filter_type: presence("close_date"),
  created_at: span("d.created_at"),
  updated_at: span("d.updated_at"),
  stage_changed_at_filter_type: hasRows("stage_changes"),
  slipped_from_filter_type: hasRows("slips"),
  analyzed: (sql, value) => [sql`d.deal_analyzed = ${value}::boolean`],
  verified: (sql, value) => [sql`d.analysis_verified = ${value}::boolean`],
  overdue: (sql, value, { calendar }) => {
    const overdue = sql`(d.close_date < ${calendar.today}::date and ${isOpen(sql)})`
    return [value ? overdue : sql`${overdue} is not true`]
  },
  first_won: (sql, value) => [sql.literal(`d.id ${value ? "in" : "not in"} (${FIRST_WON})`)],
  // A deal created today is 0 days old.
  open_days: (sql, { min, max }, { calendar: { today, timezone } }) => {
    const daysAgo = (count: number | undefined) =>
      count === undefined
        ? undefined
        : moveIntoYears(addDays(today, -Math.max(-MAX_AGE_DAYS, Math.min(count, MAX_AGE_DAYS))))
    return [isOpen(sql), ...during(sql, "d.created_at", { from: daysAgo(max), to: daysAgo(min) }, timezone)]
  },
  crm_filters: (sql, filters, { properties }) => filters.map((each) => crmCondition(sql, "deal", each, properties)),
  crm_account_filters: (sql, filters, { properties }) =>
    filters.map((each) => crmCondition(sql, "account", each, properties)),
  custom_answers: (sql, given, { answers }) =>
    Object.entries(given).map(([name, values]) => {
      const answer = sql`d.custom_answers ->> ${findByIdOrName(answers, name)?.id ?? name}::text`
      const texts = values.filter((value) => value !== null)
      return sql.or([
        ...(texts.length === 0
          ? []
          : [sql`lower(${answer}) = any(array[${sql.csv(texts.map((text) => sql`lower(${text})`))}])`]),
        ...(texts.length === values.length ? [] : [sql`(${answer}) is null`]),
      ])
    }),
}
const PLAIN_FILTERS = Object.keys(PLAIN) as ReadonlyArray<PlainFilter>

const OWN_SETS = ["region", "deal_type", "status", "owner_ids", "client_ids"] as const

/** Filters on columns of the deal itself: cheaper per deal than those that read another table. */
const OWN_FILTERS: ReadonlySet<string> = new Set([
  "amount",
  "amount_filter_type",
  "close_date",
  "close_date_filter_type",
  "created_at",
  "updated_at",
  "analyzed",
  "verified",
  ...SCORE_COLUMNS,
  ...OWN_SETS.flatMap((name) => [name, MODIFIER_OF[name]]),
])

/** Whether a segment with these filters reads only columns of the deal itself. */
export const readsDealsAlone = (filters: CanonicalFilters): boolean =>
  Object.keys(filters).every((name) => OWN_FILTERS.has(name))

/** The condition that `d` is in the segment; false if the segment does not exist. */
export const inSegment = (sql: SqlClient, id: string, context: FilterContext): Fragment => {
  const filters = context.segments.get(id)
  if (filters === undefined) return sql`false`
  // A segment cannot contain segments: the import refuses it.
  const within = { ...context, segments: new Map() }
  return sql`(${sql.and([sql`true`, ...namedLike(sql, filters), ...conditions(sql, filters, within)])})`
}
