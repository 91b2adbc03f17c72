import assert from "node:assert/strict"
import { until } from "../../support/until.ts"
import { section } from "../Check.ts"
import { type Client, refusal } from "../Client.ts"
import { type Imported, ndjson, RECORDS } from "../dataset.ts"

const send = async (
  api: Client,
  body: string,
  type = "application/x-ndjson",
  query = "",
  headers: Record<string, string> = {},
) => api.request(`/import${query}`, { method: "POST", body, headers: { "content-type": type, ...headers } })

const imported = async (api: Client, records: ReadonlyArray<unknown>): Promise<Imported> => {
  const reply = await send(api, ndjson(records))
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

/** On the data set. The checks revert their changes. */
export const imports = section("POST /import", ["data"], {
  "the counts add up": async (_api, { received, created, updated, unchanged, deleted, failed, errors }) => {
    assert.equal(received, RECORDS.length)
    assert.equal(created + updated + unchanged + deleted + failed, received)
    assert.equal(failed, 0)
    assert.deepEqual(errors, [])
  },
  "existing records are unchanged": async (api) => {
    const { import_id, ...again } = await imported(api, RECORDS)
    assert.match(import_id, /^imp_\w{22}$/)
    assert.deepEqual(again, {
      undo: false,
      undo_refusal: "it changed nothing",
      received: RECORDS.length,
      created: 0,
      updated: 0,
      unchanged: RECORDS.length,
      deleted: 0,
      failed: 0,
      not_rows: 0,
      errors: [],
      warnings: [],
      created_names: {},
      assumptions: {
        container: "ndjson",
        encoding: "utf-8",
        matched_by: { id: RECORDS.filter(({ type }) => type !== "crm_property").length },
      },
    })
  },
  "omitted fields stay unchanged, null clears, and the list shows it at once": async (api) => {
    const before = await api.get("/deals/d06")
    const changed = await imported(api, [{ type: "deal", id: "d06", region: "LATAM", close_date: null }])
    assert.equal(changed.updated, 1)
    const [after] = await api.get("/deals", { deal_ids: ["d06"] })
    assert.equal(after.region, "LATAM")
    assert.equal(after.close_date, null)
    assert.equal(after.name, before.name)
    assert.equal(after.amount, before.amount)
    await imported(api, [
      { type: "deal", id: "d06", region: null, close_date: before.close_date, updated_at: before.updated_at },
    ])
    assert.deepEqual(await api.get("/deals/d06"), before)
  },
  "a deal without an id matches by its CRM id": async (api) => {
    const { updated } = await imported(api, [{ type: "deal", crm_two_id: "9004", region: "EMEA" }])
    assert.equal(updated, 1)
    assert.equal((await api.get("/deals/d04")).region, "EMEA")
    const back = RECORDS.filter(({ id }) => id === "d04")
    assert.equal((await imported(api, back)).updated, 1)
  },
  "a record with `deleted` deletes its deal and counts once": async (api) => {
    const record = { type: "deal", id: "d_deleted", name: "Deleted soon", status: "Qualified" }
    assert.equal((await imported(api, [record])).created, 1)
    assert.equal((await imported(api, [{ ...record, deleted: true }])).deleted, 1)
    assert.equal((await imported(api, [{ ...record, deleted: true }])).unchanged, 1)
    refusal(await api.request("/deals/d_deleted"), 404, "not_found")
  },
  "an import is undone once, and says what came of it": async (api) => {
    const before = await api.get("/deals/d06")
    const { import_id: id, undo } = await imported(api, [
      { type: "deal", id: "d06", amount: 1, status: "Undone stage" },
      { type: "deal", id: "d_undone", name: "Undone", owner: "Undone owner" },
    ])
    assert.equal(undo, true)
    const queued = await api.post(`/import/${id}/undo`, {})
    assert.equal(queued.status, 202, queued.text)
    const { undone, ...summary } = await until(`the undo of ${id}`, async () => {
      const found = await api.get(`/import/${id}`)
      return found.undone_at === null ? undefined : found
    })
    assert.deepEqual([summary.created, summary.updated, summary.status, summary.undo], [1, 1, "completed", false])
    assert.equal(undone.run_id, queued.json.run_id)
    assert.equal((await api.get(`/runs/${undone.run_id}`)).import_id, id)
    assert.deepEqual([undone.restored, undone.removed, undone.kept], [1, 3, []])
    assert.deepEqual(await api.get("/deals/d06"), before)
    refusal(await api.request("/deals/d_undone"), 404, "not_found")
    refusal(await api.post(`/import/${id}/undo`, {}), 409, "conflict")
    refusal(await api.post("/import/imp_unknown/undo", {}), 404, "not_found")
  },
  "valid rows are imported; invalid ones are reported by line, with field and reason": async (api) => {
    const good = { type: "deal", id: "d05", region: "APAC" }
    const { received, failed, unchanged, updated, errors } = await imported(api, [
      { type: "deal", id: "x1", name: "x", amount: "much" },
      good,
      { type: "nonsense" },
      { type: "deal", id: "x2", name: "x", owner: { id: "o_unknown" } },
      { type: "deal", id: "x3", name: "x", colour: "red" },
    ])
    assert.equal(received, 5)
    assert.equal(failed, 4)
    assert.equal(unchanged + updated, 1)
    assert.deepEqual(
      errors.map(({ line, field }) => [line, field.split(".")[0]]),
      [
        [1, "amount"],
        [3, "type"],
        [4, "owner"],
        [5, "colour"],
      ],
    )
    for (const { reason } of errors) assert.ok(reason.length > 0)
    assert.deepEqual(await api.get("/deals", { count: true }), { count: 12 })
  },
  "a NUL character is an error of its row, never a 500": async (api) => {
    const { failed, errors } = await imported(api, [{ type: "deal", id: "x4", name: "a\u0000b" }])
    assert.equal(failed, 1)
    assert.equal(errors[0]?.line, 1)
    assert.match(errors[0]?.reason ?? "", /NUL/)
  },
  "400 only if no record can be read": async (api) => {
    refusal(await send(api, "this is no NDJSON\n"), 400, "bad_request")
    refusal(await send(api, ""), 400, "bad_request")
  },
  "CSV is accepted with ?type=": async (api) => {
    const reply = await send(api, "id,name,email\r\no_bob,Bob Noyce,\r\n", "text/csv", "?type=owner")
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual([reply.json.received, reply.json.failed, reply.json.created], [1, 0, 0])
    refusal(await send(api, "id,name\r\no_bob,Bob\r\n", "text/csv"), 400, "bad_request")
    refusal(await send(api, "id,name\r\no_bob,Bob\r\n", "text/csv", "?type=nonsense"), 400, "bad_request")
  },
  "a dry run writes nothing, and its plan imports the file to the same counts": async (api) => {
    const file = "id;name;amount\nd_planned;Planned;1.500,00\nd_refused;Refused;much\n"
    const dry = await send(api, file, "text/csv", "?type=deal&dry_run=true")
    assert.equal(dry.status, 200, dry.text)
    const { examples, counts_from, ...report } = dry.json
    assert.equal(counts_from, "file")
    assert.deepEqual(examples, [
      { line: 2, result: "created", before: null, after: { id: "d_planned", name: "Planned", amount: 1500 } },
    ])
    refusal(await api.request("/deals/d_planned"), 404, "not_found")
    const byPlan = (body: string, query = "") => send(api, body, "text/csv", `?plan_id=${report.plan_id}${query}`)
    const other = refusal(await byPlan(file.replace("amount", "value")), 409, "conflict")
    assert.match(other.message, /lacks 'amount' and adds 'value'/)
    refusal(await byPlan(file, "&dates=DMY"), 400, "bad_request")
    refusal(await send(api, file, "text/csv", "?plan_id=pln_unknown"), 404, "not_found")
    const { import_id: _, undo, ...planned } = (await byPlan(file)).json
    assert.deepEqual([planned, undo], [report, true])
    assert.equal((await api.get("/deals/d_planned")).amount, 1500)
    assert.equal((await imported(api, [{ type: "deal", id: "d_planned", deleted: true }])).deleted, 1)
  },
  "`empty=clear` clears the field of an empty cell": async (api) => {
    const [before] = await api.get("/deals", { deal_ids: ["d05"], columns: "region,updated_at" })
    const rows = "id,region\r\nd05,\r\n"
    assert.equal((await send(api, rows, "text/csv", "?type=deal")).json.unchanged, 1)
    assert.equal((await send(api, rows, "text/csv", "?type=deal&empty=clear")).json.updated, 1)
    assert.equal((await api.get("/deals", { deal_ids: ["d05"], columns: "region" }))[0].region, null)
    await imported(api, [{ type: "deal", id: "d05", region: before.region, updated_at: before.updated_at }])
    assert.deepEqual(await api.get("/deals", { deal_ids: ["d05"], columns: "region,updated_at" }), [before])
  },
  "Idempotency-Key replays the reply": async (api) => {
    const headers = { "idempotency-key": crypto.randomUUID() }
    const body = ndjson([{ type: "owner", id: "o_bob", name: "Bob Noyce" }])
    const first = await send(api, body, "application/x-ndjson", "", headers)
    const second = await send(api, body, "application/x-ndjson", "", headers)
    assert.equal(first.status, 200)
    assert.equal(second.text, first.text)
    assert.equal(second.headers.get("idempotent-replayed"), "true")
  },
})
