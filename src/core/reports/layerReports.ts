import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MODIFIER_OF } from "../deals/filters/arrays.ts"
import { type CanonicalFilters, type Condition, DATE_FILTERS } from "../deals/filters/filters.ts"
import { boundsOf, conditions, inSegment, makeRowFilters } from "../deals/conditions/conditions.ts"
import type { Calendar, Days } from "../deals/filters/periods.ts"
import { readFilters } from "../deals/selection/resolve.ts"
import type { SelectorContext } from "../deals/selection/context.ts"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { badRequest } from "../http/validation/validation.ts"
import { asHeavy } from "../storage/CurrentClass.ts"
import { Database } from "../storage/Database.ts"
import { isOutOfRange } from "../storage/unavailable.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { CurrentChanges } from "../storage/recordChanges.ts"
import { addAssociationFilters, nameDates } from "./associationFilters.ts"
import { bucketsBetween } from "./buckets.ts"
import { type Compared, comparedPeriod } from "./comparing.ts"
import type { Report } from "./contract.ts"
import type { Grouping } from "./grouping.ts"
import { DEFAULT_LIMIT, MAX_CONDITIONS, MAX_DIMENSIONS, MAX_LIMIT, MAX_MEASURES } from "./limits.ts"
import { needsWith, readNeeds } from "./measureNeeds.ts"
import { type Resolved, resolveNames } from "./query.ts"
import {
  compareTo,
  emptyValues,
  type Encoded,
  nullReasons,
  explainNulls,
  type RowContext,
  readRow,
  readTotals,
  readValues,
} from "./rows.ts"
import type { ReportSql } from "./groupedSql.ts"
import { type ReportRows, selectReport } from "./sql.ts"
import { RecentReports } from "./RecentReports.ts"
import { type ReportQuery, Reports } from "./Reports.ts"

