import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { layerWeb, Web } from "../support/web.ts"

/** The body that a browser sends for a form with a file and text inputs, some of them empty. */
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

    /** A body as libraries write it that send no filename, or a part without a type. */
    const raw = (path: string, key: string, parts: ReadonlyArray<readonly [head: string, content: string]>) =>
      Web.use(({ request }) =>
        request(`/api/v1${path}`, key, {
          method: "POST",
          headers: { "content-type": "multipart/form-data; boundary=b" },
          body: `${parts.map(([head, content]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join("")}--b--\r\n`,
        }),
      )
    const FIELDS = [
      ['name="type"', "intel"],
      ['name="competitor_name"', "Orvanta"],
      ['name="file_name"', "prices.md"],
      ['name="content_type"', "text/markdown"],
    ] as const

    it.effect("takes a part without a filename for a file if it has a type, of any size", () =>
      Effect.gen(function* () {
        const { key } = yield* tenant
        const content = "Orvanta charges $40 per seat. ".repeat(10_000)
        const part = ['name="file"\r\nContent-Type: text/markdown', content] as const
        const reply = yield* raw("/documents/library", key, [...FIELDS, part])
        assert.strictEqual(reply.status, 200, reply.text)
        assert.strictEqual(reply.json.document.size_bytes, content.length)
        const nameless = yield* raw("/documents/library?form=1", key, [...FIELDS.slice(0, 2), part])
        assert.deepStrictEqual(nameless.json.error.details, { missing_fields: ["file_name"] })
        const owners = ['name="file"\r\nContent-Type: text/csv', "name\nAnn\n"] as const
        assert.deepInclude((yield* raw("/import?type=owner", key, [owners])).json, { received: 1, failed: 0 })
      }),
    )

    it.effect("says that the filename is missing from a text part named file", () =>
      Effect.gen(function* () {
        const { key } = yield* tenant
        for (const [path, fields] of [
          ["/documents/library", FIELDS],
          ["/import?type=owner", []],
        ] as const) {
          const { status, json } = yield* raw(path, key, [...fields, ['name="file"', "name\nAnn\n"]])
          assert.strictEqual(status, 400)
          assert.match(json.error.message, /^Invalid request: file must be a file, but its part has neither a filename/)
          assert.lengthOf(json.error.details.invalid_fields, 1)
        }
      }),
    )

    it.effect("decodes the entities of HTML in the name of a file once, wherever it is", () =>
      Effect.gen(function* () {
        const { key } = yield* tenant
        const fields = { type: "intel", competitor_name: "Orvanta", content_type: "text/markdown" }
        const file_name = "Preise &Uuml;bersicht R&amp;amp;D"
        const form = yield* post("/documents/library", key, formOf({ ...fields, file_name }))
        const json = yield* Web.use(({ request }) =>
          request("/api/v1/documents/library", key, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ ...fields, file_name, file_base64: btoa("Orvanta charges $41.") }),
          }),
        )
        for (const reply of [form, json])
          assert.strictEqual(reply.json.document?.file_name, "Preise Übersicht R&amp;D", reply.text)
      }),
    )

    it.effect("counts empty fields as absent, without form=1 and in JSON", () =>
      Effect.gen(function* () {
        const { key } = yield* tenant
        const fields = { type: "intel", competitor_name: "Orvanta", file_name: "p.md", content_type: "text/markdown" }
        const empty = { competitor_id: "", file_url: "", replaces: "", source: "" }
        const reply = yield* post("/documents/library", key, formOf({ ...fields, ...empty }))
        assert.strictEqual(reply.status, 200, reply.text)
        const json = yield* Web.use(({ request }) =>
          request("/api/v1/documents/library", key, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ ...fields, ...empty, file_base64: btoa("Orvanta charges $40.") }),
          }),
        )
        assert.strictEqual(json.status, 200, json.text)
        const nameless = yield* post("/documents/library", key, formOf({ ...fields, competitor_name: "" }))
        assert.match(nameless.json.error.message, /competitor_id.*competitor_name/)
      }),
    )
  })
})
