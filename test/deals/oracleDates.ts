import { localDay } from "../support/zones.ts"
import type { Row } from "./oracle.ts"

/** The day of the clock under which the service runs, and the first month of the fiscal year. */
export interface Now {
  readonly today: string
  readonly fiscalStart: number
  /** The workspace's first month, which segments use, if a report has its own. */
  readonly segmentsFiscalStart?: number
  /** The workspace's time zone; by default UTC. */
  readonly zone?: string
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Whether a time is within the filter. */
export const within = (value: string | null, { from, to, period }: Row, now: Now): boolean => {
  if (period !== undefined) return within(value, daysOf(period, now), now)
  if (value === null) return false
  const day = localDay(value, now.zone)
  return (
    (from === undefined || (isDay(from) ? day >= from : Date.parse(value) >= Date.parse(from))) &&
    (to === undefined || (isDay(to) ? day <= to : Date.parse(value) <= Date.parse(to)))
  )
}

const iso = (date: Date) => date.toISOString().slice(0, 10)
const utc = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day))

/** The first and the last day of a named period, by counting days and months. */
export const daysOf = (period: string, { today, fiscalStart }: Now): { from: string; to: string } => {
  const [year, month, day] = today.split("-").map(Number) as [number, number, number]
  const days = (from: number, to: number) => ({
    from: iso(utc(year, month - 1, day + from)),
    to: iso(utc(year, month - 1, day + to)),
  })
  const months = (from: number, count: number) => ({
    from: iso(utc(year, month - 1 + from, 1)),
    to: iso(utc(year, month - 1 + from + count, 0)),
  })
  const inYear = (((month - fiscalStart) % 12) + 12) % 12
  const inQuarter = inYear % 3
  const weekday = (utc(year, month - 1, day).getUTCDay() + 6) % 7
  const fixed: Readonly<Record<string, { from: string; to: string }>> = {
    today: days(0, 0),
    last_7_days: days(-6, 0),
    last_30_days: days(-29, 0),
    last_90_days: days(-89, 0),
    last_4_quarters: months(-inQuarter - 12, 12),
    last_12_months: months(-12, 12),
    year_to_date: { from: months(-inYear, 12).from, to: today },
  }
  const found = fixed[period]
  if (found !== undefined) return found
  const [which, unit] = period.split("_")
  const offset = ["last", "this", "next"].indexOf(which ?? "") - 1
  switch (unit) {
    case "week":
      return days(offset * 7 - weekday, offset * 7 - weekday + 6)
    case "month":
      return months(offset, 1)
    case "quarter":
      return months(offset * 3 - inQuarter, 3)
    default:
      return months(offset * 12 - inYear, 12)
  }
}
