import * as Schema from "effect/Schema"

/** An opaque identifier. */
export const Id = Schema.String.check(
  Schema.makeFilter(
    (id: string) => (id.length >= 1 && id.length <= 64) || "must be an identifier of 1 to 64 characters",
  ),
)

/** Text that PostgreSQL can hold: any but the NUL character. */
export const Text = Schema.String.check(
  Schema.makeFilter((text: string) => !text.includes("\0") || "must not hold a NUL character"),
)
