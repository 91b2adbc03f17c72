import { type Examples, json } from "../http/api/Example.ts"

export const grantsExamples = {
  list: {
    replies: "The connected assistants.",
    reply: json({
      data: [
        {
          id: "grant_5kP1",
          client_id: "https://assistant.example.com/oauth/client.json",
          client_name: "Assistant",
          key_id: "key_6Lp0a",
          identity: null,
          name: "Dashboard",
          scopes: ["workspace:read"],
          permissions: ["deals.read", "intelligence.read", "documents.read", "answers.create"],
          created_at: "2026-04-02T08:00:00.000Z",
          expires_at: "2026-05-02T08:00:00.000Z",
          last_used_on: "2026-04-02",
        },
      ],
    }),
  },
  end: { path: { id: "grant_5kP1" }, replies: "The assistant is disconnected." },
} satisfies Examples
