import { type Examples, json } from "../http/api/Example.ts"

const WEBHOOK = {
  id: "wh_7Yb2",
  url: "https://hooks.example.com/sightline",
  description: "Keeps the warehouse up to date",
  event_types: ["deal.created", "deal.updated"],
  status: "enabled",
  notice: null,
  failing_since: null,
  created_at: "2026-04-02T08:00:00.000Z",
  updated_at: "2026-04-02T08:00:00.000Z",
  created_by: "key_6Lp0a",
  expires_at: null,
}
const CREATED = { ...WEBHOOK, secret: "whsec_(the secret)" }
const DELIVERY = {
  id: "msg_5Nc1",
  event_type: "deal.updated",
  status: "delivered",
  attempts: 1,
  response_status: 204,
  error: null,
  payload: { type: "deal.updated", timestamp: "2026-04-02T08:00:00.000Z", data: { id: "deal_8f3k2" } },
  created_at: "2026-04-02T08:00:00.000Z",
  next_attempt_at: null,
  ended_at: "2026-04-02T08:00:00.400Z",
}

export const webhooksExamples = {
  list: { replies: "Every webhook, without its secret.", reply: json({ data: [WEBHOOK] }) },
  create: {
    replies: "The webhook with the secret that verifies deliveries, which appears only in this reply.",
    request: json({ url: WEBHOOK.url, event_types: WEBHOOK.event_types, description: WEBHOOK.description }),
    reply: json(CREATED),
  },
  get: { path: { id: WEBHOOK.id }, replies: "The webhook and its status.", reply: json(WEBHOOK) },
  update: {
    path: { id: WEBHOOK.id },
    replies: "The webhook after the change.",
    request: json({ status: "paused" }),
    reply: json({ ...WEBHOOK, status: "paused" }),
  },
  delete: { path: { id: WEBHOOK.id }, replies: "The webhook and its deliveries are deleted." },
  rotate: {
    path: { id: WEBHOOK.id },
    replies: "The webhook with its new secret, which appears only in this reply.",
    request: json({ grace_seconds: 3600 }),
    reply: json(CREATED),
  },
  deliveries: {
    path: { id: WEBHOOK.id },
    replies: "A page of deliveries, newest first.",
    query: { status: "failed", page_size: 50, cursor: "eyJpZCI6Im1zZ181TmMxIn0" },
    reply: json({ data: [DELIVERY], next_cursor: null }),
  },
  replay: {
    path: { id: WEBHOOK.id },
    replies: "The number of deliveries that are queued again.",
    request: json({ from: "2026-04-01T00:00:00Z", to: "2026-04-02T00:00:00Z" }),
    reply: json({ replayed: 14 }),
  },
  test: {
    path: { id: WEBHOOK.id },
    replies: "The queued delivery of the `ping`.",
    reply: json({
      ...DELIVERY,
      event_type: "ping",
      status: "pending",
      attempts: 0,
      response_status: null,
      payload: { type: "ping", timestamp: "2026-04-02T08:00:00.000Z", data: {} },
      ended_at: null,
    }),
  },
} satisfies Examples
