import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { BoundedCache } from "../../common/BoundedCache.ts"
import { Database } from "../../storage/Database.ts"
import type { Anchor, LinkedPassage } from "../../signing/token.ts"
import { AnchorSearch, type Lost, passageAt, type Piece } from "./anchor.ts"
import { type Choice, type PartRow, selectPart, selectElements } from "./part.ts"
import type { Cited } from "./picture.ts"

/** Parts that one statement reads, of some 15 ms of CPU each: a search neither holds a long document in memory nor blocks others. */
const PARTS_AT_ONCE = 2
/** No document within the limits of reading has more. */
const MAX_PARTS = 2048
/** Views that wait for a search. */
const MAX_WAITING = 16
/** Results that a process keeps. */
const MAX_KEPT = 1000

class TooManySearches extends Schema.TaggedError<TooManySearches>()("TooManySearches", {}) {}

interface Anchored {
  readonly start: number
  readonly anchor: Anchor
}

/** A part of a document, and the passage of a link: where it is now, or why it is not found. */
interface ShownPart {
  readonly part: PartRow | undefined
  readonly cited: Cited | undefined
  readonly lost: Lost | undefined
}

/** Finds the passage of a link in one text. */
export const findIn = (pieces: ReadonlyArray<Piece>, passage: LinkedPassage | undefined): Cited | Lost | undefined => {
  if (passage?.anchor === undefined) return passage
  const there = passageAt(pieces, passage.start, passage.anchor)
  if (there?.fits === true) return there
  const search = new AnchorSearch(passage.anchor, passage.start)
  for (const piece of pieces) search.take(piece)
  return search.end()
}

/** Whether the elements from the first to the last reach over the passage, and have other words there. */
const contradicts = (pieces: ReadonlyArray<Piece>, { start, end }: Cited, anchor: Anchor) => {
  const last = pieces.at(-1)
  return last === undefined || (last.start + last.text.length >= end && passageAt(pieces, start, anchor) === undefined)
}

/** Finds the passages of links in documents. A passage that is where it was costs no statement. */
export const makePassages = Effect.gen(function* () {
  const { scoped, sql } = yield* Database
  const one = yield* Semaphore.make(1)
  const kept = new BoundedCache<string, Cited | Lost>(MAX_KEPT)
  let waiting = 0

  const select = (org: string, id: string, choice: Choice) =>
    Effect.map(scoped<PartRow>(org, selectPart(sql, id, choice)), ([part]) => part)

  const search = Effect.fn("Viewer.search")(function* (org: string, id: string, { start, anchor }: Anchored) {
    const found = new AnchorSearch(anchor, start)
    for (let n = 0; n < MAX_PARTS; n += PARTS_AT_ONCE) {
      const rows = yield* scoped<Pick<PartRow, "elements">>(org, selectElements(sql, id, n, n + PARTS_AT_ONCE))
      for (const { elements } of rows) for (const element of elements ?? []) found.take(element)
      if (rows.length < PARTS_AT_ONCE) return found.end()
    }
    return "changed" as const
  }, one.withPermits(1))

  /** Searches the whole document, once for each of its readings. */
  const searchOnce = Effect.fnUntraced(function* (org: string, id: string, key: string, passage: Anchored) {
    const known = kept.get(key)
    if (known !== undefined) return known
    if (waiting >= MAX_WAITING) return yield* new TooManySearches()
    waiting++
    const found = yield* Effect.ensuring(
      search(org, id, passage),
      Effect.sync(() => void waiting--),
    )
    kept.set(key, found)
    return found
  })

  /**
   * Selects the part of a document that has the passage, or the part that the reader chose. `reading` changes when the document is read
   * again: then the passage may be elsewhere, and the document is searched for its words.
   */
  return Effect.fnUntraced(function* (
    document: { readonly org: string; readonly id: string; readonly reading: string },
    passage: LinkedPassage | undefined,
    choice: Choice | undefined,
  ) {
    const { org, id, reading } = document
    const part = yield* select(org, id, choice ?? { start: passage?.start })
    const shown = (cited: Cited | undefined, lost?: Lost, own = part): ShownPart => ({ part: own, cited, lost })
    if (passage?.anchor === undefined) return shown(passage)
    const there = passageAt(part?.elements ?? [], passage.start, passage.anchor)
    if (there?.fits === true) return shown(there)
    const key = JSON.stringify([org, id, reading, passage])
    const found = choice === undefined ? yield* searchOnce(org, id, key, passage) : kept.get(key)
    if (found === undefined) return shown(undefined)
    if (typeof found === "string") return shown(undefined, found)
    if (choice !== undefined) return shown(found)
    const own = yield* select(org, id, { start: found.start })
    // The document may have been read again after the search.
    return contradicts(own?.elements ?? [], found, passage.anchor)
      ? shown(undefined, "changed", own)
      : shown(found, undefined, own)
  })
})
