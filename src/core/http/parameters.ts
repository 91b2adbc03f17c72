import * as Schema from "effect/Schema"

/** Text that PostgreSQL can store: without the NUL character. */
export const Text = Schema.String.check(
  Schema.makeFilter((text: string) => !text.includes("\0") || "must not contain a NUL character"),
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

/** A calendar day, `YYYY-MM-DD`. */
export const CalendarDate = Schema.String.check(
  Schema.makeFilter((text) => isDay(text) || "must be a date such as 2026-03-31"),
).annotate({ format: "date" })

/** An ISO 8601 date-time with its offset. */
export const Instant = Schema.String.check(
  Schema.makeFilter((text) => isInstant(text) || "must be a date-time such as 2027-01-31T00:00:00Z"),
)

/** A calendar day or an instant with its offset. */
export const DateOrInstant = Schema.String.check(
  Schema.makeFilter(
    (text) =>
      isDay(text) ||
      isInstant(text) ||
      "must be a date such as 2026-03-31, or a date-time such as 2026-03-31T09:30:00Z",
  ),
)

/** A calendar day, an instant with its offset, or a local time without one. */
export const DateOrTime = Schema.String.check(
  Schema.makeFilter(
    (text) =>
      isDay(text) ||
      isInstant(text) ||
      isInstant(`${text}Z`) ||
      "must be a date such as 2026-03-31, or a date-time such as 2026-03-31T09:30:00Z",
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
