import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import type { SealedCursors } from "../signing/SealedCursors.ts"
import { decodeCursor, encodeCursor } from "./cursor.ts"

const LIST = "changes"

/**
 * Seals the cursors of one reply. A number is sealed once, for thousands of changes of one transaction may share it; the type
 * and id of the last change stay readable beside it, for the caller knows them.
 */
export const makeSealing = (cursors: SealedCursors["Service"], org: string) => {
  const sealed = new Map<string, string>()
  return Effect.fnUntraced(function* (cursor: string) {
    const { sequence, type, id, from, types } = decodeCursor(cursor) ?? (yield* Effect.die("a cursor of ours is none"))
    const position = JSON.stringify([sequence, from, types])
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
  const [sequence = "", from = "", types = ""] = JSON.parse(position) as ReadonlyArray<string>
  const told = tail === undefined ? ["", ""] : toldIn(tail)
  return told === undefined
    ? undefined
    : { cursor: encodeCursor({ sequence, type: told[0]!, id: told[1]!, from, types }) }
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
