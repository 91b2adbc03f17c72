import type { SqlClient } from "effect/sql/SqlClient"
import { fold } from "../common/fold.ts"
import { nearest } from "../common/nearest.ts"
import { findByIdOrName } from "../deals/names/dynamic.ts"
import type { SelectorContext } from "../deals/selection/context.ts"
import type { Invalid } from "../http/validation/validation.ts"
import { type Grouping, resolveGrouping } from "./grouping.ts"
import { isOnRow } from "./drill.ts"
import {
  countIn,
  type Measure,
  type MeasureSetting,
  type Scope,
  SETTING_FILTERS,
  type StandardMeasure,
} from "./measure.ts"
import type { MeasureNeeds } from "./measureNeeds.ts"
import { CUSTOM_METRIC, customMetric, DEFAULT_MEASURE, MEASURES, type Subject } from "./measures.ts"
import type { ReportQuery } from "./Reports.ts"
import { customMetricSql, findJoins, measureSql } from "./measureSql.ts"
import type { Computed, Order } from "./groupedSql.ts"

/** A requested measure. */
export interface NamedMeasure extends Computed {
  readonly measure: Measure & Pick<StandardMeasure, "setting" | "needsProbability" | "stages">
  /** The values are null for this reason. */
  readonly nullReason?: string
}

/** A query whose names are known. */
export interface Resolved {
  /** The requested measures that have a value beyond the range of a double. Reading the rows fills it. */
  readonly outOfRange: Set<string>
  /** The requested measures, then those that `having` needs and the numbers of deals that the requested are about. */
  readonly measures: ReadonlyArray<Computed>
  readonly requested: ReadonlyArray<NamedMeasure>
  readonly groupings: ReadonlyArray<Grouping>
  readonly order: ReadonlyArray<Order>
  readonly having: ReadonlyArray<{ readonly measure: number; readonly min?: number; readonly max?: number }>
}

/** Resolves the names of a query against the workspace, and lists those that are unknown. */
export const resolveNames = (
  sql: SqlClient,
  query: ReportQuery,
  context: Context,
): { readonly resolved: Resolved; readonly invalid: ReadonlyArray<Invalid> } => {
  const invalid: Array<Invalid> = []
  const keep = <A extends object>(found: A | Invalid): ReadonlyArray<A> => {
    if (!("reason" in found)) return [found]
    invalid.push(found)
    return []
  }
  const { subject } = query
  const given = query.measures ?? [DEFAULT_MEASURE[subject]]
  const requested = [...new Set(given)].flatMap((name) => keep(resolveMeasure(sql, "measures", name, subject, context)))
  const measures: Array<Computed> = [...requested]
  const indexOf = (measure: Computed) => {
    const index = measures.findIndex(({ name }) => name === measure.name)
    return index === -1 ? measures.push(measure) - 1 : index
  }
  const having = Object.entries(query.having ?? {}).flatMap(([name, bounds]) =>
    keep(resolveMeasure(sql, "having", name, subject, context)).map((measure) => ({
      measure: indexOf(measure),
      ...bounds,
    })),
  )
  for (const { measure } of requested) {
    if (measure.scope !== undefined) indexOf(countMeasure(sql, measure.scope, context, measure.setting))
  }
  const groupings = [...new Set(query.groupBy ?? [])].flatMap((name) =>
    keep(resolveGrouping(sql, name, subject, context, name === "status" ? statusOf(requested) : name)),
  )
  const order =
    query.orderBy === undefined ? defaultOrder(groupings) : keep(orderBy(query.orderBy, requested, groupings))
  return { resolved: { outOfRange: new Set(), measures, requested, groupings, order, having }, invalid }
}

/** The dimension that `status` means beside measures of stage changes; null if they differ. */
const statusOf = (requested: ReadonlyArray<NamedMeasure>): string | null => {
  const [meant = "status", ...others] = new Set(requested.flatMap(({ measure }) => measure.stages ?? []))
  return others.length === 0 ? meant : null
}

type Context = SelectorContext & { readonly isExact: boolean; readonly needs: MeasureNeeds }

const computed = (
  sql: SqlClient,
  name: string,
  text: string,
  { calendar, isExact, measured }: Context,
  setting?: MeasureSetting,
): Computed => ({
  name,
  sql: measureSql(sql, text, calendar, isExact, setting && measured[setting].map(fold)),
  joins: findJoins(text),
  isShare: false,
})

