import type { Passage } from "../../search/SearchIndex.ts"
import type { AnswerEvent } from "../Answerer.ts"
import { type Asker, readsDocuments } from "../Asker.ts"
import type { Subject } from "../subjects/subject.ts"

/** The tool events for reading a subject's documents or deals. */
export const readEvents = (
  asker: Asker,
  { kind, id, name }: Subject,
  sections: ReadonlyArray<Passage>,
): ReadonlyArray<AnswerEvent> => {
  const byName = kind === "deal" ? { deal_ids: [id] } : { client_ids: [id] }
  const [tool, args] =
    kind === "competitor"
      ? (["get_assets", { competitor: id }] as const)
      : readsDocuments(asker)
        ? (["search_deal_documents", { query: name, ...(kind === "deal" && { deal_id: id }) }] as const)
        : (["search_deals", { filters: byName }] as const)
  const call = { id: "call_subject", name: tool } as const
  const read = new Set(sections.map(({ source, id }) => `${source} ${id}`))
  return [
    { type: "tool_call", ...call, arguments: args },
    { type: "tool_result", ...call, found: read.size },
  ]
}
