import * as Effect from "effect/Effect"
import { dayAt } from "../../../common/zone.ts"
import { DAY_MS } from "../words/calendar.ts"
import { selectDeals } from "./listedDeals.ts"
import type { WorkspaceNames } from "../words/names.ts"
import type { Plan } from "../plan/plans.ts"
import { nameOf, type Report, type ReportRow } from "./reply.ts"

/** A period whose first part lies before the first deal of the workspace. */
export interface FirstPeriod {
  readonly row: ReportRow
  readonly note: string
}

/** If more than this part of a period lies before the first deal, its number covers a shorter time. */
const MIN_GAP = 0.25

/** Finds the first row of a course by date, if the deals of the workspace begin within it. */
export const findFirstPeriod = Effect.fn("DealQuestions.firstPeriod")(function* (
  org: string,
  { query }: Extract<Plan, { kind: "report" }>,
  { data }: Report,
  { timezone }: Pick<WorkspaceNames, "timezone">,
) {
  const [dimension = "", ...more] = query.groupBy
  const [field, grain] = dimension.split(".")
  const [row] = data
  if (row === undefined || more.length > 0 || data.length < 2 || grain === undefined || grain === "day")
    return undefined
  if (field !== "close_date" && field !== "created_at") return undefined
  const { from, to } = row.filters[field] ?? {}
  if (from === undefined || to === undefined) return undefined
  const [deal] = yield* selectDeals(org, { filters: {}, sort: field, ascending: true, limit: 1 })
  const at = deal?.[field]
  if (at === undefined || at === null) return undefined
  const first = field === "close_date" ? at : dayAt(Date.parse(at), timezone)
  const [start, end] = [Date.parse(from.slice(0, 10)), Date.parse(to.slice(0, 10))]
  const gap = Date.parse(first) - start
  if (gap <= (end - start + DAY_MS) * MIN_GAP) return undefined
  return {
    row,
    note: `\n\n${nameOf(row, dimension)} is not whole: the first deal of this workspace ${field === "close_date" ? "closes" : "was created"} on ${first}.`,
  } satisfies FirstPeriod
})
