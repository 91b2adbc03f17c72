import { type Examples, json } from "../../http/api/Example.ts"

const about = {
  id: "conv_5Xk2m",
  title: "How many deals did we lose to Nimbrel?",
  created_at: "2026-04-02T08:00:00.000Z",
  updated_at: "2026-04-02T08:00:00.000Z",
}

export const conversationsExamples = {
  list: { replies: "The caller's conversations.", reply: json({ data: [{ ...about, turns: 1 }] }) },
  get: {
    path: { id: about.id },
    replies: "The conversation.",
    reply: json({
      ...about,
      turns: [
        {
          question: about.title,
          answer: "You lost 4 deals to Nimbrel.",
          style: "links",
          citations: [],
          asked_at: about.created_at,
        },
      ],
    }),
  },
  delete: { path: { id: about.id }, replies: "The conversation is deleted." },
  deleteAll: { replies: "The caller's conversations are deleted." },
} satisfies Examples
