import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64Url from "effect/encoding/Base64Url"

/** How far a reader has come. Numbers of the organization's sequence are decimal. */
export interface Cursor {
  readonly sequence: string
  /** With `id`: the last thing listed of that transaction. Both empty: nothing of it. */
  readonly type: string
  readonly id: string
  /** Deletions of this transaction and later ones are news to the reader; it never knew what was deleted before. */
  readonly from: string
  /** What it asked for, joined: another choice is another feed. */
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

/** Fits a `bigint`. */
const isNumber = (text: string) => /^\d{1,18}$/.test(text)
