import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Browser, chromium as browsers } from "playwright-core"
import { build } from "vite"
import { installPackages } from "../../build/installPackages.ts"
import { drawForView, readReportView } from "../../src/core/mcp/reportView.ts"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { until } from "../support/until.ts"

const HOST = join(import.meta.dirname, "assistants/appHost.js")

const rowOf = (region: string, deals: number) => ({ group: { region }, values: { deals }, filters: {}, partial: false })
const drawn = drawForView(
  {
    figure: { subject: "deals", query: { measures: ["deals"], groupBy: ["region"], filters: {}, limit: 10 } },
    report: { data: [rowOf("<b>EMEA</b>", 1200), rowOf("AMER", 800)], totals: { values: { deals: 2000 } } },
    currency: "EUR",
  } as never,
  { rows: [{}, {}], totals: { url: "https://sightline.example/r/1" } },
)

describe(
  "the view of a report in an assistant, with the host's side of the official package",
  needs("chromium", chromium !== undefined),
  () => {
    let browser: Browser
    let host = ""
    beforeAll(async () => {
      await installPackages("test/mcp/assistants")
      const built = await build({
        configFile: false,
        logLevel: "error",
        build: { write: false, minify: false, lib: { entry: HOST, formats: ["iife"], name: "host" } },
      })
      const [output] = Array.isArray(built) ? built : [built]
      host = (output as any).output[0].code
      browser = await browsers.launch({ executablePath: chromium!, args: ["--no-sandbox"] })
    })
    afterAll(() => browser?.close())

    const show = async (theme: "light" | "dark", width: number, result: object) => {
      const page = await browser.newPage({ viewport: { width, height: 700 } })
      const said: Array<string> = []
      page.on("console", (message) => /^(?:error|warning)$/.test(message.type()) && said.push(message.text()))
      page.on("request", (request) => /^https?:/.test(request.url()) && said.push(request.url()))
      await page.setContent("<!doctype html><title>Assistant</title><body></body>")
      await page.addScriptTag({ content: host })
      const html = (await Effect.runPromise(readReportView)).contents[0]!.text
      await page.evaluate(([html, result, theme]) => (globalThis as any).showView(html, result, theme), [
        html,
        result,
        theme,
      ] as const)
      const seen = () => page.evaluate(() => (globalThis as any).seen)
      const frame = page.frames()[1]!
      return { page, frame, said, seen }
    }

    it.each([
      ["light", 360],
      ["dark", 1280],
    ] as const)("shows it, %s, at %i px, without a request or an error", async (theme, width) => {
      const { page, frame, said, seen } = await show(theme, width, { content: [], _meta: drawn })
      await frame.locator("table").waitFor()
      assert.deepStrictEqual(await frame.locator("tbody td").allTextContents(), ["<b>EMEA</b>", "1,200", "AMER", "800"])
      assert.strictEqual(await frame.locator("svg[role=img]").count(), 1)
      const ink = await frame.evaluate(() => getComputedStyle(document.body).color)
      assert.strictEqual(ink, theme === "dark" ? "rgb(230, 233, 239)" : "rgb(27, 31, 39)")
      await until("it says how high it is", async () => (await seen()).sizes.some(({ height }: any) => height > 100))
      assert.isAtMost(await frame.evaluate(() => document.documentElement.scrollWidth), width)
      await frame.getByText("Open in Sightline").click()
      await until("the host opens the link", async () => (await seen()).opened.length === 1)
      assert.deepStrictEqual((await seen()).opened, ["https://sightline.example/r/1"])
      assert.deepStrictEqual(await page.evaluate(() => (globalThis as any).tearDown()), {})
      assert.deepStrictEqual(said, [])
      await page.close()
    })

    it("shows the words of a result without a drawing, and runs no script in them", async () => {
      const text = '<img src="x" onerror="document.title = 1">'
      const { page, frame } = await show("light", 800, { content: [{ type: "text", text }], isError: true })
      await frame.getByText("onerror").waitFor()
      assert.strictEqual(await frame.title(), "Report · Sightline")
      await page.close()
    })
  },
)
