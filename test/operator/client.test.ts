import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { createOperator, type Operator } from "../../src/adapters/client/operator.ts"
import { open, type Sightline } from "../../src/core/Sightline.ts"
import { codeOf } from "../clients/failures.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { layerLibrary } from "../support/web.ts"

const KEY = `op_${"k".repeat(40)}`

describe("sightline/client/operator", () => {
  let web: Sightline
  let operator: Operator
  const calls: Array<string> = []
  beforeAll(async () => {
    web = await open({ database: layerEmbedded, library: layerLibrary(), operatorKey: KEY, basePath: "/intel" })
    await web.ready({ seconds: 600 })
    operator = createOperator({
      baseUrl: "http://localhost/intel/",
      key: KEY,
      fetch: (url, init) => {
        calls.push(`${init.method} ${new URL(url).pathname}`)
        return web.handler(new Request(url, init))
      },
    })
  })
  afterAll(() => web.dispose())

  it("creates, finds, changes, lists and erases organizations", async () => {
    const { organizations } = operator
    const { id } = await organizations.create({ name: "Acme", plan: "growth" })
    assert.deepStrictEqual(await organizations.change(id, { plan: "enterprise" }), {
      id,
      name: "Acme",
      plan: "enterprise",
    })
    assert.deepStrictEqual(await organizations.find(id), { id, name: "Acme", plan: "enterprise" })
    const listed = await Array.fromAsync(organizations.list.each())
    assert.deepInclude(listed, { id, name: "Acme", plan: "enterprise", created_at: listed[0]!.created_at })
    assert.deepStrictEqual(await organizations.erase(id), { id, files: "removed" })
    assert.strictEqual(await codeOf(organizations.find(id)), "not_found")
    assert.throws(() => operator.of(".."), /must be an id/)
    assert.strictEqual(
      await codeOf(organizations.create({ name: "", plan: "growth" })),
      "bad_request",
      "a name must not be empty",
    )
  })

  it("has a client of one organization, which reaches files too", async () => {
    const { id } = await operator.organizations.create({ name: "Acme", plan: "essentials" })
    const acme = operator.of(id)
    const records = [{ type: "deal", id: "d1", name: "Renewal" } as const]
    assert.deepInclude(await acme.workspace.import({ records }), { created: 1, failed: 0 })
    const text = (words: string) => ({ file: new Blob([words], { type: "text/plain" }), file_name: "notes.txt" })
    const first = await acme.library.uploadToDeal({ ...text("The buyer asked for a discount."), deal_id: "d1" })
    await acme.waitForRun(first.run_id, { timeoutMs: 600_000 })

    const next = { ...text("The buyer dropped the discount."), deal_id: "d1" }
    const later = await acme.library.uploadToDeal({ ...next, replaces_same_name: true })
    assert.deepInclude(later.document, { version: 2, replaces: first.document.id })
    const beside = { ...text("Another note."), deal_id: "d1" }
    assert.strictEqual((await acme.library.uploadToDeal({ ...beside, replaces_same_name: false })).document.version, 1)
    const both = acme.library.uploadToDeal({ ...beside, replaces: first.document.id, replaces_same_name: true })
    assert.strictEqual(await codeOf(both), "bad_request")
    const json = { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` } }
    const misspelt = {
      file_name: "n.txt",
      content_type: "text/plain",
      file_base64: btoa("x"),
      replaces_same_name: "yes",
    }
    const url = `http://localhost/intel/operator/organizations/${id}/api/v1/deals/documents`
    const refused = await web.handler(
      new Request(url, { ...json, body: JSON.stringify({ ...misspelt, deal_id: "d1" }) }),
    )
    assert.match(await refused.text(), /replaces_same_name must be true or false/)

    const { export_id } = await acme.exports.create({ columns: ["name"] })
    const done = await acme.waitForExport(export_id, { timeoutMs: 600_000 })
    assert.strictEqual(await (await acme.exports.download(done)).text(), "name\r\nRenewal\r\n")
    const { data } = await acme.audit.list()
    assert.isTrue(data.every(({ actor }) => actor !== null && "operator" in actor))
    assert.isTrue(calls.every((call) => call.includes(" /intel/operator/organizations")))
  })

  it("does what docs/operator.md shows", async () => {
    const page = readFileSync(new URL("../../docs/operator.md", import.meta.url), "utf8")
    const [, block = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? []
    const [first = "", , ...rest] = block.split("\n")
    assert.strictEqual(first, 'import { createOperator } from "sightline/client/operator"')
    const body = rest.join("\n").replace(/createOperator\(.*\)/, "operator")
    const printed: Array<ReadonlyArray<string>> = []
    const log = (...words: ReadonlyArray<string>) => void printed.push(words)
    const AsyncFunction = (async () => {}).constructor as new (
      ...args: ReadonlyArray<string>
    ) => (...given: ReadonlyArray<unknown>) => Promise<void>
    await new AsyncFunction("given", "console", body.replace("const operator = operator", "const operator = given"))(
      operator,
      { log },
    )
    assert.deepInclude(printed, ["Acme", "growth"])
  })

  it("registers, lists and removes assistants", async () => {
    const { assistants } = operator
    const made = await assistants.add({ name: "Desk", redirect_uris: ["https://desk.example/callback"] })
    assert.deepStrictEqual((await assistants.list()).data, [made])
    const bad = assistants.add({ name: "Desk", redirect_uris: ["javascript:alert(1)"] })
    assert.strictEqual(await codeOf(bad), "bad_request")
    await assistants.remove(made.id)
    assert.deepStrictEqual((await assistants.list()).data, [])
    assert.strictEqual(await codeOf(assistants.remove(made.id)), "not_found")
  })
})
