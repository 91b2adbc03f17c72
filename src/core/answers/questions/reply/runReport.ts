import * as Effect from "effect/Effect"
import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { Reports } from "../../../reports/Reports.ts"
import type { ReportQuery } from "../plan/reportQuery.ts"
import type { Report } from "./reply.ts"

/** Runs a report. */
export const runReport = Effect.fn("DealQuestions.report")(function* (
  org: string,
  subject: "deals" | "associations",
  query: ReportQuery,
) {
  const { data, totals, meta } = yield* (yield* Reports).run(org, { subject, ...query })
  return {
    data: data.map((row) => ({ ...row, filters: row.filters as CanonicalFilters })),
    totals,
    others: Math.max(meta.groups - data.length, 0),
    withoutAmount: meta.without_amount,
    reasons: meta.reasons,
    since: meta.since,
  } satisfies Report
})
