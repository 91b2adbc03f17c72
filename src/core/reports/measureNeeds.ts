import * as Effect from "effect/Effect"
import { fold } from "../common/fold.ts"
import type { SelectorContext } from "../deals/selection/context.ts"
import { type CanonicalFilters, type Condition, partsOf } from "../deals/filters/filters.ts"
import { type Calendar, resolvePeriod } from "../deals/filters/periods.ts"
import { Database } from "../storage/Database.ts"
import { type MeasureSetting, SETTING_FILTERS } from "./measure.ts"
import { MEASURES } from "./measures.ts"
import type { ReportQuery } from "./Reports.ts"

/** Why measures of a workspace have no value. */
export interface MeasureNeeds {
  /** By setting whose values no deal or reason has. */
  readonly unmatched: Partial<Readonly<Record<MeasureSetting, string>>>
  /** The names of the open stages without a probability, in their order. */
  readonly withoutProbability: ReadonlyArray<string>
  /** The day since when close dates are tracked, if the report is about deals that slipped. */
  readonly since?: string
  /** Why all measures are null. */
  readonly untracked?: string
}

const NOTHING: MeasureNeeds = { unmatched: {}, withoutProbability: [] }
/** Stages that a reason names. */
const MAX_NAMED = 5

const THINGS = { renewal_types: "deal has one of these types", no_decision: "reason has this category" } as const

/** Finds out what the requested measures lack. Runs no statement if none of them needs more than the deals. */
export const readNeeds = Effect.fnUntraced(function* (
  org: string,
  { subject, measures = [], having = {} }: ReportQuery,
  filters: CanonicalFilters,
  { measured }: Pick<SelectorContext, "measured">,
) {
  const asked = [...measures, ...Object.keys(having)].flatMap((name) =>
    Object.hasOwn(MEASURES[subject], name) ? [MEASURES[subject][name]!] : [],
  )
  const isTracked =
    asked.some((measure) => measure.isTracked === true) || partsOf(filters).some(([part]) => isAboutSlips(part))
  const hasNeeds = asked.some(({ setting, needsProbability }) => setting !== undefined || needsProbability === true)
  if (!isTracked && !hasNeeds) return NOTHING
  const { sql, scoped } = yield* Database
  const folded = (setting: MeasureSetting) => sql`${measured[setting].map(fold)}::text[]`
  const [row] = yield* scoped<{
    readonly renewal_types: boolean
    readonly no_decision: boolean
    readonly stages: ReadonlyArray<string>
    readonly since: string
  }>(
    org,
    sql`select
      exists (select from deals d where d.org_id = scope.org and d.folded_type = any(${folded("renewal_types")})) as renewal_types,
      exists (select from reasons r where r.org_id = scope.org and r.folded_category = any(${folded("no_decision")})) as no_decision,
      (select coalesce(json_agg(n.name order by n.position, n.name), '[]') from stages n
        where n.org_id = scope.org and n.category = 'open' and n.probability is null) as stages,
      (select (o.close_dates_since at time zone o.timezone)::date::text from organizations o where o.id = scope.org) as since`,
  )
  const unmatched = Object.keys(SETTING_FILTERS) as ReadonlyArray<MeasureSetting>
  return {
    unmatched: Object.fromEntries(
      unmatched.flatMap((setting) =>
        row?.[setting] === true ? [] : [[setting, explainNone(setting, measured[setting])]],
      ),
    ),
    withoutProbability: row?.stages ?? [],
    ...(isTracked && row !== undefined && { since: row.since }),
  } satisfies MeasureNeeds
})

const explainNone = (setting: MeasureSetting, values: ReadonlyArray<string>) =>
  values.length === 0
    ? `the workspace's setting \`${setting}\` is empty`
    : `no ${THINGS[setting]}, which the workspace's setting \`${setting}\` names: ${values.map((value) => `'${value}'`).join(", ")}`

const isAboutSlips = ({ slipped_from, slipped_from_filter_type }: Condition) =>
  slipped_from !== undefined || slipped_from_filter_type !== undefined

/** The needs of a report with these filters: nothing is known of deals that slipped from quarters that had ended before close dates were tracked. */
export const needsWith = (needs: MeasureNeeds, filters: CanonicalFilters, { fiscalStart }: Calendar): MeasureNeeds => {
  const { since } = needs
  if (since === undefined) return needs
  const { from = since } = resolvePeriod("this_quarter", { today: since, fiscalStart })
  const isBefore = partsOf(filters).some(
    ([{ slipped_from }]) => slipped_from?.to !== undefined && slipped_from.to < from,
  )
  return isBefore ? { ...needs, untracked: `close dates are tracked since ${since}` } : needs
}

/** Why a weighted amount is null. */
export const lacksProbability = (stages: ReadonlyArray<string>): string => {
  const names = stages.slice(0, MAX_NAMED).map((name) => `'${name}'`)
  const more = stages.length > MAX_NAMED ? ` and ${stages.length - MAX_NAMED} more` : ""
  return `open stages have no \`probability\`: ${names.join(", ")}${more}`
}
