import type { QuestionReader } from "../QuestionReader.ts"
import { NUMBER_WORDS } from "../words.ts"

/** Days as `YYYY-MM-DD`, both inclusive. A missing end is open. */
export interface Period {
  readonly from?: string
  readonly to?: string
}

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
]
const MONTH = `(?:${MONTHS.map((name) => (name.length > 4 ? `${name.slice(0, 3)}(?:${name === "september" ? "t|t?" : ""}${name.slice(3)})?` : name)).join("|")})`
const DAY_MS = 86_400_000

const monthOf = (text: string) => MONTHS.findIndex((name) => name.startsWith(text.slice(0, 3)))

const iso = (at: number) => new Date(at).toISOString().slice(0, 10)
/** Unlike `Date.UTC`, reads the years before 100 literally. */
const utc = (year: number, month: number, day = 1) => new Date(0).setUTCFullYear(year, month, day)
const between = (from: number, end: number): Required<Period> => ({ from: iso(from), to: iso(end - DAY_MS) })
const months = (year: number, month: number, count: number) => between(utc(year, month), utc(year, month + count))

/** The day that a question is asked on, and the first month of the fiscal year, from 1. */
export interface Today {
  /** A time of that day, as if the workspace's time zone were UTC. */
  readonly now: Date
  readonly fiscalStart: number
  /** A day of an earlier year that a follow-up continues: after "May 2025", "June" is that of 2025. */
  readonly near?: string | undefined
}

/** The week, month, fiscal quarter or fiscal year that is `offset` units after the current one. */
export const calendar = (unit: string, offset: number, { now, fiscalStart }: Today): Required<Period> => {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  switch (unit) {
    case "week": {
      const monday = utc(year, month, now.getUTCDate()) - ((now.getUTCDay() + 6) % 7) * DAY_MS
      return between(monday + offset * 7 * DAY_MS, monday + (offset + 1) * 7 * DAY_MS)
    }
    case "month":
      return months(year, month + offset, 1)
    case "quarter":
      return months(year, month - ((month + 13 - fiscalStart) % 3) + offset * 3, 3)
    case "half":
      return months(year, month - ((month + 13 - fiscalStart) % 6) + offset * 6, 6)
    default:
      return months(year, month - ((month + 13 - fiscalStart) % 12) + offset * 12, 12)
  }
}

/** The last `count` units: days and weeks include today, as the periods of reports do. */
const past = (count: number, unit: string, now: Date): Required<Period> => {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const today = utc(year, month, day)
  const monthsAgo = { month: 1, quarter: 3, year: 12 }[unit]
  const from =
    monthsAgo === undefined
      ? today - (count * (unit === "week" ? 7 : 1) - 1) * DAY_MS
      : Math.min(utc(year, month - count * monthsAgo, day), utc(year, month - count * monthsAgo + 1) - DAY_MS)
  return { from: iso(from), to: iso(today) }
}

/** The next `count` units, with today. */
const coming = (count: number, unit: string, now: Date): Required<Period> => {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const today = utc(year, month, day)
  const monthsAhead = { month: 1, quarter: 3, year: 12 }[unit]
  const to =
    monthsAhead === undefined
      ? today + count * (unit === "week" ? 7 : 1) * DAY_MS
      : Math.min(utc(year, month + count * monthsAhead, day), utc(year, month + count * monthsAhead + 1) - DAY_MS)
  return { from: iso(today), to: iso(to) }
}

const OFFSETS: Readonly<Record<string, number>> = {
  last: -1,
  previous: -1,
  prior: -1,
  running: 0,
  this: 0,
  current: 0,
  next: 1,
}
const countOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : NUMBER_WORDS.indexOf(text))

type Reading = readonly [
  pattern: string,
  read: (found: ReadonlyArray<string | undefined>, now: Date, today: Today) => Period | undefined,
]

const yearOr = (text: string | undefined, otherwise: number) => (text === undefined ? otherwise : Number(text))

/** The year of a month without one: that of the question before, or its latest that has begun. */
const latestYear = (month: number, { now, near }: Today) =>
  near === undefined ? now.getUTCFullYear() - (month > now.getUTCMonth() ? 1 : 0) : Number(near.slice(0, 4))

