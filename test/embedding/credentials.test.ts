import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { getRequestListener } from "@hono/node-server"
import { type Browser, chromium as browsers } from "playwright-core"
import { rolldown } from "rolldown"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, Organizations, type Sightline } from "../../src/core/Sightline.ts"
import { chromium } from "../support/chromium.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { needs } from "../support/needs.ts"
import { layerLibrary } from "../support/web.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const HANG_MS = 600_000

const listen = async (answer: RequestListener) => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const bundleClient = async () => {
  const built = await rolldown({
    input: join(import.meta.dirname, "../../src/adapters/client/client.ts"),
    platform: "browser",
  })
  const { output } = await built.generate({ format: "esm" })
  await built.close()
  return output[0].code
}

/** A page of the host itself, without a script. */
const FORM = `<!doctype html><form method="post" enctype="multipart/form-data" action="/api/v1/documents/library?form=1">
<input name="type" value="intel"><input name="competitor_name" value="Orvanta"><input name="replaces">
<input type="file" name="file"><button>Send</button></form>`

/** Runs in the page. */
const program = `async (baseUrl) => {
  const { createClient } = await import("/client.js")
  const client = createClient({ baseUrl, credentials: "include", maxRetries: 0 })
  try {
    const { created } = await client.workspace.import({ records: [{ type: "competitor", name: "Orvanta" }] })
    const progress = []
    const file = new File(["Orvanta charges $40."], "prices.md", { type: "text/markdown" })
    await client.library.uploadToLibrary({ file, type: "intel", competitor_name: "Orvanta" }, { onProgress: () => progress.push(1) })
    const { identities } = await client.access.usage()
    return { created, sent: progress.length > 0, who: identities.map(({ name }) => name) }
  } catch (error) {
    return { code: error.code, status: error.status }
  }
}`

describe(
  "a page of another origin, whose reader the host knows by a cookie",
  needs("chromium", chromium !== undefined),
  () => {
    const closing: Array<() => unknown> = []
    let browser: Browser
    let sightline: Sightline
    let api = ""
    let named = ""
    let unnamed = ""

    beforeAll(async () => {
      const client = await bundleClient()
      const page: RequestListener = ({ url }, reply) => {
        const isScript = url === "/client.js"
        reply.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" })
        reply.end(isScript ? client : "<!doctype html>")
      }
      const pages = [await listen(page), await listen(page)]
      ;[named, unnamed] = pages.map(({ origin }) => origin) as [string, string]
      sightline = await open({
        database: layerEmbedded,
        library: layerLibrary(),
        background: false,
        corsOrigins: [named],
        principal: (request) =>
          request.headers.get("cookie")?.includes("session=ada")
            ? { organization: "org_host", role: "owner", identity: { id: "ada", name: "Ada" } }
            : undefined,
      })
      await sightline.ready({ seconds: 600 })
      await sightline.run(Organizations.use(({ create }) => create({ id: "org_host", name: "Host", plan: UNLIMITED })))
      const answer = getRequestListener(sightline.handler)
      const host = await listen((request, reply) => {
        if (request.url === "/form") return reply.writeHead(200, { "content-type": "text/html" }).end(FORM)
        if (request.url !== "/login") return answer(request, reply)
        reply.writeHead(200, { "set-cookie": "session=ada; HttpOnly; SameSite=Lax; Path=/" }).end()
      })
      api = host.origin
      browser = await browsers.launch({ executablePath: chromium!, args: ["--no-sandbox"], timeout: HANG_MS })
      closing.push(
        () => browser.close(),
        () => sightline.dispose(),
        host.close,
        ...pages.map(({ close }) => close),
      )
    })
    afterAll(async () => {
      for (const close of closing) await close()
    })

    const callFrom = async (origin: string, isSignedIn = true) => {
      const context = await browser.newContext()
      const page = await context.newPage()
      page.setDefaultTimeout(HANG_MS)
      if (isSignedIn) await page.goto(`${api}/login`)
      await page.goto(origin)
      const seen = await page.evaluate(`(${program})(${JSON.stringify(api)})`)
      await context.close()
      return seen
    }

    it("calls the API without a key, if `corsOrigins` names its origin", async () => {
      assert.deepStrictEqual(await callFrom(named), { created: 1, sent: true, who: ["Ada"] })
    })

    it("uploads by a plain form of the host's own page", async () => {
      const context = await browser.newContext()
      const page = await context.newPage()
      page.setDefaultTimeout(HANG_MS)
      await page.goto(`${api}/login`)
      await page.goto(`${api}/form`)
      const buffer = Buffer.from("Orvanta charges $50.")
      await page.setInputFiles("input[type=file]", { name: "prices.txt", mimeType: "text/plain", buffer })
      const [reply] = await Promise.all([page.waitForNavigation(), page.click("button")])
      assert.strictEqual(reply?.status(), 200)
      assert.include(((await reply!.json()) as { document: object }).document, { file_name: "prices.txt" })
      await context.close()
    })

    it("is told that nobody is signed in, without a cookie", async () => {
      assert.deepStrictEqual(await callFrom(named, false), { code: "unauthorized", status: 401 })
    })

    it("reads nothing, if its origin is not named", async () => {
      assert.deepStrictEqual(await callFrom(unnamed), { code: "network_error", status: undefined })
    })

    it("gets no credentials of a host that lets every origin in, or that knows its users by keys", async () => {
      const options = { database: layerEmbedded, background: false }
      for (const instance of [
        await open({ ...options, corsOrigins: ["*"], principal: () => undefined }),
        await open({ ...options, corsOrigins: [named] }),
      ]) {
        await using sightline = instance
        await sightline.ready({ seconds: 600 })
        const reply = await sightline.handler(new Request(`${api}/api/v1/deals`, { headers: { origin: named } }))
        assert.isNotNull(reply.headers.get("access-control-allow-origin"))
        assert.isNull(reply.headers.get("access-control-allow-credentials"))
      }
    })
  },
)
