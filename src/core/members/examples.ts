import { type Examples, json } from "../http/api/Example.ts"

const member = {
  id: "member_3nQ8",
  email: "ada@example.com",
  name: "Ada Byron",
  role: "admin",
  origin: "added",
  created_at: "2026-04-01T08:00:00.000Z",
  last_sign_in_at: "2026-04-02T08:00:00.000Z",
}

export const membersExamples = {
  list: { replies: "The members.", reply: json({ data: [member] }) },
  put: {
    request: json({ email: "ada@example.com", role: "admin" }),
    replies: "The member, added or changed.",
    reply: json(member),
  },
  remove: { path: { id: "member_3nQ8" }, replies: "The member is removed." },
} satisfies Examples
