import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { type Client, invalidFields, refusal } from "../Client.ts"

const KINDS = [
  "stages",
  "owners",
  "competitors",
  "reasons",
  "features",
  "segments",
  "regions",
  "industries",
  "deal_types",
  "product_labels",
  "tags",
  "metrics",
  "answers",
  "crm_properties",
]

const send = (api: Client, method: string, path: string, body?: object, key = api.spare) =>
  api.request(path, {
    method,
    key,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  })

export const workspace = section("Workspace", ["data"], {
  "GET /workspace has the settings and every kind, each entry with its number of deals": async (api) => {
    const { settings, duplicates, ...kinds } = await api.get("/workspace")
    assert.deepEqual(duplicates, [])
    assert.deepEqual(Object.keys(settings), [
      "name",
      "currency",
      "fiscal_start",
      "timezone",
      "our_names",
      "our_domains",
      "analysis",
      "analysis_budget",
      "links",
      "renewal_types",
      "no_decision",
      "rubrics",
    ])
    assert.deepEqual(Object.keys(kinds), KINDS)
    for (const stage of kinds.stages.data) {
      assert.deepEqual(Object.keys(stage), ["id", "name", "category", "position", "probability", "deals"])
      const { count } = await api.get("/deals", { status: [stage.id], count: true })
      assert.equal(stage.deals, count, stage.name)
    }
    for (const region of kinds.regions.data) {
      assert.deepEqual(Object.keys(region), ["id", "name", "deals"])
      assert.equal(region.id, null)
    }
  },
  "GET /workspace/{kind} answers like GET /workspace, searches names, and 404 names the kinds": async (api) => {
    const { competitors } = await api.get("/workspace")
    const page = await api.get("/workspace/competitors")
    assert.deepEqual(page.data, competitors.data)
    const found = await api.get("/workspace/competitors", { searchQuery: "GLOBEX" })
    assert.deepEqual(
      found.data.map(({ name }: { name: string }) => name),
      ["Globex"],
    )
    const { message } = refusal(await send(api, "GET", "/workspace/competitor"), 404, "not_found")
    for (const kind of KINDS) assert.ok(message.includes(kind), kind)
    assert.deepEqual(
      (await api.bad("/workspace/competitors", { cursor: "x" })).details?.invalid_fields?.map(({ field }) => field),
      ["cursor"],
    )
  },
  "PUT creates with 201 and changes with 200; DELETE answers 204, then 404": async (api) => {
    const path = "/workspace/competitors/conformance"
    const made = await send(api, "PUT", path, { name: "Conformance rival" })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.json, {
      id: "conformance",
      name: "Conformance rival",
      website_url: null,
      aliases: [],
      deals: 0,
    })
    const changed = await send(api, "PUT", path, { website_url: "https://rival.example" })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.json, { ...made.json, website_url: "https://rival.example" })
    refusal(await send(api, "PUT", "/workspace/competitors/another", { name: "CONFORMANCE RIVAL" }), 409, "conflict")
    assert.deepEqual(invalidFields(refusal(await send(api, "PUT", path, { category: "open" }), 400, "bad_request")), [
      "category",
    ])
    assert.equal((await send(api, "DELETE", path)).status, 204)
    refusal(await send(api, "DELETE", path), 404, "not_found")
  },
  "an entry in use is not deleted, and the refusal has the count": async (api) => {
    const { stages } = await api.get("/workspace")
    const used = stages.data.find(({ deals }: { deals: number }) => deals > 0)
    const reply = await send(api, "DELETE", `/workspace/stages/${used.id}`, undefined, api.target.key)
    assert.match(refusal(reply, 409, "conflict").message, /by \d+ deals?/)
  },
  "PUT /workspace changes the given settings, and refuses unknown ones": async (api) => {
    const { settings } = await api.get("/workspace", {}, { key: api.spare })
    const changed = await send(api, "PUT", "/workspace", { currency: "chf", fiscal_start: 7, timezone: "asia/kolkata" })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.json, { ...settings, currency: "CHF", fiscal_start: 7, timezone: "Asia/Kolkata" })
    const wrong = await send(api, "PUT", "/workspace", { currency: "euro", fiscal_start: 13, our_domains: ["x/y"] })
    assert.deepEqual(invalidFields(refusal(wrong, 400, "bad_request")), ["currency", "fiscal_start", "our_domains[0]"])
    const { currency, fiscal_start, timezone } = settings
    assert.deepEqual((await send(api, "PUT", "/workspace", { currency, fiscal_start, timezone })).json, settings)
  },
})
