import { type Examples, json } from "../http/api/Example.ts"

const ENTRY = {
  id: "audit_4tR9",
  at: "2026-04-02T08:00:00.000Z",
  actor: { key_id: "key_6Lp0a" },
  action: "export.created",
  target: "exp_2Wd8",
  details: null,
  request_id: "8a0f2c1e-7d1b-4c52-9e0d-0b2f6f1f3a77",
  address: "192.0.2.7",
}

export const auditExamples = {
  list: {
    replies: "A page of entries, newest first, or all of them as CSV.",
    query: { since: "2026-04-01", types: ["export.created", "key.created"], cursor: "WyIyMDI2Il0" },
    reply: {
      ...json({ data: [ENTRY], next_cursor: null, has_more: false }),
      "text/csv":
        "id,at,actor,actor_id,action,target,details,request_id,address\r\naudit_4tR9,2026-04-02T08:00:00.000Z,key,key_6Lp0a,export.created,exp_2Wd8,,,192.0.2.7\r\n",
    },
  },
} satisfies Examples
