import * as Effect from "effect/Effect"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import type { Citation } from "../citation.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import type { Quote } from "./References.ts"

/** Makes the citation of a quote: its verbatim words, and a link that opens the viewer on them. */
export const makeCitation = Effect.fnUntraced(function* (org: string, { passage, start, end }: Quote) {
  const links = yield* ViewerLinks
  const url = yield* (passage.source === "deal" ? links.dealUrl : links.url)(org, passage.id, {
    start: passage.start + start,
    end: passage.start + end,
  })
  return {
    document_id: passage.id,
    document_name: passage.name,
    deal_id: passage.dealId,
    deal_name: passage.dealName,
    url,
    excerpt: passage.text.slice(start, end),
  } satisfies Citation
})

/** Points to a passage by a link that opens the viewer on it. */
export const pointByUrl = (org: string, passage: Passage) =>
  Effect.map(makeCitation(org, { passage, start: 0, end: passage.text.length }), ({ url }) => ({ url }))
