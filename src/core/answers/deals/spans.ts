import { DAY_MS } from "./calendar.ts"
import type { ReportQuery } from "./reportQuery.ts"

/** The longest of each unit, in days. */
const UNIT_DAYS = [
  ["week", 7],
  ["month", 31],
  ["quarter", 92],
  ["year", 366],
] as const

/** Names the compared periods: "this quarter" and "last quarter". */
export const describeSpans = ({ filters, compare }: ReportQuery, asked: Date) => {
  const period = [filters.close_date, filters.created_at, filters.stage_changed_at, filters.slipped_from].find(
    (each) => each !== undefined,
  ) as { readonly from?: string; readonly to?: string } | undefined
  const [from, to] = [Date.parse(period?.from ?? ""), Date.parse(period?.to ?? "")]
  const days = (to - from) / DAY_MS + 1
  const unit = UNIT_DAYS.find(([, most]) => days <= most && days > most * 0.9)?.[0]
  const isRunning = from <= asked.getTime() && asked.getTime() < to + DAY_MS
  if (unit === undefined || !isRunning) {
    const span = `${period?.from ?? ""} to ${period?.to ?? ""}`
    const follows = unit !== undefined && asked.getTime() >= to + DAY_MS && asked.getTime() < to + days * DAY_MS
    const before = compare === "previous_year" ? "the year before" : `the ${unit ?? "period"} before`
    return { now: follows ? `last ${unit}` : `from ${span}`, earlier: before }
  }
  const earlier = unit !== "year" && compare === "previous_year" ? `the same ${unit} of last year` : `last ${unit}`
  return { now: `this ${unit}`, earlier }
}
