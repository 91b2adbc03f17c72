import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, createClient } from "../../src/adapters/client/client.ts"
import { failureOf } from "./failures.ts"
import { startServer, type TestServer } from "./server.ts"

describe("the client, asked wrongly", () => {
  let server: TestServer
  let client: Client
  /** Requests, as `GET /api/v1/deals`. */
  let sent: Array<string> = []

  beforeAll(async () => {
    server = await startServer()
    client = createClient({
      baseUrl: server.url,
      key: server.key,
      fetch: (url, init) => {
        sent.push(`${init.method} ${new URL(url).pathname}`)
        return fetch(url, init)
      },
    })
  })
  afterAll(() => server.close())

  it("reports every problem of a request as a typed error", async () => {
    const wrong = await failureOf(client.deals.list({ status: ["Wun"], amount: { min: 5, max: 1 } }))
    assert.strictEqual(wrong.code, "bad_request")
    assert.strictEqual(wrong.status, 400)
    assert.match(wrong.requestId ?? "", /^[\w.-]+$/)
    assert.include(
      wrong.invalidFields.map(({ field }) => field),
      "amount",
    )
    const missing = await failureOf(client.access.createKey({ role: "viewer" } as never))
    assert.deepStrictEqual(missing.missingFields, ["name"])
    const unknown = await failureOf(client.access.createKey({ name: "x", role: "viewer", rolle: "x" } as never))
    assert.deepStrictEqual(unknown.unknownFields.length, 1)
    assert.strictEqual((await failureOf(client.deals.get({ id: "none" }))).code, "not_found")
    const refused = createClient({ baseUrl: server.url, key: "sl_live_wrong" })
    assert.strictEqual((await failureOf(refused.access.usage())).code, "unauthorized")
  })

  it.each(["", ".", ".."])("refuses the id %j, which would make another path", async (id) => {
    sent = []
    let refused: unknown
    try {
      await client.deals.delete({ id })
    } catch (error) {
      refused = error
    }
    assert.instanceOf(refused, TypeError)
    assert.isEmpty(sent)
  })

  it("passes odd ids through the path unchanged", async () => {
    const id = "a/b?c#d %2e ü"
    assert.strictEqual((await client.workspace.put({ kind: "reasons", id, name: "Odd" })).id, id)
    await client.workspace.delete({ kind: "reasons", id })
  })
})