export const layerReports = Layer.effect(
  Reports,
  Effect.gen(function* () {
    const database = yield* Database
    const baseUrl = yield* BaseUrl
    const { sql } = database

    const writeStatement = (
      query: ReportQuery,
      { measures, groupings, order, having }: Resolved,
      filters: CanonicalFilters,
      context: SelectorContext,
    ): ReportSql => ({
      subject: query.subject,
      dimensions: groupings.map((grouping) => grouping.sql),
      measures,
      conditions: conditions(sql, filters, context),
      searchQuery: filters.searchQuery,
      rowFilters: makeRowFilters(sql, filters, context),
      tags: limitOf(filters, "association_tags"),
      segments: segmentsOf(filters, context).map((id) => ({ id, isMember: inSegment(sql, id, context) })),
      having,
      order,
      limit: query.limit ?? DEFAULT_LIMIT,
      shown: undefined,
    })

    const read = (org: string, statement: ReportSql, hasOthers: boolean) =>
      Effect.map(database.scoped<ReportRows>(org, selectReport(sql, statement, hasOthers)), ([row]) => row!)

    /** The numbers of the earlier period, for the groups of `rows`. */
    const readEarlier = Effect.fnUntraced(function* (
      org: string,
      query: ReportQuery,
      resolvedWith: (filters: CanonicalFilters) => Resolved,
      filters: CanonicalFilters,
      context: SelectorContext,
      {
        field,
        period,
        days,
        rows,
      }: Pick<Compared, "field" | "period"> & {
        readonly days: Days
        readonly rows: ReadonlyArray<Encoded>
      },
    ) {
      const moved = { ...filters, [field]: days }
      const resolved = resolvedWith(moved)
      const { groupings } = resolved
      const fixed = groupings.flatMap(({ date }, index) => (date?.field === field ? [] : [index]))
      const keyOf = (start: string) => (row: Encoded) =>
        JSON.stringify(groupings.map(({ date }, index) => positionOf(date, field, row[`k${index}`] ?? null, start)))
      const { total, rows: found } = yield* read(
        org,
        {
          ...writeStatement(query, { ...resolved, having: [] }, moved, context),
          shown: {
            dimensions: fixed,
            keys: [...new Set(rows.map((row) => toJsonArray(fixed.map((index) => row[`k${index}`] ?? null))))],
          },
          limit: MAX_EARLIER_GROUPS,
        },
        false,
      )
      const before = new Map(found.map((row) => [keyOf(days.from)(row), readValues(resolved, row, false)]))
      const keyNow = keyOf(period.from)
      return {
        total: readValues(resolved, total, true),
        valuesFor: (row: Encoded) => before.get(keyNow(row)) ?? emptyValues(resolved.requested),
        reasons: nullReasons(resolved),
      }
    })

    const computeAs = Effect.fnUntraced(function* (
      org: string,
      query: ReportQuery,
      { filters: given, context: loaded, invalid }: ReadFilters,
      base: string,
      isExact: boolean,
    ) {
      const fiscalStart = query.fiscalStart ?? loaded.calendar.fiscalStart
      const calendar = { ...loaded.calendar, fiscalStart }
      const filters = withoutPeriods(given, calendar)
      const needs = yield* Effect.provideService(readNeeds(org, query, filters, loaded), Database, database)
      const namesWith = (filters: CanonicalFilters) =>
        resolveNames(sql, query, { ...loaded, calendar, isExact, needs: needsWith(needs, filters, loaded.calendar) })
      const names = namesWith(filters)
      const compared = query.compare === undefined ? undefined : comparedPeriod(filters, query.compare, calendar.today)
      const wrong = [
        ...invalid,
        ...names.invalid,
        ...(compared !== undefined && "reason" in compared ? [compared] : []),
        ...tooMany(query),
      ]
      if (wrong.length > 0) return yield* badRequest({ invalid: wrong })
      const { resolved } = names
      // Segments keep the workspace's fiscal year, as in GET /deals, for the filters have days by now.
      const statement = writeStatement(query, resolved, filters, loaded)
      const { total, rows, groups, others } = yield* read(org, statement, true)
      const rowContext: RowContext = {
        ...resolved,
        subject: query.subject,
        filters,
        calendar,
        base,
      }
      let earlierReasons: Readonly<Record<string, string>> = {}
      const resolvedWith = (filters: CanonicalFilters) => ({
        ...namesWith(filters).resolved,
        outOfRange: resolved.outOfRange,
      })
      let totals = readTotals(rowContext, total)
      let data = rows.map((row) => readRow(rowContext, row))
      if (compared !== undefined && !("reason" in compared)) {
        const { field, period, earlier, sameSpan } = compared
        const readDays = (days: Days) =>
          readEarlier(org, query, resolvedWith, filters, loaded, { field, period, days, rows })
        const whole = yield* readDays(earlier)
        const span = sameSpan === undefined ? undefined : yield* readDays(sameSpan)
        earlierReasons = whole.reasons
        const isDated = resolved.groupings.some(({ date }) => date?.field === field)
        data = data.map((row, index) => {
          const wholeValues = whole.valuesFor(rows[index]!)
          // With dates as groups, only the running group has a span to compare.
          return span === undefined || (isDated && row.partial !== true)
            ? compareTo(rowContext, row, { previous: wholeValues, whole: undefined })
            : compareTo(rowContext, row, { previous: span.valuesFor(rows[index]!), whole: wholeValues })
        })
        totals = compareTo(rowContext, totals, {
          previous: (span ?? whole).total,
          whole: span === undefined ? undefined : whole.total,
        })
      }
      return {
        data: resolved.groupings.length === 0 ? [{ group: {}, ...totals }] : data,
        totals,
        other: others === null ? null : { groups: groups - rows.length, values: divideShares(resolved, others, total) },
        meta: {
          measures: Object.fromEntries(
            resolved.requested.map(({ name, measure: { definition, unit, additive } }) => [
              name,
              { definition, unit, additive },
            ]),
          ),
          dimensions: Object.fromEntries(resolved.groupings.map(({ name, dimension }) => [name, dimension.definition])),
          overlapping: resolved.groupings.flatMap(({ name, dimension }) => (dimension.several ? [name] : [])),
          without_amount: total.all_deals - total.valued,
          groups: resolved.groupings.length === 0 ? 1 : groups,
          fiscal_start: fiscalStart,
          ...explainNulls(resolved, totals, needs, earlierReasons),
          ...(needs.since !== undefined && { since: needs.since }),
          ...(resolved.outOfRange.size > 0 && { out_of_range: [...resolved.outOfRange] }),
          compared:
            compared === undefined || "reason" in compared
              ? null
              : {
                  field: compared.field,
                  period: compared.period,
                  earlier: compared.earlier,
                  same_span: compared.sameSpan ?? null,
                },
        },
      } satisfies Report
    })

    const recent = new RecentReports()

    /** Computes again, exactly, if a sum is out of range. A failed statement would end a transaction, so one computes exactly at once. */
    const compute = (org: string, query: ReportQuery, given: ReadFilters, base: string, isInTransaction: boolean) =>
      isInTransaction
        ? computeAs(org, query, given, base, true)
        : Effect.catchDefect(computeAs(org, query, given, base, false), (defect) =>
            isOutOfRange(defect) ? computeAs(org, query, given, base, true) : Effect.die(defect),
          )

    return Reports.of({
      run: Effect.fn("Reports.run")(function* (org: string, query: ReportQuery) {
        const merged = addAssociationFilters(query.filters, query.association)
        const read = yield* Effect.provideService(readFilters(org, merged.filters, true), Database, database)
        const given = { ...read, invalid: [...merged.invalid, ...nameDates(read.invalid, query.association)] }
        const base = yield* baseUrl.get
        const { calendar, revision, loaded } = read.context
        // A transaction may see rows that it has not committed. The revision is read before the report, so that a report is never older.
        const isInTransaction = (yield* CurrentChanges) !== undefined
        const isCached = revision !== null && !isInTransaction
        if (!isCached) return yield* compute(org, query, given, base, isInTransaction)
        const key = JSON.stringify([org, base, calendar.today, loaded, query])
        const found = recent.get(key) ?? (yield* compute(org, query, given, base, false))
        recent.put(key, found)
        return found
      }, asHeavy),
    })
  }).pipe(inOrganization),
)

