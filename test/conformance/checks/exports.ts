import assert from "node:assert/strict"
import { until } from "../../support/until.ts"
import { section } from "../Check.ts"
import { type Client, invalidFields, refusal, type Reply } from "../Client.ts"

const PATH = "/deals/export"

const submit = async (api: Client, body: object): Promise<Reply> => {
  const reply = await api.post(PATH, body)
  assert.equal(reply.status, 202, reply.text)
  return reply
}

/** Polls until the export ends. */
const ended = (api: Client, id: string) =>
  until(`export ${id} ends`, async () => {
    const reply = await api.request(`${PATH}/${id}`)
    assert.equal(reply.status, 200, reply.text)
    if (["completed", "failed"].includes(reply.json.status)) return reply.json
    assert.equal(reply.headers.get("retry-after"), "5")
    assert.ok(reply.json.progress >= 0 && reply.json.progress <= 1)
    return undefined
  })

/** The URL of a download, which needs no key. */
const fetched = (api: Client, status: { readonly download_url: string }, init?: RequestInit) =>
  fetch(new URL(status.download_url, api.origin), init)

const exported = async (api: Client, body: object) => {
  const status = await ended(api, (await submit(api, body)).json.export_id)
  assert.equal(status.status, "completed", status.error)
  return { status, text: await (await fetched(api, status)).text() }
}

const FIELDS = [
  "completed_at",
  "created_at",
  "download_expired",
  "download_expires_at",
  "download_url",
  "error",
  "export_id",
  "file_size",
  "progress",
  "record_expires_at",
  "row_count",
  "started_at",
  "status",
  "warnings",
]
const DAY = 86_400_000

