import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64Url from "effect/encoding/Base64Url"

/** How far a reader has come. Transaction numbers are decimal. */
export interface Cursor {
  readonly xact: string
  /** With `id`: the last thing told of that transaction. Both empty: nothing of it. */
  readonly type: string
  readonly id: string
  /** Deletions of this transaction and later ones are news to the reader; of things gone before it never knew. */
  readonly from: string
  /** What it asked for, joined: another choice is another feed. */
  readonly types: string
}

const Shape = Schema.fromJsonString(
  Schema.Tuple([Schema.String, Schema.String, Schema.String, Schema.String, Schema.String]),
)
const decodeShape = Schema.decodeUnknownOption(Shape)

export const encodeCursor = ({ xact, type, id, from, types }: Cursor): string =>
  Base64Url.encode(JSON.stringify([xact, type, id, from, types]))

export const decodeCursor = (text: string): Cursor | undefined => {
  const json = Result.getOrUndefined(Base64Url.decodeString(text))
  const shape = json === undefined ? undefined : Option.getOrUndefined(decodeShape(json))
  if (shape === undefined) return undefined
  const [xact, type, id, from, types] = shape
  return isXact(xact) && isXact(from) && !`${type}${id}`.includes("\0") ? { xact, type, id, from, types } : undefined
}

/** Fits an `xid8`. */
const isXact = (text: string) => /^\d{1,18}$/.test(text)
