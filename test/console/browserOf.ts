import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Browser, type BrowserContext, chromium as browsers, type Page } from "playwright-core"
import { buildConsole } from "../../build/console.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { serve } from "../../src/adapters/node.ts"
import type { OpenIdOptions } from "../../src/core/members/rules.ts"
import { chromium } from "../support/chromium.ts"
import { layerLibrary } from "../support/web.ts"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
/** A bound for a hang, not for slowness. */
const PATIENCE_MS = 600_000
/** A 401 is how the console learns that nobody is signed in. */
const EXPECTED = /status of 401/

type ContextOptions = Parameters<Browser["newContext"]>[0]
type Prepare = NonNullable<Parameters<typeof serve>[0]["prepare"]>

/** A server with the console, and a browser that opens it. `expected` matches errors of the browser that a test provokes. */
export const startConsole = async ({
  prepare,
  expected = EXPECTED,
  loopback = [],
  openId,
}: {
  readonly prepare?: Prepare
  readonly expected?: RegExp
  /** Ports of this machine that webhooks may reach. */
  readonly loopback?: ReadonlyArray<number>
  readonly openId?: OpenIdOptions
} = {}) => {
  await buildConsole()
  const scope = Effect.runSync(Scope.make())
  const options = {
    database: layerEmbedded,
    library: layerLibrary(loopback),
    port: 0,
    openId,
    ...(prepare && { prepare }),
  }
  const { url } = await Effect.runPromise(Scope.provide(serve(options), scope))
  return {
    ...(await startBrowser(url, expected)),
    stopServer: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  }
}

/** A browser for the console at `url`. */
export const startBrowser = async (url: string, expected = EXPECTED) => {
  const browser = await browsers.launch({ executablePath: chromium!, args: ["--no-sandbox"], timeout: PATIENCE_MS })
  const problems: Array<string> = []

  const open = async (options: ContextOptions = {}) => {
    const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 800 }, ...options })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    problems.splice(0)
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(`${message.text()} ${message.location().url}`)
    })
    page.on("pageerror", ({ message }) => problems.push(message))
    return { context, page }
  }

  const signIn = async (key: string, options: ContextOptions = {}) => {
    const opened = await open(options)
    await opened.page.goto(url)
    await opened.page.locator("input[name=key]").fill(key)
    await opened.page.locator("button.primary").click()
    await opened.page.locator(".shell").waitFor()
    return opened
  }

  /** Checks that no page ran a script of the data, broke the policy or failed. */
  const close = async (context: BrowserContext, page: Page) => {
    assert.notStrictEqual(await page.title(), "pwned")
    assert.strictEqual(await page.locator("img[src=x]").count(), 0)
    await context.close()
    assert.deepStrictEqual(
      problems.splice(0).filter((text) => !expected.test(text)),
      [],
    )
  }

  const settle = async (page: Page) => {
    await page.waitForLoadState("networkidle")
    // A function that waits inside the page would need `unsafe-eval`.
    await page.locator(".skeleton").first().waitFor({ state: "detached" })
  }

  /** Checks that pages fit every width and that axe finds nothing serious in them, light and dark: style alone differs. */
  const examine = async (key: string, paths: ReadonlyArray<string>) => {
    const { context, page } = await signIn(key, { bypassCSP: true })
    for (const path of paths) {
      await page.goto(url + path)
      await settle(page)
      await page.evaluate(AXE)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        // Colours change gradually.
        await page.evaluate("Promise.all(document.getAnimations().map(({ finished }) => finished))")
        const found = (await page.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, at: nodes.map(({ html, failureSummary }) => html + failureSummary).slice(0, 3) })))",
        )) as ReadonlyArray<{ readonly impact: string }>
        const serious = found.filter(({ impact }) => impact === "serious" || impact === "critical")
        assert.deepStrictEqual(serious, [], `${path}, ${colorScheme}`)
      }
      for (const width of [360, 768, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        assert.isAtMost((await page.evaluate("document.documentElement.scrollWidth")) as number, width, path)
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    }
    problems.splice(0)
    await close(context, page)
  }

  return { url, browser, problems, open, signIn, close, settle, examine, stopBrowser: () => browser.close() }
}