/** The number of the deals that a measure is about. */
const countMeasure = (sql: SqlClient, scope: Scope, context: Context, setting: MeasureSetting | undefined) =>
  computed(sql, scope.name, countIn(scope), context, setting)

/** A measure whose scope has the filter of its setting; null if the setting matches nothing. */
const measureWith = (
  sql: SqlClient,
  name: string,
  measure: StandardMeasure,
  context: Context,
): Omit<NamedMeasure, "isShare"> => {
  const { setting, scope, ...rest } = measure
  if (setting === undefined || scope === undefined) return { ...computed(sql, name, measure.sql, context), measure }
  const nullReason = context.needs.unmatched[setting]
  if (nullReason !== undefined) return { name, nullReason, measure: rest, sql: sql`null::float8`, joins: [] }
  const part = { [SETTING_FILTERS[setting]]: context.measured[setting] }
  const own = isOnRow(part) ? { ...scope, apart: part } : { ...scope, filters: { ...scope.filters, ...part } }
  return { ...computed(sql, name, measure.sql, context, setting), measure: { ...measure, scope: own } }
}

/** A measure by its name; null if the report's deals are unknown. */
const resolveMeasure = (
  sql: SqlClient,
  field: string,
  name: string,
  subject: Subject,
  context: Context,
): NamedMeasure | Invalid => {
  const found = findMeasure(sql, field, name, subject, context)
  const { untracked } = context.needs
  if ("reason" in found || untracked === undefined) return found
  const { scope: _, ...measure } = found.measure
  return { ...found, nullReason: untracked, measure, sql: sql`null::float8`, joins: [] }
}

const findMeasure = (
  sql: SqlClient,
  field: string,
  name: string,
  subject: Subject,
  context: Context,
): NamedMeasure | Invalid => {
  const known = MEASURES[subject]
  if (Object.hasOwn(known, name)) {
    const measure = known[name]!
    return { ...measureWith(sql, name, measure, context), isShare: measure.isShare === true }
  }
  const [, metricName] = (subject === "deals" && CUSTOM_METRIC.exec(name)) || []
  const metric = metricName === undefined ? undefined : findByIdOrName(context.metrics, metricName)
  if (metric !== undefined) {
    const measure = customMetric(metric.name)
    return { name, measure, sql: customMetricSql(sql, metric.id, context.isExact), joins: [], isShare: false }
  }
  const custom = subject === "deals" ? context.metrics.map((each) => `custom_metric_${each.name}_avg`) : []
  // People know measures by other words, too.
  const meant = Object.entries(known).find(([, { label, synonyms }]) =>
    [label, ...synonyms].includes(name.toLowerCase()),
  )
  const [near] = meant === undefined ? nearest(name, [...Object.keys(known), ...custom]) : [meant[0]]
  return {
    field,
    reason: `must name measures; '${name.slice(0, 100)}' is not one`,
    ...(near !== undefined && { did_you_mean: near }),
  }
}

/** Dates in order of time, else the largest first. */
const defaultOrder = (groupings: ReadonlyArray<Grouping>): ReadonlyArray<Order> => {
  const byMeasure: Order = { by: { measure: 0 }, descending: true }
  const dates = groupings.flatMap(({ date }, dimension): ReadonlyArray<Order> =>
    date === undefined ? [] : [{ by: { dimension }, descending: false }],
  )
  return [...dates, byMeasure]
}

const orderBy = (
  given: string,
  measures: ReadonlyArray<NamedMeasure>,
  groupings: ReadonlyArray<Grouping>,
): Order | Invalid => {
  const descending = given.startsWith("-")
  const name = descending ? given.slice(1) : given
  const measure = measures.findIndex((each) => each.name === name)
  if (measure !== -1) return { by: { measure }, descending }
  const dimension = groupings.findIndex((each) => each.name === name)
  if (dimension !== -1) return { by: { dimension }, descending }
  const candidates = [...measures, ...groupings].map((each) => each.name)
  const [near] = nearest(name, candidates)
  return {
    field: "order_by",
    reason: `must be one of this report's measures and dimensions: ${candidates.join(", ")}; descending with a leading -`,
    ...(near !== undefined && { did_you_mean: descending ? `-${near}` : near }),
  }
}
