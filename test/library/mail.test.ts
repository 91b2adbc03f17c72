import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { originalKey } from "../../src/core/library/Documents.ts"
import { docx, paragraph } from "../ingest/support/office.ts"
import { msg } from "../ingest/support/msg.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { untilReply } from "./untilReply.ts"

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64")

interface File {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array | string
}

const mail = (subject: string, files: ReadonlyArray<File>) => {
  const parts = files.map(
    ({ name, type, bytes }) =>
      `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${base64(bytes)}\r\n`,
  )
  return `From: Ann <ann@acme.example>\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee ${subject}.\r\n${parts.join("")}--b--\r\n`
}

const PLAN = { name: "plan.docx", type: "application/octet-stream", bytes: docx(paragraph("The pilot ends in May.")) }
const NOTES = { name: "notes.md", type: "text/plain", bytes: "# Notes\n\nForty seats." }

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database, layerLibrary())))
  describe(`mails on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      const tenant = Effect.gen(function* () {
        const made = yield* (yield* Web).tenant()
        const deal = { type: "deal", id: "d1", name: "Renewal" }
        yield* (yield* Import).records(made.org, Stream.fromIterable([deal]))
        return made
      })
      const upload = Effect.fnUntraced(function* (key: string, type: string, bytes: Uint8Array | string) {
        const body = {
          deal_id: "d1",
          source: "email",
          file_name: "mail",
          content_type: type,
          file_base64: base64(bytes),
        }
        const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
        const { status, json, text } = yield* (yield* Web).request("/api/v1/deals/documents", key, init)
        assert.strictEqual(status, 200, text)
        return json
      })
      const ended = (key: string, run: string) =>
        untilReply(key, `/api/v1/runs/${run}`, "ended", ({ ended_at }) => ended_at !== null)
      /** The documents, all of them read, once there are `count`. */
      const documents = Effect.fnUntraced(function* (key: string, query = "", count = 0) {
        const isRead = ({ data }: any) =>
          data.length >= count && data.every(({ status }: any) => status !== "processing")
        const path = `/api/v1/documents?page_size=100${query}`
        return (yield* untilReply(key, path, "read", isRead)).data as ReadonlyArray<any>
      })

      it.effect("make documents of their attachments, each by what its bytes are, in the same deal", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const files = [PLAN, NOTES, { name: "setup.exe", type: "text/plain", bytes: Uint8Array.of(77, 90, 0, 0, 1) }]
          const { document, run_id } = yield* upload(key, "message/rfc822", mail("Plan", files))
          const run = yield* ended(key, run_id)
          assert.strictEqual(run.status, "completed", run.error)
          assert.deepStrictEqual(
            run.attachments.map((each: any) => each.file_name),
            ["notes.md", "plan.docx"],
          )
          assert.deepStrictEqual(run.warnings, [
            { code: "attachments_unread", message: "setup.exe: attachments of these types are not read." },
          ])
          const attached = yield* documents(key, `&parent_id=${document.id}`)
          assert.deepStrictEqual(
            attached.map((each) => [each.file_name, each.status, each.deal_id, each.source]).toSorted(),
            [
              ["notes.md", "ready", "d1", "email"],
              ["plan.docx", "ready", "d1", "email"],
            ],
          )
          assert.include(attached.find(({ file_name }) => file_name === "plan.docx").content_type, "wordprocessingml")
          const original = yield* (yield* Web).request(
            `/api/v1/documents/${run.attachments[0].document_id}/original`,
            key,
          )
          assert.strictEqual(original.text, NOTES.bytes)
        }),
      )

      it.effect("read again, keep the attachments that they have; deleted, delete them with their files", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* tenant
          const { document, run_id } = yield* upload(key, "message/rfc822", mail("Plan", [PLAN, NOTES]))
          const { attachments } = yield* ended(key, run_id)
          yield* documents(key)
          const again = yield* web.request(`/api/v1/documents/${document.id}/reprocess`, key, { method: "POST" })
          assert.deepStrictEqual((yield* ended(key, again.json.run_id)).attachments, attachments)
          const removed = yield* web.request(`/api/v1/documents/${document.id}`, key, { method: "DELETE" })
          assert.strictEqual(removed.status, 204)
          assert.deepStrictEqual(yield* documents(key), [])
          const blobs = yield* BlobStore
          for (const { document_id } of attachments) {
            const left = yield* Effect.result(blobs.size(originalKey(org, document_id)))
            assert.strictEqual(left._tag, "Failure")
          }
        }),
      )

      it.effect("inside mails are read to a depth, and messages of Outlook likewise", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          let inner = mail("innermost", [NOTES])
          for (const level of [5, 4, 3, 2, 1]) {
            inner = mail(`level ${level}`, [{ name: `${level}.eml`, type: "message/rfc822", bytes: inner }])
          }
          const outlook = msg({
            subject: "outer",
            attachments: [{ name: "in.eml", type: "message/rfc822", bytes: Buffer.from(inner) }],
          })
          const { run_id } = yield* upload(key, "application/vnd.ms-outlook", outlook)
          yield* ended(key, run_id)
          const all = yield* documents(key, "", 4)
          assert.deepStrictEqual(all.map(({ file_name }) => file_name).toSorted(), ["1.eml", "2.eml", "in.eml", "mail"])
          assert.match(
            all.find(({ file_name }) => file_name === "2.eml").warnings[0].message,
            /^3\.eml: mails inside more than 3 others are not read/,
          )
        }),
      )
    })
  })
}
