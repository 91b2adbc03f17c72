import assert from "node:assert/strict"
import { until } from "../../support/until.ts"
import { section } from "../Check.ts"
import { type Client, invalidFields, refusal } from "../Client.ts"
import { settled, taken, toDeal } from "../upload.ts"
import { makeKey } from "./keys.ts"

const TEXT =
  "# Call\n\nDana Reyes (Northwind): The price is too high for us.\n\nJo Lee (Acme Sales): We hear that often.\n\nDana Reyes (Northwind): Globex was too slow, though."

const send = (api: Client, method: string, path: string, body?: object, key?: string) =>
  api.request(path, {
    method,
    ...(key !== undefined && { key }),
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  })

/** Waits for a run to end. */
const ended = (api: Client, run: string): Promise<any> =>
  until(`run ${run} ends`, async () => {
    const found = await api.get(`/runs/${run}`)
    return !["queued", "running"].includes(found.status) && found
  })

/** Uploads a call to a deal and analyzes the deal. */
const analyzed = async (api: Client, deal: string): Promise<any> => {
  const { document } = await taken(
    toDeal(api, { deal_id: deal, file: new Blob([`${TEXT}\n\n${crypto.randomUUID()}`]) }),
  )
  await settled(api, document.id)
  const started = await send(api, "POST", `/deals/${deal}/analysis`)
  assert.equal(started.status, 202, started.text)
  const run = await ended(api, started.json.run_id)
  assert.deepEqual([run.status, run.deal_id, run.document_id], ["completed", deal, null])
  return { document, analysis: await api.get(`/deals/${deal}/analysis`) }
}

export const analysis = section("deal analysis", ["data", "documents"], {
  "a run finds verbatim quotes with their side and effect, and changes no column": async (api) => {
    const before = await api.get("/deals/d01")
    const { document, analysis } = await analyzed(api, "d01")
    assert.deepEqual([analysis.state, analysis.method, analysis.stale], ["ready", "extracted", false])
    const found = analysis.findings.filter((each: any) => each.document_id === document.id)
    assert.deepEqual(
      found.map(({ kind, target, effect, side }: any) => [kind, target.name, effect, side]),
      [
        ["driver", "Price", "negative", "buyer"],
        ["quote", "Price", "negative", "buyer"],
        ["competitor", "Globex", "positive", "buyer"],
      ],
    )
    const opened = await api.request(found[0].url, { key: "" })
    assert.ok(opened.text.includes(`<mark id="cited">${found[0].quote}</mark>`), "the link opens the quote")
    assert.deepEqual(await api.get("/deals/d01"), before)
  },
  "PATCH accepts a finding, publishes it, and a rejection takes it back": async (api) => {
    const { analysis } = await analyzed(api, "d06")
    const rival = analysis.findings.find((each: any) => each.kind === "competitor")
    const path = `/deals/d06/analysis/findings/${rival.id}`
    const names = async () =>
      (await api.get("/deals/d06", { columns: "competitors" })).competitors.map((each: any) => each.name)
    assert.deepEqual(await names(), [])
    assert.equal((await send(api, "PATCH", path, { state: "accepted" })).json.state, "accepted")
    assert.deepEqual(await names(), ["Globex"])
    assert.equal((await send(api, "PATCH", path, { state: "rejected" })).json.state, "rejected")
    assert.deepEqual(await names(), [])
    assert.deepEqual(invalidFields(refusal(await send(api, "PATCH", path, { state: "maybe" }), 400, "bad_request")), [
      "state",
    ])
  },
  "verify is refused before a run, and sets analysis_verified after one": async (api) => {
    refusal(await send(api, "POST", "/deals/d11/analysis/verify"), 409, "conflict")
    await analyzed(api, "d12")
    const verified = await send(api, "POST", "/deals/d12/analysis/verify")
    assert.equal(verified.status, 200, verified.text)
    const deal = await api.get("/deals/d12")
    assert.deepEqual([deal.analysis_verified, deal.deal_analyzed], [true, false])
    assert.equal((await send(api, "PATCH", "/deals/d12", { analysis_verified: false })).status, 200)
  },
  "the queue lists deals by amount, and the quality has an interval": async (api) => {
    await analyzed(api, "d10")
    await analyzed(api, "d04")
    const amounts = (await api.get("/analysis/queue")).data.map(({ amount }: any) => amount ?? Number.MIN_SAFE_INTEGER)
    assert.ok(amounts.length >= 2)
    assert.deepEqual(
      amounts,
      amounts.toSorted((a: number, b: number) => b - a),
    )
    const quality = await api.get("/analysis/quality")
    for (const { precision, low, high } of quality.data)
      assert.ok(precision === null || (low <= precision && precision <= high))
    assert.ok(Array.isArray(quality.scores))
  },
  "labels list judgements as JSON, CSV and NDJSON": async (api) => {
    const { findings } = (await analyzed(api, "d10")).analysis
    const path = `/deals/d10/analysis/findings/${findings[0].id}`
    assert.equal((await send(api, "PATCH", path, { state: "rejected" })).status, 200)
    const label = (await api.get("/analysis/labels")).data.find(({ id }: any) => id === findings[0].id)
    assert.deepEqual([label.state, label.quote], ["rejected", findings[0].quote])
    for (const accept of ["text/csv", "application/x-ndjson"]) {
      const file = await api.request("/analysis/labels", { headers: { accept } })
      assert.ok(file.headers.get("content-type")?.startsWith(accept))
      assert.ok(file.text.includes(findings[0].id))
    }
  },
  "an unknown deal, finding or cursor is refused": async (api) => {
    for (const [method, path] of [
      ["GET", "/deals/d99/analysis"],
      ["POST", "/deals/d99/analysis"],
      ["POST", "/deals/d99/analysis/verify"],
    ] as const)
      refusal(await send(api, method, path), 404, "not_found")
    refusal(await send(api, "PATCH", "/deals/d01/analysis/findings/none", { state: "accepted" }), 404, "not_found")
    refusal(await api.request("/analysis/queue?cursor=x"), 400, "bad_request")
  },
  "viewers may not run or judge, members may not verify": async (api) => {
    const viewer = (await makeKey(api, { role: "viewer" })).key
    const member = (await makeKey(api, { role: "member" })).key
    refusal(await send(api, "POST", "/deals/d01/analysis", undefined, viewer), 403, "forbidden")
    refusal(await send(api, "POST", "/deals/analysis", {}, viewer), 403, "forbidden")
    refusal(await send(api, "POST", "/deals/d01/analysis/verify", undefined, member), 403, "forbidden")
  },
})

export const analysisOfTenants = section("deal analysis", ["data", "documents", "other"], {
  "another organization's key gets 404": async (api) => {
    refusal(await send(api, "GET", "/deals/d01/analysis", undefined, api.target.otherKey), 404, "not_found")
    refusal(await send(api, "POST", "/deals/d01/analysis", undefined, api.target.otherKey), 404, "not_found")
  },
})
