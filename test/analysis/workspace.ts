import * as Effect from "effect/Effect"
import { throttled, untilEffect } from "../support/until.ts"
import { type Reply, Web } from "../support/web.ts"

export const API = "/api/v1"

const ndjson = (records: ReadonlyArray<object>) => records.map((record) => `${JSON.stringify(record)}\n`).join("")

export const RECORDS = [
  { type: "competitor", id: "k_orvanta", name: "Orvanta", aliases: ["Orvanta Flow"] },
  { type: "competitor", id: "k_summit", name: "Summit" },
  { type: "feature", id: "f_sso", name: "Single sign-on", aliases: ["SSO"] },
  { type: "feature", id: "f_dash", name: "Dashboards" },
  { type: "reason", id: "r_price", name: "Price" },
  { type: "reason", id: "r_support", name: "Support" },
  { type: "client", id: "c_hart", name: "Hartwell Logistics", website_url: "https://www.hartwell.example" },
  {
    type: "deal",
    id: "d1",
    name: "Hartwell – Platform renewal",
    client: "c_hart",
    amount: 48_000,
    drivers: [{ reason: "r_support", positive: true, summary: "They answer fast" }],
  },
  { type: "deal", id: "d2", name: "Hartwell – Expansion", client: "c_hart", amount: 90_000 },
]

/** A call in which the buyer objects to the price, praises a feature and names a rival; the seller names one too. */
export const CALL = `WEBVTT

00:00:01.000 --> 00:00:06.000
<v Farah Rasmussen (Acme)>Thanks for joining. Have you looked at Orvanta as well?

00:00:07.000 --> 00:00:16.000
<v Dana Reyes (Hartwell)>Yes, Orvanta is cheaper than you. The price is too high for what we would use.

00:00:17.000 --> 00:00:27.000
<v Dana Reyes (Hartwell)>We love single sign on, it works great. Our managers are away at a summit in May. Your support was terrible last month.

00:00:28.000 --> 00:00:36.000
<v Farah Rasmussen (Acme)>I will send you the security questionnaire by Friday. How many people will use it?
`

export const send = (method: string, path: string, key: string, body?: object): Effect.Effect<Reply, never, Web> =>
  Effect.flatMap(Web, (web) =>
    web.request(`${API}${path}`, key, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    }),
  )

/** Gets `path` until its reply holds. */
export const getUntil = (expected: string, path: string, key: string, holds: (json: any) => boolean) =>
  untilEffect<any, never, Web>(
    expected,
    Effect.map(send("GET", path, key), (reply) => {
      if (reply.status === 429) return throttled(reply)
      if (reply.status !== 200) throw new Error(`GET ${path} replied ${reply.status}: ${reply.text}`)
      return holds(reply.json) && reply.json
    }),
  )

export const get = (path: string, key: string) => getUntil("a reply", path, key, () => true)

/** Waits for a run to end. */
export const ended = (run: string, key: string) =>
  getUntil(`the run ${run} ends`, `/runs/${run}`, key, ({ status }) =>
    ["completed", "failed", "cancelled"].includes(status),
  )

export const upload = Effect.fnUntraced(function* (
  deal: string,
  name: string,
  text: string,
  key: string,
  replaces?: string,
) {
  const reply = yield* send("POST", "/deals/documents", key, {
    deal_id: deal,
    replaces,
    file_name: name,
    content_type: name.endsWith(".vtt") ? "text/vtt" : "text/markdown",
    file_base64: Buffer.from(text).toString("base64"),
  })
  if (reply.status !== 200) throw new Error(reply.text)
  yield* ended(reply.json.run_id, key)
  return reply.json.document.id as string
})

export const importAll = Effect.fnUntraced(function* (key: string, records: ReadonlyArray<object>) {
  const web = yield* Web
  const reply = yield* web.request(`${API}/import`, key, {
    method: "POST",
    body: ndjson(records),
    headers: { "content-type": "application/x-ndjson" },
  })
  if (reply.json?.failed !== 0) throw new Error(reply.text)
})

/** A tenant with the records, whose workspace names its own company. */
export const workspace = Effect.gen(function* () {
  const web = yield* Web
  const { org, key } = yield* web.tenant()
  yield* importAll(key, RECORDS)
  yield* send("PUT", "/workspace", key, { our_names: ["Acme"], our_domains: ["acme.example"] })
  return { org, key }
})

/** Analyzes a deal and returns the result. */
export const analyzed = Effect.fnUntraced(function* (deal: string, key: string) {
  const started = yield* send("POST", `/deals/${deal}/analysis`, key)
  if (started.status !== 202) throw new Error(started.text)
  const run = yield* ended(started.json.run_id, key)
  return { run, analysis: yield* get(`/deals/${deal}/analysis`, key) }
})

/** A finding of the API. */
export interface Finding {
  readonly id: string
  readonly kind: string
  readonly target: { readonly id: string | null; readonly name: string }
  readonly effect: string | null
  readonly side: string
  readonly quote: string
  readonly url: string
  readonly state: string
}

/** The finding of this kind and target; fails if there is none. */
export const ofKind = (analysis: { findings: ReadonlyArray<Finding> }, kind: string, name: string, side = "buyer") => {
  const found = analysis.findings.find((each) => each.kind === kind && each.target.name === name && each.side === side)
  if (found === undefined) throw new Error(`no finding ${kind} ${name} of the ${side}`)
  return found
}
