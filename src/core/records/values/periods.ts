import { normalizeDigits } from "../../common/raisedDigits.ts"
import { makeDay, monthCalled } from "./dates.ts"

/** A month, quarter, half or year as a day: its last one. */
export interface Period {
  readonly day: string
  readonly unit: "month" | "quarter" | "half-year" | "year"
  readonly isFiscal?: true
}

/** Why a cell names no period that can be trusted, although it is like one. */
export interface UnclearPeriod {
  readonly reason: string
}

const PART = String.raw`(?:(?:the\s+)?(?:end of|eo|ende|fin de|fin|finales de|fine|late|mid|mitte|early|anfang|début|mi)[\s-]+)`
const YEAR = String.raw`(\d{4}|'?\d{2})`
const BETWEEN = String.raw`[\s\-/.,']*(?:of\s+|del?\s+)?`
const QUARTER = String.raw`(?:q|quarter|quartal|qtr|trimestre|trim|t)\.?`
const HALF = String.raw`(?:h|half|halbjahr|hj|semestre|semester)\.?`

const pattern = (text: string) => new RegExp(`^(?:by\\s+)?${PART}?${text}$`, "iu")
const named = (word: string, max: number) => [
  pattern(String.raw`${word}\s?(?<part>[1-${max}])${BETWEEN}(?<year>${YEAR})`),
  pattern(String.raw`(?<part>[1-${max}])\.?\s?${word}${BETWEEN}(?<year>${YEAR})`),
  pattern(String.raw`(?<year>\d{4})[\s\-/]*${word}\s?(?<part>[1-${max}])`),
]
const QUARTERS = named(QUARTER, 4)
const HALVES = named(HALF, 2)
const MONTHS = [
  pattern(String.raw`(?<part>\p{L}+)\.?${BETWEEN}(?<year>\d{4})`),
  pattern(String.raw`(?<part>\p{L}+)\.?\s?[-/'](?<year>\d{2})`),
  pattern(String.raw`(?<year>\d{4})[\s-]+(?<part>\p{L}+)\.?`),
  pattern(String.raw`(?<year>\d{4})[-/.](?<part>\d{1,2})`),
  pattern(String.raw`(?<part>\d{1,2})[-/.](?<year>\d{4})`),
]
const YEARS = pattern(String.raw`(?<year>20\d{2})`)
/** A fiscal year, by the years in which it begins and ends or the latter alone: `FY25`, `FY 2024/25`. */
const FISCAL =
  /\b(?:fy|fiscal(?: year)?|gj|geschäftsjahr|exercice|ejercicio)\s?['-]?\s?(?<first>\d{4}|\d{2})(?!\d)(?:\s?[/-]\s?(?<last>\d{4}|\d{2})(?!\d))?/iu
const QUARTER_ALONE = new RegExp(String.raw`^(?:${QUARTER}\s?([1-4])|([1-4])\.?\s?${QUARTER})$`, "iu")
const HALF_ALONE = new RegExp(String.raw`^(?:${HALF}\s?([12])|([12])\.?\s?${HALF})$`, "iu")

/** Two digits that are a year. Others may be days: `Mar-05`, `Mar-31`. */
const SHORT_YEAR = /^2\d$/

const find = (patterns: ReadonlyArray<RegExp>, text: string) => {
  for (const each of patterns) {
    const groups = each.exec(text)?.groups
    if (groups !== undefined) return { part: groups["part"] ?? "", year: (groups["year"] ?? "").replace("'", "") }
  }
  return undefined
}

const lastDay = (year: string, month: number): string | undefined => {
  const whole = Number(year.length === 2 ? `20${year}` : year)
  return [31, 30, 29, 28].map((day) => makeDay(whole, month, day)).find((day) => day !== undefined)
}

const readMonth = (text: string): Period | UnclearPeriod | undefined => {
  const found = find(MONTHS, text)
  if (found === undefined) return undefined
  const month = /^\d/.test(found.part) ? Number(found.part) : monthCalled(found.part)
  if (month === undefined || month < 1 || month > 12) return undefined
  const day = lastDay(found.year, month)
  if (found.year.length === 2 && !SHORT_YEAR.test(found.year)) {
    return { reason: `may mean a day of the month or a month of the year 20${found.year}: write the whole date` }
  }
  return day === undefined ? undefined : { day, unit: "month" }
}

const shortYear = (year: string): number => Number(year) % 100

/** The last day of a fiscal year or of a part of it. `start`: its first month, from 1. It has the number of the year in which it ends. */
const readFiscal = (text: string, start: number | undefined): Period | UnclearPeriod | undefined => {
  const found = FISCAL.exec(text)
  if (found?.groups === undefined) return undefined
  if (start === undefined) return { reason: "is of a fiscal year: write a date" }
  const { first = "", last } = found.groups
  const rest = text
    .replace(found[0], "")
    .replaceAll(/^[\s\-/.,']+|(?<![\s\-/.,'])[\s\-/.,']+$/g, "")
    .replace(/(?<!\s)\s+(?:of|in|de|des|del)$/i, "")
  const count = (pattern: RegExp) =>
    Number(
      pattern
        .exec(rest)
        ?.slice(1)
        .find((part) => part !== undefined),
    )
  const [quarter, half] = [count(QUARTER_ALONE), count(HALF_ALONE)]
  const isFollowed = last === undefined || shortYear(last) === (shortYear(first) + 1) % 100
  const lastMonth = quarter > 0 ? quarter * 3 : half > 0 ? half * 6 : rest === "" ? 12 : undefined
  if (lastMonth === undefined || !isFollowed)
    return { reason: "is like a fiscal year, but no quarter or half of one: write a date" }
  const year = Number(`20${String(shortYear(last ?? first)).padStart(2, "0")}`)
  const month = start - 1 + lastMonth - (start > 1 ? 12 : 0)
  const at = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return { day: at, unit: quarter > 0 ? "quarter" : half > 0 ? "half-year" : "year", isFiscal: true }
}

/**
 * Reads `Mar 2025`, `Mar-25`, `2025-03`, `Q3 2025`, `3. Quartal 2025`, `H2 2025` and `2025` as the last day of the month, quarter, half or
 * year, and `Q3 FY25` by the first month of the fiscal year, from 1. Undefined if the text names none.
 */
export const readPeriod = (cell: string, fiscalStart?: number): Period | UnclearPeriod | undefined => {
  const text = normalizeDigits(cell).trim()
  if (text.length > MAX_PERIOD || !/\d/.test(text)) return undefined
  const fiscal = readFiscal(text, fiscalStart)
  if (fiscal !== undefined) return fiscal
  const quarter = find(QUARTERS, text)
  if (quarter !== undefined) return { day: lastDay(quarter.year, Number(quarter.part) * 3)!, unit: "quarter" }
  const half = find(HALVES, text)
  if (half !== undefined) return { day: lastDay(half.year, Number(half.part) * 6)!, unit: "half-year" }
  const year = YEARS.exec(text)?.groups?.["year"]
  return year === undefined ? readMonth(text) : { day: `${year}-12-31`, unit: "year" }
}

const MAX_PERIOD = 40

/** Names the period and the kind of its year, as far as the setting `fiscal_start` matters. Without a choice, it is 1. */
export const describePeriod = ({ unit, isFiscal }: Period, fiscalStart = 1): string => {
  if (isFiscal !== true) return fiscalStart === 1 || unit === "month" ? `the ${unit}` : `the ${unit} of the calendar`
  const by =
    fiscalStart === 1
      ? "month 1, because the setting 'fiscal_start' is 1 or was never chosen"
      : `month ${fiscalStart}, by the setting 'fiscal_start'`
  return `the ${unit} of a fiscal year that begins with ${by}, and is called after the year in which it ends`
}
