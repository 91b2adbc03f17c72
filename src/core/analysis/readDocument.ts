import * as Effect from "effect/Effect"
import type { LaidElement } from "../ports/document.ts"
import { Database } from "../storage/Database.ts"
import type { Extract, Extractor } from "./extracted/extract.ts"
import type { SideOf } from "./side/sides.ts"
import { selectElements } from "./sql.ts"

export interface ReadText {
  readonly elements: ReadonlyArray<LaidElement>
  readonly extract: Extract
}

/** Makes the reader of a deal's documents, which pauses so that requests are answered. */
export const makeReader = Effect.fnUntraced(function* (org: string, extract: Extractor, sideOf: SideOf) {
  const database = yield* Database
  return Effect.fnUntraced(function* (document: string) {
    const parts = yield* database.scoped<{ elements: ReadonlyArray<LaidElement> }>(
      org,
      selectElements(database.sql, document),
    )
    const elements = parts.flatMap(({ elements }) => elements.filter(({ kind }) => kind !== "table-row"))
    const steps = extract(elements, sideOf)
    for (;;) {
      const step = steps.next()
      if (step.done === true) return { elements, extract: step.value } satisfies ReadText
      yield* Effect.sleep(0)
    }
  })
})
export type ReadDocument = Effect.Success<ReturnType<typeof makeReader>>
