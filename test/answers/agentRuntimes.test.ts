import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { prepare, type Prepared } from "../conformance/prepare.ts"
import { type RunningServer, startServer } from "../conformance/servers.ts"
import { ALL } from "../support/extent.ts"
import { eventsOf } from "./double.ts"
import { type Act, modelServer, refOf } from "./modelServer.ts"

const DEAL = { type: "deal", id: "d1", name: "Harbor Freight", amount: 48_000, region: "EMEA" }

const DRIP: ReadonlyArray<Act> = Array.from(
  { length: 30_000 },
  () => [{ text: "On and on. " }, { wait: 20 }] as const,
).flat()

const MATRIX = ALL
  ? (["PostgreSQL", "PGlite"] as const).flatMap((engine) =>
      (["Node", "Bun", "Deno"] as const).map((runtime) => [runtime, engine] as const),
    )
  : ([
      ["Node", "PostgreSQL"],
      ["Deno", "PGlite"],
    ] as const)

describe.each(MATRIX)("an agent on %s, %s", (runtime, database) => {
  let scope: Scope.Closeable
  let model: Effect.Success<ReturnType<typeof modelServer>>
  let prepared: Prepared
  let server: RunningServer

  const post = (path: string, body: string, type = "application/json", signal: AbortSignal | null = null) =>
    fetch(`${server.url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${prepared.keys.key}`, "content-type": type },
      body,
      signal,
    })
  const ask = (content: string, signal?: AbortSignal) =>
    post("/responses", JSON.stringify({ messages: [{ role: "user", content }], stream: true }), undefined, signal)

  beforeAll(async () => {
    scope = await Effect.runPromise(Scope.make())
    model = await Effect.runPromise(
      Scope.provide(
        modelServer((request) =>
          JSON.stringify(request.messages.at(1)).includes("Drip")
            ? DRIP
            : request.messages.length < 5
              ? [{ call: "search_deals", args: { limit: 1 } }]
              : [{ text: `Harbor Freight is a deal of 48,000 [[${refOf(request, "Harbor")}]].` }],
        ),
        scope,
      ),
    )
    prepared = await prepare(database)
    server = await startServer(runtime, {
      ...prepared.environment,
      SIGHTLINE_MODEL_URL: model.url,
      SIGHTLINE_MODEL_MODEL: "tiny",
      SIGHTLINE_MODEL_KEY: "sk-test",
    })
    assert.strictEqual((await post("/import", JSON.stringify(DEAL), "application/x-ndjson")).status, 200)
  })
  afterAll(async () => {
    await server?.stop()
    await prepared?.drop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("reports its kind, and answers with tools and citations", async () => {
    const health = (await (await fetch(`${server.url}/health/ready`)).json()) as { readonly answers: string }
    assert.strictEqual(health.answers, "agent")
    const events = eventsOf(await (await ask("What is Harbor Freight worth?")).text()).map(({ data }) => data)
    const { message, tool_calls } = events.at(-1)
    assert.deepStrictEqual(tool_calls, ["search_knowledge_base", "search_deals"])
    assert.lengthOf(message.citations, 1)
    const [{ url, document_id, excerpt }] = message.citations
    assert.strictEqual(document_id, "d1")
    assert.match(excerpt, /48,?000/)
    assert.strictEqual(message.content, `Harbor Freight is a deal of 48,000 [Harbor Freight](${url}).`)
    assert.strictEqual((await fetch(new URL(url, server.url))).status, 200)
    assert.strictEqual(model.requests[0]?.authorization, "Bearer sk-test")
  })

  it("stops the model, which has ten minutes to go, when the caller leaves", async () => {
    const leaving = new AbortController()
    const reply = await ask("Drip", leaving.signal)
    await reply.body!.getReader().read()
    leaving.abort()
    await model.abort
  })
})
