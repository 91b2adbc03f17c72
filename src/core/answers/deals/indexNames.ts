import * as Effect from "effect/Effect"
import { NameIndex, setIndex } from "./nameIndex.ts"
import type { KnownName } from "./names.ts"

/** Names between two turns of the event loop. */
const SLICE = 4_000

/** Prepares the names of a workspace, in slices, so that other requests go on. */
export const indexNames = Effect.fnUntraced(function* (names: ReadonlyArray<KnownName>) {
  const index = new NameIndex(names)
  for (const [at, name] of names.entries()) {
    if (at % SLICE === SLICE - 1) yield* Effect.yieldNow
    index.add(name)
  }
  setIndex(names, index)
})
