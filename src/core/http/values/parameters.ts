import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { isAmount, isInYears, MAX_AMOUNT, MAX_AMOUNT_DIGITS, MAX_INT4, MIN_INT4, moveIntoYears } from "./bounds.ts"

const textProblem = (text: string): string | undefined =>
  text.includes("\0")
    ? "must not contain a NUL character"
    : text.isWellFormed()
      ? undefined
      : "must be Unicode: it contains half of a surrogate pair"

/** Text that PostgreSQL can store: Unicode without the NUL character. */
export const Text = Schema.String.check(Schema.makeFilter((text: string) => textProblem(text) ?? true))

/** A check of an address beside `Text`. `new URL` drops or changes these characters, so that it would not be the address that is shown. */
export const isPlainAddress = Schema.makeFilter(
  (text: string) => !/(?!\0)[\s\\\p{Cc}]/u.test(text) || "must have no white space, line breaks or backslashes",
)

/** A check of text in one line, beside `Text`. */
export const isOneLine = Schema.makeFilter(
  (text: string) => !/(?!\0)[\p{Cc}\u2028\u2029]/u.test(text) || "must have no line breaks or other control characters",
)

/** A check that the names of a record are `Text`. */
export const namesAreText = Schema.makeFilter((record: Readonly<Record<string, unknown>>) => {
  const [problem] = Object.keys(record).flatMap((name) => textProblem(name) ?? [])
  return problem === undefined || `has a name that ${problem}`
})

/** A whole number that fits PostgreSQL's `integer`. */
export const Int4 = Schema.Int.check(Schema.isBetween({ minimum: MIN_INT4, maximum: MAX_INT4 }))

/** A number whose sums a `float8` holds. */
export const Magnitude = Schema.Finite.check(Schema.isBetween({ minimum: -MAX_AMOUNT, maximum: MAX_AMOUNT }))

/** An amount that a `float8` holds exactly. */
export const Amount = Schema.Finite.check(
  Schema.makeFilter(
    (value: number) =>
      isAmount(value) ||
      `must be from -${MAX_AMOUNT} to ${MAX_AMOUNT} and have at most ${MAX_AMOUNT_DIGITS} significant digits, unlike ${value}`,
  ),
)

// PostgreSQL has no year 0 and no offset of 16 hours or more.
const DATE = /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const TIME = /^T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-](0\d|1[0-5]):\d{2})$/

const isDay = (text: string): boolean => {
  if (!DATE.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const isInstant = (text: string): boolean =>
  isDay(text.slice(0, 10)) && TIME.test(text.slice(10)) && !Number.isNaN(Date.parse(text))

const SPACED = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2}| \d{2}:\d{2})?$/

/**
 * Python's `str(datetime)` has a space before the time, and a `+` that a caller did not encode in a URL arrives as one:
 * `2026-03-31 18:09:44 02:00` is `2026-03-31T18:09:44+02:00`. Other text stays as it is.
 */
const spellTime = (text: string): string => {
  if (!text.includes(" ")) return text
  const [, day, time, offset = ""] = SPACED.exec(text) ?? []
  return day === undefined ? text : `${day}T${time}${offset.replace(" ", "+")}`
}

const spelled = (target: Schema.Codec<string, string>): Schema.Codec<string, string> =>
  Schema.String.pipe(
    Schema.decodeTo(
      target,
      SchemaTransformation.transform<string, string>({ decode: spellTime, encode: (text) => text }),
    ),
  )

/** A check of a day or time of a body. Another one says whether the text is a day or time. */
const inYears = Schema.makeFilter(
  (text: string) =>
    !isDay(text.slice(0, 10)) || isInYears(text) || `must be of the years 1900 to 2200, unlike ${text.slice(0, 40)}`,
)

/** Days and times of filters outside of the years of bodies are moved to the bound. */
const inFilter = (
  schema: Schema.Codec<string, string>,
  target: Schema.Codec<string, string>,
): Schema.Codec<string, string> =>
  schema.pipe(
    Schema.decodeTo(
      target,
      SchemaTransformation.transform<string, string>({ decode: moveIntoYears, encode: (text) => text }),
    ),
  )

const DayFormat = Schema.String.annotate({ format: "date" })

/** A calendar day of a filter, `YYYY-MM-DD`. */
export const CalendarDate = inFilter(
  DayFormat.check(Schema.makeFilter((text: string) => isDay(text) || "must be a date such as 2026-03-31")),
  DayFormat,
)

/** An ISO 8601 date-time with its offset, in a body. */
export const Instant = spelled(
  Schema.String.check(
    Schema.makeFilter((text: string) => isInstant(text) || "must be a date-time such as 2027-01-31T00:00:00Z"),
    inYears,
  ),
)

const DATE_OR_TIME = "a date such as 2026-03-31, or a date-time such as 2026-03-31T09:30:00Z"
const PLUS_IN_URL = ". In a URL, the + of an offset is written %2B"

/** A calendar day or an instant with its offset, of a filter. */
export const DateOrInstant = inFilter(
  spelled(
    Schema.String.check(
      Schema.makeFilter(
        (text: string) =>
          isDay(text) || isInstant(text) || `must be ${DATE_OR_TIME}${text.includes(" ") ? PLUS_IN_URL : ""}`,
      ),
    ),
  ),
  Schema.String,
)

/** A calendar day, an instant with its offset, or a local time without one, in a body. */
export const DateOrTime = spelled(
  Schema.String.check(
    Schema.makeFilter(
      (text: string) => isDay(text) || isInstant(text) || isInstant(`${text}Z`) || `must be ${DATE_OR_TIME}`,
    ),
    inYears,
  ),
)

/** An opaque identifier. */
export const Id = Text.check(
  Schema.makeFilter(
    (id: string) => (id.length >= 1 && id.length <= 64) || "must be an identifier of 1 to 64 characters",
  ),
)

/** An absolute URI. */
export const Uri = Schema.String.annotate({ format: "uri" })
