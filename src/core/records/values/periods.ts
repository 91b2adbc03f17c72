import { makeDay, monthCalled } from "./dates.ts"

/** A month, quarter, half or year as a day: its last one. */
export interface Period {
  readonly day: string
  readonly unit: "month" | "quarter" | "half-year" | "year"
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
const FISCAL = /\b(?:fy|fiscal|gj|geschäftsjahr|exercice|ejercicio)\s?['-]?\s?\d{2,4}/iu

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

/**
 * Reads `Mar 2025`, `Mar-25`, `2025-03`, `Q3 2025`, `3. Quartal 2025`, `H2 2025` and `2025` as the last day of the month, quarter, half or
 * year. Undefined if the text names none.
 */
export const readPeriod = (cell: string): Period | UnclearPeriod | undefined => {
  const text = cell.normalize("NFKC").trim()
  if (text.length > MAX_PERIOD || !/\d/.test(text)) return undefined
  if (FISCAL.test(text)) {
    return { reason: "is of a fiscal year, and the file does not say with which month that begins: write a date" }
  }
  const quarter = find(QUARTERS, text)
  if (quarter !== undefined) return { day: lastDay(quarter.year, Number(quarter.part) * 3)!, unit: "quarter" }
  const half = find(HALVES, text)
  if (half !== undefined) return { day: lastDay(half.year, Number(half.part) * 6)!, unit: "half-year" }
  const year = YEARS.exec(text)?.groups?.["year"]
  return year === undefined ? readMonth(text) : { day: `${year}-12-31`, unit: "year" }
}

const MAX_PERIOD = 40