type ReadFilters = Effect.Success<ReturnType<typeof readFilters>>

/** The earlier groups are those of the reply, in each group of the earlier period: days of some years at most. */
const MAX_EARLIER_GROUPS = 1_000_000

const tooMany = ({ measures = [], groupBy = [], limit, filters }: ReportQuery) =>
  (
    [
      ["measures", measures.length > MAX_MEASURES, `must have at most ${MAX_MEASURES} values`],
      ["group_by", groupBy.length > MAX_DIMENSIONS, `must have at most ${MAX_DIMENSIONS} values`],
      ["limit", limit !== undefined && (limit < 1 || limit > MAX_LIMIT), `must be between 1 and ${MAX_LIMIT}`],
      ["and", (filters.and?.length ?? 0) > MAX_CONDITIONS, `must have at most ${MAX_CONDITIONS} values in a report`],
    ] as const
  ).flatMap(([field, isWrong, reason]) => (isWrong ? [{ field, reason }] : []))

/** The filters with days in place of named periods, so that a link to them means the same tomorrow. */
const withoutPeriods = ({ and, ...filters }: CanonicalFilters, calendar: Calendar): CanonicalFilters => {
  const fix = (part: Condition): Condition =>
    Object.assign(
      { ...part },
      ...DATE_FILTERS.flatMap((name) => (part[name] === undefined ? [] : [{ [name]: boundsOf(part[name], calendar) }])),
    )
  return { ...fix(filters), ...(and !== undefined && { and: and.map(fix) }) }
}

/** The values to which a filter limits groups. */
const limitOf = (filters: Condition, name: "association_tags" | "segment_ids"): ReadonlyArray<string> | undefined => {
  const mode = filters[MODIFIER_OF[name]]
  return mode === undefined || mode === "is any of" || mode === "is all of" ? filters[name] : undefined
}

const segmentsOf = (filters: Condition, { named, segmentNames }: SelectorContext): ReadonlyArray<string> => {
  const limit = limitOf(filters, "segment_ids")
  return limit === undefined
    ? segmentNames.map(({ id }) => id)
    : [...new Set(limit.flatMap((value) => named.get("segments")?.get(value) ?? []))]
}

/** The group's key: for a date of the compared period, its number in the period. */
const positionOf = (date: Grouping["date"], field: string, key: string | number | null, start: string) =>
  date?.field === field && key !== null ? bucketsBetween(date.grain, start, String(key)) : key

/** As PostgreSQL writes `json_build_array`. */
const toJsonArray = (keys: ReadonlyArray<string | number | null>) =>
  `[${keys.map((key) => JSON.stringify(key)).join(", ")}]`

/** Shares of the groups beyond the limit, which the statement leaves undivided. */
const divideShares = (resolved: Resolved, others: Encoded, total: Encoded) => {
  const values = readValues(resolved, others, false)
  const all = Object.fromEntries(resolved.measures.map(({ name }, index) => [name, total[`m${index}`]]))
  for (const { name, isShare } of resolved.requested) {
    if (isShare) values[name] = Number(all[name]) === 0 ? null : Number(values[name]) / Number(all[name])
  }
  return values
}
