import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { migratedPostgresUrl } from "../support/engines.ts"
import { DECLARED } from "../../src/core/telemetry/family.ts"
import "../../src/core/telemetry/metrics.ts"
import { type Span, treeOf } from "./collector.ts"
import { ANSWER_TRACE, EMBEDDED_METRICS, MARKS, runSession, TRACE } from "./session.ts"

/** A database that fails has its metric in a test of its own, and `embedded.test.ts` has the others. */
const NOT_HERE = [...EMBEDDED_METRICS, "sightline_database_errors_total"]

describe("a server with telemetry", () => {
  let session: Awaited<ReturnType<typeof runSession>>
  let log = ""
  let spans: ReadonlyArray<Span> = []
  beforeAll(async () => {
    session = await runSession(await Effect.runPromise(Effect.scoped(migratedPostgresUrl)))
    // Spans that still wait are sent when the server stops.
    const { stderr, stdout } = await session.stop()
    log = stderr + stdout
    spans = session.collector.spans
  })
  afterAll(() => session?.collector.close())

  it("did what its telemetry is about", () => {
    assert.strictEqual(session.uploaded.status, 200, session.uploaded.text)
    assert.strictEqual(session.answered.status, 200, session.answered.text)
    assert.include(session.answered.text, MARKS.answer)
    assert.isDefined(session.link)
    assert.strictEqual(session.webhook.status, 201, session.webhook.text)
  })

  it("exports metrics and spans to the collector, with its headers and its name", () => {
    assert.deepStrictEqual([...session.collector.services], ["sightline-test"])
    assert.deepStrictEqual([...new Set(session.collector.headers)], ["sales"])
    assert.deepStrictEqual(session.collector.refused, [])
    assert.deepStrictEqual([...session.collector.encodings], ["application/x-protobuf"])
    for (const name of ["sightline_requests_total", "sightline_documents", "sightline_process_resident_bytes"])
      assert.include([...session.collector.metrics], name)
  })

  it("hides the polling of workers", () => {
    assert.isAbove(spans.length, 50)
    // A request for the metrics may ask the same.
    const requested = new Set(spans.filter(({ kind }) => kind === 2).map(({ traceId }) => traceId))
    const polls = spans.filter(
      ({ attributes, traceId }) =>
        !requested.has(traceId) &&
        /"select [^"]*from (claim_job|claim_deliveries|webhooks_behind|service_state|due_work)\(/.test(
          JSON.stringify(attributes),
        ),
    )
    assert.deepStrictEqual(polls, [])
  })

  const rootOf = (trace: string) => {
    const root = spans.find(({ traceId, kind }) => traceId === trace && kind === 2)
    assert.isDefined(root, `no server span continues the trace ${trace}`)
    return root!
  }

  it("shows every stage of an upload in the caller's trace", () => {
    const root = rootOf(TRACE)
    assert.strictEqual(root.name, "POST /api/v1/documents/library")
    const tree = treeOf(spans, root)
    for (const step of [
      "POST /api/v1/documents/library > Access.admit",
      "Access.admit > postgres",
      "POST /api/v1/documents/library > Uploads.receive",
      "Uploads.receive > Documents.receive",
      "job document > ingest.read",
      "job document > ingest.store",
      "ingest.store > sql.transaction",
    ])
      assert.include(tree, step)
  })

  it("shows every stage of an answer in the caller's trace", () => {
    const root = rootOf(ANSWER_TRACE)
    assert.strictEqual(root.name, "POST /api/v1/responses")
    const tree = treeOf(spans, root)
    for (const step of [
      "Agent.answer > SearchIndex.search",
      "Agent.answer > answer.model",
      "answer.model > answer.verify",
      "Agent.answer > answer.tool",
    ])
      assert.include(tree, step)
  })

  it("logs one JSON object a line, with the ids of requests, organizations and jobs", () => {
    const lines = log
      .split("\n")
      .filter((line) => line.startsWith("{") && line.includes('"level"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.isAbove(lines.length, 20)
    const list = lines.find(({ route }) => route === "/api/v1/deals")
    assert.containsAllKeys(list, ["time", "level", "request_id", "organization", "trace_id", "seconds", "status"])
    assert.strictEqual(list!["organization"], session.organization)
    const job = lines.find(({ job_kind, message }) => job_kind === "document" && message === "attempt ended")
    assert.containsAllKeys(job, ["job_id", "organization", "outcome", "attempt", "trace_id"])
  })

  it("keeps bodies, questions, keys and signed links out of the log, the metrics and the spans", () => {
    const tokens = [session.link!, session.file].map((url) => new URL(url).pathname.split("/").at(-1)!)
    const told = {
      ...MARKS,
      key: session.key,
      link: tokens[0]!,
      file_link: tokens[1]!,
      webhook: session.webhook.json.secret,
    }
    for (const [where, text] of Object.entries({ log, metrics: session.page, spans: session.collector.texts() })) {
      for (const [what, mark] of Object.entries(told)) {
        const at = text.indexOf(mark)
        assert.strictEqual(at, -1, `the ${where} holds the ${what}: …${text.slice(Math.max(at - 300, 0), at + 100)}`)
      }
    }
  })

  it("exports every metric that the session can have, so that dashboards and alerts find them", () => {
    const exported = new Set([...session.page.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!))
    assert.sameMembers(
      [...DECLARED.keys()].filter((name) => !exported.has(name)),
      NOT_HERE,
    )
  })

  it("counts by route, never by path, and not by organization", () => {
    const { page } = session
    assert.match(page, /sightline_requests_total\{method="GET",route="\/api\/v1\/deals\/:\w+",status="4xx"\} 1/)
    assert.match(page, /sightline_requests_total\{method="GET",route="unknown",status="4xx"\} \d/)
    assert.notInclude(page, session.organization)
    assert.match(page, /sightline_documents\{status="ready"\} 1/)
    assert.match(page, /sightline_jobs_ended_total\{kind="export",outcome="completed"\} 1/)
    assert.match(page, /sightline_model_tokens_total\{direction="input"\} 200/)
    assert.strictEqual(session.keyed.status, 200)
    assert.include(session.keyed.text, "sightline_build_info")
  })
})
