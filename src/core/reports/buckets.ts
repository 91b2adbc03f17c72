import { addDays, addMonths, MONTHS_IN } from "../deals/filters/periods.ts"
import { FIRST_DAY, LAST_DAY } from "../http/values/bounds.ts"
import type { Grain } from "./dimensions.ts"

/** A group of a date dimension starts on the day `start`, `YYYY-MM-DD`. */

const monthOf = (day: string) => Number(day.slice(5, 7))
const yearOf = (day: string) => Number(day.slice(0, 4))
const padded = (year: number) => String(year).padStart(4, "0")

/** The fiscal year is named after the calendar year in which it ends. */
export const fiscalYear = (start: string, fiscalStart: number): number =>
  yearOf(start) + (fiscalStart > 1 && monthOf(start) >= fiscalStart ? 1 : 0)

/** The name of a group: `2026-03-31`, `2026-W12`, `2026-03`, `2026-Q1` or `2026`. */
export const writeLabel = (grain: Grain, start: string, fiscalStart: number): string => {
  switch (grain) {
    case "day":
      return start
    case "week": {
      // The year of an ISO week is that of its Thursday.
      const thursday = addDays(start, 3)
      const first = `${thursday.slice(0, 4)}-01-01`
      const week = Math.floor((Date.parse(thursday) - Date.parse(first)) / (7 * 86_400_000)) + 1
      return `${thursday.slice(0, 4)}-W${String(week).padStart(2, "0")}`
    }
    case "month":
      return start.slice(0, 7)
    case "quarter": {
      const quarter = Math.floor(((monthOf(start) - fiscalStart + 12) % 12) / 3) + 1
      return `${padded(fiscalYear(start, fiscalStart))}-Q${quarter}`
    }
    case "year":
      return padded(fiscalYear(start, fiscalStart))
  }
}

/** The name of a group for people: quarters and years of a fiscal year that is not the calendar's say so, "FY27 Q3". */
export const writeDisplay = (grain: Grain, start: string, fiscalStart: number): string => {
  const label = writeLabel(grain, start, fiscalStart)
  if (fiscalStart === 1 || (grain !== "quarter" && grain !== "year")) return label
  const [year = "", quarter] = label.split("-")
  return `FY${year.replace(/^20(?=\d\d$)/, "")}${quarter === undefined ? "" : ` ${quarter}`}`
}

/** The last day of the group. */
export const lastDayOf = (grain: Grain, start: string): string => {
  if (grain === "day") return start
  if (grain === "week") return addDays(start, 6)
  return addDays(addMonths(start, MONTHS_IN[grain]), -1)
}

/**
 * The first day of the group that contains `day`, as SQL over `column`, a `date` or `timestamp`. Days beyond the years of filters are in the first
 * or last group: units of the year 1 could begin before it.
 */
export const bucketSql = (grain: Grain, given: string, fiscalStart: number): string => {
  const day = `(${given})::date`
  // Not `least(greatest(…))`, which ignore nulls.
  const column = `case when ${day} < '${FIRST_DAY}' then '${FIRST_DAY}' when ${day} > '${LAST_DAY}' then '${LAST_DAY}' else ${day} end`
  if (grain === "day") return `(${column})::date`
  // Months by which the fiscal quarter or year starts after the calendar's.
  const shift = grain === "quarter" ? (fiscalStart - 1) % 3 : grain === "year" ? fiscalStart - 1 : 0
  return shift === 0
    ? `date_trunc('${grain}', (${column})::timestamp)::date`
    : `(date_trunc('${grain}', (${column})::timestamp - interval '${shift} months') + interval '${shift} months')::date`
}

/** The number of groups from the one that starts on `from` to the one that starts on `to`. */
export const bucketsBetween = (grain: Grain, from: string, to: string): number => {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
  if (grain === "day") return days
  if (grain === "week") return Math.round(days / 7)
  return Math.round(((yearOf(to) - yearOf(from)) * 12 + monthOf(to) - monthOf(from)) / MONTHS_IN[grain])
}
