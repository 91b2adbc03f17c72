/** A passage, sentences about it as models phrase them, and sentences that it does not support. */
export interface Claims {
  readonly kind: "table" | "price list" | "record" | "transcript" | "prose" | "German"
  readonly source?: "document" | "deal"
  readonly name: string
  readonly headings?: ReadonlyArray<string>
  readonly text: string
  readonly supported: ReadonlyArray<string>
  /** Values, names or days of the passage, exchanged with each other. */
  readonly exchanged: ReadonlyArray<string>
  /** A name or number that the passage does not have. */
  readonly foreign: ReadonlyArray<string>
}
