import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { expect, it } from "vitest"
import { startServer } from "../adapters/processes.ts"
import { embeddingServer } from "../search/embeddingServer.ts"
import { until } from "../support/until.ts"
import { startEndpoint } from "../webhooks/endpoint.ts"
import { startCollector } from "./collector.ts"
import { EMBEDDED_METRICS } from "./session.ts"

it("an embedded server exports, as JSON, its disk, vectors, refusals, webhooks and quoted answers", async () => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-telemetry-"))
  const scope = Scope.makeUnsafe()
  const [collector, endpoint] = [await startCollector(), await startEndpoint()]
  const embeddings = await Effect.runPromise(Scope.provide(embeddingServer, scope))
  const operator = "operator-key-that-only-this-test-uses"
  const { url, child, finished } = await startServer("Node", {
    SIGHTLINE_DATA_DIR: directory,
    SIGHTLINE_OPERATOR_KEY: operator,
    SIGHTLINE_EMBEDDING_URL: embeddings.url,
    SIGHTLINE_EMBEDDING_MODEL: "weak",
    SIGHTLINE_WEBHOOK_HOSTS: `127.0.0.1:${endpoint.port}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "200",
    OTEL_METRIC_EXPORT_INTERVAL: "500",
  })
  const post = async (path: string, key: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const reply = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    return { status: reply.status, json: (await reply.json()) as any }
  }
  try {
    const organization = (await post("/operator/organizations", operator, { name: "Acme", plan: "enterprise" })).json
    const { key } = (
      await post(`/operator/organizations/${organization.id}/keys`, operator, { name: "k", role: "owner" })
    ).json
    const hook = { url: `http://127.0.0.1:${endpoint.port}/hook`, event_types: ["document.ready"] }
    expect((await post("/api/v1/webhooks", key, hook)).status).toBe(201)
    const competitor = await fetch(`${url}/api/v1/import`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
      body: `${JSON.stringify({ type: "competitor", id: "rival", name: "Rival" })}\n`,
    })
    expect(competitor.status).toBe(200)
    const uploaded = await post("/api/v1/documents/library", key, {
      file_name: "rival.md",
      content_type: "text/markdown",
      type: "asset",
      competitor_id: "rival",
      file_base64: btoa("# Rival\n\nThe pricing of Rival starts at nine dollars.\n"),
    })
    expect(uploaded.status).toBe(200)
    await until("the webhook arrives", () => endpoint.at("/hook").length > 0)
    const question = { messages: [{ role: "user", content: "What does the pricing of Rival start at?" }] }
    expect((await post("/api/v1/responses", key, question)).json.message.citations).not.toEqual([])
    const limited = (await post("/api/v1/keys", key, { name: "l", role: "viewer", requests_per_minute: 1 })).json.key
    const list = () => fetch(`${url}/api/v1/deals`, { headers: { authorization: `Bearer ${limited}` } })
    expect((await list()).status).toBe(200)
    // The first two requests may be in two minutes.
    await until("the limit refuses a request", async () => (await list()).status === 429)
    const spans = ["embed", "webhooks.deliver", "answer.quote", "answer.cite"]
    const isExported = () =>
      EMBEDDED_METRICS.every((name) => collector.metrics.has(name)) &&
      spans.every((name) => collector.spans.some((span) => span.name === name))
    await until("the metrics and spans are exported", isExported)
    expect([...collector.encodings]).toEqual(["application/json"])
  } finally {
    child.kill()
    await finished
    endpoint.stop()
    collector.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(directory, { recursive: true, force: true })
  }
})
