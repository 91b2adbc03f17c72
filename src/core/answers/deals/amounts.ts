import { METRICS } from "../../deals/metrics.ts"
import type { Words } from "./Words.ts"

/** Both ends inclusive, as the filters are. */
export interface Range {
  readonly min?: number
  readonly max?: number
}

const NUMBER = String.raw`(?:[€$£]\s?)?(\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?(k|m|mn|bn|thousand|million|billion)?(?:\s?(?:€|\$|£|eur|usd|gbp|euros?|dollars?|pounds?))?(?![\p{L}\p{N}])`
const SCALE: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
}

const ABOVE = "above|over|more than|greater than|larger than|bigger than|higher than|exceeding|worth more than|>"
const BELOW = "below|under|less than|smaller than|lower than|cheaper than|fewer than|<"
const FROM = "at least|no less than|not less than|minimum(?: of)?|>=|≥|from"
const UP_TO = "at most|no more than|not more than|up to|maximum(?: of)?|<=|≤"

const numberOf = (digits = "", scale = "") => Number(digits.replaceAll(/[, ]/g, "")) * (SCALE[scale] ?? 1)

const pattern = (text: string) => new RegExp(String.raw`(?<![\p{L}\p{N}])${text}`, "u")
const BETWEEN = pattern(String.raw`(?:between|from)\s+${NUMBER}\s*(?:and|to|-|–)\s*${NUMBER}`)
/** "Above 10k and below 20k": what follows is a bound of its own. */
const NO_NUMBER = String.raw`(?!\s*(?:[€$£]\s?)?\d)`
const OR_MORE = pattern(String.raw`${NUMBER}\s*(?:\+|or more|and above|and up|upwards)${NO_NUMBER}`)
const OR_LESS = pattern(String.raw`${NUMBER}\s*(?:or less|and below|or under)${NO_NUMBER}`)
const bounded = (words: string) => pattern(String.raw`(?:${words})\s*(?:of\s+)?${NUMBER}`)
const BOUNDED = [bounded(FROM), bounded(UP_TO), bounded(ABOVE), bounded(BELOW)] as const

/** "More than" leaves the number itself out; the filters do not, so the least that counts is a step further. */
const rangeFrom = (found: ReadonlyArray<RegExpExecArray | undefined>, step: number): Range | undefined => {
  const value = (match: RegExpExecArray) => numberOf(match[1], match[2])
  const [from, upTo, above, below] = found
  const min = from !== undefined ? value(from) : above !== undefined ? value(above) + step : undefined
  const max = upTo !== undefined ? value(upTo) : below !== undefined ? value(below) - step : undefined
  return min === undefined && max === undefined
    ? undefined
    : { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

/** Amounts have cents. */
export const CENT = 0.01

/** Takes what the question says of the amount. */
export const takeAmount = (words: Words): Range | undefined => {
  const between = words.take(BETWEEN)
  if (between !== undefined) {
    const [, low = "", lowScale, high = "", scale] = between
    // "20 to 40k": the first is short for thousands too.
    const short = lowScale === undefined && Number(low) <= Number(high)
    const ends = [numberOf(low, short ? scale : lowScale), numberOf(high, scale)]
    return { min: Math.min(...ends), max: Math.max(...ends) }
  }
  const more = words.take(OR_MORE)
  if (more !== undefined) return { min: numberOf(more[1], more[2]) }
  const less = words.take(OR_LESS)
  if (less !== undefined) return { max: numberOf(less[1], less[2]) }
  return rangeFrom(
    BOUNDED.map((each) => words.take(each)),
    CENT,
  )
}

/** Scores come in halves; a tenth keeps one of exactly the number out. */
export const TENTH = 0.1

/** Takes what the question says of the win-loss scores: "product fit below 3". */
export const takeScores = (words: Words): Readonly<Record<string, Range>> => {
  const scores: Record<string, Range> = {}
  for (const metric of METRICS) {
    const name = `${metric.replaceAll("_", " ")}(?: score)?(?: (?:of|is|was))?\\s+`
    const found = [FROM, UP_TO, ABOVE, BELOW].map((bound) =>
      words.take(pattern(String.raw`${name}(?:${bound})\s*(\d(?:\.\d)?)(?![\p{L}\p{N}.])`)),
    )
    const range = rangeFrom(found, TENTH)
    if (range !== undefined) scores[`wl_${metric}_score`] = range
  }
  return scores
}
