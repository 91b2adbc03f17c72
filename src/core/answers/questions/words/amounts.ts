import { METRICS } from "../../../deals/columns/metrics.ts"
import { QuestionReader } from "../../QuestionReader.ts"
import { COUNT_WORDS, parseCount } from "../../words.ts"
import { LEFT_OUT } from "./denial.ts"

/** Both ends are inclusive, as in the filters. */
interface Range {
  readonly min?: number
  readonly max?: number
}

const SCALES = String.raw`k|m|mn|mio\.?|mrd\.?|tsd\.?|bn|thousand|grand|million|billion|lakhs?|crores?`
const PARTS: ReadonlyArray<readonly [words: string, value: number]> = [
  ["half an?", 0.5],
  ["(?:an? )?quarter of an?", 0.25],
  ["three[ -]quarters of an?", 0.75],
  ["an?", 1],
]
/** Before a scale: "twenty thousand", "a quarter of a million". */
const WORDS = String.raw`(?:${PARTS.map(([words]) => words).join("|")}|${COUNT_WORDS})(?=[\s-](?:thousand|grand|million|billion|lakhs?|crores?))`
/** A number, and its scale. A dot, comma, blank or apostrophe before exactly three digits separates thousands. */
export const DIGITS = String.raw`(\d{1,3}(?:[.,' ]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?|${WORDS})[\s-]?(${SCALES})?`
const CURRENCY = String.raw`€|\$|£|eur|usd|gbp|chf|euros?|dollars?|pounds?`
/** "Under 10 deals" counts deals; "under 10k deals" and "over-50Ks" bound their amount. */
const NUMBER = String.raw`(?:(?:[€$£]|eur|usd|gbp|chf)\s?)?${DIGITS}(?:[\s-]?(?:${CURRENCY}))?s?(?![\p{L}\p{N}]|[.,]\d)(?!\s*(?:%|percent|thousand|grand|million|billion|lakh|crore|(?:day|week|month|quarter|year|time|point)s?(?!\p{L})|(?<!(?:\d[km]|${CURRENCY})\s*)(?:(?:closed|decided|won|lost|open|overdue|active|live|big|large|small|new|different|separate) )*(?:deals?|opps?|opportunit(?:y|ies))(?!\p{L})))`
const SCALE: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  grand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  mio: 1e6,
  mrd: 1e9,
  tsd: 1e3,
  bn: 1e9,
  billion: 1e9,
  lakh: 1e5,
  lakhs: 1e5,
  crore: 1e7,
  crores: 1e7,
}

const DENIED = "(?:not|no|(?:is|are|was|were|do|does|did)n't)(?: worth)?"

/** The words that bound a number. */
export const BOUND_WORDS = {
  above: "above|over|more than|greater than|larger than|bigger than|higher than|exceed(?:s|ed|ing)?|worth more than|>",
  below: "below|under|less than|smaller than|lower than|cheaper than|fewer than|sub|<",
  from: `at least|${DENIED} (?:less than|below|under|smaller than|lower than)|minimum(?: of)?|>=|≥|from`,
  upTo: `at most|${DENIED} (?:more than|above|over|greater than|larger than|bigger than|higher than|exceed(?:s|ed|ing)?|worth more than)|up to|maximum(?: of)?|<=|≤`,
}
const { above: ABOVE, below: BELOW, from: FROM, upTo: UP_TO } = BOUND_WORDS

/** "1.125 m" and "0.125" are fractions, as a bare "1.125" is not. */
const FRACTION = /^0[.,]\d+$|^\d+\.\d+$/

