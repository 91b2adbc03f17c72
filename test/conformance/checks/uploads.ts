import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { type Client, invalidFields, refusal, type Reply } from "../Client.ts"
import { DEALS, fresh, jsonTo, LIBRARY, settled, taken, toDeal, toLibrary } from "../upload.ts"
import { makeKey } from "./keys.ts"

const SOURCES = {
  [LIBRARY]: ["drive", "notion", "confluence", "onedrive", "sharepoint", "vanta", "url", "zapier", "api"],
  [DEALS]: [
    "call_recorder",
    "revenue_platform",
    "meeting_notes_one",
    "meeting_notes_two",
    "conversation_intelligence",
    "sales_engagement",
    "email",
    "crm_one",
    "crm_two",
    "api",
  ],
}

/** URLs with private targets or unsupported schemes. */
const INSIDE = [
  "http://127.0.0.1/x.md",
  "http://[::1]/x.md",
  "http://[::ffff:127.0.0.1]/x.md",
  "http://2130706433/x.md",
  "http://10.0.0.1/x.md",
  "http://169.254.169.254/latest/meta-data",
  "https://user:secret@example.com/x.md",
  "https://example.com:8443/x.md",
  "ftp://example.com/x.md",
  "file:///etc/passwd",
  "not-an-address",
]

const bad = async (reply: Promise<Reply>) => refusal(await reply, 400, "bad_request")

const eachSource = async (api: Client, path: typeof LIBRARY | typeof DEALS) => {
  for (const source of SOURCES[path]) {
    assert.equal((await taken(jsonTo(api, path, { source }))).document["source"], source)
  }
  assert.equal((await taken(jsonTo(api, path))).document["source"], "api")
  assert.deepEqual(invalidFields(await bad(jsonTo(api, path, { source: "fax" }))), ["source"])
}

