import { COUNT_WORDS, parseCount } from "../../words.ts"
import { calendar, coming, day, fiscalMonths, fiscalYear, iso, latestYear, months, past } from "./calendar.ts"
import { DAY_MS, type Period, type Today } from "./calendar.ts"
import { DEAL, SUPERLATIVES } from "./lexicon.ts"

/** The groups of a match by their names. */
type Found = Readonly<Record<string, string | undefined>>

export interface Reading {
  readonly pattern: string
  readonly read: (found: Found, today: Today) => Period | undefined
  /** Only in capitals, as "LY" for last year. */
  readonly isCapital?: boolean
  /** Says so little that another period beside it replaces it. */
  readonly isVague?: boolean
}

const reading = (pattern: string, read: Reading["read"], more?: Pick<Reading, "isCapital" | "isVague">): Reading => ({
  pattern,
  read,
  ...more,
})

const MONTHS = "january february march april may june july august september october november december".split(" ")
/** "May I", "it may be" and "who may" have a verb. */
const MAY = String.raw`(?<!(?:who|it|there|they|we|you|i|he|she|one|which) )may(?! (?:i|we|you|it|he|she|they|well|be|have|not|also|still|never|ask|see|get|need|want|choose)(?!\p{L}))`
const short = (name: string) => `${name.slice(0, 3)}(?:${name === "september" ? "t|t?" : ""}${name.slice(3)})?`
export const MONTH = `(?:${MONTHS.map((name) => (name === "may" ? MAY : name.length > 4 ? short(name) : `${name.slice(0, 3)}${name.slice(3)}?`)).join("|")})`
export const isMonth = (word: string): boolean => MONTHS.includes(word)
const findMonth = (text = "") => MONTHS.findIndex((name) => name.startsWith(text.slice(0, 3)))

const ORDINALS =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(
    " ",
  )
const ORDINAL = String.raw`twent(?:ieth|y[- ](?:${ORDINALS.slice(0, 9).join("|")}))|thirt(?:ieth|y[- ]first)|${ORDINALS.toReversed().join("|")}`
const parseOrdinal = (text: string) => {
  const tens = text.startsWith("twent") ? 20 : text.startsWith("thirt") && text !== "thirteenth" ? 30 : 0
  return tens + ORDINALS.indexOf(tens === 0 ? text : (text.split(/[- ]/)[1] ?? "")) + 1
}

/** The number counts the things behind it: "Q2, 10 biggest". */
const NO_COUNT = String.raw`(?![\d:%€$£]|[.,]\d| ?(?:k|m|%|percent|days?|weeks?|months?)(?!\p{L})| (?:${SUPERLATIVES.map(([, words]) => words).join("|")}|${DEAL})(?!\p{L}))`
/** "2026", "'26", "this year". */
const YEAR = String.raw`(?:,? (?:of |in )?(?:the )?(?<offset>this|last|previous|prior|next|current) (?:fiscal |financial )?(?:year|yr)(?: so far| to date)?|(?:,? (?:of )?|[/-])(?<year>\d{4})(?!\d)|(?: ?['/]|,? (?=2\d|3\d))(?<digits>\d\d)(?!/)${NO_COUNT})`
const FISCAL = String.raw`(?:fy|(?:the )?(?:fiscal|financial)(?: (?:year|yr))?)`
const FISCAL_YEAR = String.raw`(?:(?: of| in)?[ /-]*${FISCAL}[ -]?'?(?:20)?(?<fiscal>\d\d)|${YEAR})`

const OFFSETS: Readonly<Record<string, number>> = {
  last: -1,
  previous: -1,
  prev: -1,
  prior: -1,
  running: 0,
  this: 0,
  current: 0,
  actual: 0,
  next: 1,
  coming: 1,
  upcoming: 1,
}

/** The year that the match names, where that of `now` is `running`. */
const chooseYear = ({ year, digits, fiscal, offset }: Found, running: number): number | undefined =>
  offset !== undefined
    ? running + (OFFSETS[offset] ?? 0)
    : year !== undefined
      ? Number(year)
      : (digits ?? fiscal) !== undefined
        ? 2000 + Number(digits ?? fiscal)
        : undefined

const makeDay = (found: Found, date: number, today: Today) => {
  const month = findMonth(found["month"])
  return day(chooseYear(found, today.now.getUTCFullYear()) ?? latestYear(month, today), month, date)
}
const makeFiscal = (found: Found, first: number, count: number, today: Today) =>
  fiscalMonths(chooseYear(found, fiscalYear(today)), first, count, today)

