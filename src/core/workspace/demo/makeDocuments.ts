import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Documents } from "../../library/Documents.ts"
import { demoDocuments } from "./documents.ts"
import { SELLERS } from "./sellers.ts"

const MARKDOWN = "text/markdown"

/** Takes the demonstration's documents in, to be read in the background; those that are there already are left. Its records come first. */
export const makeDemoDocuments = Effect.fn("makeDemoDocuments")(function* (until: number) {
  const documents = yield* Documents
  let taken = 0
  for (const seller of SELLERS) {
    const { id } = seller
    for (const { file_name, type, place, markdown } of demoDocuments(seller, until)) {
      const bytes = Stream.succeed(new TextEncoder().encode(markdown))
      const target = "competitor" in place ? { type, ...place } : place
      yield* documents.upload(id, target, { file_name, content_type: MARKDOWN, bytes })
      taken++
    }
  }
  return taken
})
