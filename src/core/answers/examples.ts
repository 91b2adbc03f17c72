import { type Examples, json } from "../http/api/Example.ts"

const URL = "https://sightline.example.com/viewer/documents/doc_9sWk3?page=2"
const CITATION = {
  document_id: "doc_9sWk3",
  document_name: "Orvanta battlecard",
  deal_id: null,
  deal_name: null,
  url: URL,
  excerpt: "Orvanta charges 42 euros per seat per month.",
}

export const answersExamples = {
  create: {
    replies: "The answer with its citations: one JSON document, or an event stream with `stream: true`.",
    request: json({ messages: [{ role: "user", content: "What does Orvanta charge per seat?" }] }),
    reply: {
      ...json({
        message: {
          role: "assistant",
          content: `Orvanta charges 42 euros [per seat per month](${URL}).`,
          citations: [CITATION],
        },
        tool_calls: ["search_knowledge_base"],
      }),
      "text/event-stream": { type: "content_delta", content: "Orvanta charges 42 euros " },
    },
  },
} satisfies Examples
