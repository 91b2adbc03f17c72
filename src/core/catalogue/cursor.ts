import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Kind } from "./kinds.ts"

/** The list that a cursor continues. A cursor is valid only for its own list and organization. */
interface ListQuery {
  readonly org: string
  readonly kind: Kind
  readonly searchQuery: string | undefined
}

/** The sort key of the last entry of a page; `tie` orders entries with equal keys. */
export interface SortKey {
  readonly key: string
  readonly tie: string
}

const Cursor = Schema.fromJsonString(
  Schema.Tuple([Schema.String, Schema.String, Schema.String, Schema.String, Schema.String]),
)
const decodeTuple = Schema.decodeUnknownOption(Cursor)

export const encodeCursor = ({ org, kind, searchQuery = "" }: ListQuery, { key, tie }: SortKey): string =>
  Base64Url.encode(JSON.stringify([org, kind, searchQuery, key, tie]))

/** Returns undefined for text that is not a cursor, and for a cursor of another list. */
export const decodeCursor = (list: ListQuery, cursor: string): SortKey | undefined => {
  const text = Result.getOrUndefined(Base64Url.decodeString(cursor))
  const decoded = text === undefined ? undefined : Option.getOrUndefined(decodeTuple(text))
  if (decoded === undefined) return undefined
  const [org, kind, searchQuery, key, tie] = decoded
  const same = org === list.org && kind === list.kind && searchQuery === (list.searchQuery ?? "")
  return same && !`${key}${tie}`.includes("\0") ? { key, tie } : undefined
}
