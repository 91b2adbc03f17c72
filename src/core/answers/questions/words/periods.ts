import type { QuestionReader } from "../../QuestionReader.ts"
import { calendar, DAY_MS, iso, type Period, type Today } from "./calendar.ts"
import { MONTH, READINGS } from "./periodWords.ts"

export { calendar, type Period, type Today } from "./calendar.ts"

const next = (date: string, days: number) => iso(Date.parse(date) + days * DAY_MS)

/** Words before a period, and how they bound it. */
const BOUNDS: ReadonlyArray<readonly [before: RegExp, bound: (period: Period) => Period]> = [
  [
    /(?:since|starting(?: in| on| from)?|as of|from(?= jan(?:uary)?(?!\p{L}|\.? ?'?\d|,? (?:this|last)))) /uy,
    ({ from }) => ({ ...(from !== undefined && { from }) }),
  ],
  [/after /y, ({ to }) => ({ ...(to !== undefined && { from: next(to, 1) }) })],
  [/(?:before|prior to) /y, ({ from }) => ({ ...(from !== undefined && { to: next(from, -1) }) })],
  [
    /(?:until|till?|through|thru|up to|(?:by|until|till?|before) (?:the )?end of|by) /y,
    ({ to }) => ({ ...(to !== undefined && { to }) }),
  ],
  // "From 1 September" and "from January" have no end; "deals from March" are those of March.
  [/from (?!today|yesterday)/y, (period) => (isDay(period) ? openEnd(period) : period)],
  [/from /y, (period) => period],
]
const ONWARDS = / (?:onwards?|on(?=$|[\s,.;:!?]*$|,)|and (?:after|later))(?!\p{L})/uy
const RANGE = /(?:between|from) /y
const PREPOSITION = /(?:in|during|on|for|over|within|of|throughout) /y
const NOW = / (?:to|until|till?|through) (?:date|now|today|the present)(?!\p{L})/uy
const AND = / ?(?:[-–—→]|->) ?| (?:and|to|until|till?|through|thru) (?:the end of )?/y
/** Without "between" or "from" before it: "March and April" are two months. */
const TO = / ?(?:[-–—→]|->) ?| (?:to|until|till?|through|thru) /y
const STICKY = READINGS.map((reading) => [new RegExp(`${reading.pattern}(?![\\p{L}\\p{N}])`, "uy"), reading] as const)

const openEnd = ({ from }: Period): Period => ({ ...(from !== undefined && { from }) })
const isDay = ({ from, to }: Period) => from !== undefined && from === to
/** A day or a month. "Q1 to Q2" compares two quarters more often than it names a half. */
const isShort = ({ from, to }: Period) =>
  from !== undefined && to !== undefined && Date.parse(to) - Date.parse(from) < 31 * DAY_MS
const hasYear = (text: string) => /\d{4}|['/-]\d\d$|^\d.*\p{L}\.?,? \d\d$|year|yr/u.test(text)

interface Read {
  readonly period: Period
  readonly end: number
  readonly isVague?: boolean | undefined
  /** The words name a month without its year. */
  readonly isOfAnyYear?: boolean
}

const skip = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

const readAt = ({ text, original }: QuestionReader, at: number | undefined, today: Today): Read | undefined => {
  if (at === undefined) return undefined
  for (const [pattern, { read, isCapital, isVague }] of STICKY) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null || (isCapital === true && found[0].toUpperCase() !== original.slice(at, pattern.lastIndex)))
      continue
    const end = pattern.lastIndex
    const period = read(found.groups ?? {}, today)
    if (period !== undefined) return { period, end, isVague }
  }
  return undefined
}

/** The period that begins at an offset, and its end if it is a range: "1 April to 15 June". */
const spanAt = (reader: QuestionReader, at: number, today: Today): Read | undefined => {
  const { text } = reader
  const start = skip(RANGE, text, at)
  const from = start ?? skip(PREPOSITION, text, at) ?? at
  const first = readAt(reader, from, today)
  if (first === undefined) return undefined
  const now = skip(NOW, text, first.end)
  if (now !== undefined) return { period: { ...openEnd(first.period), to: iso(today.now.getTime()) }, end: now }
  const one = start === undefined ? first : undefined
  const second = readAt(reader, skip(start === undefined ? TO : AND, text, first.end), today)
  if (second === undefined || (one !== undefined && !(isShort(first.period) && isShort(second.period)))) return one
  const { to } = second.period
  const said = first.period.from
  const isOwn = isShort(first.period)
    ? hasYear(text.slice(from, first.end))
    : said === undefined || said <= (to ?? said)
  const begin = isOwn ? said : inYearOf(said, to)
  return begin === undefined || to === undefined || begin > to ? one : { period: { from: begin, to }, end: second.end }
}

/** In "from 1 March to 30 April 2025" the year belongs to both ends, in "1 November to 15 February 2026" to the second. */
const inYearOf = (from: string | undefined, to: string | undefined): string | undefined => {
  if (from === undefined || to === undefined) return undefined
  const year = Number(to.slice(0, 4))
  const same = `${to.slice(0, 4)}${from.slice(4)}`
  return same <= to ? same : `${String(year - 1).padStart(4, "0")}${from.slice(4)}`
}

const A_MONTH = new RegExp(String.raw`(?<!\p{L})(?:${MONTH})(?!\p{L})`, "u")

const OF_YEAR = /\p{L} (?:of |in )?(this|current|last|previous) (?:year|yr)$/u

/** "Before July this year" begins with that year; "before this year" has no begin. */
const beginIn = (word: string, period: Period, today: Today): Period => {
  const { from, to } = calendar("year", word === "this" || word === "current" ? 0 : -1, today)
  const isIn = period.from === undefined && period.to !== undefined && period.to >= from && period.to <= to
  return isIn ? { from, ...period } : period
}

const boundAt = (reader: QuestionReader, at: number, today: Today): Read | undefined => {
  for (const [before, bound] of BOUNDS) {
    const read = readAt(reader, skip(before, reader.text, at), today)
    if (read === undefined) continue
    const bounded = bound(read.period)
    const inYear = OF_YEAR.exec(reader.text.slice(at, read.end))?.[1]
    return { ...read, period: inYear === undefined ? bounded : beginIn(inYear, bounded, today) }
  }
  return undefined
}

/** The period that begins at an offset. */
const periodAt = (reader: QuestionReader, at: number, today: Today): Read | undefined => {
  const read = spanAt(reader, at, today) ?? boundAt(reader, at, today)
  const end = read && skip(ONWARDS, reader.text, read.end)
  return end === undefined ? read : { period: openEnd(read!.period), end }
}

/** PostgreSQL and string comparison take only the years 0001 to 9999. */
const isValid = (period: Period) => Object.values(period).every((date) => DATE.test(date) && date >= "0001")
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Takes the first period that the question names from an offset on, in days. */
const takePeriod = (reader: QuestionReader, today: Today, from: number): Read | undefined => {
  const starts = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu
  starts.lastIndex = from
  for (const { index } of reader.text.matchAll(starts)) {
    const read = periodAt(reader, index, today)
    if (read === undefined || !isValid(read.period)) continue
    const said = reader.text.slice(index, read.end)
    reader.takeRange(index, read.end)
    return { ...read, isOfAnyYear: A_MONTH.test(said) && !hasYear(said) }
  }
  return undefined
}

/** More periods than a question compares. */
const MAX_PERIODS = 4

/** With those that a question repeats. */
const MAX_READ = 100

/** "Which close in February", "due to close in Q1": unless the deals were decided. */
const COMING =
  /(?<!\p{L})(?:closing|closes?(?! (?:dates?|rates?|ratios?)(?!\p{L}))|lands?|landing|expir(?:e|es|ing)|(?:due|expected|scheduled|planned|set|slated|likely|forecast(?:ed)?|supposed|going) (?:to (?:close|sign|land) )?(?:in|by|for|during|before)|(?:will|should|could|might) (?:be )?clos(?:e|ing))(?!\p{L})/iu
const DECIDED =
  /(?<!\p{L})(?:won|lost|win|wins|lose|loss|losses|closed|decided|cycle|revenue|booked|slipped|overdue|past|missed|since|did|was|were|had|how long|(?:time|days) to)(?!\p{L})/iu

/** Whether a question is about deals that are still to close. A question that continues one (`before`) is, unless it says otherwise. */
export const looksAhead = (question: string, before = false): boolean =>
  (before || COMING.test(question)) && !DECIDED.test(question)

/** Takes the periods that the question names, in order. "October in DACH, so last month" names one. */
export const takePeriods = (reader: QuestionReader, today: Today): ReadonlyArray<Period> => {
  const all: Array<Read> = []
  const isComing = looksAhead(reader.original, today.isComing)
  let from = 0
  for (let count = 0; count < MAX_READ && all.length < MAX_PERIODS; count++) {
    const read = takePeriod(reader, { ...today, isComing }, from)
    if (read === undefined) break
    from = read.end
    if (!all.some(({ period }) => period.from === read.period.from && period.to === read.period.to)) all.push(read)
  }
  const exact = all.filter(({ isVague }) => isVague !== true)
  const reads = exact.length > 0 ? exact : all
  const narrowed = COMPARES.test(reader.original) ? undefined : narrow(reads)
  return narrowed === undefined ? reads.map(({ period }) => period) : [narrowed]
}

const COMPARES = /(?<!\p{L})(?:vs|versus|compar\p{L}*|than|against the|relative to)(?!\p{L})/iu

/** "This year before July" and "last year since May" are one period: a part of the year. */
const narrow = (reads: ReadonlyArray<Read>): Period | undefined => {
  const isOpen = ({ period: { from, to } }: Read) => from === undefined || to === undefined
  const open = reads.find(isOpen)
  const { from = "", to = "" } = reads.find((each) => !isOpen(each))?.period ?? {}
  if (reads.length !== 2 || open === undefined || from === "") return undefined
  const day = open.period.from ?? open.period.to ?? ""
  const years = open.isOfAnyYear === true ? [from.slice(0, 4), to.slice(0, 4)] : [day.slice(0, 4)]
  const inside = years.map((year) => `${year}${day.slice(4)}`).find((each) => each >= from && each <= to)
  if (inside === undefined) return undefined
  return open.period.from === undefined ? { from, to: inside } : { from: inside, to }
}

/** "Deals closing this quarter", "which close this month". What did close or was closed is decided. */
const CLOSES =
  /(?<!\p{L})(?:closing(?! (?:rate|ratio|percent|date|time|cycle)s?)|lands?|landing|expir(?:es?|ing)|due to close|(?<!(?:did|to|we|us|i|you|reps?|they|who|and|often|does|rate|rates) )closes?(?! (?:rate|ratio|date|time)s?))(?!\p{L})/u
/** Whether deals are to close in a period that is not over. */
export const closesAhead = (text: string, periods: ReadonlyArray<Period>, { now }: Today): boolean =>
  CLOSES.test(text) &&
  !DECIDED.test(text) &&
  periods.some(({ to }) => to !== undefined && to >= now.toISOString().slice(0, 10))