const UNIT = "(?<unit>day|week|wk|month|mth|mnth|mo|quarter|qtr|year|yr|[dwmqy])s?"
const UNITS: Readonly<Record<string, string>> = { d: "day", w: "week", m: "month", q: "quarter", y: "year", h: "half" }
const unitOf = (text = "") => UNITS[text.charAt(0)] ?? text
/** "90 days", "90d", "ninety days". */
const SPAN = String.raw`(?<count>\d{1,4}|${COUNT_WORDS}(?=[ -]))[ -]?${UNIT}`
const makePast = ({ count = "", unit }: Found, { now }: Today) => past(parseCount(count), unitOf(unit), now)
/** Quarters are whole ones before this one, as `last_4_quarters` is; days, weeks, months and years end today. */
const makeLast = (found: Found, today: Today) => {
  const { count = "", unit } = found
  return unitOf(unit) === "quarter"
    ? { from: calendar("quarter", -parseCount(count), today).from, to: calendar("quarter", -1, today).to }
    : makePast(found, today)
}

const STEP = String.raw`(?<unit>week|wk|month|mth|mnth|mo|quarter|qtr|q|half|year|yr)`
const toDate = (unit: string, today: Today) => ({ from: calendar(unit, 0, today).from, to: iso(today.now.getTime()) })
/** "Last calendar quarter" is one of the calendar year, whatever year the workspace plans in. */
const inYear = (kind: string | undefined, today: Today): Today =>
  kind === undefined ? today : { ...today, fiscalStart: 1 }
const ago = (days: number, { now }: Today) => ({
  from: iso(now.getTime() - days * DAY_MS),
  to: iso(now.getTime() - days * DAY_MS),
})

const SLASHED = String.raw`(?<a>\d{1,2})/(?<b>\d{1,2})(?:/(?<firstYear>\d{4}|\d\d))?`
const fullYear = (text: string) => Number(text.length === 2 ? `20${text}` : text)

/** "1/4–15/6/26": the 15 says that days come first. Undefined if both orders are dates. */
const slashed = ({ a, b, firstYear, c, d, lastYear = "" }: Found): Period | undefined => {
  const read = (first = "", second = "", year: string) => [
    day(fullYear(year), Number(second) - 1, Number(first)),
    day(fullYear(year), Number(first) - 1, Number(second)),
  ]
  const from = read(a, b, firstYear ?? lastYear)
  const to = c === undefined ? from : read(c, d, lastYear)
  const both = [0, 1].flatMap((order) => {
    const [start, end] = [from[order], to[order]]
    return start?.from === undefined || end?.to === undefined || start.from > end.to
      ? []
      : [{ from: start.from, to: end.to }]
  })
  return both.length === 1 ? both[0] : undefined
}

