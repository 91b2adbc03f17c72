import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64Url from "effect/encoding/Base64Url"

/** The position of a reader. Numbers of the organization's sequence are decimal strings. */
export interface Cursor {
  readonly sequence: string
  /** With `id`: the last thing listed of this transaction. Both empty: nothing listed yet. */
  readonly type: string
  readonly id: string
  /** The reader started here, so it needs the deletions of this transaction and later ones only. */
  readonly from: string
  /** The types, joined by commas. A cursor is valid for the same types only. */
  readonly types: string
}

const Shape = Schema.fromJsonString(
  Schema.Tuple([Schema.String, Schema.String, Schema.String, Schema.String, Schema.String]),
)
const decodeShape = Schema.decodeUnknownOption(Shape)

export const encodeCursor = ({ sequence, type, id, from, types }: Cursor): string =>
  Base64Url.encode(JSON.stringify([sequence, type, id, from, types]))

export const decodeCursor = (text: string): Cursor | undefined => {
  const json = Result.getOrUndefined(Base64Url.decodeString(text))
  const shape = json === undefined ? undefined : Option.getOrUndefined(decodeShape(json))
  if (shape === undefined) return undefined
  const [sequence, type, id, from, types] = shape
  return isNumber(sequence) && isNumber(from) && !`${type}${id}`.includes("\0")
    ? { sequence, type, id, from, types }
    : undefined
}

/** Accepts numbers that fit a `bigint`. */
const isNumber = (text: string) => /^\d{1,18}$/.test(text)
