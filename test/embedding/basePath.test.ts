import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import { layerEmbedded } from "../support/embedded.ts"
import { serve } from "../../src/adapters/node.ts"
import { layerLibrary } from "../../src/adapters/library.ts"
import { ApiKeys, open, Organizations, type Sightline } from "../../src/core/Sightline.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const ORIGIN = "https://host.example"

/** Deals to page through. */
const RECORDS = readFileSync(new URL("../../docs/examples/records.ndjson", import.meta.url))

interface Mount {
  readonly sightline: Sightline
  readonly key: string
}

const mount = async (options: { readonly basePath?: string; readonly publicUrl?: string }): Promise<Mount> => {
  const sightline = await open({ database: layerEmbedded, library: layerLibrary(), background: false, ...options })
  await sightline.ready({ seconds: 600 })
  const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: UNLIMITED })))
  const { key } = await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "host", role: "owner" })))
  return { sightline, key }
}

/** Sends a request to an address as the handler sees it. */
const sendTo =
  ({ sightline, key }: Mount) =>
  async (url: string, init: RequestInit & { readonly headers?: Record<string, string> } = {}) => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers }
    const reply = await sightline.handler(new Request(url, { ...init, headers }))
    const text = await reply.text()
    const isJson = reply.headers.get("content-type") === "application/json" && text !== ""
    return { status: reply.status, headers: reply.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }

const post = (body: unknown, type = "application/json") => ({
  method: "POST",
  headers: { "content-type": type },
  body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
})

describe("a service with a base path", () => {
  let mounted: Mount
  let send: ReturnType<typeof sendTo>
  beforeAll(async () => {
    mounted = await mount({ basePath: "/intel" })
    send = sendTo(mounted)
    const imported = await send(`${ORIGIN}/intel/api/v1/import`, post(RECORDS, "application/x-ndjson"))
    assert.strictEqual(imported.status, 200, imported.text)
  })
  afterAll(() => mounted.sightline.dispose())

  it.each(["/health/live", "/api/v1/deals", "/", "/intelligence", "/intelx/health/live", "/INTEL/health/live"])(
    "refuses %s, outside it, with a 404 in the envelope",
    async (path) => {
      const { status, json, headers } = await send(`${ORIGIN}${path}`)
      assert.strictEqual(status, 404)
      assert.deepStrictEqual(json.error, { code: "not_found", message: "this service answers below /intel only" })
      assert.isNotNull(headers.get("x-request-id"))
    },
  )

  it("answers below it, and its 404 and 405 name paths below it", async () => {
    assert.strictEqual((await send(`${ORIGIN}/intel/health/ready`)).status, 200)
    for (const path of ["/intel", "/intel?a=1", "/intel/", "/intel/api/v1/nothing"]) {
      const { status, json } = await send(`${ORIGIN}${path}`)
      assert.deepStrictEqual(
        [status, json.error.message],
        [404, "this path does not exist; /intel/openapi.json lists the paths"],
      )
    }
    const { status, headers } = await send(`${ORIGIN}/intel/docs`, { method: "DELETE" })
    assert.deepStrictEqual([status, headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
  })

  it("serves descriptions whose requests go below it", async () => {
    const { json } = await send(`${ORIGIN}/intel/openapi.json`)
    assert.deepStrictEqual(json.servers, [{ url: "/intel", description: "This server" }])
    assert.match((await send(`${ORIGIN}/intel/docs`)).text, /"servers":\[\{"url":"\/intel"/)
  })

  it("serves MCP below it", async () => {
    const { status, json } = await send(
      `${ORIGIN}/intel/mcp`,
      post({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    )
    assert.strictEqual(status, 200)
    assert.isAbove(json.result.tools.length, 0)
  })

  it("links to pages of a list, documents and downloads that open", async () => {
    const { headers } = await send(`${ORIGIN}/intel/api/v1/deals?page_size=1`)
    const next = /^<(.+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1] ?? ""
    assert.match(next, /^https:\/\/host\.example\/intel\/api\/v1\/deals\?/)
    assert.lengthOf((await send(next)).json, 1)

    const file = {
      content_type: "text/plain",
      file_name: "a.txt",
      type: "intel",
      competitor_name: "Rival Systems",
      file_base64: btoa("Prices rose."),
    }
    const { document } = (await send(`${ORIGIN}/intel/api/v1/documents/library`, post(file))).json
    await mounted.sightline.tick({ seconds: 600 })
    const { url } = (await send(`${ORIGIN}/intel/api/v1/documents/${document.id}`)).json
    assert.match(url, /^https:\/\/host\.example\/intel\/v\//)
    const page = await send(url)
    assert.include(page.text, "Prices rose.")
    const original = /href="([^"]+\/original[^"]*)"/.exec(page.text)?.[1] ?? ""
    assert.strictEqual((await send(new URL(original.replaceAll("&amp;", "&"), url).href)).text, "Prices rose.")

    const asked = await send(`${ORIGIN}/intel/api/v1/deals/export`, post({ columns: ["name"] }))
    const location = asked.headers.get("location") ?? ""
    assert.match(location, /^https:\/\/host\.example\/intel\/api\/v1\/deals\/export\//)
    await mounted.sightline.tick({ seconds: 600 })
    const { download_url } = (await send(location)).json
    assert.match(download_url, /^https:\/\/host\.example\/intel\/exports\//)
    assert.match((await send(download_url)).text, /^name\r\n/)
  })
})

it("links start with a public address whose path the host removes", async () => {
  const mounted = await mount({ publicUrl: `${ORIGIN}/intel/` })
  const send = sendTo(mounted)
  const { headers } = await send("http://internal/api/v1/deals/export", post({ columns: ["name"] }))
  assert.match(headers.get("location") ?? "", /^https:\/\/host\.example\/intel\/api\/v1\/deals\/export\//)
  const { json } = await send("http://internal/openapi.json")
  assert.strictEqual(json.servers[0].url, `${ORIGIN}/intel`)
  await mounted.sightline.dispose()
})

it.each(["intel", "/intel/", "/", "", "/a//b", "/../a", "/a b", "/%61", 7])(
  "refuses %j as a base path, and says what is accepted",
  async (basePath) => {
    const error = await open({ database: layerEmbedded, basePath: basePath as string }).catch((error: any) => error)
    assert.strictEqual(error._tag, "InvalidOptions")
    assert.match(error.message, /^`basePath` must be a path such as \/intel/)
  },
)

it("refuses a public address without the base path: its links would not open", async () => {
  const options = { database: layerEmbedded, basePath: "/intel", publicUrl: "https://api.example.com" }
  const error = await open(options).catch((error: any) => error)
  assert.include(error.message, "`publicUrl` must end with the base path, /intel")
})

it("a server's address, which its links start with, ends with the base path", async () => {
  const served = Effect.gen(function* () {
    const { url } = yield* serve({ database: layerEmbedded, basePath: "/intel", port: 0 })
    const reply = yield* Effect.promise(() => fetch(`${url}/openapi.json`))
    return { url, description: (yield* Effect.promise(() => reply.json())) as any }
  })
  const { url, description } = await Effect.runPromise(Effect.scoped(served))
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/intel$/)
  assert.strictEqual(description.servers[0].url, url)
})