/** In the order in which they are tried. */
export const READINGS: ReadonlyArray<Reading> = [
  reading(String.raw`(?<year>\d{4})-(?<m>\d\d)-(?<d>\d\d)`, ({ year, m, d }) =>
    day(Number(year), Number(m) - 1, Number(d)),
  ),
  reading(String.raw`${SLASHED} ?(?:-|–|to|until) ?(?<c>\d{1,2})/(?<d>\d{1,2})/(?<lastYear>\d{4}|\d\d)`, slashed),
  reading(String.raw`(?<a>\d{1,2})/(?<b>\d{1,2})/(?<lastYear>\d{4}|\d\d)`, slashed),
  // Without a year, "3.5." is a number at the end of a sentence more often.
  reading(
    String.raw`(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?:(?<year>\d{4}|\d\d)(?!\d)|(?<=(?:since|from|until|before|after) \d+\.\d+\.)|(?= ?[-–]))`,
    ({ d, m, year }, today) =>
      day(year === undefined ? latestYear(Number(m) - 1, today) : fullYear(year), Number(m) - 1, Number(d)),
  ),
  reading(
    String.raw`(?<month>${MONTH})\.? (?:the )?(?<d>\d{1,2})(?:(?:st|nd|rd|th)\b|${NO_COUNT})${YEAR}?`,
    (found, today) => makeDay(found, Number(found["d"]), today),
  ),
  reading(
    String.raw`(?:the )?(?<!(?:top|bottom|first|last|next) )(?<d>\d{1,2})(?:st|nd|rd|th)? ?(?:of )?(?<month>${MONTH})(?!\p{L})\.?${YEAR}?`,
    (found, today) => makeDay(found, Number(found["d"]), today),
  ),
  reading(String.raw`(?:the )?(?<ordinal>${ORDINAL}) (?:of )?(?<month>${MONTH})(?!\p{L})\.?${YEAR}?`, (found, today) =>
    makeDay(found, parseOrdinal(found["ordinal"] ?? ""), today),
  ),
  reading(String.raw`(?:the )?(?:start|beginning) of (?<month>${MONTH})(?!\p{L})\.?${YEAR}?`, (found, today) =>
    makeDay(found, 1, today),
  ),
  reading(String.raw`(?<month>${MONTH})(?!\p{L})\.?${YEAR}?`, (found, today) => {
    const month = findMonth(found["month"])
    return months(chooseYear(found, today.now.getUTCFullYear()) ?? latestYear(month, today), month, 1)
  }),
  reading(
    String.raw`(?:(?:the )?(?<word>first|second|third|fourth|1st|2nd|3rd|4th) (?:fiscal )?quarter|q(?<n>[1-4]))${FISCAL_YEAR}?`,
    (found, today) => {
      const word = found["word"] ?? ""
      const at = /\d/.test(word) ? word : String(["first", "second", "third", "fourth"].indexOf(word) + 1)
      return makeFiscal(found, (Number.parseInt(found["n"] ?? at) - 1) * 3, 3, today)
    },
  ),
  // "FY26 Q4", "2026 Q1".
  reading(
    String.raw`(?:${FISCAL}[ -]?'?(?:20)?(?<fiscal>\d\d)|(?<year>20\d\d))[ ,/-]{1,2}q(?<n>[1-4])`,
    (found, today) => makeFiscal(found, (Number(found["n"]) - 1) * 3, 3, today),
  ),
  reading(
    String.raw`(?:${FISCAL}[ -]?'?(?:20)?(?<fiscal>\d\d)|(?<year>20\d\d))[ ,/-]{1,2}h(?<n>[12])`,
    (found, today) => makeFiscal(found, (Number(found["n"]) - 1) * 6, 6, today),
  ),
  reading(
    String.raw`(?:(?:the )?(?:first|(?<second>second)) (?:half|six months)|h(?:1|(?<two>2)))${FISCAL_YEAR}?`,
    (found, today) => makeFiscal(found, (found["second"] ?? found["two"]) === undefined ? 0 : 6, 6, today),
  ),
  reading(String.raw`(?:the |these |our )?(?:last|past|previous|prev) ${SPAN}`, makeLast),
  reading(String.raw`(?:the |these |our )?(?:trailing|rolling) ${SPAN}`, makePast),
  reading(String.raw`l(?<count>\d{1,3})(?<unit>[dwmqy])`, makeLast),
  // "Over 90d" is an age.
  reading(
    String.raw`(?<!(?:over|than|under|past|beyond|least|age|aged|[<>≥≤=+]) ?)(?<count>\d{2,3})(?<unit>d)`,
    makePast,
  ),
  reading(String.raw`${SPAN} back (?:to|from) (?:today|now)`, makePast),
  reading(String.raw`(?:the )?(?:next|coming) ${SPAN}`, ({ count = "", unit }, { now }) =>
    coming(parseCount(count), unitOf(unit), now),
  ),
  reading(String.raw`${FISCAL}[ -]?'?(?:20)?(?<fiscal>\d\d)`, (found, today) => makeFiscal(found, 0, 12, today)),
  // "Most recently" is an order.
  reading("(?:lately|(?<!most )recently)", (_, { now }) => past(90, "day", now), { isVague: true }),
  reading(String.raw`(?:the )?past ${STEP}`, ({ unit }, { now }) => past(1, unitOf(unit), now)),
  reading(
    String.raw`(?:the |our )?(?<which>${Object.keys(OFFSETS).join("|")}) (?:fiscal |financial |(?<kind>calendar ))?${STEP}(?:-year)?(?: so far| to date)?`,
    ({ which = "", unit, kind }, today) => calendar(unitOf(unit), OFFSETS[which] ?? 0, inYear(kind, today)),
  ),
  reading("l(?<unit>[mqy])", ({ unit }, today) => calendar(unitOf(unit), -1, today), { isCapital: true }),
  reading(
    String.raw`(?:the )?(?:start|beginning) of (?:the |this )?(?:fiscal |financial |(?<kind>calendar ))?${STEP}`,
    ({ unit, kind }, today) => {
      const { from } = calendar(unitOf(unit), 0, inYear(kind, today))
      return { from, to: from }
    },
  ),
  reading("(?:the )?(?:trailing|rolling|ttm|ltm)", (_, { now }) => past(12, "month", now)),
  reading("(?:the )?(?:year[ -]to[ -]date|ytd|so far this year|year so far)", (_, today) => toDate("year", today)),
  reading("(?:the )?(?:(?<unit>quarter|month)[ -]to[ -]date|(?<letter>q|m)td)", ({ unit, letter }, today) =>
    toDate(unitOf(unit ?? letter), today),
  ),
  reading("today", (_, today) => ago(0, today)),
  reading("yesterday", (_, today) => ago(1, today)),
  reading(String.raw`(?:the year )?(?<year>(?:19|20)\d\d)`, ({ year }) => months(Number(year), 0, 12)),
]
