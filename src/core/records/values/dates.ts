import { normalizeDigits } from "../../common/raisedDigits.ts"
import { withoutAccents } from "../../common/withoutAccents.ts"
import { isTooLong } from "./length.ts"

/** The order of day and month in dates such as 04/03/2026. Dates that begin with the year are always accepted. */
export type DateOrder = "ISO" | "DMY" | "MDY"

/** Why a cell is no date that can be trusted. */
export interface DateProblem {
  readonly reason: string
  /** The cell has two readings, and nothing says which is meant. */
  readonly isUnclear?: true
}

const MONTHS = [
  "january januar janvier enero jan jänner ene",
  "february februar février febrero feb febr févr",
  "march märz mars marzo mar mär mrz",
  "april avril abril apr avr abr",
  "may mai mayo",
  "june juni juin junio jun",
  "july juli juillet julio jul juil",
  "august août agosto aug ago",
  "september septembre septiembre setiembre sep sept",
  "october oktober octobre octubre oct okt",
  "november novembre noviembre nov",
  "december dezember décembre diciembre dec dez déc dic",
] as const

const MONTH: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((names, index) => names.split(" ").map((name) => [withoutAccents(name), index + 1] as const)),
)

/** Other languages, whose names of months and weekdays are those of Unicode. */
const LOCALES = "pt nl it pl sv da nb fi cs".split(" ")
const OTHERS = [...LOCALES, ..."en de fr es".split(" ")]

let others: ReadonlyMap<string, number> | undefined
/** Months by name. One that two languages give to different months, such as "listopad", is left out. */
const listMonths = (): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const [locale, style] of LOCALES.flatMap((each) => [[each, "long"] as const, [each, "short"] as const])) {
    const inDate = new Intl.DateTimeFormat(locale, { day: "numeric", month: style, timeZone: "UTC" })
    for (let month = 1; month <= 12; month++) {
      const parts = inDate.formatToParts(Date.UTC(2026, month - 1, 15))
      const name = plainWord(parts.find(({ type }) => type === "month")?.value ?? "")
      if (/^\p{L}{3,}$/u.test(name)) found.set(name, (found.get(name) ?? month) === month ? month : 0)
    }
  }
  return found
}

let weekdays: ReadonlySet<string> | undefined
const listWeekdays = (): ReadonlySet<string> =>
  new Set(
    OTHERS.flatMap((locale) =>
      (["long", "short"] as const).flatMap((weekday) => {
        const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" })
        return Array.from({ length: 7 }, (_, day) => plainWord(format.format(Date.UTC(2026, 0, 4 + day))))
      }),
    ),
  )

const plainWord = (text: string): string => withoutAccents(text.toLowerCase()).replaceAll(".", "")

/** The number of a month, from 1, by its name. */
export const monthCalled = (name: string): number | undefined => {
  const text = plainWord(name)
  const found = MONTH.get(text) ?? (others ??= listMonths()).get(text)
  return found === 0 ? undefined : found
}

interface Parts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly rest: string
}

/** A date whose first two numbers are day and month in an order that it does not say. */
interface Unordered {
  readonly first: number
  readonly second: number
  readonly year: number
  readonly separator: string
  readonly rest: string
}

const parseYear = (digits: string) =>
  digits.length === 2 ? Number(digits) + (Number(digits) < 70 ? 2000 : 1900) : Number(digits)

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/
const YEAR_FIRST_CJK = /^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日/
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})(?=$|T)/
const NUMBERS = /^(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4}|\d{2})(?!\d)/
const WEEKDAY = /^\p{L}{2,10}\.?,?\s+(?=\d|\p{L})/u
const DAY_FIRST =
  /^(\d{1,2})(?:\.|st|nd|rd|th|er)?[\s-]*(?:de\s+|of\s+)?(\p{L}+)\.?[\s,-]*(?:de[l]?\s+)?(\d{4}|\d{2})(?!\d)/iu
const MONTH_FIRST = /^(\p{L}+)\.?[\s-]*(\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(\d{4})(?!\d)/iu

const named = (text: string): Parts | undefined => {
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst !== null) {
    const month = monthCalled(dayFirst[2]!)
    if (month !== undefined) {
      return { year: parseYear(dayFirst[3]!), month, day: Number(dayFirst[1]), rest: text.slice(dayFirst[0].length) }
    }
  }
  const monthFirst = MONTH_FIRST.exec(text)
  const month = monthFirst === null ? undefined : monthCalled(monthFirst[1]!)
  if (monthFirst === null || month === undefined) return undefined
  return { year: Number(monthFirst[3]), month, day: Number(monthFirst[2]), rest: text.slice(monthFirst[0].length) }
}

