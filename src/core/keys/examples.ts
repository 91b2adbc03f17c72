import { type Examples, json } from "../http/api/Example.ts"

const KEY = {
  id: "key_6Lp0a",
  name: "Dashboard",
  role: "member",
  permissions: null,
  display: "sl_live_BaFN",
  requests_per_minute: null,
  created_at: "2026-01-05T11:00:00.000Z",
  created_by: "key_1Zq7c",
  last_used_at: "2026-04-02T08:00:00.000Z",
  expires_at: null,
  revoked_at: null,
}
const CREATED = { ...KEY, key: "sl_live_(the secret)" }
const window = (limit: number, used: number, resets_at: string) => ({ limit, used, remaining: limit - used, resets_at })

export const accessExamples = {
  usage: {
    replies: "The limits of the organization and its keys, and what remains of each.",
    reply: json({
      organization: {
        id: "org_3kF7",
        plan: "growth",
        requests_per_minute: window(60, 4, "2026-04-02T08:01:00.000Z"),
        requests_per_month: window(30000, 812, "2026-05-01T00:00:00.000Z"),
        exports_per_month: window(200, 3, "2026-05-01T00:00:00.000Z"),
        link_views: 12,
      },
      keys: [
        {
          id: KEY.id,
          name: KEY.name,
          display: KEY.display,
          role: "member",
          revoked: false,
          requests_per_minute: { limit: 20, used: 4, remaining: 16 },
          requests_this_month: 640,
        },
      ],
      identities: [],
    }),
  },
  listKeys: { replies: "Every key of the organization, without its secret.", reply: json({ data: [KEY] }) },
  createKey: {
    replies: "The key with its secret, which appears only in this reply.",
    request: json({ name: "Dashboard", role: "member", expires_at: "2027-01-31T00:00:00Z" }),
    reply: json({ ...CREATED, expires_at: "2027-01-31T00:00:00.000Z" }),
  },
  rotateKey: {
    path: { id: KEY.id },
    replies: "The key with its new secret, which appears only in this reply.",
    request: json({ grace_seconds: 3600 }),
    reply: json(CREATED),
  },
  revokeKey: { path: { id: KEY.id }, query: { descendants: true }, replies: "The key is revoked." },
} satisfies Examples
