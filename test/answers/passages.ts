import type { Passage } from "../../src/core/search/SearchIndex.ts"

/** A passage of a document, whole. */
export const passage = (given: Partial<Passage> & { readonly id: string; readonly text: string }): Passage => ({
  source: "document",
  name: `${given.id}.md`,
  dealId: null,
  dealName: null,
  competitorId: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  n: 0,
  start: 0,
  end: given.text.length,
  headings: [],
  place: { kind: "text" },
  places: [],
  tables: [],
  score: 1,
  ...given,
})
