import * as Schema from "effect/Schema"

/** Text that PostgreSQL can hold: any but the NUL character. */
export const Text = Schema.String.check(
  Schema.makeFilter((text: string) => !text.includes("\0") || "must not hold a NUL character"),
)

/** A moment, as ISO 8601 writes it. */
export const Instant = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))) ||
      "must be a date-time such as 2027-01-31T00:00:00Z",
  ),
)

/** An opaque identifier. */
export const Id = Text.check(
  Schema.makeFilter(
    (id: string) => (id.length >= 1 && id.length <= 64) || "must be an identifier of 1 to 64 characters",
  ),
)
