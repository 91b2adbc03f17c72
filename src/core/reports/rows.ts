import { wilson } from "../common/wilson.ts"
import type { CanonicalFilters } from "../deals/filters/filters.ts"
import type { Calendar } from "../deals/filters/periods.ts"
import { writeDisplay, lastDayOf } from "./buckets.ts"
import type { Report, ReportRow } from "./contract.ts"
import { drillFilters, isOnRow, within } from "./drill.ts"
import { NO_VALUE } from "./grouping.ts"
import type { Scope } from "./measure.ts"
import { lacksProbability, type MeasureNeeds } from "./measureNeeds.ts"
import type { NamedMeasure, Resolved } from "./query.ts"
import type { Subject } from "./measures.ts"

type Values = Record<string, number | null>
type Numbers = Report["totals"]
export type Encoded = Readonly<Record<string, string | number | null>>

/** The parts that the rows of a report have in common. */
export interface RowContext extends Pick<Resolved, "measures" | "requested" | "groupings" | "outOfRange"> {
  readonly subject: Subject
  /** Without named periods. */
  readonly filters: CanonicalFilters
  readonly calendar: Calendar
  /** The start of links. */
  readonly base: string
}

/** The measures of a database row; of the totals if `isTotal`. */
export const readValues = (
  { requested, measures, outOfRange }: Pick<RowContext, "requested" | "measures" | "outOfRange">,
  row: Encoded,
  isTotal: boolean,
): Values =>
  Object.fromEntries(
    requested.map(({ name, isShare }) => {
      const value = row[`m${measures.findIndex((each) => each.name === name)}`] ?? null
      // JSON has no infinite numbers: PostgreSQL writes them as text.
      if (typeof value === "string") {
        outOfRange.add(name)
        return [name, null]
      }
      return [name, isTotal && isShare ? (value === 0 || value === null ? null : 1) : value]
    }),
  )

/** The measures of a group without deals. */
export const emptyValues = (requested: ReadonlyArray<NamedMeasure>): Values =>
  Object.fromEntries(
    requested.map(({ name, nullReason, measure: { additive, unit } }) => [
      name,
      nullReason === undefined && (additive || unit === "clients") ? 0 : null,
    ]),
  )

/** Why measures are null. A row without a weighted amount has deals that the totals have too. */
export const explainNulls = (
  { requested }: Pick<RowContext, "requested">,
  { values, previous }: Report["totals"],
  { withoutProbability: stages }: MeasureNeeds,
  ofEarlier: Readonly<Record<string, string>>,
) => {
  const unweighted = requested.flatMap(({ name, measure }) => {
    const isNull = [values, previous].some((each) => each?.[name] === null)
    return measure.needsProbability === true && isNull && stages.length > 0
      ? [[name, lacksProbability(stages)] as const]
      : []
  })
  const reasons = { ...Object.fromEntries(unweighted), ...ofEarlier, ...nullReasons({ requested }) }
  return Object.keys(reasons).length === 0 ? {} : { reasons }
}

/** Why measures have no value, whatever the deals are. */
export const nullReasons = ({ requested }: Pick<RowContext, "requested">): Readonly<Record<string, string>> =>
  Object.fromEntries(
    requested.flatMap(({ name, nullReason }) => (nullReason === undefined ? [] : [[name, nullReason]])),
  )

/** The value of a measure, or of the number of deals in its scope. */
const numberOf = ({ measures }: RowContext, row: Encoded, name: string) =>
  Number(row[`m${measures.findIndex((each) => each.name === name)}`] ?? 0)

const readIntervals = (context: RowContext, row: Encoded): Pick<Numbers, "intervals"> => {
  const { requested } = context
  const valueOf = (name: string) => numberOf(context, row, name)
  const intervals = requested.flatMap(({ name, measure: { isProportion, scope } }) => {
    if (isProportion !== true || scope === undefined) return []
    const n = valueOf(scope.name)
    return [[name, wilson(Math.round(valueOf(name) * n), n)] as const]
  })
  return intervals.length === 0 ? {} : { intervals: Object.fromEntries(intervals) }
}