const take = (text: string): Parts | Unordered | undefined => {
  if (isTooLong(text)) return undefined
  for (const pattern of [YEAR_FIRST, YEAR_FIRST_CJK, COMPACT]) {
    const found = pattern.exec(text)
    if (found === null) continue
    const [month, day] = found.slice(-2).map(Number)
    return { year: Number(found[1]), month: month!, day: day!, rest: text.slice(found[0].length) }
  }
  const numbers = NUMBERS.exec(text)
  if (numbers !== null) {
    const [whole, first, separator, second, year] = numbers
    return {
      first: Number(first),
      second: Number(second),
      separator: separator!,
      year: parseYear(year!),
      rest: text.slice(whole.length),
    }
  }
  const withoutWeekday = text.replace(WEEKDAY, "")
  const weekday = plainWord(text.slice(0, text.length - withoutWeekday.length)).replaceAll(/[\s,]/g, "")
  if (NUMBERS.test(withoutWeekday) && weekday !== "" && (weekdays ??= listWeekdays()).has(weekday))
    return take(withoutWeekday)
  return named(text) ?? (withoutWeekday === text ? undefined : named(withoutWeekday))
}

const TIME =
  /^(?:[T,]?\s*|\s+(?:at|um|à|a las)\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(?:([ap])\.?(?:m\.?)?(?![a-z]))?\s*(?:uhr|h\b)?\s*([a-z]{1,5}|[a-z]+(?:\/[a-z_]+)+)?\s*([+-]\d{1,2}(?::?\d{2})?)?(?:\s*(?:\([^)]*\)|\[[^\]]*\]))?$/i

/** Hours of the zones that letters name in one way only: CST, IST and BST have several meanings. */
const ZONES: ReadonlyMap<string, number> = new Map(
  "z:0 utc:0 gmt:0 wet:0 west:1 cet:1 mez:1 cest:2 mesz:2 eet:2 eest:3 jst:9 est:-5 edt:-4 cdt:-5 mst:-7 mdt:-6 pst:-8 pdt:-7"
    .split(" ")
    .map((each) => {
      const [letters = "", hours] = each.split(":")
      return [letters, Number(hours)] as const
    }),
)

/** The offset of a zone: `Z`, `+02:00`, or empty without one. The letters themselves if they do not say it. */
const parseZone = (letters: string, digits: string): string => {
  const [, sign = "", hours = "", minutes = "00"] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(digits) ?? []
  if (sign !== "") return `${sign}${hours.padStart(2, "0")}:${minutes}`
  const zone = ZONES.get(letters.toLowerCase())
  if (letters === "" || zone === undefined) return letters
  return zone === 0 ? "Z" : `${zone < 0 ? "-" : "+"}${twoDigits(Math.abs(zone))}:00`
}

/** The time of day and its offset, as ISO 8601 writes them. Empty without a time; undefined if it is none. */
const parseTime = (rest: string): string | undefined => {
  const text = rest.trim()
  if (text === "") return ""
  const found = TIME.exec(rest) ?? TIME.exec(text)
  if (found === null) return undefined
  const [, hours = "", minutes, seconds = "00", fraction = "", half, letters = "", digits = ""] = found
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return `T${twoDigits(hour)}:${minutes}:${seconds}${fraction === "" ? "" : `.${fraction.slice(0, 3)}`}${parseZone(letters, digits)}`
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const twoDigits = (value: number) => String(value).padStart(2, "0")

/** Undefined if the calendar has no such day. */
export const makeDay = (year: number, month: number, day: number): string | undefined => {
  const days = month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0)
  return year >= 1000 && day >= 1 && day <= days ? `${year}-${twoDigits(month)}-${twoDigits(day)}` : undefined
}

/** Days since 30 December 1899, as spreadsheets count them; these are the years 1954 to 2099. */
const SERIAL = /^(?:[2-6]\d{4}|7[0-2]\d{3})(?:\.\d+)?$/
const DAY = 86_400_000
const fromSerial = (serial: number) => {
  const instant = new Date(Math.round((serial - 25_569) * 86_400) * 1000).toISOString()
  return Number.isInteger(serial) ? instant.slice(0, 10) : instant.slice(0, 19)
}

/** Milliseconds or seconds since 1970, from 1990 to 2100. */
const fromEpoch = (text: string): string | undefined => {
  if (!/^\d{10}(?:\d{3})?$/.test(text)) return undefined
  const time = Number(text) * (text.length === 10 ? 1000 : 1)
  if (time < 7305 * DAY || time > 47_482 * DAY) return undefined
  return new Date(time).toISOString().replace(".000Z", "Z")
}

