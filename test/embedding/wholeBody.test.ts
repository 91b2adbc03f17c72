import { createServer, type RequestListener, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Logger from "effect/Logger"
import { getRequestListener } from "@hono/node-server"
import { afterAll, beforeAll } from "vitest"
import { layerEmbedded } from "../support/embedded.ts"
import { layerLibrary } from "../../src/adapters/library.ts"
import { ApiKeys, open, Organizations, type Sightline } from "../../src/core/Sightline.ts"
import { UNLIMITED } from "../support/unlimited.ts"

/** The package has no types. */
interface Express {
  (): RequestListener & { readonly use: (...steps: ReadonlyArray<unknown>) => void }
  readonly json: () => unknown
  readonly raw: (options: { readonly type: string }) => unknown
}
const express: Express = createRequire(import.meta.url)("express")

const READ_BEFORE =
  "the host read the body of this request before Sightline could; mount Sightline before body parsers such as express.json()"

const COMPETITOR = '{"type":"competitor","name":"Orvanta"}'
const TWO_LINES = `${COMPETITOR}\n{"type":"competitor","name":"Ballista"}\n`

describe("a host that mounts the service after a body parser", () => {
  const logged: Array<string> = []
  let sightline: Sightline
  let key: string
  let server: Server
  let url: string

  beforeAll(async () => {
    const telemetry = Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])
    sightline = await open({ database: layerEmbedded, library: layerLibrary(), background: false, telemetry })
    await sightline.ready({ seconds: 600 })
    const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: UNLIMITED })))
    key = (await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "host", role: "owner" })))).key
    const app = express()
    app.use(
      "/parsed",
      express.json(),
      express.raw({ type: "application/x-ndjson" }),
      express.raw({ type: "multipart/*" }),
    )
    // Express takes the path of a mount away.
    app.use("/parsed", getRequestListener(sightline.handler))
    app.use(getRequestListener(sightline.handler))
    server = createServer(app)
    await new Promise<void>((resolve) => server.listen(0, resolve))
    url = `http://localhost:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await sightline.dispose()
  })

  const headersOf = (type?: string) => ({
    authorization: `Bearer ${key}`,
    ...(type !== undefined && { "content-type": type }),
  })
  const refusalOf = async (reply: Response) => {
    assert.strictEqual(reply.status, 500)
    assert.isNotNull(reply.headers.get("x-request-id"))
    assert.deepStrictEqual(await reply.json(), { error: { code: "internal_error", message: READ_BEFORE } })
    assert.include(logged.splice(0), READ_BEFORE)
  }
  const form = () => {
    const form = new FormData()
    form.set("file", new File(["Orvanta charges $40."], "prices.md"))
    return form
  }

  it.each<readonly [name: string, path: string, type?: string, body?: string]>([
    ["JSON", "/api/v1/keys", "application/json", '{"name":"x","role":"viewer"}'],
    ["an import", "/api/v1/import", "application/x-ndjson", COMPETITOR],
    ["MCP", "/mcp", "application/json", '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ["an upload", "/api/v1/documents/library"],
  ])("learns from the reply and the log what to change: %s", async (_, path, type, body) => {
    const init = { method: "POST", headers: headersOf(type), body: body ?? form() }
    await refusalOf(await fetch(`${url}/parsed${path}`, init))
  })

  it("gets answers where no parser came before", async () => {
    const headers = headersOf("application/x-ndjson")
    const reply = await fetch(`${url}/api/v1/import`, { method: "POST", headers, body: TWO_LINES })
    assert.strictEqual(reply.status, 200)
    assert.strictEqual((await fetch(`${url}/parsed/api/v1/deals`, { headers: headersOf() })).status, 200)
  })

  it("learns it from a request that a framework of the web has read or locked", async () => {
    const make = () =>
      new Request("http://localhost/api/v1/keys", {
        method: "POST",
        headers: headersOf("application/json"),
        body: "{}",
      })
    const used = make()
    await used.text()
    await refusalOf(await sightline.handler(used))
    const locked = make()
    locked.body!.getReader()
    await refusalOf(await sightline.handler(locked))
  })

  it("keeps the body of a request that its length refuses, which servers of hosts then read themselves", async () => {
    const headers = { ...headersOf("application/json"), "content-length": "2000000" }
    const request = new Request("http://localhost/api/v1/keys", { method: "POST", headers, body: "{}" })
    let looks = 0
    const looked = { get: () => void looks++ }
    Object.defineProperties(request, { body: looked, bodyUsed: looked })
    assert.strictEqual((await sightline.handler(request)).status, 413)
    assert.strictEqual(looks, 0)
  })

  it("does not blame the host for a body that the caller left empty", async () => {
    const headers = headersOf("application/json")
    const reply = await fetch(`${url}/api/v1/keys`, { method: "POST", headers })
    assert.strictEqual(reply.status, 400)
  })
})
