import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Import } from "../../src/core/import/Import.ts"
import { Database } from "../../src/core/storage/Database.ts"
import * as Stream from "effect/Stream"
import { engines } from "../support/engines.ts"
import { silentMp3 } from "../support/silence.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { untilRead, untilReply } from "./untilReply.ts"

const NOTES = "# Pricing\n\nRival cut its list price by a tenth.\n\n## Terms\n\nThree years, paid yearly.\n"

const server: { current?: Server; port: number } = { port: 0 }
beforeAll(
  () =>
    new Promise<void>((resolve) => {
      server.current = createServer((request, response) => {
        if (request.url === "/notes.md") response.writeHead(200, { "content-type": "text/markdown" }).end(NOTES)
        else if (request.url === "/lie.md")
          response.writeHead(200).end(new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0x31]))
        else response.writeHead(404).end()
      }).listen(0, "127.0.0.1", () => {
        server.port = (server.current!.address() as AddressInfo).port
        resolve()
      })
    }),
)
afterAll(() => server.current?.close())

const form = (fields: Record<string, string | Blob>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") data.append(name, value)
    else data.append(name, value, "notes.md")
  }
  return data
}

const notes = (text = NOTES) => new Blob([text], { type: "text/markdown" })

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database, layerLibrary([server.port]))))
  describe(`documents on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      const tenant = Effect.gen(function* () {
        const made = yield* (yield* Web).tenant()
        yield* (yield* Import).records(
          made.org,
          Stream.fromIterable([
            { type: "competitor", id: "rival", name: "Rival Systems" },
            { type: "competitor", id: "other", name: "Northwind" },
            { type: "deal", id: "d1", crm_one_id: "006X", name: "Renewal" },
          ]),
        )
        return made
      })
      const post = (key: string, path: string, body: FormData | object) =>
        Effect.flatMap(Web, (web) =>
          web.request(path, key, {
            method: "POST",
            ...(body instanceof FormData
              ? { body }
              : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
          }),
        )
      const library = (fields: Record<string, string | Blob> = {}) =>
        form({
          file_name: "notes.md",
          content_type: "text/markdown",
          type: "intel",
          competitor_name: "rival systems",
          file: notes(),
          ...fields,
        })

      it.effect("stores and reads a file, and returns its status, its run and its original", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* tenant
          const reply = yield* post(key, "/api/v1/documents/library", library())
          assert.strictEqual(reply.status, 200, reply.text)
          const { document, run_id } = reply.json
          assert.strictEqual(document.status, "processing")
          assert.strictEqual(document.competitor_id, "rival")
          const read = yield* untilRead(key, document.id)
          assert.strictEqual(read.status, "ready", JSON.stringify(read))
          // The text is stored a moment before the run ends.
          const run = yield* untilReply(
            key,
            `/api/v1/runs/${run_id}`,
            "not running",
            ({ status }) => status !== "running",
          )
          assert.deepInclude(run, { status: "completed", progress: 1, document_id: document.id, error: null })
          const original = yield* web.request(`/api/v1/documents/${document.id}/original`, key)
          assert.strictEqual(original.text, NOTES)
          const asked = yield* web.request(`/api/v1/documents/${document.id}/original`, key, {
            headers: { accept: "text/markdown" },
          })
          assert.strictEqual(asked.text, NOTES)
          assert.strictEqual(original.headers.get("x-content-type-options"), "nosniff")
          assert.match(
            original.headers.get("content-disposition") ?? "",
            /^attachment; filename="notes.md"; filename\*=UTF-8''notes.md$/,
          )

          const database = yield* Database
          const chunks = yield* database.scoped<{ same: boolean; headings: ReadonlyArray<string> }>(
            org,
            database.sql`select substr(t.body, c.start_at + 1, c.end_at - c.start_at) = c.body as same, c.headings
              from document_chunks c join document_texts t on t.org_id = c.org_id and t.document_id = c.document_id
              where c.org_id = scope.org and c.document_id = ${document.id} order by c.n`,
          )
          assert.isAbove(chunks.length, 0)
          assert.isTrue(chunks.every(({ same }) => same))
        }),
      )

      it.effect("returns the existing document for the same bytes in the same place", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const first = yield* post(key, "/api/v1/documents/library", library())
          const again = yield* post(key, "/api/v1/documents/library", library({ file_name: "copy.md" }))
          assert.strictEqual(again.json.document.id, first.json.document.id)
          assert.strictEqual(again.json.duplicate, true)
          const elsewhere = yield* post(key, "/api/v1/documents/library", library({ competitor_name: "northwind" }))
          assert.notStrictEqual(elsewhere.json.document.id, first.json.document.id)
          const { json } = yield* (yield* Web).request("/api/v1/documents?competitor_id=rival", key)
          assert.lengthOf(json.data, 1)
        }),
      )

      it.effect("accepts JSON with base64 or a URL, for deals by any of their ids", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const base = { file_name: "notes.md", content_type: "text/markdown" }
          const inline = yield* post(key, "/api/v1/deals/documents", {
            ...base,
            crm_one_id: "006X",
            file_base64: btoa(NOTES),
          })
          assert.strictEqual(inline.status, 200, inline.text)
          assert.deepInclude(inline.json.document, { deal_id: "d1", type: "asset" })
          assert.strictEqual((yield* untilRead(key, inline.json.document.id)).status, "ready")
          const url = `http://127.0.0.1:${server.port}`
          const fetched = yield* post(key, "/api/v1/deals/documents", {
            ...base,
            deal_id: "d1",
            file_url: `${url}/notes.md`,
          })
          assert.strictEqual((yield* untilRead(key, fetched.json.document.id)).status, "ready", fetched.text)
          const lie = yield* post(key, "/api/v1/deals/documents", { ...base, deal_id: "d1", file_url: `${url}/lie.md` })
          const failed = yield* untilRead(key, lie.json.document.id)
          assert.strictEqual(failed.status, "failed")
          assert.match(failed.failure_reason, /At that address: The file is PDF, but content_type is text\/markdown/)
        }),
      )

      it.effect("refuses invalid uploads with all problems at once, and stores nothing", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* tenant
          const none = yield* post(key, "/api/v1/documents/library", form({ type: "secret", colour: "red" }))
          assert.strictEqual(none.status, 400)
          assert.sameMembers(none.json.error.details.missing_fields, ["file_name", "content_type"])
          assert.deepStrictEqual(none.json.error.details.unknown_fields, ["colour"])
          assert.sameMembers(
            none.json.error.details.invalid_fields.map(({ field }: { field: string }) => field),
            ["file", "competitor_id", "type", "colour"],
          )
          for (const [fields, status] of [
            [{ content_type: "application/pdf" }, 415],
            [{ content_type: "image/png" }, 415],
            [{ competitor_id: "rival" }, 400],
            [{ competitor_name: "nobody at all" }, 404],
            [{ file_url: "https://example.com/x.md" }, 400],
          ] as const) {
            const reply = yield* post(key, "/api/v1/documents/library", library(fields))
            assert.strictEqual(reply.status, status, `${JSON.stringify(fields)} ${reply.text}`)
          }
          const refused = yield* post(key, "/api/v1/deals/documents", {
            file_name: "x.md",
            content_type: "text/markdown",
            deal_id: "d1",
            file_url: "http://169.254.169.254/latest/meta-data",
          })
          assert.strictEqual(refused.status, 400)
          assert.strictEqual((yield* web.request("/api/v1/documents", key)).json.data.length, 0)
        }),
      )

      it.effect("recognizes recordings by every name of their type, and stores the type without parameters", () =>
        Effect.gen(function* () {
          const { org, key } = yield* tenant
          const { scoped, sql } = yield* Database
          for (const [sent, kept, kind] of [
            ["AUDIO/MPEG", "audio/mpeg", "recording"],
            ["audio/mpeg; x=\r\ny\u2713", "audio/mpeg", "recording"],
            ["application/mp4", "application/mp4", "recording"],
            ["Text/Markdown; charset=utf-8", "text/markdown", "document"],
          ] as const) {
            const { status, text, json } = yield* post(key, "/api/v1/deals/documents", {
              file_name: "call'(1)*.mp3",
              content_type: sent,
              deal_id: "d1",
              file_url: `http://127.0.0.1:${server.port}/none`,
            })
            assert.strictEqual(status, 200, text)
            assert.strictEqual(json.document.content_type, kept)
            const [job] = yield* scoped<{ kind: string }>(
              org,
              sql`select kind from jobs where org_id = scope.org and id = ${json.run_id}`,
            )
            assert.strictEqual(job?.kind, kind, sent)
            // A retry would get the same 404.
            const { status: state, failure_reason } = yield* untilRead(key, json.document.id)
            assert.deepStrictEqual([state, failure_reason.includes("404")], ["failed", true])
          }
          const file = new Blob([silentMp3(2)])
          const odd = { file_name: "call'(1)*\u2713.mp3", content_type: "audio/mpeg;\r\nx: y", file }
          const { json } = yield* post(key, "/api/v1/documents/library", library(odd))
          const original = yield* (yield* Web).request(`/api/v1/documents/${json.document.id}/original`, key)
          assert.strictEqual(original.status, 200)
          assert.strictEqual(original.headers.get("content-type"), "audio/mpeg")
          assert.strictEqual(
            original.headers.get("content-disposition"),
            `attachment; filename="call'(1)*_.mp3"; filename*=UTF-8''call%27%281%29%2A%E2%9C%93.mp3`,
          )
        }),
      )

      it.effect("reads a file of JSON, which a multipart body declares as such", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const transcript = { text: "Hello.", segments: [{ start: 0, end: 1, text: "Hello." }] }
          const file = new Blob([JSON.stringify(transcript)], { type: "application/json" })
          const { json, text } = yield* post(
            key,
            "/api/v1/documents/library",
            library({ content_type: file.type, file }),
          )
          assert.strictEqual((yield* untilRead(key, json.document?.id)).status, "ready", text)
        }),
      )

      it.effect("accepts each field once, as text, and one file", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const data = library()
          data.delete("file_name")
          data.append("file_name", notes(), "x.md")
          data.append("type", "asset")
          data.append("file", notes("another"), "y.md")
          const { status, json } = yield* post(key, "/api/v1/documents/library", data)
          assert.strictEqual(status, 400)
          assert.sameDeepMembers(json.error.details.invalid_fields, [
            { field: "file_name", reason: "must be text, not a file" },
            { field: "type", reason: "must be given once" },
            { field: "file", reason: "must be one file" },
          ])
          assert.notProperty(json.error.details, "missing_fields")
        }),
      )

      it.effect("says why a file cannot be read, reprocesses it, and deletes it", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* tenant
          const broken = new Blob([`%PDF-1.7\n${"x".repeat(2000)}`])
          const { json } = yield* post(
            key,
            "/api/v1/documents/library",
            library({ content_type: "application/pdf", file_name: "broken.pdf", file: broken }),
          )
          const failed = yield* untilRead(key, json.document.id)
          assert.strictEqual(failed.status, "failed")
          assert.isAbove(failed.failure_reason.length, 20)
          const path = `/api/v1/documents/${json.document.id}`
          const again = yield* web.request(`${path}/reprocess`, key, { method: "POST" })
          assert.strictEqual(again.json.document.status, "processing")
          assert.strictEqual((yield* untilRead(key, json.document.id)).status, "failed")
          assert.strictEqual((yield* web.request(path, key, { method: "DELETE" })).status, 204)
          assert.strictEqual((yield* web.request(path, key)).status, 404)
          assert.strictEqual((yield* web.request(`${path}/original`, key)).status, 404)
        }),
      )

      it.effect("shows nothing of another organization's documents", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const mine = yield* tenant
          const other = yield* tenant
          const { json } = yield* post(other.key, "/api/v1/documents/library", library())
          const unknown = yield* web.request("/api/v1/documents/doc_unknown", mine.key)
          for (const [path, method] of [
            [`/api/v1/documents/${json.document.id}`, "GET"],
            [`/api/v1/documents/${json.document.id}/original`, "GET"],
            [`/api/v1/documents/${json.document.id}`, "DELETE"],
            [`/api/v1/documents/${json.document.id}/reprocess`, "POST"],
          ] as const) {
            const reply = yield* web.request(path, mine.key, { method })
            assert.deepStrictEqual([reply.status, reply.text], [404, unknown.text], `${method} ${path}`)
          }
          assert.strictEqual((yield* web.request(`/api/v1/runs/${json.run_id}`, mine.key)).status, 404)
          assert.deepStrictEqual((yield* web.request("/api/v1/documents", mine.key)).json.data, [])
        }),
      )
    })
  })
}