/** Months of the fiscal year that ends in `year`, or of the running one. */
const fiscalMonths = (year: string | undefined, first: number, count: number, { now, near, fiscalStart }: Today) => {
  const at = near === undefined ? now : new Date(near)
  const running = at.getUTCFullYear() + (fiscalStart > 1 && at.getUTCMonth() + 1 >= fiscalStart ? 1 : 0)
  // Without a year, the latest that has begun.
  const isLater = utc(running - (fiscalStart > 1 ? 1 : 0), fiscalStart - 1 + first) > now.getTime()
  const ending = yearOr(year, isLater ? running - 1 : running)
  return months(ending - (fiscalStart > 1 ? 1 : 0), fiscalStart - 1 + first, count)
}

const day = (year: number, month: number, date: number): Period | undefined => {
  const at = utc(year, month, date)
  return new Date(at).getUTCMonth() === month ? between(at, at + DAY_MS) : undefined
}

const READINGS: ReadonlyArray<Reading> = [
  [String.raw`(\d{4})-(\d{2})-(\d{2})`, ([, y, m, d]) => day(Number(y), Number(m) - 1, Number(d))],
  [
    String.raw`(${MONTH})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?!\d)`,
    ([, m = "", d, y], _, today) => day(yearOr(y, latestYear(monthOf(m), today)), monthOf(m), Number(d)),
  ],
  [
    String.raw`(\d{1,2})(?:st|nd|rd|th)? (?:of )?(${MONTH})\b\.?(?:,? (\d{4}))?`,
    ([, d, m = "", y], _, today) => day(yearOr(y, latestYear(monthOf(m), today)), monthOf(m), Number(d)),
  ],
  [
    String.raw`(${MONTH})\b\.?(?:,? (\d{4}))?`,
    ([, m = "", y], _, today) => months(yearOr(y, latestYear(monthOf(m), today)), monthOf(m), 1),
  ],
  [
    String.raw`(?:(?:the )?(first|second|third|fourth) quarter|q([1-4]))(?:(?: of)?[ /-]*(?:fy ?)?(\d{4})|[ /-]*fy ?(\d{2}))?`,
    ([, word = "", digit, y, short], _, today) => {
      const quarter = digit === undefined ? ["first", "second", "third", "fourth"].indexOf(word) : Number(digit) - 1
      return fiscalMonths(short === undefined ? y : `20${short}`, quarter * 3, 3, today)
    },
  ],
  [
    String.raw`(?:(?:the )?(first|second) half|h([12]))(?:(?: of)?[ /-]*(\d{4}))?`,
    ([, word, digit, y], _, today) => fiscalMonths(y, word === "second" || digit === "2" ? 6 : 0, 6, today),
  ],
  [
    String.raw`(?:the )?(?:last|past|previous) (\d{1,4}|${NUMBER_WORDS.slice(1).join("|")}) (day|week|month|quarter|year)s?`,
    ([, count = "", unit = ""], now) => past(countOf(count), unit, now),
  ],
  [
    String.raw`(?:the )?(?:next|coming) (\d{1,3}|${NUMBER_WORDS.slice(1).join("|")}) (day|week|month|quarter|year)s?`,
    ([, count = "", unit = ""], now) => coming(countOf(count), unit, now),
  ],
  [String.raw`(?:fy|fiscal year|fiscal)[ -]?(?:20)?(\d{2})`, ([, y], _, today) => fiscalMonths(`20${y}`, 0, 12, today)],
  [String.raw`(?:lately|recently)`, (_, now) => past(90, "day", now)],
  [String.raw`(?:the )?past (week|month|quarter|year)`, ([, unit = ""], now) => past(1, unit, now)],
  [
    String.raw`(?:the |our )?(last|previous|prior|this|current|next|running) (?:fiscal |calendar )?(week|month|quarter|half|year)(?:-year)?(?: so far| to date)?`,
    ([, which = "", unit = ""], _, today) => calendar(unit, OFFSETS[which] ?? 0, today),
  ],
  [
    String.raw`(?:the )?(?:start|beginning) of (?:the |this )?(?:fiscal |calendar )?(week|month|quarter|half|year)`,
    ([, unit = ""], _, today) => ({ from: calendar(unit, 0, today).from, to: calendar(unit, 0, today).from }),
  ],
  [
    String.raw`(?:the )?(?:trailing|rolling|ttm|ltm)(?: (\d{1,2}|twelve) months)?`,
    ([, count = "12"], now) => past(count === "twelve" ? 12 : Number(count), "month", now),
  ],
  [
    String.raw`(?:the )?(?:year[ -]to[ -]date|ytd|so far this year)`,
    (_, now, today) => ({ from: calendar("year", 0, today).from, to: iso(now.getTime()) }),
  ],
  [
    String.raw`(?:the )?(?:(quarter|month)[ -]to[ -]date|(q|m)td)`,
    ([, unit, short], now, today) => ({
      from: calendar(unit ?? (short === "q" ? "quarter" : "month"), 0, today).from,
      to: iso(now.getTime()),
    }),
  ],
  [String.raw`today`, (_, now) => past(1, "day", now)],
  [String.raw`yesterday`, (_, now) => ({ from: iso(now.getTime() - DAY_MS), to: iso(now.getTime() - DAY_MS) })],
  [String.raw`(?:the year )?((?:19|20)\d{2})`, ([, y]) => months(Number(y), 0, 12)],
]

