import assert from "node:assert/strict"
import { until } from "../../support/until.ts"
import { section } from "../Check.ts"
import { type Client, invalidFields, refusal } from "../Client.ts"
import { type Imported, ndjson } from "../dataset.ts"

interface Change {
  readonly type: string
  readonly id: string
  readonly action: string
  readonly changed_at: string
  readonly cursor: string
}

const imported = async (api: Client, records: ReadonlyArray<unknown>): Promise<Imported> => {
  const headers = { "content-type": "application/x-ndjson" }
  const reply = await api.request("/import", { method: "POST", body: ndjson(records), headers })
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

const told = (changes: ReadonlyArray<Change>) => changes.map(({ action, type, id }) => `${action} ${type} ${id}`)

/** Polls for the first page that passes, because a change appears only after earlier transactions end. */
const pageWith = (api: Client, query: Record<string, string | number>, passes: (page: Page) => boolean) =>
  until("a page of changes with the expected ones", async () => {
    const page: Page = await api.get("/changes", query)
    return passes(page) && page
  })

interface Page {
  readonly data: ReadonlyArray<Change>
  readonly next_cursor: string
  readonly has_more: boolean
}

/** On the data set. The checks revert their changes. */
export const changes = section("GET /changes", ["data"], {
  "a page lists changes and has the next cursor": async (api) => {
    const first = { page_size: 2, types: "deal" }
    const { data, next_cursor, has_more } = await pageWith(api, first, (page) => page.has_more)
    assert.equal(data.length, 2)
    assert.equal(has_more, true)
    assert.equal(typeof next_cursor, "string")
    for (const change of data) {
      assert.deepEqual(Object.keys(change).sort(), ["action", "changed_at", "cursor", "id", "type"])
      assert.match(change.changed_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
    const following = { ...first, since: next_cursor }
    const next = await pageWith(api, following, (page) => page.data.length === 2)
    assert.equal(next.data.length, 2)
    assert.ok(next.data.every(({ id }: Change) => data.every((other: Change) => other.id !== id)))
  },
  "`now` starts empty; later changes appear once, unchanged things never": async (api) => {
    const before = await api.get("/deals/d06")
    const { data, next_cursor, has_more } = await api.get("/changes", { since: "now", types: "deal" })
    assert.deepEqual([data, has_more], [[], false])
    await imported(api, [{ type: "deal", id: "d06", region: "LATAM" }])
    await imported(api, [{ type: "deal", id: "d06", region: before.region, updated_at: before.updated_at }])
    const ofIt = ({ data }: Page) => told(data.filter(({ id }) => id === "d06"))
    const after = await pageWith(api, { since: next_cursor, types: "deal" }, (page) => ofIt(page).length > 0)
    assert.deepEqual(ofIt(after), ["updated deal d06"])
    const again = await imported(api, [
      { type: "deal", id: "d06", region: before.region, updated_at: before.updated_at },
    ])
    assert.equal(again.unchanged, 1)
    assert.deepEqual(ofIt(await api.get("/changes", { since: after.next_cursor, types: "deal" })), [])
  },
  "NDJSON has one change per line and ends with the next cursor": async (api) => {
    const reply = await api.request("/changes?types=association", { headers: { accept: "application/x-ndjson" } })
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get("content-type") ?? "", /^application\/x-ndjson/)
    const lines = reply.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    const end = lines.pop()
    assert.deepEqual(Object.keys(end).sort(), ["has_more", "next_cursor"])
    assert.equal(end.has_more, false)
    assert.equal(new Set(lines.map(({ id }: Change) => id)).size, lines.length)
    assert.ok(lines.length > 0)
    assert.deepEqual(Object.keys(lines[0]).sort(), [
      "action",
      "changed_at",
      "cursor",
      "deal_id",
      "feature_id",
      "id",
      "type",
    ])
  },
  "an invalid cursor, or one of other types, is refused": async (api) => {
    const { next_cursor } = await api.get("/changes", { since: "now", types: "deal" }, { key: api.spare })
    for (const query of [{ since: "yesterday" }, { since: next_cursor, types: "document" }]) {
      assert.deepEqual(invalidFields(await api.bad("/changes", query)), ["since"])
    }
    for (const types of ["stage", ","]) assert.deepEqual(invalidFields(await api.bad("/changes", { types })), ["types"])
    assert.deepEqual(invalidFields(await api.bad("/changes", { page_size: "0" })), ["page_size"])
  },
  "a type that the role may not read is refused by name": async (api) => {
    const made = await api.post("/keys", { name: "conformance", role: "viewer" }, { key: api.spare })
    const reply = await api.request("/changes?types=deal,export", { key: made.json.key })
    assert.match(refusal(reply, 403, "forbidden").message, /role 'viewer' cannot export deals/)
    assert.equal((await api.request("/changes", { key: made.json.key })).status, 200)
  },
})
