/** Runs in a copy of the project after every recipe. Calls the added code and prints the replies as JSON. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerPglite } from "../../../src/adapters/database/pglite.ts"
import { layerReader } from "../../../src/adapters/reading/layerReader.ts"
import { layerGuarded } from "../../../src/adapters/fetch/guarded.ts"
import { ApiKeys } from "../../../src/core/keys/ApiKeys.ts"
import { BlobStore } from "../../../src/core/ports/BlobStore.ts"
import { Transcriber } from "../../../src/core/ports/Transcriber.ts"
import * as Sightline from "../../../src/core/Sightline.ts"
import { DefinedPlans } from "../../../src/core/storage/plans.ts"
import { Organizations } from "../../../src/core/catalogue/Organizations.ts"
import { UNLIMITED, UNLIMITED_PLANS } from "../../support/unlimited.ts"

const program = Effect.gen(function* () {
  const options = {
    database: Layer.succeedContext(
      yield* Effect.provideService(Layer.build(layerPglite()), DefinedPlans, UNLIMITED_PLANS),
    ),
    library: Layer.mergeAll(
      BlobStore.layerMemory,
      layerReader,
      layerGuarded({ allowLoopback: [] }),
      Transcriber.layerNone,
    ),
  }
  const { org, key } = yield* Effect.provide(
    Effect.gen(function* () {
      const { id } = yield* (yield* Organizations).create({ name: "Recipes", plan: UNLIMITED })
      return { org: id, key: (yield* (yield* ApiKeys).create(id, { name: "test", role: "owner" })).key }
    }),
    Sightline.layer(options),
  )
  const { handler } = yield* Effect.acquireRelease(
    Effect.promise(() => Sightline.open(options)),
    ({ dispose }) => Effect.promise(() => dispose()),
  )
  const call = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
    const headers = { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) }
    const reply = yield* Effect.promise(() =>
      handler(new Request(new URL(path, "http://localhost"), { ...init, headers })),
    )
    return { status: reply.status, body: yield* Effect.promise(() => reply.text()) }
  })
  const post = (path: string, type: string, body: string | FormData) =>
    call(path, { method: "POST", body, ...(type !== "" && { headers: { "content-type": type } }) })

  const records = [
    { type: "competitor", name: "Orvanta" },
    { type: "deal", id: "d1", name: "Acme", forecast: "Commit" },
    { type: "deal", id: "d2", name: "Beta", forecast: "omitted" },
  ]
  const calendar = new FormData()
  calendar.set("content_type", "text/calendar")
  calendar.set("file_name", "call.ics")
  calendar.set("type", "intel")
  calendar.set("competitor_name", "Orvanta")
  calendar.set("file", new Blob(["BEGIN:VCALENDAR\nSUMMARY:Renewal call\nEND:VCALENDAR"]), "call.ics")
  const rpc = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "count_competitors", arguments: {} } }

  const replies = {
    org,
    imported: yield* post(
      "/api/v1/import",
      "application/x-ndjson",
      records.map((each) => JSON.stringify(each)).join("\n"),
    ),
    listed: yield* call("/api/v1/deals?columns=forecast,initial&sort=name&sort_order=asc"),
    filtered: yield* call('/api/v1/deals?forecast=["COMMIT"]&columns=name'),
    endpoint: yield* call("/api/v1/deals/d2/initial"),
    document: yield* post("/api/v1/documents/library", "", calendar),
    tool: yield* post("/mcp", "application/json", JSON.stringify(rpc)),
    report: yield* call("/api/v1/deals/report?measures=unpriced&group_by=forecast&order_by=forecast"),
    openapi: yield* call("/openapi.json"),
  }
  return JSON.stringify(replies)
})

const replies = await Effect.runPromise(Effect.scoped(program))
process.stdout.write(`${replies}\n`, () => process.exit(0))
