import { gzipSync } from "node:zlib"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { onPage, readDocument } from "../support/readDocument.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"

const CSV = "Deal,Betrag,Stage,Client\nFirst,10,Won,Acme\nSecond,ten,Won,Acme\nThird,30,Lost,Acme\n"

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database, layerLibrary())))
  describe(`a dry run of an import on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      const post = Effect.fnUntraced(function* (key: string, query: string, body: BodyInit, contentType = "text/csv") {
        const init = { method: "POST", body, headers: { "content-type": contentType } }
        return yield* (yield* Web).request(`/api/v1/import?${query}`, key, init)
      })
      const get = Effect.fnUntraced(function* (key: string, path: string) {
        return (yield* (yield* Web).request(`/api/v1${path}`, key)).json
      })

      it.effect("reports what the import then does, and writes nothing", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const map = encodeURIComponent(JSON.stringify({ Deal: "name", Betrag: "amount", Stage: "status" }))
          const query = `type=deal&map=${map}`
          const before = yield* get(key, "/changes")
          const dry = yield* post(key, `${query}&dry_run=true`, CSV)
          assert.deepInclude(dry.json, { received: 3, created: 2, failed: 1 })
          assert.deepStrictEqual(dry.json.errors, [
            { line: 3, field: "amount", reason: "must be an amount such as 1250 or 1,250.00", value: "ten" },
          ])
          assert.deepStrictEqual(yield* get(key, "/deals?count=true"), { count: 0 })
          assert.deepStrictEqual((yield* get(key, "/workspace/stages")).data, [])
          assert.deepStrictEqual((yield* get(key, "/changes")).data, before.data)
          assert.deepStrictEqual((yield* get(key, "/audit?types=records.imported")).data, [])
          assert.deepStrictEqual((yield* post(key, query, CSV)).json, dry.json)
          assert.deepStrictEqual(yield* get(key, "/deals?count=true"), { count: 2 })
        }),
      )

      it.effect("keeps the documents of a deal that it would delete", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          yield* (yield* Import).records(org, Stream.fromIterable([{ type: "deal", id: "d1", name: "Deal" }]))
          const { id } = yield* readDocument(org, [onPage(1, "Kept.")], { deal_id: "d1" })
          const line = `${JSON.stringify({ type: "deal", id: "d1", deleted: true })}\n`
          const { json } = yield* post(key, "dry_run=true", line, "application/x-ndjson")
          assert.strictEqual(json.deleted, 1)
          assert.strictEqual((yield* web.request(`/api/v1/documents/${id}/original`, key)).status, 200)
          assert.deepStrictEqual(yield* get(key, "/deals?count=true"), { count: 1 })
        }),
      )

      it.effect("refuses a small file that unpacks to more records than a dry run holds", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const packed = new Uint8Array(gzipSync(`name\n${"Deal\n".repeat(200_001)}`))
          assert.isBelow(packed.length, 10_000)
          const { status, json } = yield* post(key, "type=deal&dry_run=true", packed, "application/gzip")
          assert.strictEqual(status, 400, JSON.stringify(json).slice(0, 500))
          assert.match(json.error.details.invalid_fields[0].reason, /at most 200,000 records in a dry run/)
        }),
      )

      it.effect("refuses a file of more than 4 MiB", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const { status, json } = yield* post(key, "type=deal&dry_run=true", `name\n${"Deal\n".repeat(900_000)}`)
          assert.strictEqual(status, 400)
          assert.match(json.error.details.invalid_fields[0].reason, /at most 4 MiB in a dry run/)
        }),
      )
    })
  })
}
