import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { makeCursor } from "../http/values/cursor.ts"
import { SealedCursors } from "../signing/SealedCursors.ts"
import { decodeCursor, encodeCursor } from "./cursor.ts"

const LIST = "changes"

/**
 * Seals the cursors of one reply. It seals each sequence number once, because thousands of changes of one transaction may
 * share it. The type and id of the last change stay readable beside it, because the caller knows them.
 */
export const makeCursorSealer = Effect.fnUntraced(function* (org: string) {
  const cursors = yield* SealedCursors
  const sealed = new Map<string, string>()
  return Effect.fnUntraced(function* (cursor: string) {
    const { sequence, type, id, from, types } =
      decodeCursor(cursor) ?? (yield* Effect.die("the feed made an invalid cursor"))
    const position = JSON.stringify([sequence, from, types])
    const head = sealed.get(position) ?? (yield* cursors.seal(org, LIST, position))
    sealed.set(position, head)
    return type === "" ? head : `${head}.${lastChange.encode([type, id])}`
  })
})

/** Opens a sealed cursor for `Changes`. `unsealed`: an earlier release made it; undefined: it is not a cursor of this feed. */
export const openCursor = Effect.fnUntraced(function* (org: string, cursor: string) {
  const cursors = yield* SealedCursors
  const [head = "", tail] = cursor.split(".")
  const position = yield* cursors.open(org, LIST, head)
  if (position === undefined) return decodeCursor(cursor) === undefined ? undefined : "unsealed"
  const [sequence = "", from = "", types = ""] = JSON.parse(position) as ReadonlyArray<string>
  const last = tail === undefined ? ["", ""] : lastChange.decode(tail)
  return last === undefined
    ? undefined
    : { cursor: encodeCursor({ sequence, type: last[0], id: last[1], from, types }) }
})

/** The type and id of the last change. */
const lastChange = makeCursor(Schema.Tuple([Schema.String, Schema.String]))