export const exporting = section("Export", ["data"], {
  "an export that is imported again changes nothing": async (api) => {
    const { text, status } = await exported(api, { columns: ["*"], delimiter: ";", decimal: ",", bom: true })
    const reply = await api.request("/import?type=deal", {
      method: "POST",
      body: text,
      headers: { "content-type": "text/csv" },
    })
    assert.equal(reply.status, 200, reply.text)
    const { received, unchanged, errors, warnings } = reply.json
    assert.deepEqual([received, unchanged, errors, warnings], [status.row_count, status.row_count, [], []])
  },
  "a submission answers 202 with an export_id, a status, a URL to poll and an interval": async (api) => {
    const { json, headers } = await submit(api, { columns: ["name"] })
    assert.deepEqual(Object.keys(json), ["export_id", "status"])
    assert.match(json.export_id, /^exp_/)
    assert.equal(json.status, "pending")
    assert.match(headers.get("location") ?? "", new RegExp(`/api/v1/deals/export/${json.export_id}$`))
    assert.equal(headers.get("retry-after"), "5")
    await ended(api, json.export_id)
  },
  "a completed job has rows, bytes, times and a download URL": async (api) => {
    const { status, text } = await exported(api, { columns: ["id"] })
    assert.deepEqual(Object.keys(status).sort(), FIELDS)
    assert.deepEqual([status.status, status.progress, status.error], ["completed", 1, null])
    assert.equal(status.file_size, Buffer.byteLength(text))
    assert.ok(status.created_at <= status.started_at && status.started_at <= status.completed_at)
    assert.equal(Date.parse(status.download_expires_at) - Date.parse(status.completed_at), 7 * DAY)
    assert.equal(Date.parse(status.record_expires_at) - Date.parse(status.created_at), 30 * DAY)
  },
  "without filters every deal is exported; the header has the requested columns": async (api) => {
    const { count } = await api.get("/deals", { count: true })
    const { status, text } = await exported(api, { columns: ["amount", "id", "custom_metric_score_Champion Strength"] })
    assert.equal(status.row_count, count)
    assert.equal(text.split("\r\n")[0], "amount,id,custom_metric_score_Champion Strength")
    assert.ok(text.endsWith("\r\n"))
  },
  "filters are those of GET /deals as JSON values, in `filters` or next to `columns`": async (api) => {
    const filters = { status: ["closed won"], amount: { min: 1 }, analyzed: true }
    const ids = await api.ids(filters)
    for (const body of [
      { columns: ["id"], filters },
      { columns: ["id"], ...filters },
    ]) {
      const { text } = await exported(api, body)
      assert.deepEqual(text.split("\r\n").slice(1, -1).toSorted(), ids.toSorted())
    }
  },
  "older filter names and modifiers are accepted": async (api) => {
    const ids = await api.ids({ deal_analyzed: ["true"], region: ["EMEA"], region_filter_type: "is not" })
    const { text } = await exported(api, {
      columns: ["id"],
      filters: { deal_analyzed: ["true"], region: ["EMEA"], region_filter_type: "is not" },
    })
    assert.deepEqual(text.split("\r\n").slice(1, -1).toSorted(), ids.toSorted())
  },
  "JSON columns are one cell; the seven internal columns are dropped": async (api) => {
    const { text } = await exported(api, {
      columns: ["id", "fts", "competitors", "client_id"],
      filters: { deal_ids: ["d01"] },
    })
    const [deal] = await api.get("/deals", { columns: "competitors", deal_ids: ["d01"] })
    assert.equal(text, `id,competitors\r\nd01,"${JSON.stringify(deal.competitors).replaceAll('"', '""')}"\r\n`)
  },
  "the download is an attachment, supports ranges, and needs no key": async (api) => {
    const { status, text } = await exported(api, { columns: ["name"] })
    const part = await fetched(api, status, { headers: { range: "bytes=0-3" } })
    assert.deepEqual([part.status, await part.text()], [206, text.slice(0, 4)])
    const whole = await fetched(api, status)
    assert.match(whole.headers.get("content-type") ?? "", /^text\/csv; charset=utf-8/)
    assert.match(whole.headers.get("content-disposition") ?? "", /^attachment;/)
    assert.equal(whole.headers.get("x-content-type-options"), "nosniff")
    await whole.arrayBuffer()
    const forged = await fetched(api, {
      download_url: status.download_url.replace(/.$/, (end: string) => (end === "A" ? "B" : "A")),
    })
    assert.equal(forged.status, 404)
    await forged.arrayBuffer()
  },
  "columns are required; unknown and duplicate columns are 400, with their names": async (api) => {
    const none = refusal(await api.post(PATH, {}), 400, "bad_request")
    assert.deepEqual(none.details?.missing_fields, ["columns"])
    const wrong = refusal(await api.post(PATH, { columns: ["nonsense"], colour: "red" }), 400, "bad_request")
    assert.deepEqual(wrong.details?.unknown_fields, ["colour"])
    assert.match(wrong.message, /'nonsense'/)
    const dynamic = refusal(await api.post(PATH, { columns: ["crm_nonsense"] }), 400, "bad_request")
    assert.match(dynamic.message, /'crm_nonsense'/)
    const twice = await api.post(PATH, { columns: ["id"], filters: {}, region: ["EMEA"] })
    assert.deepEqual(invalidFields(refusal(twice, 400, "bad_request")), ["region"])
  },
  "a workbook and CSV for other countries are formats of the file; options of another format are 400": async (api) => {
    const columns = ["id", "amount"]
    const { status } = await exported(api, { columns, format: "xlsx" })
    assert.deepEqual(status.warnings, [])
    const workbook = await fetched(api, status)
    assert.match(workbook.headers.get("content-type") ?? "", /spreadsheetml\.sheet$/)
    assert.match(workbook.headers.get("content-disposition") ?? "", /\.xlsx"/)
    assert.equal(new TextDecoder().decode((await workbook.bytes()).subarray(0, 2)), "PK")
    const { text } = await exported(api, { columns, delimiter: ";", decimal: ",", bom: true })
    assert.equal(text.split("\r\n")[0], "id;amount")
    for (const [options, field] of [
      [{ format: "xlsx", bom: true }, "bom"],
      [{ format: "xlsx", csv_safe: false }, "csv_safe"],
      [{ decimal: "," }, "decimal"],
      [{ format: "xml" }, "format"],
    ] as const) {
      const refused = refusal(await api.post(PATH, { columns, ...options }), 400, "bad_request")
      assert.deepEqual(invalidFields(refused), [field])
    }
  },
  "deleting an export deletes its file and its link": async (api) => {
    const { status } = await exported(api, { columns: ["name"] })
    const removed = await api.request(`${PATH}/${status.export_id}`, { method: "DELETE" })
    assert.deepEqual([removed.status, removed.text], [204, ""])
    refusal(await api.request(`${PATH}/${status.export_id}`), 404, "not_found")
    const gone = await fetched(api, status)
    assert.equal(gone.status, 404)
    await gone.arrayBuffer()
  },
  "an unknown export is 404": async (api) => {
    refusal(await api.request(`${PATH}/exp_unknown`), 404, "not_found")
    refusal(await api.request(`${PATH}/exp_unknown`, { method: "DELETE" }), 404, "not_found")
  },
})

export const exportRoles = section("Export", ["data", "other"], {
  "another organization's export answers exactly like an unknown one": async (api) => {
    const { json } = await submit(api, { columns: ["id"] })
    const key = api.target.otherKey!
    const foreign = refusal(await api.request(`${PATH}/${json.export_id}`, { key }), 404, "not_found")
    assert.deepEqual(foreign, refusal(await api.request(`${PATH}/exp_unknown`, { key }), 404, "not_found"))
    await ended(api, json.export_id)
  },
})
