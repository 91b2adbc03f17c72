import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Kind } from "./kinds.ts"

/** What a cursor goes on with: it is refused for another list, and by another organization. */
export interface List {
  readonly org: string
  readonly kind: Kind
  readonly searchQuery: string | undefined
}

/** Where a page ended: the sort key of its last entry, and what tells apart entries of one key. */
export interface Position {
  readonly key: string
  readonly tie: string
}

const Cursor = Schema.fromJsonString(
  Schema.Tuple([Schema.String, Schema.String, Schema.String, Schema.String, Schema.String]),
)
const decode = Schema.decodeUnknownOption(Cursor)

export const encodeCursor = ({ org, kind, searchQuery = "" }: List, { key, tie }: Position): string =>
  Base64Url.encode(JSON.stringify([org, kind, searchQuery, key, tie]))

/** Undefined: not a cursor, or one of another list. */
export const decodeCursor = (list: List, cursor: string): Position | undefined => {
  const text = Result.getOrUndefined(Base64Url.decodeString(cursor))
  const decoded = text === undefined ? undefined : Option.getOrUndefined(decode(text))
  if (decoded === undefined) return undefined
  const [org, kind, searchQuery, key, tie] = decoded
  const same = org === list.org && kind === list.kind && searchQuery === (list.searchQuery ?? "")
  return same && !`${key}${tie}`.includes("\0") ? { key, tie } : undefined
}
