import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import type { SealedCursors } from "../signing/SealedCursors.ts"
import { decodeCursor, encodeCursor } from "./cursor.ts"

const LIST = "changes"

/**
 * Seals the cursors of one reply. Transaction numbers are sealed, once for each transaction, for thousands of changes may
 * share one; the change that was told last stands beside them, for the caller knows it.
 */
export const makeSealing = (cursors: SealedCursors["Service"], org: string) => {
  const sealed = new Map<string, string>()
  return Effect.fnUntraced(function* (cursor: string) {
    const { xact, type, id, from, types } = decodeCursor(cursor) ?? (yield* Effect.die("a cursor of ours is none"))
    const position = JSON.stringify([xact, from, types])
    const head = sealed.get(position) ?? (yield* cursors.seal(org, LIST, position))
    sealed.set(position, head)
    return type === "" ? head : `${head}.${Base64Url.encode(JSON.stringify([type, id]))}`
  })
}

/** A sealed cursor as `Changes` takes it; `unsealed`: of a release that did not seal them; undefined: none of ours. */
export const unsealed = Effect.fnUntraced(function* (cursors: SealedCursors["Service"], org: string, cursor: string) {
  const [head = "", tail] = cursor.split(".")
  const position = yield* cursors.open(org, LIST, head)
  if (position === undefined) return decodeCursor(cursor) === undefined ? undefined : "unsealed"
  const [xact = "", from = "", types = ""] = JSON.parse(position) as ReadonlyArray<string>
  const told = tail === undefined ? ["", ""] : toldIn(tail)
  return told === undefined ? undefined : { cursor: encodeCursor({ xact, type: told[0]!, id: told[1]!, from, types }) }
})

const toldIn = (tail: string): ReadonlyArray<string> | undefined => {
  const text = Result.getOrUndefined(Base64Url.decodeString(tail))
  try {
    const told: unknown = JSON.parse(text ?? "")
    return Array.isArray(told) && told.length === 2 && told.every((part) => typeof part === "string") ? told : undefined
  } catch {
    return undefined
  }
}
