import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Browser, chromium as browsers } from "playwright-core"
import { serve } from "../../src/adapters/node.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { chromium } from "../support/chromium.ts"
import { engines } from "../support/engines.ts"
import { needs } from "../support/needs.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

/** A bound for a hang, not for slowness: the page has 3.4 MB of script. */
const PATIENCE_MS = 600_000

describe("/docs in a browser", needs("chromium", chromium !== undefined), () => {
  const scope = Effect.runSync(Scope.make())
  let browser: Browser
  let base = ""
  let key = ""

  beforeAll(async () => {
    const prepare = Effect.gen(function* () {
      const { id } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
      key = (yield* (yield* ApiKeys).create(id, { name: "docs", role: "owner" })).key
    })
    const started = serve({ database: engines.at(-1)!.database, port: 0, prepare }).pipe(Scope.provide(scope))
    base = (await Effect.runPromise(started)).url
    browser = await browsers.launch({ executablePath: chromium!, args: ARGS, timeout: PATIENCE_MS })
  })

  afterAll(async () => {
    await browser.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  for (const [method, path, tag, status] of [
    ["get", "/api/v1/deals", "deals", 200],
    ["post", "/api/v1/keys", "access", 201],
  ] as const) {
    it(`sends ${method} ${path} after the reader enters only the key`, async () => {
      const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
      page.setDefaultTimeout(PATIENCE_MS)
      const problems: Array<string> = []
      page.on("pageerror", (error) => problems.push(String(error)))
      await page.goto(`${base}/docs#tag/${tag}/${method.toUpperCase()}${path}`, { waitUntil: "commit" })
      const name = new RegExp(`Test Request\\s*\\(${method} ${path}\\)`, "i")
      await page.getByRole("button", { name }).first().click()
      await page.locator('input[placeholder="Token"]:visible').first().fill(key)
      const text = await page.evaluate(() => document.body.innerText)
      assert.notInclude(text, "[object Object]")
      const reply = page.waitForResponse((response) => response.url().endsWith(path))
      await page.locator("button:visible", { hasText: /^Send/ }).first().click()
      const response = await reply
      assert.strictEqual(response.status(), status, `${response.url()} ${await response.text()}`)
      assert.deepStrictEqual(problems, [])
      await page.close()
    })
  }
})
