import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Documents } from "../../library/Documents.ts"
import { placeOfCompetitor, placeOfDeal } from "../../library/places.ts"
import { Uploads } from "../../library/Uploads.ts"
import { Database } from "../../storage/Database.ts"
import { demoDocuments } from "./documents.ts"
import { SELLERS } from "./sellers.ts"

const MARKDOWN = "text/markdown"

/** Takes the demonstration's documents in, to be read in the background; those that are there already are left. Its records come first. */
export const makeDemoDocuments = Effect.fn("makeDemoDocuments")(function* (until: number) {
  const database = yield* Database
  const uploads = yield* Uploads
  const documents = yield* Documents
  let taken = 0
  for (const seller of SELLERS) {
    const { id } = seller
    for (const { file_name, type, place, markdown } of demoDocuments(seller, until)) {
      const found = yield* "deal_id" in place
        ? placeOfDeal(database, id, place)
        : placeOfCompetitor(database, id, place)
      const original = yield* uploads.keep(id, MARKDOWN, Stream.succeed(new TextEncoder().encode(markdown)))
      yield* documents.receive(id, { ...found, type, source: "api", file_name, content_type: MARKDOWN }, original)
      taken++
    }
  }
  return taken
})
