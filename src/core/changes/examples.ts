import { type Examples, json } from "../http/api/Example.ts"

const CHANGE = {
  type: "deal",
  id: "deal_8f3k2",
  action: "updated",
  changed_at: "2026-04-02T08:00:00.000Z",
  cursor: "c1_9fKq",
}

export const changesExamples = {
  list: {
    replies: "A page of changes, oldest first, or every change as NDJSON.",
    query: { since: "now", types: ["deal", "document"], page_size: 100 },
    reply: { ...json({ data: [CHANGE], next_cursor: "c1_9fKq", has_more: false }), "application/x-ndjson": CHANGE },
  },
} satisfies Examples
