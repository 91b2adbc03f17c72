import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { layerWeb, Web } from "../support/web.ts"

/** What a browser sends of a form with a file and text inputs, some of which are empty. */
const formOf = (fields: Readonly<Record<string, string>>) => {
  const form = new FormData()
  form.set("file", new File(["Orvanta charges $40 per seat."], "prices.md", { type: "text/markdown" }))
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const post = (path: string, key: string, body: FormData) =>
  Web.use(({ request }) => request(`/api/v1${path}`, key, { method: "POST", body }))

describe("an upload by a plain HTML form", () => {
  layer(layerWeb(layerEmbedded), { excludeTestServices: true })((it) => {
    const tenant = Effect.gen(function* () {
      const made = yield* (yield* Web).tenant()
      const records = [
        { type: "competitor", name: "Orvanta" },
        { type: "deal", id: "d1", name: "Harbor" },
      ] as const
      yield* (yield* Import).records(made.org, Stream.fromIterable(records))
      return made
    })

    it.effect("takes name and type from the file's part with form=1, on both endpoints", () =>
      Effect.gen(function* () {
        const { key } = yield* tenant
        for (const [path, fields] of [
          ["/documents/library", { type: "intel", competitor_name: "Orvanta" }],
          ["/deals/documents", { deal_id: "d1" }],
        ] as const) {
          const reply = yield* post(`${path}?form=1`, key, formOf({ ...fields, replaces: "" }))
          assert.strictEqual(reply.status, 200, reply.text)
          assert.include(reply.json.document, { file_name: "prices.md", content_type: "text/markdown" })
        }
      }),
    )

    it.effect("prefers the fields that it has, also after the file", () =>
      Effect.gen(function* () {
        const { key } = yield* tenant
        const fields = { type: "intel", competitor_name: "Orvanta", file_name: "Prices", content_type: "text/plain" }
        const { json } = yield* post("/documents/library?form=1", key, formOf(fields))
        assert.include(json.document, { file_name: "Prices", content_type: "text/plain" })
      }),
    )

    it.effect("is refused without form=1, with the missing fields and the way out", () =>
      Effect.gen(function* () {
        const { key } = yield* tenant
        const fields = { type: "intel", competitor_name: "Orvanta" }
        const reply = yield* post("/documents/library", key, formOf(fields))
        assert.strictEqual(reply.status, 400)
        assert.deepStrictEqual(reply.json.error.details, { missing_fields: ["file_name", "content_type"] })
        assert.include(reply.json.error.message, "?form=1")
        assert.strictEqual((yield* post("/documents/library?form=2", key, formOf(fields))).status, 400)
      }),
    )
  })
})
