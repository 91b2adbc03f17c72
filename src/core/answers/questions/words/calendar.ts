import { isUnit, unitOf } from "../../../deals/filters/periods.ts"
import { fiscalYear as fiscalYearOf } from "../../../reports/buckets.ts"

/** Days as `YYYY-MM-DD`, both inclusive. A missing end is open. */
export interface Period {
  readonly from?: string
  readonly to?: string
}

/** The day that a question is asked on, and the first month of the fiscal year, from 1. */
export interface Today {
  /** A time of that day, as if the workspace's time zone were UTC. */
  readonly now: Date
  readonly fiscalStart: number
  /** A day of another year that a follow-up continues: after "May 2025", "June" is that of 2025. */
  readonly near?: string | undefined
  /** The question is about deals that are still to close: "closing in February" is the next one. */
  readonly isComing?: boolean | undefined
}

export const DAY_MS = 86_400_000

export const iso = (at: number) => new Date(at).toISOString().slice(0, 10)
/** Unlike `Date.UTC`, reads the years before 100 literally. */
const utc = (year: number, month: number, day = 1) => new Date(0).setUTCFullYear(year, month, day)
const between = (from: number, end: number): Required<Period> => ({ from: iso(from), to: iso(end - DAY_MS) })

/** So many months from one, counted from 0. */
export const months = (year: number, month: number, count: number) =>
  between(utc(year, month), utc(year, month + count))

/** One day; undefined if the month, counted from 0, does not have it. */
export const day = (year: number, month: number, date: number): Period | undefined => {
  const at = utc(year, month, date)
  return new Date(at).getUTCMonth() === month && date > 0 ? between(at, at + DAY_MS) : undefined
}

/** The week, month, fiscal quarter, half or year that is `offset` units after the current one. */
export const calendar = (unit: string, offset: number, { now, fiscalStart }: Today): Required<Period> =>
  unitOf(isUnit(unit) ? unit : "year", iso(now.getTime()), offset, fiscalStart)

/** The last `count` units: days and weeks include today, as the periods of reports do. */
export const past = (count: number, unit: string, now: Date): Required<Period> => {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const today = utc(year, month, day)
  const monthsAgo = { month: 1, quarter: 3, year: 12 }[unit]
  const from =
    monthsAgo === undefined
      ? today - (count * (unit === "week" ? 7 : 1) - 1) * DAY_MS
      : Math.min(utc(year, month - count * monthsAgo, day), utc(year, month - count * monthsAgo + 1) - DAY_MS)
  return { from: iso(from), to: iso(today) }
}

/** The next `count` units, with today. */
export const coming = (count: number, unit: string, now: Date): Required<Period> => {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const today = utc(year, month, day)
  const monthsAhead = { month: 1, quarter: 3, year: 12 }[unit]
  const to =
    monthsAhead === undefined
      ? today + count * (unit === "week" ? 7 : 1) * DAY_MS
      : Math.min(utc(year, month + count * monthsAhead, day), utc(year, month + count * monthsAhead + 1) - DAY_MS)
  return { from: iso(today), to: iso(to) }
}

/** A part of the year of the question before that is longer ago than this from its period is that of the year after. */
const MAX_BACK_MS = 200 * DAY_MS

/** The year of a month without one: that of the question before, its next that has not ended, or its latest that has begun. */
export const latestYear = (month: number, { now, near, isComing = false }: Today) => {
  const latest = now.getUTCFullYear() - (month > now.getUTCMonth() ? 1 : 0)
  if (near === undefined) return isComing ? now.getUTCFullYear() + (month < now.getUTCMonth() ? 1 : 0) : latest
  const year = Number(near.slice(0, 4))
  const isBehind = utc(year, month) + MAX_BACK_MS < Date.parse(near)
  return isBehind && (isComing || year < latest) ? year + 1 : year
}

/** The number of the running fiscal year: that in which it ends. */
export const fiscalYear = ({ now, near = iso(now.getTime()), fiscalStart }: Today) => fiscalYearOf(near, fiscalStart)

/** Months of the fiscal year that ends in `year`, or of the running one. */
export const fiscalMonths = (year: number | undefined, first: number, count: number, today: Today) => {
  const { now, near, fiscalStart } = today
  const running = fiscalYear(today)
  const begins = utc(running - (fiscalStart > 1 ? 1 : 0), fiscalStart - 1 + first)
  const ends = utc(running - (fiscalStart > 1 ? 1 : 0), fiscalStart - 1 + first + count)
  const isEnded = today.isComing === true && ends <= now.getTime()
  const isLater = today.isComing !== true && begins > now.getTime()
  // After Q4 of an earlier year, Q1 is that of the year after.
  const isBehind = near !== undefined && begins + MAX_BACK_MS < Date.parse(near)
  // Without a year, the latest that has begun, or the next that has not ended.
  const ending = year ?? running + (isEnded || isBehind ? 1 : isLater ? -1 : 0)
  return months(ending - (fiscalStart > 1 ? 1 : 0), fiscalStart - 1 + first, count)
}
