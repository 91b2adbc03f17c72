import assert from "node:assert/strict"
import { CONTENT_TYPES } from "../../../src/ingest/safety/sniff.ts"
import { docx, paragraph, pptx, shape, sheetOf, xlsx } from "../../ingest/support/office.ts"
import { JAPANESE, japanesePdf } from "../../ingest/support/japanese.ts"
import { section } from "../Check.ts"
import { invalidFields, refusal } from "../Client.ts"
import { fresh, settled, taken, toDeal, toLibrary } from "../upload.ts"

const PDF = new Blob([`%PDF-1.7\n${"x".repeat(2000)}`])
/** A second of silence. */
const WAV = () => {
  const bytes = new Uint8Array(44 + 16_000)
  const header = new DataView(bytes.buffer)
  for (const [at, name] of [
    [0, "RIFF"],
    [8, "WAVE"],
    [12, "fmt "],
    [36, "data"],
  ] as const) {
    bytes.set(new TextEncoder().encode(name), at)
  }
  for (const [at, value] of [
    [4, 36 + 16_000],
    [16, 16],
    [24, 8000],
    [28, 16_000],
    [40, 16_000],
  ] as const) {
    header.setUint32(at, value, true)
  }
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const) {
    header.setUint16(at, value, true)
  }
  return new Blob([bytes])
}

/** The text of the PDF is in tables that pdf.js loads from files of its own. */
const OFFICE_FILES = {
  "a.pdf": japanesePdf,
  "a.docx": docx(paragraph(JAPANESE)),
  "a.pptx": pptx([{ shapes: shape(JAPANESE, "title") }]),
  "a.xlsx": xlsx([{ name: "One", xml: sheetOf(`<row><c t="inlineStr"><is><t>${JAPANESE}</t></is></c></row>`) }]),
}

const FIELDS = [
  "competitor_id",
  "content_type",
  "created_at",
  "deal_id",
  "failure_reason",
  "file_name",
  "id",
  "parent_id",
  "replaced_by",
  "replaces",
  "size_bytes",
  "source",
  "status",
  "type",
  "updated_at",
  "url",
  "version",
  "warnings",
]

