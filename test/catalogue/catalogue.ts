import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Web } from "../support/web.ts"

/** A small workspace with something of every kind. */
const RECORDS = [
  { type: "stage", id: "won", name: "Won", category: "won", position: 2 },
  { type: "stage", id: "new", name: "New", category: "open", position: 1 },
  { type: "owner", id: "ada", name: "Ada Byron", email: "ada@acme.example" },
  { type: "competitor", id: "orvanta", name: "Orvanta", website_url: "https://orvanta.example" },
  { type: "competitor", id: "nimbrel", name: "Nimbrel" },
  { type: "reason", id: "price", name: "Price", category: "Commercial" },
  { type: "feature", id: "sso", name: "Single sign-on", product: "Flow", product_area: "Governance" },
  { type: "metric", id: "champion", name: "Champion strength" },
  { type: "answer", id: "why", name: "Why now" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "forecast", label: "Forecast", data_type: "text" },
  { type: "crm_property", crm: "crm_two", object: "account", id: "tier", data_type: "text" },
  { type: "segment", id: "emea", name: "EMEA wins", filters: { region: ["EMEA"], status: ["won"] } },
  { type: "client", id: "globex", name: "Globex", industry: "Energy", crm_properties: { tier: "A" } },
  ...[1, 2, 3].map((n) => ({
    type: "deal",
    id: `d${n}`,
    name: `Deal ${n}`,
    status: n === 1 ? "new" : "won",
    owner: "ada",
    client: "globex",
    region: n === 3 ? "APAC" : "EMEA",
    deal_type: "Renewal",
    product_labels: ["Flow"],
    competitors: [{ competitor: "orvanta", is_primary: true }],
    drivers: n === 1 ? [] : [{ reason: "price" }, { reason: "price" }],
    crm_properties: n === 1 ? { forecast: "Commit" } : {},
    custom_metrics: n === 1 ? {} : { "Champion strength": { score: 4 } },
    custom_answers: n === 1 ? { "Why now": "A deadline" } : {},
  })),
  ...[1, 2].map((n) => ({
    type: "association",
    id: `a${n}`,
    deal: "d1",
    feature: "sso",
    created_at: "2026-01-01",
    tags: ["blocker"],
  })),
]

export const send = (method: string, path: string, key: string, body?: object) =>
  Effect.flatMap(Web, (web) =>
    web.request(`/api/v1${path}`, key, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    }),
  )
export const imported = Effect.fnUntraced(function* (key: string, records: ReadonlyArray<object>) {
  const { json, text } = yield* (yield* Web).request("/api/v1/import", key, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: records.map((record) => JSON.stringify(record)).join("\n"),
  })
  assert.strictEqual(json.failed, 0, text)
})
export const filled = Effect.fnUntraced(function* (records: ReadonlyArray<object> = RECORDS) {
  const tenant = yield* (yield* Web).tenant()
  yield* imported(tenant.key, records)
  return tenant
})
export const get = Effect.fnUntraced(function* (path: string, key: string) {
  const reply = yield* send("GET", path, key)
  assert.strictEqual(reply.status, 200, reply.text)
  return reply.json
})
export const dealsWith = (key: string, query: Record<string, string>) =>
  Effect.map(get(`/deals?${new URLSearchParams(query)}`, key), (deals: ReadonlyArray<{ id: string }>) =>
    deals.map(({ id }) => id).sort(),
  )
