import * as Schema from "effect/Schema"
import { makeCursor } from "../http/values/cursor.ts"

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

const { encode, decode } = makeCursor(
  Schema.Tuple([Schema.String, Schema.String, Schema.String, Schema.String, Schema.String]),
)

export const encodeCursor = ({ sequence, type, id, from, types }: Cursor): string =>
  encode([sequence, type, id, from, types])

export const decodeCursor = (text: string): Cursor | undefined => {
  const decoded = decode(text)
  if (decoded === undefined) return undefined
  const [sequence, type, id, from, types] = decoded
  return isNumber(sequence) && isNumber(from) && !`${type}${id}`.includes("\0")
    ? { sequence, type, id, from, types }
    : undefined
}

/** Accepts numbers that fit a `bigint`. */
const isNumber = (text: string) => /^\d{1,18}$/.test(text)
