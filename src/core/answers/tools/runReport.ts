import * as Effect from "effect/Effect"
import { type CanonicalFilters, DATE_FILTERS } from "../../deals/filters/filters.ts"
import type { Comparison } from "../../reports/limits.ts"
import type { Subject } from "../../reports/measures.ts"
import { Reports } from "../../reports/Reports.ts"
import { loadNames, nameClients } from "../questions/names/loadNames.ts"
import { nameOf, type ReportRow } from "../questions/reply/reply.ts"
import { describeFilters } from "../questions/reply/wording.ts"
import { type ReportRows, writeRow } from "../figures/figure.ts"
import { ToolCaller } from "./ToolCaller.ts"

const DEFAULT_LIMIT = 10

export interface ReportArguments {
  readonly measures: ReadonlyArray<string>
  readonly group_by?: ReadonlyArray<string>
  readonly order_by?: string
  readonly limit?: number
  readonly compare?: Comparison
  readonly filters?: CanonicalFilters
}

/** Runs a report for a tool. Each row has its values, the same in words, and a pointer to its page. */
export const runReport = Effect.fnUntraced(function* (
  subject: Subject,
  {
    measures,
    group_by: groupBy = [],
    order_by: orderBy,
    limit = DEFAULT_LIMIT,
    compare,
    filters = {},
  }: ReportArguments,
) {
  const { asker, pointToRow } = yield* ToolCaller
  const org = asker.organizationId
  const query = {
    measures,
    groupBy,
    filters,
    limit,
    ...(orderBy !== undefined && { orderBy }),
    ...(compare !== undefined && { compare }),
  }
  const { data, totals, meta } = yield* (yield* Reports).run(org, { subject, ...query })
  const fixed = fixPeriods(filters, totals.filters)
  const names = yield* nameClients(org, yield* loadNames(org, ""), fixed)
  const { currency } = names
  const figure = { subject, query: { ...query, filters: fixed } }
  const rows: ReportRows = { figure, report: { data: data as ReadonlyArray<ReportRow>, totals }, currency }
  const describe = Effect.fnUntraced(function* (values: (typeof totals)["values"], text: string, row?: number) {
    return { ...(yield* pointToRow(rows, row)), values, text }
  })
  return {
    found: data.length,
    filter: describeFilters(fixed, names),
    rows: yield* Effect.forEach(rows.report.data, (row, index) =>
      Effect.map(describe(row.values, writeRow(figure.query, row, currency), index), (described) => ({
        ...described,
        group: groupBy.map((dimension) => nameOf(row, dimension)),
        ...(row.partial === true && { partial: true as const }),
      })),
    ),
    totals: yield* describe(totals.values, writeRow(figure.query, totals, currency)),
    more: Math.max(meta.groups - data.length, 0),
  }
})

/** Replaces named periods by their days, so that a link shows the same deals tomorrow. */
const fixPeriods = (filters: CanonicalFilters, resolved: Readonly<Record<string, unknown>>): CanonicalFilters => {
  const dates = DATE_FILTERS.flatMap((name) =>
    filters[name]?.period === undefined || resolved[name] === undefined ? [] : [[name, resolved[name]] as const],
  )
  return { ...filters, ...Object.fromEntries(dates) }
}
