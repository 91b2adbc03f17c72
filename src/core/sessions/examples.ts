import { type Examples, json } from "../http/api/Example.ts"

export const sessionsExamples = {
  list: {
    replies: "The live sessions.",
    reply: json({
      data: [
        {
          id: "session_8hW2",
          key_id: "key_6Lp0a",
          name: "Dashboard",
          identity: null,
          role: "member",
          permissions: null,
          browser: "Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0",
          address: "192.0.2.7",
          current: true,
          created_at: "2026-04-02T08:00:00.000Z",
          expires_at: "2026-04-02T20:00:00.000Z",
          last_used_at: "2026-04-02T08:10:00.000Z",
        },
      ],
    }),
  },
  createLink: {
    replies: "The link, which works once.",
    reply: json({
      url: "https://sightline.example.com/sign-in#sl_link_token",
      expires_at: "2026-04-02T08:15:00.000Z",
    }),
  },
  end: { path: { id: "session_8hW2" }, replies: "The session ended." },
} satisfies Examples