const next = (date: string, days: number) => iso(Date.parse(date) + days * DAY_MS)

/** Words before a period, and how they bound it. */
const BOUNDS: ReadonlyArray<readonly [before: RegExp, bound: (period: Period) => Period]> = [
  [/(?:since|starting(?: in| on| from)?) /y, ({ from }) => ({ ...(from !== undefined && { from }) })],
  [/after /y, ({ to }) => ({ ...(to !== undefined && { from: next(to, 1) }) })],
  [/(?:before|prior to) /y, ({ from }) => ({ ...(from !== undefined && { to: next(from, -1) }) })],
  [/(?:until|till|through|up to|by(?: the end of)?) /y, ({ to }) => ({ ...(to !== undefined && { to }) })],
  [/(?:(?:in|during|on|for|over|within|of|throughout|from) )?/y, (period) => period],
]
const RANGE = /(?:between|from) /y
const AND = / (?:and|to|until|till|through) /y
const STICKY = READINGS.map(([pattern, read]) => [new RegExp(`${pattern}(?![\\p{L}\\p{N}])`, "uy"), read] as const)

interface Read {
  readonly period: Period
  readonly end: number
}

const skip = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

const readAt = (text: string, at: number | undefined, today: Today): Read | undefined => {
  if (at === undefined) return undefined
  for (const [pattern, read] of STICKY) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    const period = found === null ? undefined : read(found, today.now, today)
    if (period !== undefined) return { period, end: pattern.lastIndex }
  }
  return undefined
}

const rangeAt = (text: string, at: number, today: Today): Read | undefined => {
  const first = readAt(text, skip(RANGE, text, at), today)
  const second = first && readAt(text, skip(AND, text, first.end), today)
  if (first === undefined || second === undefined) return undefined
  const to = second.period.to
  const said = first.period.from
  // In "from 1 March to 30 April 2025" the year belongs to both ends.
  const from = said !== undefined && to !== undefined && said > to ? to.slice(0, 4) + said.slice(4) : said
  return from === undefined || to === undefined || from > to ? undefined : { period: { from, to }, end: second.end }
}

const boundAt = (text: string, at: number, today: Today): Read | undefined => {
  for (const [before, bound] of BOUNDS) {
    const read = readAt(text, skip(before, text, at), today)
    if (read !== undefined) return { ...read, period: bound(read.period) }
  }
  return undefined
}

/** PostgreSQL and string comparison take only the years 0001 to 9999. */
const isValid = (period: Period) => Object.values(period).every((date) => DATE.test(date) && date >= "0001")
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Takes the first period that the question names, in days. */
const takePeriod = (reader: QuestionReader, today: Today): Period | undefined => {
  const { text } = reader
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)) {
    const read = rangeAt(text, index, today) ?? boundAt(text, index, today)
    if (read === undefined || !isValid(read.period)) continue
    reader.takeRange(index, read.end)
    return read.period
  }
  return undefined
}

/** More periods than a question compares. */
const MAX_PERIODS = 4

/** Takes the periods that the question names, in order. */
export const takePeriods = (reader: QuestionReader, today: Today): ReadonlyArray<Period> => {
  const periods: Array<Period> = []
  while (periods.length < MAX_PERIODS) {
    const period = takePeriod(reader, today)
    if (period === undefined) break
    periods.push(period)
  }
  return periods
}
