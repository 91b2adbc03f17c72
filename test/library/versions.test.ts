import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Database } from "../../src/core/storage/Database.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { untilRead } from "./untilReply.ts"

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database, layerLibrary())))
  describe(`versions of documents on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      const tenant = Effect.gen(function* () {
        const made = yield* (yield* Web).tenant()
        const deals = ["d1", "d2"].map((id) => ({ type: "deal", id, name: `Deal ${id}` }))
        yield* (yield* Import).records(made.org, Stream.fromIterable(deals))
        return made
      })
      const upload = Effect.fnUntraced(function* (key: string, text: string, more: object = {}) {
        const file_base64 = Buffer.from(text).toString("base64")
        const body = { deal_id: "d1", file_name: "terms.md", content_type: "text/markdown", file_base64, ...more }
        const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
        return yield* (yield* Web).request("/api/v1/deals/documents", key, init)
      })
      /** The documents that search knows. */
      const searched = Effect.fnUntraced(function* (org: string) {
        const { sql, scoped } = yield* Database
        const rows = yield* scoped<{ document_id: string }>(
          org,
          sql`select distinct document_id from passages where org_id = scope.org and document_id is not null`,
        )
        return rows.map(({ document_id }) => document_id)
      })

      it.effect("keep the earlier one, which opens with a notice, and search the latest only", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* tenant
          const first = (yield* upload(key, "Three years.")).json.document
          yield* untilRead(key, first.id)
          assert.deepStrictEqual(yield* searched(org), [first.id])
          const second = (yield* upload(key, "Four years.", { replaces: first.id })).json.document
          assert.deepInclude(second, { version: 2, replaces: first.id, replaced_by: null })
          yield* untilRead(key, second.id)
          assert.deepStrictEqual(yield* searched(org), [second.id])
          const earlier = yield* untilRead(key, first.id)
          assert.deepInclude(earlier, { version: 1, replaces: null, replaced_by: second.id, status: "ready" })
          const page = (yield* web.request(earlier.url, key)).text
          assert.include(page, "Three years.")
          // Relative to the page, and ends with its key like the page.
          assert.match(page, /This is version 1\. <a href="[\w-]{40,56}">Open the later version/)
          assert.notInclude(
            (yield* web.request((yield* untilRead(key, second.id)).url, key)).text,
            "An earlier version",
          )
          // Reading the earlier one again does not bring it back.
          yield* web.request(`/api/v1/documents/${first.id}/reprocess`, key, { method: "POST" })
          yield* untilRead(key, first.id)
          assert.deepStrictEqual(yield* searched(org), [second.id])
        }),
      )

      it.effect("are the latest again when the later one is deleted, and the text of an earlier one may return", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* tenant
          const first = (yield* upload(key, "Three years.")).json.document
          yield* untilRead(key, first.id)
          const second = (yield* upload(key, "Four years.", { replaces: first.id })).json.document
          yield* untilRead(key, second.id)
          const third = (yield* upload(key, "Three years.", { replaces: second.id })).json
          assert.isUndefined(third.duplicate)
          yield* untilRead(key, third.document.id)
          assert.deepStrictEqual(yield* searched(org), [third.document.id])
          for (const id of [third.document.id, second.id]) {
            yield* web.request(`/api/v1/documents/${id}`, key, { method: "DELETE" })
          }
          assert.deepStrictEqual(yield* searched(org), [first.id])
          assert.strictEqual((yield* untilRead(key, first.id)).replaced_by, null)
        }),
      )

      it.effect("are refused for documents that do not exist, of another place, or that were replaced", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const other = yield* tenant
          const first = (yield* upload(key, "Three years.")).json.document
          for (const [replies, reason] of [
            [upload(key, "x", { replaces: "doc_none" }), "is not the id of a document"],
            [upload(other.key, "x", { replaces: first.id }), "is not the id of a document"],
            [upload(key, "x", { replaces: first.id, deal_id: "d2" }), "of the same deal or competitor"],
          ] as const) {
            const { status, text } = yield* replies
            assert.strictEqual(status, 400, text)
            assert.include(text, reason)
          }
          const second = (yield* upload(key, "Four years.", { replaces: first.id })).json.document
          const { status, json } = yield* upload(key, "Five years.", { replaces: first.id })
          assert.strictEqual(status, 409)
          assert.deepStrictEqual(json.error.details, { replaced_by: second.id })
        }),
      )
    })
  })
}
