import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { CONTENT_TYPES } from "../../src/ingest/safety/sniff.ts"
import { compoundFile } from "../ingest/support/compound.ts"
import { pagesOf, SCAN } from "../ingest/support/pdf.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { untilRead, untilReply } from "./untilReply.ts"

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database, layerLibrary())))
  describe(`reports of reading on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      const tenant = Effect.gen(function* () {
        const made = yield* (yield* Web).tenant()
        yield* (yield* Import).records(made.org, Stream.succeed({ type: "competitor", name: "Rival Systems" }))
        return made
      })
      const send = Effect.fnUntraced(function* (key: string, content_type: string, file: Uint8Array) {
        const body = { file_name: "notes", content_type, type: "intel", competitor_name: "Rival Systems" }
        const file_base64 = Buffer.from(file).toString("base64")
        return yield* (yield* Web).request("/api/v1/documents/library", key, {
          method: "POST",
          body: JSON.stringify({ ...body, file_base64 }),
          headers: { "content-type": "application/json" },
        })
      })
      it.effect("refuses unreadable files, says what to send instead, and stores nothing", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const refused = [
            [CONTENT_TYPES.docx[0], compoundFile("EncryptedPackage"), /protected by a password\. Save it without one/],
            [CONTENT_TYPES.xlsx[0], compoundFile("Workbook"), /Office format of before 2007/],
            ["application/msword", compoundFile("WordDocument"), /Office format of before 2007/],
            ["text/plain", new TextEncoder().encode("a,b,c\n1,2,3\n4,5,6\n"), /looks like CSV.*POST \/import/],
            ["text/html", new TextEncoder().encode("a,b,c\n1,2,3\n4,5,6\n"), /looks like CSV.*Send text\/csv/],
          ] as const
          for (const [type, bytes, reason] of refused) {
            const { status, json } = yield* send(key, type, bytes)
            assert.strictEqual(status, 415, type)
            assert.match(json.error.message, reason)
          }
          assert.lengthOf((yield* (yield* Web).request("/api/v1/documents", key)).json.data, 0)
        }),
      )

      it.effect("lists pages without text in the document, its run and the viewer", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* tenant
          const scan = pagesOf([[{ text: "The only page with text", y: 700 }], SCAN, SCAN])
          const { document, run_id } = (yield* send(key, "application/pdf", scan)).json
          assert.deepStrictEqual(document.warnings, [])
          const { warnings, url } = yield* untilRead(key, document.id)
          assert.deepInclude(warnings[0], { code: "pages_without_text", pages: [{ from: 2, to: 3 }] })
          const run = yield* untilReply(
            key,
            `/api/v1/runs/${run_id}`,
            "completed",
            ({ status }) => status === "completed",
          )
          assert.deepStrictEqual(run.warnings, warnings)
          const { data } = (yield* web.request("/api/v1/documents", key)).json
          assert.deepStrictEqual(data[0].warnings, warnings)
          assert.include((yield* web.request(url, "")).text, "<li>Pages 2 to 3 are pictures, whose text was not read.")
        }),
      )
    })
  })
}
