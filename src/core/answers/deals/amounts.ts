import { METRICS } from "../../deals/metrics.ts"
import type { QuestionReader } from "../QuestionReader.ts"

/** Both ends are inclusive, as in the filters. */
interface Range {
  readonly min?: number
  readonly max?: number
}

/** A number, and its scale. */
export const DIGITS = String.raw`(\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?(k|m|mn|bn|thousand|million|billion)?`
const NUMBER = String.raw`(?:[€$£]\s?)?${DIGITS}(?:\s?(?:€|\$|£|eur|usd|gbp|euros?|dollars?|pounds?))?(?![\p{L}\p{N}])(?!\s*(?:%|percent|(?:day|week|month|quarter|year|deal|time|point)s?(?!\p{L})))`
const SCALE: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
}

/** The words that bound a number. */
export const BOUND_WORDS = {
  above: "above|over|more than|greater than|larger than|bigger than|higher than|exceeding|worth more than|>",
  below: "below|under|less than|smaller than|lower than|cheaper than|fewer than|<",
  from: "at least|no less than|not less than|minimum(?: of)?|>=|≥|from",
  upTo: "at most|no more than|not more than|up to|maximum(?: of)?|<=|≤",
}
const { above: ABOVE, below: BELOW, from: FROM, upTo: UP_TO } = BOUND_WORDS

export const amountOf = (digits = "", scale = "") => Number(digits.replaceAll(/[, ]/g, "")) * (SCALE[scale] ?? 1)

const pattern = (text: string) => new RegExp(String.raw`(?<![\p{L}\p{N}])${text}`, "u")
const BETWEEN = pattern(String.raw`(?:between|from)\s+${NUMBER}\s*(?:and|to|-|–)\s*${NUMBER}`)
/** "Above 10k and below 20k" has two bounds: no number may follow the first. */
const NO_NUMBER = String.raw`(?!\s*(?:[€$£]\s?)?\d)`
const OR_MORE = pattern(String.raw`${NUMBER}\s*(?:\+|or more|and above|and up|upwards)${NO_NUMBER}`)
const OR_LESS = pattern(String.raw`${NUMBER}\s*(?:or less|and below|or under)${NO_NUMBER}`)
const bounded = (words: string) => pattern(String.raw`(?:${words})\s*(?:of\s+)?${NUMBER}`)
const BOUNDED = [bounded(FROM), bounded(UP_TO), bounded(ABOVE), bounded(BELOW)] as const

/** "More than" excludes the number, but filters include their bounds. So the bound moves by `step`. */
const rangeFrom = (
  [from, upTo, above, below]: ReadonlyArray<RegExpExecArray | undefined>,
  step: number,
): Range | undefined => {
  const value = (match: RegExpExecArray) => amountOf(match[1], match[2])
  const min = from !== undefined ? value(from) : above !== undefined ? value(above) + step : undefined
  const max = upTo !== undefined ? value(upTo) : below !== undefined ? value(below) - step : undefined
  return min === undefined && max === undefined
    ? undefined
    : { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

/** The step of amounts. */
export const CENT = 0.01

/** Takes the condition on the amount. */
export const takeAmount = (reader: QuestionReader): Range | undefined => {
  const between = reader.take(BETWEEN)
  if (between !== undefined) {
    const [, low = "", lowScale, high = "", scale] = between
    // In "20 to 40k" the scale belongs to both numbers.
    const isShort = lowScale === undefined && Number(low) <= Number(high)
    const ends = [amountOf(low, isShort ? scale : lowScale), amountOf(high, scale)]
    return { min: Math.min(...ends), max: Math.max(...ends) }
  }
  const more = reader.take(OR_MORE)
  if (more !== undefined) return { min: amountOf(more[1], more[2]) }
  const less = reader.take(OR_LESS)
  if (less !== undefined) return { max: amountOf(less[1], less[2]) }
  return rangeFrom(
    BOUNDED.map((each) => reader.take(each)),
    CENT,
  )
}

/** The step of scores: they come in halves, so a tenth excludes exactly the bound. */
export const TENTH = 0.1

/** Takes the conditions on win-loss scores: "product fit below 3". */
export const takeScores = (reader: QuestionReader): Readonly<Record<string, Range>> => {
  const scores: Record<string, Range> = {}
  for (const metric of METRICS) {
    const name = `${metric.replaceAll("_", " ")}(?: score)?(?: (?:of|is|was))?\\s+`
    const found = [FROM, UP_TO, ABOVE, BELOW].map((bound) =>
      reader.take(pattern(String.raw`${name}(?:${bound})\s*(\d(?:\.\d)?)(?![\p{L}\p{N}.])`)),
    )
    const open = reader.take(
      pattern(String.raw`${name}(\d(?:\.\d)?) or (less|lower|below|under|worse|more|higher|above|better)`),
    )
    const bound = Number(open?.[1])
    const range =
      open === undefined
        ? rangeFrom(found, TENTH)
        : /^(?:less|lower|below|under|worse)$/.test(open[2] ?? "")
          ? { max: bound }
          : { min: bound }
    if (range !== undefined) scores[`wl_${metric}_score`] = range
  }
  return scores
}
