import * as Schema from "effect/Schema"
import { makeCursor } from "../http/values/cursor.ts"
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

const { encode, decode } = makeCursor(
  Schema.Tuple([Schema.String, Schema.String, Schema.String, Schema.String, Schema.String]),
)

export const encodeCursor = ({ org, kind, searchQuery = "" }: ListQuery, { key, tie }: SortKey): string =>
  encode([org, kind, searchQuery, key, tie])

/** Returns undefined for text that is not a cursor, and for a cursor of another list. */
export const decodeCursor = (list: ListQuery, cursor: string): SortKey | undefined => {
  const decoded = decode(cursor)
  if (decoded === undefined) return undefined
  const [org, kind, searchQuery, key, tie] = decoded
  const same = org === list.org && kind === list.kind && searchQuery === (list.searchQuery ?? "")
  return same && !`${key}${tie}`.includes("\0") ? { key, tie } : undefined
}
