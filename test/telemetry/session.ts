import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { onFreePort, startServer } from "../adapters/processes.ts"
import { modelServer, refOf } from "../answers/modelServer.ts"
import { until } from "../support/until.ts"
import { startCollector } from "./collector.ts"

/** The texts that callers send. None of them may appear in a log, a metric or a span. */
export const MARKS = {
  question: "markquestionone",
  body: "markbodytwo",
  record: "markrecordthree",
  modelKey: "markmodelkeyfour",
  operatorKey: "markoperatorkeyfive-0123456789abcdef",
  signingSecret: "marksigningsecretsix-0123456789abcdef",
  metricsKey: "markmetricskeyseven-0123456789abcdef",
  answer: "markansweroneeight",
  file: "markfilenamenine",
  search: "marksearchten",
} as const

/** Metrics of what this session does not do, and the one of `embedded.test.ts` does. */
export const EMBEDDED_METRICS = [
  "sightline_disk_free_bytes",
  "sightline_embed_seconds",
  "sightline_limit_refusals_total",
  "sightline_webhook_attempts_total",
]

export const TRACE = "0af7651916cd43dd8448eb211c80319c"
export const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`
export const ANSWER_TRACE = "1bf7651916cd43dd8448eb211c80319d"

/** A server with every kind of telemetry, and one of each thing that it does. */
export const runSession = async (databaseUrl: string) => {
  const scope = Effect.runSync(Scope.make())
  const collector = await startCollector()
  const model = await Effect.runPromise(
    modelServer((request, nth) =>
      nth === 0
        ? [{ call: "search_knowledge_base", args: { query: "pricing" } }]
        : [
            {
              text: `The pricing of Rival starts at nine dollars [[${refOf(request, "nine dollars")}]]. That is ${MARKS.answer}.`,
            },
          ],
    ).pipe(Scope.provide(scope)),
  )
  const settings = {
    SIGHTLINE_DATABASE_URL: databaseUrl,
    SIGHTLINE_DATA_DIR: "/nonexistent/sightline",
    SIGHTLINE_BLOBS: "database:",
    SIGHTLINE_TRANSCRIPTION_URL: "off",
    SIGHTLINE_OPERATOR_KEY: MARKS.operatorKey,
    SIGHTLINE_SIGNING_SECRET: MARKS.signingSecret,
    SIGHTLINE_METRICS_KEY: MARKS.metricsKey,
    SIGHTLINE_MODEL_URL: model.url,
    SIGHTLINE_MODEL_MODEL: "double",
    SIGHTLINE_MODEL_KEY: MARKS.modelKey,
    SIGHTLINE_LOG_LEVEL: "debug",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=sales",
    OTEL_SERVICE_NAME: "sightline-test",
    OTEL_BSP_SCHEDULE_DELAY: "200",
    OTEL_METRIC_EXPORT_INTERVAL: "500",
  }
  const { server, metricsPort } = await onFreePort(async (port) => ({
    server: await startServer("Node", { ...settings, SIGHTLINE_METRICS_PORT: String(port) }),
    metricsPort: port,
  }))

  const call = async (path: string, key: string, init: RequestInit = {}) => {
    const reply = await fetch(new URL(path, server.url), {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers },
    })
    const text = await reply.text()
    return {
      status: reply.status,
      text,
      json: reply.headers.get("content-type")?.includes("json") ? JSON.parse(text) : undefined,
    }
  }
  const post = (path: string, key: string, body: object, headers: Record<string, string> = {}) =>
    call(path, key, { method: "POST", body: JSON.stringify(body), headers })

  const operator = MARKS.operatorKey
  const { json: organization } = await post("/operator/organizations", operator, { name: "Acme", plan: "enterprise" })
  const { json: created } = await post(`/operator/organizations/${organization.id}/keys`, operator, {
    name: "k",
    role: "owner",
  })
  const { key } = created

  await call("/api/v1/import", key, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: [
      JSON.stringify({ type: "competitor", id: "rival", name: "Rival" }),
      JSON.stringify({ type: "deal", id: "d1", name: MARKS.record, amount: 10 }),
      JSON.stringify({ type: "deal", id: "d2", name: `${MARKS.record}\u0000`, amount: MARKS.record }),
    ].join("\n"),
  })
  const uploaded = await post(
    "/api/v1/documents/library",
    key,
    {
      file_name: `${MARKS.file}.md`,
      content_type: "text/markdown",
      type: "asset",
      competitor_id: "rival",
      file_base64: btoa(`# Rival\n\nThe pricing of Rival starts at nine dollars. ${MARKS.body}\n`),
    },
    { traceparent: TRACEPARENT },
  )
  const broken = await post("/api/v1/documents/library", key, {
    file_name: "broken.pdf",
    content_type: "application/pdf",
    type: "asset",
    competitor_id: "rival",
    file_base64: btoa(`%PDF-1.4\n${MARKS.body}\n%%EOF\n`),
  })
  // Requests of the operator do not count against the key's limit per minute.
  const find = async (path: string) =>
    (await call(`/operator/organizations/${organization.id}/api/v1/${path}`, operator)).json
  for (const { json } of [uploaded, broken]) {
    if (json.document === undefined) continue
    const isRead = async () => (await find(`documents/${json.document.id}`)).status !== "processing"
    await until("the document is read", isRead)
  }

  const answered = await post(
    "/api/v1/responses",
    key,
    { messages: [{ role: "user", content: `What does Rival's pricing start at? ${MARKS.question}` }] },
    { traceparent: `00-${ANSWER_TRACE}-b7ad6b7169203331-01` },
  )
  const link: string | undefined = answered.json.message?.citations?.[0]?.url
  if (link !== undefined) await call(link, key)

  const exported = await post("/api/v1/deals/export", key, { columns: ["id", "name"] })
  const { export_id } = exported.json
  await until("the export completes", async () => (await find(`deals/export/${export_id}`)).status === "completed")
  const file: string = (await call(`/api/v1/deals/export/${export_id}`, key)).json.download_url
  await call(file, key)
  const webhook = await post("/api/v1/webhooks", key, {
    url: `https://hooks.invalid/${MARKS.body}?token=${MARKS.search}`,
  })

  // What goes wrong, in every way that a caller can cause.
  await call(`/api/v1/deals?search_query=${MARKS.search}&page_size=5`, key)
  await call(`/api/v1/deals/${MARKS.record}`, key)
  await call(`/api/v1/nothing/${MARKS.record}?q=${MARKS.search}`, key)
  await call(`/v/${MARKS.record}`, key)
  await call("/api/v1/deals", `sl_live_${MARKS.modelKey}`)
  await call("/api/v1/deals", "")
  await call("/api/v1/responses", key, { method: "POST", body: `{"messages": "${MARKS.question}` })
  await call("/metrics", MARKS.body)

  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const keyed = await call("/metrics", MARKS.metricsKey)
  await until(
    "the collector has metrics and spans",
    () => collector.metrics.has("sightline_documents") && collector.spans.some(({ name }) => name === "answer.model"),
  )
  // The gauges of the whole service are five seconds old at most.
  const page = await until("the gauges count the document", async () => {
    const text = await metrics()
    return text.includes('sightline_documents{status="ready"} 1') && text
  })
  const stop = async () => {
    server.child.kill()
    const finished = await server.finished
    collector.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    return finished
  }
  return {
    collector,
    organization: organization.id as string,
    key: key as string,
    link,
    file,
    webhook,
    uploaded,
    answered,
    exported,
    page,
    keyed,
    stop,
    model,
  }
}
