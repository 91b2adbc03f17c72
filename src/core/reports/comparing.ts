import { type CanonicalFilters, DATE_FILTERS, type DateFilter } from "../deals/filters/filters.ts"
import type { Days } from "../deals/filters/periods.ts"
import type { Invalid } from "../http/validation/validation.ts"
import { earlierPeriod, mover } from "./earlierPeriod.ts"
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
  const earlier = earlierPeriod(period, comparison)
  const isRunning = from <= today && today < to
  const day = mover(period, comparison)(today)
  return {
    field,
    period,
    earlier,
    sameSpan: isRunning ? { from: earlier.from, to: day < earlier.to ? day : earlier.to } : undefined,
  }
}