const parseValue = (said: string, scale: string): number => {
  if (!/^\d/.test(said))
    return PARTS.find(([words]) => new RegExp(`^(?:${words})$`).test(said))?.[1] ?? parseCount(said)
  const isFraction = FRACTION.test(said) && (scale !== "" || said.startsWith("0"))
  const plain = isFraction ? said : said.replaceAll(/[.,' ](?=\d{3}(?:\D|$))/g, "")
  return Number(plain.replace(",", "."))
}

export const parseAmount = (said = "", scale = "") => parseValue(said, scale) * (SCALE[scale.replace(".", "")] ?? 1)

const pattern = (text: string) => new RegExp(String.raw`(?<![\p{L}\p{N}])${text}`, "u")
const BETWEEN = pattern(String.raw`(?:between|from)\s+${NUMBER}\s*(?:and|to|-|–)\s*${NUMBER}`)
/** "Above 10k and below 20k" has two bounds: no number may follow the first. */
const NO_NUMBER = String.raw`(?!\s*(?:(?:[€$£]|eur|usd|gbp|chf)\s?)?\d)`
const OR_MORE = pattern(String.raw`${NUMBER}\s*(?:\+|-plus|or more|and above|and up|upwards)${NO_NUMBER}`)
const OR_LESS = pattern(String.raw`${NUMBER}\s*(?:or less|and below|or under)${NO_NUMBER}`)
const bounded = (words: string) => pattern(String.raw`(?:${words})[\s-]*(?:of\s+)?${NUMBER}`)
const BOUNDED = [bounded(FROM), bounded(UP_TO), bounded(ABOVE), bounded(BELOW)] as const

/** "More than" excludes the number, but filters include their bounds. So the bound moves by `step`. */
const rangeFrom = (
  [from, upTo, above, below]: ReadonlyArray<RegExpExecArray | undefined>,
  step: number,
): Range | undefined => {
  const value = (match: RegExpExecArray) => parseAmount(match[1], match[2])
  const min = from !== undefined ? value(from) : above !== undefined ? value(above) + step : undefined
  const max = upTo !== undefined ? value(upTo) : below !== undefined ? value(below) - step : undefined
  return min === undefined && max === undefined
    ? undefined
    : { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

/** The step of amounts. */
export const CENT = 0.01

/** The amounts on the other side of a bound; undefined for a range between two. */
const complement = ({ min, max }: Range): Range | undefined =>
  min !== undefined && max !== undefined
    ? undefined
    : min !== undefined
      ? { max: Math.round((min - CENT) * 100) / 100 }
      : { min: Math.round((max! + CENT) * 100) / 100 }

/** Takes the condition on the amount. "Excluding deals under 10k" keeps those from there on. */
export const takeAmount = (reader: QuestionReader): Range | undefined => {
  const { text } = reader
  const range = takeRange(reader)
  const kept = range === undefined ? undefined : complement(range)
  if (kept === undefined) return range
  let start = 0
  while (text[start] === reader.text[start]) start++
  const left = LEFT_OUT.exec(text.slice(0, start))
  if (left === null) return range
  reader.takeRange(left.index, start)
  return kept
}

const takeRange = (reader: QuestionReader): Range | undefined => {
  const between = reader.take(BETWEEN)
  if (between !== undefined) {
    const [, low = "", lowScale, high = "", scale] = between
    // In "20 to 40k" the scale belongs to both numbers.
    const isShort = lowScale === undefined && parseAmount(low) <= parseAmount(high)
    const ends = [parseAmount(low, isShort ? scale : lowScale), parseAmount(high, scale)]
    return { min: Math.min(...ends), max: Math.max(...ends) }
  }
  const more = reader.take(OR_MORE)
  if (more !== undefined) return { min: parseAmount(more[1], more[2]) }
  const less = reader.take(OR_LESS)
  if (less !== undefined) return { max: parseAmount(less[1], less[2]) }
  return rangeFrom(
    BOUNDED.map((each) => reader.take(each)),
    CENT,
  )
}

const ONE_BOUND = String.raw`(?:${ABOVE}|${BELOW}|${FROM}|${UP_TO})[\s-]*(?:of\s+)?${NUMBER}`
const TWO_BOUNDS = pattern(
  String.raw`(?<first>${ONE_BOUND})(?:\s+(?:deals?|ones?))?,?\s+(?<join>vs\.?|versus|against|compared (?:to|with)|than|and|or)\s+(?:(?:the|those|deals?|ones?|with|for|in|of)\s+)*(?<second>${ONE_BOUND}|(?:${ABOVE}|${BELOW})(?=[\s?.!]*$))`,
)

/** Takes two conditions on the amount that a question puts beside each other: "above 100k vs below 100k". "Above 10k and below 20k" is one. */
export const takeTwoAmounts = (reader: QuestionReader): ReadonlyArray<{ said: string; amount: Range }> | undefined => {
  const found = TWO_BOUNDS.exec(reader.text)
  const { first = "", second = "", join = "" } = found?.groups ?? {}
  // "Above 100k vs below" has the number once.
  const bare = /\d/.test(second) || second === "" ? second : `${second} ${/\d.*$/u.exec(first)?.[0] ?? ""}`
  const sides = [first, bare].flatMap((said) => {
    const amount = said === "" ? undefined : takeAmount(new QuestionReader(said))
    return amount === undefined ? [] : [{ said, amount }]
  })
  const [one, other] = sides
  if (found === null || one === undefined || other === undefined) return undefined
  const min = one.amount.min ?? other.amount.min ?? -Infinity
  const max = one.amount.max ?? other.amount.max ?? Infinity
  if (/^(?:and|or)$/.test(join) && min <= max) return undefined
  reader.takeRange(found.index, found.index + found[0].length)
  return sides
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
