import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { type Browser, chromium as browsers } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { bundleEverywhere, SEEN } from "./everywhereBundle.ts"
import { type FlakyProxy, startFlakyProxy } from "./flakyProxy.ts"
import { startServer, type TestServer } from "./server.ts"

const ROOT = join(import.meta.dirname, "../..")
const run = promisify(execFile)
const HANG_MS = 600_000

describe("the client runs on", () => {
  let server: TestServer
  let proxy: FlakyProxy
  /** Serves a page on another origin than the API's. */
  let pages: Server
  let origin = ""
  const directory = mkdtempSync(join(ROOT, "node_modules", ".client-"))

  beforeAll(async () => {
    const module = await bundleEverywhere()
    writeFileSync(join(directory, "program.js"), module)
    pages = createServer(({ url }, reply) => {
      const type = url === "/program.js" ? "text/javascript" : "text/html"
      reply.writeHead(200, { "content-type": type }).end(url === "/program.js" ? module : "<!doctype html>")
    })
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve))
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    server = await startServer({ corsOrigins: [origin] })
    proxy = await startFlakyProxy(server.url)
  })
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true })
    pages.close()
    await proxy.close()
    await server.close()
  })

  /** Its first connections break, the stream of its answer too. */
  const breakConnections = () => {
    const uploaded = ["pass", "pass", "lose reply", "pass"] as const
    proxy.fail("refuse", ...uploaded)
    proxy.cutNextStream()
  }

  for (const [runtime, command] of Object.entries({
    Node: ["node"],
    Bun: ["bun"],
    Deno: ["deno", "run", "--quiet", "--allow-net=127.0.0.1"],
  })) {
    it(`${runtime}, over a connection that breaks`, async () => {
      breakConnections()
      const script = join(directory, `${runtime}.js`)
      const call = `useClient(${JSON.stringify(proxy.url)}, ${JSON.stringify(server.key)})`
      writeFileSync(script, `import { useClient } from "./program.js"\nconsole.log(JSON.stringify(await ${call}))\n`)
      const [program, ...args] = command
      const { stdout } = await run(join(ROOT, "node_modules/.bin", program!), [...args, script])
      assert.deepStrictEqual(JSON.parse(stdout), SEEN)
      assert.isTrue(proxy.hasCutStream())
    })
  }

  describe("a browser", needs("chromium", chromium !== undefined), () => {
    let browser: Browser
    beforeAll(async () => {
      const args = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
      browser = await browsers.launch({ executablePath: chromium!, args, timeout: HANG_MS })
    })
    afterAll(() => browser.close())

    it("from another origin, over a connection that breaks", async () => {
      breakConnections()
      const page = await browser.newPage()
      page.setDefaultTimeout(HANG_MS)
      await page.goto(origin, { waitUntil: "load" })
      const call = `useClient(${JSON.stringify(proxy.url)}, ${JSON.stringify(server.key)})`
      const seen = await page.evaluate(`import("/program.js").then(({ useClient }) => ${call})`)
      assert.deepStrictEqual(seen, SEEN)
      assert.isTrue(proxy.hasCutStream())
      await page.close()
    })
  })
})
