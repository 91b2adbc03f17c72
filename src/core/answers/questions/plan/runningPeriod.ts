import { chooseGroups } from "./chooseGroups.ts"
import { DAY_MS, iso } from "../words/calendar.ts"
import type { Period } from "../words/periods.ts"
import type { Slots } from "../parse/slots.ts"

/** Whether a period has begun and not ended. */
export const isRunning = ({ from, to }: Period, { today }: Pick<Slots, "today">): boolean => {
  const day = iso(today.now.getTime())
  return from !== undefined && to !== undefined && from <= day && day < to
}

const lengthOf = ({ from, to }: Required<Period>) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
/** In days. Quarters and months differ by as many. */
const MAX_DIFFERENCE = 3

const isWhole = (period: Period): period is Required<Period> => period.from !== undefined && period.to !== undefined

/**
 * "Revenue this quarter compared to last quarter": the running period beside the one before it, or that of the year before. As a comparison
 * its answer has the same days of both beside the whole one; as two periods, it would call a few weeks a decline. Of groups, a table has
 * room for both whole periods only.
 */
export const compareRunning = (slots: Slots): Slots => {
  const [before, running] = slots.periods.toSorted((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1))
  if (slots.compare !== "named" || slots.periods.length !== 2 || chooseGroups(slots).length > 0) return slots
  if (!isWhole(before!) || !isWhole(running!)) return slots
  if (!isRunning(running, slots) || Math.abs(lengthOf(before) - lengthOf(running)) > MAX_DIFFERENCE) return slots
  const isNext = iso(Date.parse(before.to) + DAY_MS) === running.from
  const isYearLater = Number(running.from.slice(0, 4)) - Number(before.from.slice(0, 4)) === 1
  const isSameDay = running.from.slice(4) === before.from.slice(4)
  if (!isNext && !(isYearLater && isSameDay)) return slots
  return { ...slots, periods: [running], compare: isNext ? "previous_period" : "previous_year" }
}
