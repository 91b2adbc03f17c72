import * as Effect from "effect/Effect"
import type { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import type { Citation } from "../citation.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import type { Quote } from "./References.ts"

/** The citation of a quote: its words as they stand, and a link that opens the viewer on them. */
export const citationOf = (links: ViewerLinks["Service"], org: string, { passage, start, end }: Quote) => {
  const url = (passage.source === "deal" ? links.dealUrl : links.url)(org, passage.id, {
    start: passage.start + start,
    end: passage.start + end,
  })
  return Effect.map(url, (url): Citation => ({
    document_id: passage.id,
    document_name: passage.name,
    deal_id: passage.dealId,
    deal_name: passage.dealName,
    url,
    excerpt: passage.text.slice(start, end),
  }))
}

/** Points at passages by links that open the viewer on them. */
export const pointerTo = (links: ViewerLinks["Service"], org: string) => (passage: Passage) =>
  Effect.map(citationOf(links, org, { passage, start: 0, end: passage.text.length }), ({ url }) => ({ url }))
