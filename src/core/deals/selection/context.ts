import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { DEFAULT_ZONE, dayAt, needsZone } from "../../common/zone.ts"
import { Database } from "../../storage/Database.ts"
import { canonicalize } from "../filters/canonical.ts"
import { groupNamedIds, type NamedId, namedIds, namedValues } from "../names/closedSets.ts"
import type { CrmProperty } from "../names/properties.ts"
import type { Named } from "../names/dynamic.ts"
import { type CanonicalFilters, DATE_FILTERS, DealFilters, partsOf } from "../filters/filters.ts"
import type { FilterContext } from "../conditions/context.ts"

/** The part of the workspace that selectors name. */
export interface SelectorContext extends FilterContext {
  readonly metrics: ReadonlyArray<Named>
  readonly segmentNames: ReadonlyArray<Named>
  /** The settings that measures read. */
  readonly measured: {
    readonly renewal_types: ReadonlyArray<string>
    readonly no_decision: ReadonlyArray<string>
  }
  /** The organization's last number in the feed of changes; null before the first. Later statements see at least its state. */
  readonly revision: string | null
  /** All of the above as the database returned it, without `calendar.today`: JSON. */
  readonly loaded: unknown
}

interface ContextRow {
  readonly properties: ReadonlyArray<CrmProperty>
  readonly metrics: ReadonlyArray<Named>
  readonly answers: ReadonlyArray<Named>
  readonly segments: ReadonlyArray<Named & { readonly filters: unknown }>
  readonly named: ReadonlyArray<NamedId>
  readonly fiscal_start: number
  readonly timezone: string
  readonly renewal_types: ReadonlyArray<string>
  readonly no_decision: string | null
  readonly revision: string | null
}

const EMPTY_CONTEXT: Omit<SelectorContext, "calendar"> = {
  properties: [],
  metrics: [],
  answers: [],
  segments: new Map(),
  segmentNames: [],
  named: new Map(),
  measured: { renewal_types: [], no_decision: [] },
  revision: null,
  loaded: undefined,
}

/** Whether the filters depend on the fiscal year or the time zone. Days of `close_date` do not. */
const needsCalendar = (filters: CanonicalFilters) =>
  partsOf(filters).some(
    ([part]) =>
      part.overdue !== undefined ||
      part.open_days !== undefined ||
      DATE_FILTERS.some((name) => {
        const { period, ...bounds } = part[name] ?? {}
        return period !== undefined || (name !== "close_date" && Object.values(bounds).some(needsZone))
      }),
  )

/**
 * Loads the part of a workspace that filters and selectors refer to, in one statement: the rows that the filters name and, if
 * `isWhole`, all properties, metrics, answers and segments. Runs no statement if nothing is needed.
 */
export const loadContext = Effect.fnUntraced(function* (org: string, filters: CanonicalFilters = {}, isWhole = true) {
  const values = namedValues(filters)
  const now = yield* Clock.currentTimeMillis
  const calendarIn = (timezone: string, fiscalStart: number) => ({ today: dayAt(now, timezone), timezone, fiscalStart })
  const empty: SelectorContext = { ...EMPTY_CONTEXT, calendar: calendarIn(DEFAULT_ZONE, 1) }
  if (!isWhole && values.size === 0 && !needsCalendar(filters)) return empty
  const { sql, scoped } = yield* Database
  const rows = (fields: string, from: string, order: string) =>
    isWhole
      ? sql`(select coalesce(json_agg(json_build_object(${sql.literal(fields)}) order by ${sql.literal(order)}), '[]')
          from ${sql.literal(from)} where org_id = scope.org)`
      : sql`'[]'::json`
  const byName = 'name collate "C", id collate "C"'
  const [row] = yield* scoped<ContextRow>(
    org,
    sql`select
      ${rows("'crm', crm, 'object', object, 'id', id, 'label', label, 'data_type', data_type", "crm_properties", "crm, object, id")} as properties,
      ${rows("'id', id, 'name', name", "metrics", byName)} as metrics,
      ${rows("'id', id, 'name', name", "answers", byName)} as answers,
      ${rows("'id', id, 'name', name, 'filters', filters", "segments", byName)} as segments,
      ${namedIds(sql, values)} as named,
      (select fiscal_start from organizations where id = scope.org) as fiscal_start,
      (select timezone from organizations where id = scope.org) as timezone,
      (select renewal_types from organizations where id = scope.org) as renewal_types,
      (select no_decision from organizations where id = scope.org) as no_decision,
      (select last::text from change_feeds where org_id = scope.org) as revision`,
  )
  if (row === undefined) return empty
  return {
    properties: row.properties,
    metrics: row.metrics,
    answers: row.answers,
    segments: new Map(row.segments.flatMap(({ id, filters }) => segment(id, filters))),
    segmentNames: row.segments.map(({ id, name }) => ({ id, name })),
    named: groupNamedIds(values, row.named),
    calendar: calendarIn(row.timezone, row.fiscal_start),
    measured: {
      renewal_types: row.renewal_types,
      no_decision: row.no_decision === null ? [] : [row.no_decision],
    },
    revision: row.revision,
    loaded: row,
  } satisfies SelectorContext
})

const decode = Schema.decodeUnknownOption(DealFilters, { onExcessProperty: "error" })

/** A segment whose filters cannot be read is left out, so that it matches no deal instead of every deal. */
const segment = (id: string, stored: unknown): ReadonlyArray<readonly [string, CanonicalFilters]> => {
  const decoded = Option.getOrUndefined(decode(stored))
  if (decoded === undefined) return []
  const { filters, invalid } = canonicalize(decoded)
  return invalid.length > 0 ? [] : [[id, filters]]
}
