import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Documents } from "../../../core/library/Documents.ts"
import { demoCalls } from "./calls.ts"
import { demoDocuments } from "./documents.ts"
import { SELLERS } from "./sellers.ts"

const MARKDOWN = "text/markdown"

/** Uploads the demo documents, which are read in the background. Skips existing ones. Run `makeDemo` first. */
export const makeDemoDocuments = Effect.fn("makeDemoDocuments")(function* (until: number) {
  const documents = yield* Documents
  let uploaded = 0
  for (const seller of SELLERS) {
    const { id } = seller
    for (const { file_name, type, target: about, markdown } of demoDocuments(seller, until)) {
      const bytes = Stream.succeed(new TextEncoder().encode(markdown))
      const target = "competitor" in about ? { type, ...about } : about
      yield* documents.upload(id, target, { file_name, content_type: MARKDOWN, bytes })
      uploaded++
    }
  }
  return uploaded
})

/** Uploads the calls of the first seller's deals that nobody has analyzed. Skips existing ones. Run `makeDemo` first. */
export const makeDemoCalls = Effect.fn("makeDemoCalls")(function* (until: number) {
  const documents = yield* Documents
  const seller = SELLERS[0]!
  for (const { file_name, deal_id, vtt } of demoCalls(seller, until)) {
    const bytes = Stream.succeed(new TextEncoder().encode(vtt))
    const target = { deal: { deal_id }, source: "call_recorder" } as const
    yield* documents.upload(seller.id, target, { file_name, content_type: "text/vtt", bytes })
  }
})