/** The address of the deals that the filters select. */
const dealsUrl = (base: string, filters: CanonicalFilters): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    query.set(name, typeof value === "object" ? JSON.stringify(value) : String(value))
  }
  const text = query.toString()
  return `${base}/api/v1/deals${text === "" ? "" : `?${text}`}`
}

/** No deal has these filters. */
const NEVER = { amount: { min: 0, below: 0 } }

/** The deals behind each measure that is about some of the group's deals only. */
const makeDrills = (
  context: RowContext,
  row: Encoded,
  filters: CanonicalFilters,
  ofRow: (part: Scope["filters"]) => CanonicalFilters,
): Pick<Numbers, "drills"> => {
  const drills = context.requested.flatMap(({ name, measure: { scope } }) => {
    if (scope === undefined) return []
    const deals = numberOf(context, row, scope.name)
    const isOfRow = isOnRow(scope.filters)
    // A group whose rows are of another kind has a filter that this one would replace.
    const own =
      isOfRow && deals > 0 ? ofRow(scope.filters) : within(filters, isOfRow ? NEVER : scope.filters, scope.apart)
    return [[name, { filters: own, deals_url: dealsUrl(context.base, own), deals }] as const]
  })
  return drills.length === 0 ? {} : { drills: Object.fromEntries(drills) }
}

const readNumbers = (
  context: RowContext,
  row: Encoded,
  parts: ReadonlyArray<Readonly<Record<string, unknown>>>,
  isTotal: boolean,
): Numbers => {
  const drill = (all: typeof parts) =>
    drillFilters(context.filters, all, {
      ofAssociations: context.subject === "associations",
      zone: context.calendar.timezone,
    })
  const filters = drill(parts)
  return {
    values: readValues(context, row, isTotal),
    ...readIntervals(context, row),
    filters,
    deals_url: dealsUrl(context.base, filters),
    ...makeDrills(context, row, filters, (part) => drill([...parts, part])),
  }
}

export const readTotals = (context: RowContext, row: Encoded): Numbers => readNumbers(context, row, [], true)

const keyOf = (row: Encoded, index: number) => (row[`k${index}`] ?? null) as string | null
const nameOf = (row: Encoded, index: number) => (row[`n${index}`] ?? null) as string | null

export const readRow = (context: RowContext, row: Encoded): ReportRow => {
  const { groupings } = context
  const { today } = context.calendar
  const group = groupings.map(({ name, valueOf }, index) => {
    const key = keyOf(row, index)
    return [name, key === null ? NO_VALUE : valueOf(key, nameOf(row, index))] as const
  })
  const parts = groupings.map(({ partOf }, index) => partOf(keyOf(row, index), nameOf(row, index)))
  const isPartial = groupings.some(({ date }, index) => {
    const start = keyOf(row, index)
    return date !== undefined && start !== null && start <= today && today < lastDayOf(date.grain, start)
  })
  const labels = groupings.flatMap(({ name, date }, index) => {
    const start = keyOf(row, index)
    return date === undefined || start === null
      ? []
      : [[name, writeDisplay(date.grain, start, context.calendar.fiscalStart)] as const]
  })
  return {
    group: Object.fromEntries(group),
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
    ...readNumbers(context, row, parts, false),
    ...(isPartial && { partial: true }),
  }
}

/** Adds the numbers of the earlier period. */
export const compareTo = <N extends Numbers>(
  { outOfRange }: Pick<RowContext, "outOfRange">,
  numbers: N,
  { previous, whole }: { readonly previous: Values; readonly whole: Values | undefined },
): N => ({
  ...numbers,
  ...(whole !== undefined && { partial: true, previous_whole: whole }),
  previous,
  change: Object.fromEntries(
    Object.entries(numbers.values).map(([name, value]) => {
      const before = previous[name]
      const change = value === null || before === null || before === undefined ? null : value - before
      if (change === null || Number.isFinite(change)) return [name, change]
      outOfRange.add(name)
      return [name, null]
    }),
  ),
})
