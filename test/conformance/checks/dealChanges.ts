import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { type Client, invalidFields, refusal } from "../Client.ts"
import { ndjson } from "../dataset.ts"
import { makeKey } from "./keys.ts"

const send = (api: Client, method: string, path: string, body?: object, key?: string) =>
  api.request(path, {
    method,
    ...(key !== undefined && { key }),
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  })

/** Creates a deal for one check and deletes it afterwards. */
const withDeal = async (api: Client, id: string, use: (path: string) => Promise<void>) => {
  const body = ndjson([{ type: "deal", id, name: "Conformance", amount: 10, region: "EMEA", status: "Qualified" }])
  const made = await api.request("/import", {
    method: "POST",
    body,
    headers: { "content-type": "application/x-ndjson" },
  })
  assert.equal(made.status, 200, made.text)
  try {
    await use(`/deals/${id}`)
  } finally {
    await send(api, "DELETE", `/deals/${id}`)
  }
}

export const dealChanges = section("PATCH and DELETE /deals/{id}", ["data"], {
  "PATCH changes the given fields, null clears, and the reply is the deal": async (api) =>
    withDeal(api, "d_patched", async (path) => {
      const before = await api.get(path)
      const reply = await send(api, "PATCH", path, { amount: 25, region: null })
      assert.equal(reply.status, 200, reply.text)
      const { updated_at, ...changed } = reply.json
      const { updated_at: _, ...kept } = before
      assert.deepEqual(changed, { ...kept, amount: 25, region: null })
      assert.ok(updated_at >= before.updated_at)
      assert.deepEqual(await api.get(path), reply.json)
      const [listed] = await api.get("/deals", { deal_ids: ["d_patched"] })
      assert.deepEqual([listed.amount, listed.region], [25, null])
    }),
  "PATCH refuses a wrong value or an unknown field, and changes nothing": async (api) =>
    withDeal(api, "d_refused", async (path) => {
      const before = await api.get(path)
      const wrong = await send(api, "PATCH", path, { amount: "much", name: "Changed" })
      assert.deepEqual(invalidFields(refusal(wrong, 400, "bad_request")), ["amount"])
      const unknown = await send(api, "PATCH", path, { colour: "red", name: "Changed" })
      assert.deepEqual(refusal(unknown, 400, "bad_request").details?.unknown_fields, ["colour"])
      assert.deepEqual(await api.get(path), before)
    }),
  "DELETE answers 204; then the deal is unknown and not listed": async (api) =>
    withDeal(api, "d_removed", async (path) => {
      const removed = await send(api, "DELETE", path)
      assert.equal(removed.status, 204, removed.text)
      assert.equal(removed.text, "")
      refusal(await api.request(path), 404, "not_found")
      refusal(await send(api, "DELETE", path), 404, "not_found")
      refusal(await send(api, "PATCH", path, { amount: 1 }), 404, "not_found")
      assert.equal((await api.get("/deals", { deal_ids: ["d_removed"], count: true })).count, 0)
    }),
  "viewers and members may neither change nor delete": async (api) =>
    withDeal(api, "d_kept", async (path) => {
      const before = await api.get(path)
      for (const role of ["viewer", "member"]) {
        const { key } = await makeKey(api, { role })
        refusal(await send(api, "PATCH", path, { amount: 1 }, key), 403, "forbidden")
        refusal(await send(api, "DELETE", path, undefined, key), 403, "forbidden")
      }
      assert.deepEqual(await api.get(path), before)
    }),
})

export const dealChangesOfTenants = section("PATCH and DELETE /deals/{id}", ["data", "other"], {
  "another organization's key gets 404": async (api) =>
    withDeal(api, "d_theirs", async (path) => {
      const before = await api.get(path)
      refusal(await send(api, "PATCH", path, { amount: 1 }, api.spare), 404, "not_found")
      refusal(await send(api, "DELETE", path, undefined, api.spare), 404, "not_found")
      assert.deepEqual(await api.get(path), before)
    }),
})