export const documentStates = section("Documents", ["data", "documents"], {
  "processing becomes ready, and the run shows its stages": async (api) => {
    const text = fresh()
    const { document, run_id } = await taken(toLibrary(api, { file: new Blob([text]) }))
    const ready = await settled(api, document.id)
    assert.equal(ready.status, "ready", ready.failure_reason)
    assert.equal(ready.failure_reason, null)
    assert.deepEqual(Object.keys(ready).sort(), FIELDS)
    assert.equal(ready.size_bytes, text.length)
    const run = await api.get(`/runs/${run_id}`)
    assert.equal(run.id, run_id)
    assert.equal(run.document_id, document.id)
    assert.deepEqual([run.status, run.stage, run.progress, run.error], ["completed", "completed", 1, null])
    assert.ok(run.created_at <= run.started_at && run.started_at <= run.ended_at)
  },
  "a plain text becomes ready": async (api) => {
    const file = new Blob([fresh("Caf\u00e9 \u2014 na\u00efve")])
    const { document } = await taken(
      toDeal(api, { file, file_name: "a.txt", content_type: "text/plain; charset=utf-8" }),
    )
    assert.equal((await settled(api, document.id)).status, "ready")
  },
  "PDF, DOCX, PPTX and XLSX become ready, and the viewer shows their text": async (api) => {
    const texts = await Promise.all(
      Object.entries(OFFICE_FILES).map(async ([name, bytes]) => {
        const [content_type] = CONTENT_TYPES[name.split(".")[1] as keyof typeof CONTENT_TYPES]
        const { document } = await taken(
          toDeal(api, { file: new Blob([bytes.slice()]), file_name: name, content_type }),
        )
        const ready = await settled(api, document.id)
        assert.equal(ready.status, "ready", `${name}: ${ready.failure_reason}`)
        const shown = await api.request(ready.url, { key: null })
        assert.equal((await api.request(`/documents/${document.id}`, { method: "DELETE" })).status, 204)
        return shown.text
      }),
    )
    for (const text of texts) assert.ok(text.includes(JAPANESE), text)
  },
  "processing becomes failed with a useful reason; reprocessing returns it to processing": async (api) => {
    const { document, run_id } = await taken(
      toLibrary(api, { file: PDF, file_name: "broken.pdf", content_type: "application/pdf" }),
    )
    const failed = await settled(api, document.id)
    assert.equal(failed.status, "failed")
    assert.ok(failed.failure_reason.length >= 20)
    assert.doesNotMatch(failed.failure_reason, /\n|node_modules|Error:/)
    const run = await api.get(`/runs/${run_id}`)
    assert.deepEqual([run.status, run.error], ["failed", failed.failure_reason])
    const again = await taken(api.request(`/documents/${document.id}/reprocess`, { method: "POST" }))
    assert.equal(again.document["status"], "processing")
    assert.notEqual(again.run_id, run_id)
    assert.equal((await settled(api, document.id)).status, "failed")
  },
  "a recording is accepted, and its run ends": async (api) => {
    const { document } = await taken(
      toDeal(api, { file: WAV(), file_name: "call.wav", content_type: "audio/wav", source: "call_recorder" }),
    )
    const ended = await settled(api, document.id)
    assert.ok(ended.status === "ready" || ended.failure_reason.length >= 20)
    assert.equal((await api.request(`/documents/${document.id}`, { method: "DELETE" })).status, 204)
  },
  "ready becomes processing on reprocess, and ready again": async (api) => {
    const { document } = await taken(toLibrary(api))
    assert.equal((await settled(api, document.id)).status, "ready")
    const again = await taken(api.request(`/documents/${document.id}/reprocess`, { method: "POST" }))
    assert.equal(again.document.id, document.id)
    assert.equal((await settled(api, document.id)).status, "ready")
    assert.equal((await api.get(`/runs/${again.run_id}`)).status, "completed")
  },
  "the original is an attachment that browsers do not execute": async (api) => {
    const text = fresh()
    const file_name = 'Preis "liste" \u00e4.md'
    const { document } = await taken(toLibrary(api, { file: new Blob([text]), file_name }))
    const original = await api.request(`/documents/${document.id}/original`)
    assert.equal(original.status, 200)
    assert.equal(original.text, text)
    assert.equal(original.headers.get("x-content-type-options"), "nosniff")
    const disposition = original.headers.get("content-disposition") ?? ""
    assert.match(disposition, /^attachment;.* filename\*=UTF-8''[\w%.~-]+$/)
    assert.ok(disposition.includes("Preis%20%22liste%22%20%C3%A4.md"))
  },
  "DELETE answers 204; then the document is unknown": async (api) => {
    const { document } = await taken(toLibrary(api))
    const path = `/documents/${document.id}`
    assert.equal((await api.request(path, { method: "DELETE" })).status, 204)
    const unknown = await api.request("/documents/doc_unknown")
    for (const [at, method] of [
      [path, "GET"],
      [path, "DELETE"],
      [`${path}/original`, "GET"],
      [`${path}/reprocess`, "POST"],
    ] as const) {
      const reply = await api.request(at, { method })
      refusal(reply, 404, "not_found")
      assert.equal(reply.text, unknown.text)
    }
    refusal(await api.request("/runs/run_unknown"), 404, "not_found")
  },
  "GET /documents pages through filtered documents, newest first": async (api) => {
    const made: Array<string> = []
    for (let n = 0; n < 3; n++) made.unshift((await taken(toDeal(api, { deal_id: "d02" }))).document.id)
    const query = { deal_id: "d02", type: "asset", page_size: 2 }
    const first = await api.get("/documents", query)
    const rest = await api.get("/documents", { ...query, page_size: 100, cursor: first.next_cursor })
    assert.equal(rest.next_cursor, null)
    const ids = [...first.data, ...rest.data].map(({ id }: { id: string }) => id)
    assert.equal(first.data.length, 2)
    assert.deepEqual(ids.slice(0, 3).toSorted(), made.toSorted())
    const times = [...first.data, ...rest.data].map(({ created_at }: { created_at: string }) => created_at)
    assert.deepEqual(times, times.toSorted().toReversed())
    for (const id of made) await settled(api, id)
    const ready = await api.get("/documents", { deal_id: "d02", status: "ready", page_size: 100 })
    assert.ok(made.every((id) => ready.data.some((document: { id: string }) => document.id === id)))
    assert.deepEqual(invalidFields(await api.bad("/documents", { competitor_id: "k_unknown" })), ["competitor_id"])
  },
  "parameters that are wrong or unknown are 400": async (api) => {
    for (const [query, field] of [
      ["status=done", "status"],
      ["type=other", "type"],
      ["page_size=0", "page_size"],
      ["page_size=101", "page_size"],
      ["cursor=nonsense", "cursor"],
    ] as const) {
      assert.deepEqual(invalidFields(await api.bad("/documents", query)), [field], query)
    }
    assert.deepEqual((await api.bad("/documents", "colour=red")).details?.unknown_fields, ["colour"])
  },
})

export const documentTenants = section("Documents", ["data", "other", "documents"], {
  "another organization's documents are answered exactly like unknown ones": async (api) => {
    const key = api.target.otherKey!
    const { document, run_id } = await taken(toLibrary(api))
    const unknown = await api.request("/documents/doc_unknown", { key })
    for (const path of [`/documents/${document.id}`, `/documents/${document.id}/original`]) {
      assert.equal((await api.request(path, { key })).text, unknown.text)
    }
    const run = await api.request(`/runs/${run_id}`, { key })
    assert.equal(run.text, (await api.request("/runs/run_unknown", { key })).text)
    assert.deepEqual((await api.get("/documents", {}, { key })).data, [])
    const attached = await toDeal(api, { deal_id: "d01" }, { key })
    refusal(attached, 404, "not_found")
    assert.equal(attached.text, (await toDeal(api, { deal_id: "unknown" }, { key })).text)
  },
})
