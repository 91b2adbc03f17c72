import * as Effect from "effect/Effect"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import type { Citation } from "../citation.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import { citeFigure } from "../figures/citeFigure.ts"
import type { Citable, Quote } from "./References.ts"

/** Makes the citation of a quote: its verbatim words, and a link that opens the viewer on them. */
export const makeCitation = Effect.fnUntraced(function* (org: string, { passage, start, end }: Quote) {
  const links = yield* ViewerLinks
  const url = yield* (passage.source === "deal" ? links.dealUrl : links.url)(org, passage.id, {
    start: passage.start + start,
    end: passage.start + end,
    source: passage,
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

/** Makes the citation of anything that a model can cite; undefined if it has no link. */
export const cite = Effect.fnUntraced(function* (org: string, citable: Citable) {
  switch (citable.kind) {
    case "cited":
      return citable.citation
    case "quote":
      return yield* makeCitation(org, citable.quote)
    case "row": {
      const { rows, row } = citable
      const figure = row === undefined ? rows.figure : { ...rows.figure, row }
      return yield* citeFigure(org, figure, rows.report, rows.currency)
    }
  }
})

/** Points to a passage by a link that opens the viewer on it. */
export const pointByUrl = (org: string, passage: Passage) =>
  Effect.map(makeCitation(org, { passage, start: 0, end: passage.text.length }), ({ url }) => ({ url }))
