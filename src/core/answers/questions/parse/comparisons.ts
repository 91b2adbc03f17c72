import type { QuestionReader } from "../../QuestionReader.ts"
import { DAY_MS } from "../words/calendar.ts"
import { GRAINS, type Grain, phrase } from "../words/lexicon.ts"
import { MONTH } from "../words/periodWords.ts"
import { calendar, type Period, type Today } from "../words/periods.ts"
import type { Slots } from "./slots.ts"

interface Comparison {
  readonly compare: NonNullable<Slots["compare"]>
  /** The periods that the comparison implies if the question names no other. */
  readonly periods: ReadonlyArray<Period>
  /** The step of "quarter over quarter". */
  readonly unit?: Grain | undefined
  /** "Quarter over quarter" without a period asks for each quarter, "than last quarter" for two. */
  readonly isOver?: boolean
}

const VERSUS = String.raw`(?:vs\.?|versus|(?:as )?compared (?:to|with)|relative to|against|over|than)(?: (?:in|during))?(?: (?:the|what we did))*`
const SAME = String.raw`(?:(?:same|this|that) (?:time|period|quarter|month|week|span)(?: of| in)? )?`

const YEARLY = phrase(
  String.raw`year[ -](?:over|on)[ -]year|yoy|y\/y|${VERSUS} ${SAME}(?:last|previous|prior) year|${VERSUS} (?:an?|one|1) year (?:ago|before|earlier)|the ${MONTH} before`,
)
const OVER_YEARS = /^(?:year|y)/u
const PERIODIC = phrase(
  String.raw`(week|month|quarter)[ -](?:over|on)[ -](?:week|month|quarter)|(qoq)|(mom)|${VERSUS} (?:last|previous|prior) (week|month|quarter)`,
)
const EARLIER = phrase(
  String.raw`(?:than|as) (?:we |it |they )?(?:used to|did before|were before|was before|had been)(?: be)?|(?:than|compared (?:to|with)) (?:before|previously|earlier|in the past|the (?:period|one) before|the (?:previous|prior) period)`,
)
/** With a comparison these only say its direction. */
const DIRECTION = phrase(
  String.raw`(?:more|less|fewer|better|worse|higher|lower|bigger|smaller|larger|faster|slower|longer|shorter|up|down)(?: often| frequently)?(?: (?:or|and) (?:more|less|fewer|better|worse|higher|lower|bigger|smaller|faster|slower|longer|shorter|up|down))?`,
)

/** Takes a comparison with an earlier time: "than last year", "quarter over quarter", "than we used to". */
export const takeComparison = (reader: QuestionReader, today: Today): Comparison | undefined => {
  const found = findComparison(reader, today)
  if (found !== undefined) {
    reader.take(TREND)
    reader.take(DIRECTION)
  }
  return found
}

const findComparison = (reader: QuestionReader, today: Today): Comparison | undefined => {
  const yearly = reader.take(YEARLY)
  if (yearly !== undefined) {
    const isOver = OVER_YEARS.test(yearly[0])
    const periods = [calendar("year", 0, today)]
    return { compare: "previous_year", periods, ...(isOver && { unit: "year" as const, isOver }) }
  }
  // "How has it moved, quarter over quarter" asks for each quarter.
  const isTrend = HOW_CHANGED.test(reader.text) && TREND.test(reader.text)
  const periodic = isTrend ? undefined : reader.take(PERIODIC)
  if (periodic !== undefined) {
    const unit =
      periodic[1] ?? periodic[4] ?? (periodic[2] === undefined ? (periodic[3] === undefined ? "" : "month") : "quarter")
    const grain = GRAINS.find(([each]) => each === unit)?.[0]
    const isOver = periodic[4] === undefined
    return { compare: "previous_period", periods: [calendar(unit, 0, today)], unit: grain, isOver }
  }
  if (reader.take(EARLIER) === undefined) return undefined
  return { compare: "previous_period", periods: [lastYear(today)] }
}

/** The unit of "quarter over quarter this year": each quarter is asked for, not one year beside another. */
export const findStep = (comparison: Comparison | undefined, [period, ...others]: ReadonlyArray<Period>) => {
  if (period === undefined) return comparison?.isOver === true ? comparison.unit : undefined
  const step = comparison?.periods[0]
  if (comparison?.unit === undefined || step?.from === undefined || period.from === undefined || others.length > 0)
    return undefined
  const isLonger = countDays(period) > DAYS[comparison.unit]
  return isLonger && period.from < step.from ? comparison.unit : undefined
}

/** The most days of each grain. */
const DAYS: Readonly<Record<Grain, number>> = { day: 1, week: 7, month: 31, quarter: 92, year: 366 }

const countDays = ({ from, to }: Period): number =>
  from === undefined || to === undefined ? Infinity : (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

/** The twelve whole months before this one. */
const lastYear = (today: Today): Period => ({
  from: calendar("month", -12, today).from,
  to: calendar("month", -1, today).to,
})

const TREND = phrase(
  String.raw`over time|trends?|trending|trended|(?:(?:going|gone|moving|trending|heading) )?(?:up or down|down or up)|better or worse|(?:going|gone|went) (?:up|down)|(?:getting|gotten|got|become|becoming) (?:better|worse|longer|shorter|faster|slower|bigger|smaller|larger|higher|lower)(?: or (?:better|worse|longer|shorter|faster|slower|bigger|smaller|larger|higher|lower))?|chang(?:e|es|ed|ing)|improv(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|gr[eo]w(?:n|s|ing)?|increas(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|dropp(?:ed|ing)|evolv(?:e|es|ed|ing)|mov(?:ed|ing)|shift(?:ed|ing)|develop(?:s|ed|ing|ment)?|historical(?:ly)?|history`,
)
const HOW_CHANGED = phrase(String.raw`how (?:has|have|did|does|do|is|are)`)

/** Whether the question asks how something changed. "Deals changed last week" does not. */
export const takeTrend = (reader: QuestionReader, hasBase: boolean): boolean => {
  const isAsked = hasBase || HOW_CHANGED.test(reader.text) || /over time|trend/u.test(reader.text)
  const isTrend = isAsked && reader.take(TREND) !== undefined
  if (isTrend) while (reader.take(TREND) !== undefined);
  return isTrend
}

/** Takes "by quarter", "per month", "monthly". */
export const takeGrain = (reader: QuestionReader): Grain | undefined => {
  for (const [grain, words] of GRAINS) {
    const by = String.raw`(?:by|per|each|every|split by|for each|broken down by|in each|of each|across|and)(?: the)? (?:${words})|(?:which|what) (?:${words})|(?<=(?:best|worst|strongest|weakest|busiest|top|biggest) )(?:${words})`
    const repeated = `${grain} (?:by|after|over) ${grain}`
    const adverb = words.split("|").filter((word) => word.endsWith("ly") || word === "annual")
    if (reader.take(phrase([repeated, by, ...adverb].join("|"))) !== undefined) return grain
  }
  return undefined
}
