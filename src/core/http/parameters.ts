import * as Schema from "effect/Schema"

/** Text that PostgreSQL can hold: any but the NUL character. */
export const Text = Schema.String.check(
  Schema.makeFilter((text: string) => !text.includes("\0") || "must not hold a NUL character"),
)

/** An opaque identifier. */
export const Id = Text.check(
  Schema.makeFilter(
    (id: string) => (id.length >= 1 && id.length <= 64) || "must be an identifier of 1 to 64 characters",
  ),
)
