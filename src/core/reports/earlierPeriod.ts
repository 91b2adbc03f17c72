import { addDays, addMonths, type Days } from "../deals/filters/periods.ts"
import type { Comparison } from "./limits.ts"

/** The period with which a report compares this one. */
export const earlierPeriod = (period: Days, comparison: Comparison): Days => {
  const move = mover(period, comparison)
  return { from: move(period.from), to: endOf(period, move) }
}

/** Whole months end with their last day, whatever its number. */
const endOf = ({ to }: Days, move: (day: string) => string) =>
  isLastOfMonth(to) && isFirstOfMonth(move(addDays(to, 1))) ? addDays(move(addDays(to, 1)), -1) : move(to)

const isFirstOfMonth = (day: string) => day.endsWith("-01")
const isLastOfMonth = (day: string) => isFirstOfMonth(addDays(day, 1))

/** Moves a day into the earlier period. Periods of whole months move by months, others by days. */
export const mover = ({ from, to }: Days, comparison: Comparison) => {
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