/** The order that a cell proves. Undefined if it proves nothing. Points between numbers are used with the day first only. */
export const detectDateOrder = (cell: string): "DMY" | "MDY" | "points" | undefined => {
  const parts = take(normalizeDigits(cell).trim())
  if (parts === undefined || !("first" in parts)) return undefined
  if (parts.first > 12 && parts.first <= 31 && parts.second <= 12) return "DMY"
  if (parts.second > 12 && parts.second <= 31 && parts.first <= 12) return "MDY"
  return parts.separator === "." ? "points" : undefined
}

const EXAMPLE = "must be a date such as 2026-03-31"
const WEEK =
  /^(?:\d{4}[-\s/.]?(?:w|kw|cw|wk)\s?\d{1,2}|(?:w|kw|cw|wk|week|calendar week|woche|semaine|semana|sem\.?)\s?\d{1,2}(?:[\s/.-]*(?:\d{4}|'?\d{2}))?|(?:w\/[ceo]|week (?:of|commencing|ending|beginning))\b.{1,30})$/i
const A_WEEK = `${EXAMPLE}, and this is a week: write a day of it`
/** Years of the Buddhist calendar are 543 more. */
const BUDDHIST = { first: 2443, last: 2743, more: 543 }

/** Whether letters that say no offset follow a time. */
const UNKNOWN_ZONE = /:\d{2}(?:\.\d+)?((?!Z$)[a-z][a-z/_]*)$/i

/**
 * Reads a date as `2026-03-31` or, if the cell has a time, `2026-03-31T14:05:00` with the offset that it has; without one it
 * is a local time. `order` says how to read dates such as 04/03/2026. Of a day, neither the time nor its zone counts.
 */
export const readDate = (cell: string, order: DateOrder, isDay = false): string | DateProblem => {
  const read = readMoment(cell, order)
  if (isDateProblem(read)) return read
  if (isDay) return read.slice(0, 10)
  const zone = UNKNOWN_ZONE.exec(read)?.[1]
  return zone === undefined
    ? read
    : { reason: `${EXAMPLE}, and the time zone '${zone}' has no single offset: write the offset, such as +01:00` }
}

const readMoment = (cell: string, order: DateOrder): string | DateProblem => {
  const text = normalizeDigits(cell).trim()
  if (SERIAL.test(text)) return fromSerial(Number(text))
  const epoch = fromEpoch(text)
  if (epoch !== undefined) return epoch
  const parts = take(text)
  const time = parts === undefined ? undefined : parseTime(parts.rest)
  if (parts === undefined || time === undefined) return { reason: WEEK.test(text) ? A_WEEK : EXAMPLE }
  const { year } = parts
  if (year >= BUDDHIST.first && year <= BUDDHIST.last) {
    return { reason: `has the year ${year}: if it is of the Buddhist calendar, write ${year - BUDDHIST.more}` }
  }
  if ("first" in parts) return readOrdered(parts, time, order)
  const day = makeDay(year, parts.month, parts.day)
  return day === undefined ? { reason: `${EXAMPLE}; the calendar has no such day` } : day + time
}

/** Reads a date whose order of day and month the cell does not say. */
const readOrdered = (
  { first, second, year, separator }: Unordered,
  time: string,
  order: DateOrder,
): string | DateProblem => {
  const [asDmy, asMdy] = [makeDay(year, second, first), makeDay(year, first, second)]
  if (order === "ISO") {
    const [only] =
      asDmy === asMdy
        ? [asDmy]
        : asDmy === undefined
          ? [asMdy]
          : asMdy === undefined
            ? [asDmy]
            : separator === "."
              ? [asDmy]
              : []
    if (only !== undefined) return only + time
    if (asDmy === undefined) return { reason: `${EXAMPLE}; the calendar has no such day` }
    return {
      reason: `may mean ${asDmy} or ${asMdy}: set the order of day and month with 'dates', DMY or MDY`,
      isUnclear: true,
    }
  }
  const [meant, swapped] = order === "DMY" ? [asDmy, asMdy] : [asMdy, asDmy]
  if (meant !== undefined) return meant + time
  return swapped === undefined
    ? { reason: `${EXAMPLE}; the calendar has no such day` }
    : { reason: `is no date in the order ${order}; in the other order it is ${swapped}` }
}

export const isDateProblem = (read: string | DateProblem): read is DateProblem => typeof read !== "string"
