import { type CanonicalFilters, DATE_FILTERS, type DateFilter } from "../deals/filters.ts"
import { addDays, addMonths, type Days } from "../deals/periods.ts"
import type { Invalid } from "../http/validation.ts"
import type { Comparison } from "./limits.ts"

/** The period of a report and the earlier one with which it is compared. */
export interface Compared {
  readonly field: DateFilter
  readonly period: Days
  readonly earlier: Days
  /** If the period is running: the part of the earlier one up to the same day. */
  readonly sameSpan: Days | undefined
}

const NEEDS_PERIOD = "must come with one date filter that has both ends, as days"

/** Finds the period of the filters, without named periods, and the earlier one. */
export const comparedPeriod = (
  filters: CanonicalFilters,
  comparison: Comparison,
  today: string,
): Compared | Invalid => {
  const given = DATE_FILTERS.filter((name) => filters[name] !== undefined)
  const [field] = given
  const { from, to } = (field === undefined ? undefined : filters[field]) ?? {}
  if (field === undefined || given.length > 1 || from?.length !== 10 || to?.length !== 10) {
    return { field: "compare", reason: NEEDS_PERIOD }
  }
  const period = { from, to }
  const move = mover(period, comparison)
  const earlier = { from: move(from), to: endOf(period, move) }
  const isRunning = from <= today && today < to
  const day = move(today)
  return {
    field,
    period,
    earlier,
    sameSpan: isRunning ? { from: earlier.from, to: day < earlier.to ? day : earlier.to } : undefined,
  }
}

/** Whole months end with their last day, whatever its number. */
const endOf = ({ to }: Days, move: (day: string) => string) =>
  isLastOfMonth(to) && isFirstOfMonth(move(addDays(to, 1))) ? addDays(move(addDays(to, 1)), -1) : move(to)

const isFirstOfMonth = (day: string) => day.endsWith("-01")
const isLastOfMonth = (day: string) => isFirstOfMonth(addDays(day, 1))

/** Moves a day into the earlier period. Periods of whole months move by months, others by days. */
const mover = ({ from, to }: Days, comparison: Comparison) => {
  if (comparison === "previous_year") return (day: string) => addCalendarMonths(day, -12)
  if (isFirstOfMonth(from) && isLastOfMonth(to)) {
    const [first, last] = [new Date(from), new Date(to)]
    const count = (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth() + 1
    return (day: string) => addCalendarMonths(day, -count)
  }
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  return (day: string) => addDays(day, -days)
}

/** The same day of another month, or that month's last day. */
const addCalendarMonths = (day: string, count: number): string => {
  const first = addMonths(day, count)
  const moved = addDays(first, Number(day.slice(8)) - 1)
  return moved.slice(0, 7) === first.slice(0, 7) ? moved : addDays(addMonths(first, 1), -1)
}