export const libraryUploads = section("POST /documents/library", ["data", "documents"], {
  "multipart with a file: 200, the document and the run that reads it": async (api) => {
    const { document, run_id, duplicate } = await taken(toLibrary(api))
    const { id, status, url, created_at, ...rest } = document
    assert.ok(["processing", "ready"].includes(String(status)))
    assert.ok(id.length > 0 && String(url).length > 0 && run_id.length > 0)
    assert.match(String(created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(rest["file_name"], "notes.md")
    assert.equal(rest["type"], "intel")
    assert.equal(rest["competitor_id"], "k_acme")
    assert.equal(duplicate, undefined)
  },
  "all missing fields are named at once": async (api) => {
    const nothing = { file_name: undefined, content_type: undefined, type: undefined, competitor_id: undefined }
    const { details } = await bad(toLibrary(api, { ...nothing, file: undefined, source: "api" }))
    assert.deepEqual([...(details?.missing_fields ?? [])].sort(), ["content_type", "file_name", "type"])
    assert.deepEqual(details?.invalid_fields?.map(({ field }) => field).sort(), ["competitor_id", "file"])
  },
  "exactly one of file, file_url and file_base64": async (api) => {
    const file_url = "https://example.com/x.md"
    assert.match(
      (await bad(toLibrary(api, { file: undefined }))).message,
      /exactly one of file, file_url must be given/,
    )
    assert.deepEqual(invalidFields(await bad(toLibrary(api, { file_url }))), ["file", "file_url"])
    assert.deepEqual(invalidFields(await bad(jsonTo(api, LIBRARY, { file_url }))), ["file_url", "file_base64"])
  },
  "type is asset or intel": async (api) => {
    assert.equal((await taken(toLibrary(api, { type: "asset" }))).document["type"], "asset")
    assert.deepEqual(invalidFields(await bad(toLibrary(api, { type: "other" }))), ["type"])
  },
  "source is one of nine, and api by default": (api) => eachSource(api, LIBRARY),
  "competitor_name finds the exact name, ignoring case, else the closest": async (api) => {
    for (const competitor_name of ["Globex", "gLOBEX", "Globex Inc", "Globx"]) {
      const { document } = await taken(toLibrary(api, { competitor_id: undefined, competitor_name }))
      assert.equal(document["competitor_id"], "k_globex", competitor_name)
    }
  },
  "exactly one of competitor_id and competitor_name; an unknown one is 404": async (api) => {
    const both = await bad(toLibrary(api, { competitor_name: "Acme" }))
    assert.deepEqual(invalidFields(both).toSorted(), ["competitor_id", "competitor_name"])
    const none = await bad(toLibrary(api, { competitor_id: undefined }))
    assert.match(none.message, /exactly one of competitor_id, competitor_name must be given/)
    refusal(await toLibrary(api, { competitor_id: "k_unknown" }), 404, "not_found")
    refusal(await toLibrary(api, { competitor_id: undefined, competitor_name: "Zyzzyva" }), 404, "not_found")
  },
  "content_type is supported and agrees with the bytes, else 415": async (api) => {
    for (const content_type of ["image/png", "application/zip", "application/pdf", "audio/mpeg", "nonsense"]) {
      refusal(await toLibrary(api, { content_type }), 415, "unsupported_media_type")
    }
    const file = new Blob(["%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n<<>>\nendobj\n"])
    refusal(await toLibrary(api, { file }), 415, "unsupported_media_type")
  },
  "an empty file and a body that is cut off are 400": async (api) => {
    assert.deepEqual(invalidFields(await bad(toLibrary(api, { file: new Blob([]) }))), ["file"])
    const headers = { "content-type": "multipart/form-data; boundary=x" }
    const part = 'Content-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nhalf'
    await bad(api.request(LIBRARY, { method: "POST", body: `--x\r\n${part}`, headers }))
    await bad(api.request(LIBRARY, { method: "POST", body: "nothing of the kind", headers }))
    await bad(api.post(LIBRARY, "[1"))
    refusal(await api.post(LIBRARY, "x", { headers: { "content-type": "text/plain" } }), 415, "unsupported_media_type")
  },
  "a private URL is 400, with the same message for every target": async (api) => {
    const messages = new Set<string>()
    for (const file_url of INSIDE) {
      const error = await bad(jsonTo(api, LIBRARY, { file_base64: undefined, file_url }))
      assert.deepEqual(invalidFields(error), ["file_url"], file_url)
      messages.add(error.message)
    }
    assert.equal(messages.size, 1)
  },
  "a host name with a private address fails at the look-up": async (api) => {
    const fields = { file_base64: undefined, file_url: "http://localhost/x.md" }
    const reply = await jsonTo(api, LIBRARY, fields)
    if (reply.status === 400) return
    const { document } = await taken(reply)
    const failed = await settled(api, document.id)
    assert.equal(failed.status, "failed")
    assert.match(failed.failure_reason, /public internet/)
  },
  "a public URL is accepted and fetched in the background": async (api) => {
    const fields = { file_base64: undefined, file_url: "https://nowhere.invalid/x.md" }
    const { document, run_id } = await taken(jsonTo(api, LIBRARY, fields))
    assert.equal(document["status"], "processing")
    assert.equal((await api.get(`/runs/${run_id}`)).document_id, document.id)
    assert.equal((await api.request(`/documents/${document.id}`, { method: "DELETE" })).status, 204)
    // The host does not exist, so the fetch may fail before it is cancelled.
    assert.ok(["cancelled", "failed"].includes((await api.get(`/runs/${run_id}`)).status))
  },
  "the same bytes in the same place return the same document, as a duplicate": async (api) => {
    const file = new Blob([fresh()])
    const first = await taken(toLibrary(api, { file }))
    const again = await taken(toLibrary(api, { file, file_name: "copy.md" }))
    assert.equal(again.document.id, first.document.id)
    assert.equal(again.run_id, first.run_id)
    assert.equal(again.duplicate, true)
    const elsewhere = await taken(toLibrary(api, { file, competitor_id: "k_globex" }))
    assert.notEqual(elsewhere.document.id, first.document.id)
  },
  "JSON accepts 10 MiB in file_base64, and answers 413 above": async (api) => {
    const megabytes = (size: number) => btoa(fresh("word ".repeat((size * 1024 * 1024) / 5)))
    const headers = { "idempotency-key": crypto.randomUUID() }
    const { document } = await taken(jsonTo(api, LIBRARY, { file_base64: megabytes(2) }, { headers }))
    assert.equal((await api.request(`/documents/${document.id}`, { method: "DELETE" })).status, 204)
    refusal(await jsonTo(api, LIBRARY, { file_base64: megabytes(10.2) }), 413, "payload_too_large")
    assert.deepEqual(invalidFields(await bad(jsonTo(api, LIBRARY, { file_base64: "!" }))), ["file_base64"])
  },
  "unknown fields and a NUL character are refused": async (api) => {
    assert.deepEqual((await bad(toLibrary(api, { colour: "red" }))).details?.unknown_fields, ["colour"])
    assert.deepEqual(invalidFields(await bad(jsonTo(api, LIBRARY, { file_name: "a\u0000b" }))), ["file_name"])
    assert.deepEqual(invalidFields(await bad(jsonTo(api, LIBRARY, { competitor_id: "a\u0000b" }))), ["competitor_id"])
  },
  "Idempotency-Key: the same parts are answered byte for byte, other parts with 409": async (api) => {
    const headers = { "idempotency-key": crypto.randomUUID() }
    const file = new Blob([fresh()])
    const first = await toLibrary(api, { file }, { headers })
    const again = await toLibrary(api, { file }, { headers })
    assert.equal(first.status, 200, first.text)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get("idempotent-replayed"), "true")
    refusal(await toLibrary(api, {}, { headers }), 409, "conflict")
  },
})

export const dealUploads = section("POST /deals/documents", ["data", "documents"], {
  "any of the three ids finds the deal; the document is an asset": async (api) => {
    for (const by of [{ deal_id: "d01" }, { crm_one_id: "006A" }, { crm_two_id: "9001" }]) {
      const { document, run_id } = await taken(toDeal(api, { deal_id: undefined, ...by }))
      assert.equal(document["deal_id"], "d01")
      assert.equal(document["type"], "asset")
      assert.ok(run_id.length > 0)
    }
  },
  "exactly one of them; an unknown one is 404": async (api) => {
    const two = await bad(toDeal(api, { crm_one_id: "006A" }))
    assert.deepEqual(invalidFields(two).toSorted(), ["crm_one_id", "deal_id"])
    const none = await bad(toDeal(api, { deal_id: undefined }))
    assert.match(none.message, /exactly one of deal_id, crm_one_id, crm_two_id must be given/)
    for (const by of ["deal_id", "crm_one_id", "crm_two_id"]) {
      refusal(await toDeal(api, { deal_id: undefined, [by]: "unknown" }), 404, "not_found")
    }
  },
  "a JSON body carries file_url or file_base64": async (api) => {
    assert.equal((await taken(jsonTo(api, DEALS))).document["deal_id"], "d01")
    const fields = { file_base64: undefined, file_url: "https://nowhere.invalid/x.md" }
    const { document } = await taken(jsonTo(api, DEALS, fields))
    assert.equal((await api.request(`/documents/${document.id}`, { method: "DELETE" })).status, 204)
  },
  "source is one of ten, and api by default": (api) => eachSource(api, DEALS),
  "fields of library uploads are unknown here": async (api) => {
    const { details } = await bad(toDeal(api, { type: "intel", competitor_id: "k_acme" }))
    assert.deepEqual([...(details?.unknown_fields ?? [])].sort(), ["competitor_id", "type"])
  },
})

export const uploadRoles = section("Uploads", ["write", "documents"], {
  "viewers may not upload, members not to the library: 403 with the role and the action": async (api) => {
    const viewer = await makeKey(api, { role: "viewer" })
    const member = await makeKey(api, { role: "member" })
    for (const [send, key, role] of [
      [toLibrary, viewer.key, "viewer"],
      [toDeal, viewer.key, "viewer"],
      [toLibrary, member.key, "member"],
    ] as const) {
      assert.match(
        refusal(await send(api, {}, { key }), 403, "forbidden").message,
        new RegExp(`^role '${role}' cannot`),
      )
    }
    assert.equal((await toDeal(api, { deal_id: "unknown" }, { key: member.key })).status, 404)
    assert.equal((await api.request("/documents", { key: viewer.key })).status, 200)
  },
})

export const uploadsRefused = section("Uploads", ["data", "no documents"], {
  "a host that reads no documents refuses them at once, for good, and says where to send them": async (api) => {
    for (const send of [toLibrary, toDeal]) {
      const { message } = refusal(await send(api), 415, "unsupported_media_type")
      assert.match(message, /reads no documents/)
    }
    assert.deepEqual((await api.get("/documents")).data, [])
  },
})
