import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NPM_OPTIONS } from "../../../build/installPackages.ts"
import { cite, citation, layerDouble, link, release, type Step, text } from "../../answers/double.ts"
import { startBrowser } from "../../console/browserOf.ts"
import { bin, execute, MANIFEST, pack, packagesFor, project, textOf } from "../../package/packed.ts"
import { chromium } from "../../support/chromium.ts"
import { needs } from "../../support/needs.ts"
import { until } from "../../support/until.ts"
import { bundleFor, servePages } from "../ask/pageServer.ts"
import { type FlakyProxy, startFlakyProxy } from "../flakyProxy.ts"
import { startServer, type TestServer } from "../server.ts"

const HOST = readFileSync(join(import.meta.dirname, "host.txt"), "utf8")
const [, EXAMPLE = ""] = /```tsx\n([^]*?)```/.exec(textOf("docs/react.md")) ?? []

const pageOf = (script: string) =>
  `<!doctype html><title>Host</title><div id="root"></div><script type="module" src="${script}"></script>`

const packed = mkdtempSync(join(tmpdir(), "sightline-packed-"))
const pages = new Map<string, string>()
let web: Awaited<ReturnType<typeof servePages>>
let double: TestServer
let real: TestServer
let proxy: FlakyProxy
let file = ""

beforeAll(async () => {
  file = await pack(packed)
  web = await servePages(pages)
  double = await startServer({ answerer: layerDouble(), corsOrigins: [web.url] })
  real = await startServer({ corsOrigins: [web.url] })
  proxy = await startFlakyProxy(double.url)
})
afterAll(async () => {
  rmSync(packed, { recursive: true, force: true })
  await Promise.all([web?.close(), double?.close(), real?.close(), proxy?.close()])
})

describe.each([18, 19])("sightline/react with React %i", (version) => {
  const app = project()

  beforeAll(async () => {
    for (const name of ["package.json", "package-lock.json"])
      app.write(name, textOf(`test/clients/react/react${version}/${name}`))
    await execute("npm", ["ci", ...NPM_OPTIONS], app.directory)
    await app.link(file, [...packagesFor("embed with PostgreSQL"), ...Object.keys(MANIFEST.dependencies)])
    app.write("host.tsx", HOST)
    // React 18 has no actions of forms.
    app.write("example.tsx", version === 18 ? EXAMPLE.replace(/<form action.*>/, "<form>") : EXAMPLE)
  })
  afterAll(() => app.remove())

  it("has types that compile in a host", async () => {
    const strict = [
      "--strict",
      "--exactOptionalPropertyTypes",
      "--noUncheckedIndexedAccess",
      "--noEmit",
      "--jsx",
      "react-jsx",
    ]
    const target = [
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
      "--target",
      "es2024",
      "--lib",
      "es2024,dom,dom.iterable",
    ]
    const types = ["--types", "react,react-dom", "--ignoreConfig"]
    await execute(bin("tsc"), [...strict, ...target, ...types, "host.tsx", "example.tsx"], app.directory)
    app.write("wrong.tsx", 'import { AnswerText } from "sightline/react"\nexport const a = <AnswerText text={1} />\n')
    const wrong = await execute(bin("tsc"), [...strict, ...target, ...types, "wrong.tsx"], app.directory).catch(String)
    assert.include(wrong, "wrong.tsx(2")
  })

  it("renders on a server", async () => {
    app.write(
      "server.mjs",
      `import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { AnswerCitations, AnswerText, useAnswer } from "sightline/react"
const citations = ${JSON.stringify([citation(1)])}
const turn = { id: "1", question: "Q", text: "Won **4** [1]\\n\\n| A |\\n|-:|\\n| <b> |", citations, status: "done" }
const Page = () => useAnswer({ client: {}, initialTurns: [turn] }).turns.map(({ id, text }) =>
  createElement("article", { key: id }, createElement(AnswerText, { text, citations }), createElement(AnswerCitations, { citations })))
console.log(renderToString(createElement(Page)))
`,
    )
    const html = await execute("node", ["server.mjs"], app.directory)
    assert.match(
      html,
      /^<article><p>Won <strong>4<\/strong>\s<sup><a href="https:[^"]+"[^>]*>\[1\]<\/a><\/sup><\/p><table>/,
    )
    assert.include(html, '<td data-align="right">&lt;b&gt;</td>')
  })

  describe("in a browser", needs("chromium", chromium !== undefined), () => {
    let browser: Awaited<ReturnType<typeof startBrowser>>
    beforeAll(async () => {
      mkdirSync(app.path("built"))
      pages.set("/host.js", await bundleFor("host.tsx", app.directory))
      pages.set("/host", pageOf("/host.js"))
      browser = await startBrowser(web.url, /^$/)
    })
    afterAll(() => browser?.stopBrowser())

    const open = async (server: { readonly url: string; readonly key: string }) => {
      const { context, page } = await browser.open()
      await page.goto(`${web.url}/host?${new URLSearchParams({ base: server.url, key: server.key }).toString()}`)
      await shown(page, "main")
      return { page, close: () => browser.close(context, page) }
    }
    const ask = (page: Page, steps: ReadonlyArray<Step>) =>
      page.evaluate(`void window.answer.ask(${JSON.stringify(JSON.stringify(steps))})`)
    const shown = (page: Page, selector: string) => page.locator(selector).waitFor({ state: "attached" })

    it("streams an answer, stops it, and sends a follow-up", async () => {
      const { page, close } = await open(double)
      const hold = `react${version}`
      await ask(page, [cite(1), text(`Won ${link(1)} of`), { hold }, text(" all")])
      await shown(page, '[data-status="streaming"] b[data-mark="Document 1.md"]')
      assert.strictEqual(await page.locator("article p").textContent(), "Won Document 1\u00A01 of")
      await page.evaluate("window.answer.stop()")
      await shown(page, 'article[data-status="stopped"]')
      release(hold)
      await ask(page, [text("# Second\n\n| A |\n|-|\n| 1 |")])
      await shown(page, 'main[data-status="ready"] article:nth-child(2)[data-status="done"] table.host')
      assert.strictEqual(await page.locator("article:nth-child(2) h4").textContent(), "Second")
      assert.strictEqual(await page.locator("article:nth-child(1) p").textContent(), "Won Document 1\u00A01 of")
      await page.evaluate("window.answer.resume()")
      await close()
    })

    it("answers the last of two rapid questions", async () => {
      const { page, close } = await open(double)
      await page.evaluate(
        `for (const word of ["one", "two"]) void window.answer.ask(JSON.stringify([{ type: "content_delta", content: word }]))`,
      )
      await shown(page, 'article:nth-child(2)[data-status="done"]')
      assert.strictEqual(await page.locator("article:nth-child(2)").textContent(), "two")
      assert.strictEqual(await page.locator("article:nth-child(1)").getAttribute("data-status"), "stopped")
      await close()
    })

    it("aborts when its component goes during an answer, without a word of React", async () => {
      const { page, close } = await open(double)
      const aborted = page.waitForEvent("requestfailed")
      await ask(page, [text("Be"), { hold: `never${version}` }])
      await shown(page, 'article[data-status="streaming"]')
      await page.evaluate("window.show(false)")
      await aborted
      await shown(page, "#root > p")
      await page.evaluate("window.show(true)")
      await shown(page, "main")
      assert.strictEqual(await page.locator("article").count(), 0)
      release(`never${version}`)
      await close()
    })

    it("goes on after its connection breaks", async () => {
      const { page } = await open({ url: proxy.url, key: double.key })
      proxy.cutNextStream()
      await ask(page, [text("One "), { hold: `cut${version}` }, text("two")])
      await until("the stream is cut", proxy.hasCutStream)
      release(`cut${version}`)
      await shown(page, 'article[data-status="done"]')
      assert.strictEqual(await page.locator("article").textContent(), "One two")
      await page.context().close()
    })

    // React 18 has no actions of forms.
    if (version === 19)
      it("runs the example of docs/react.md", async () => {
        app.write("example.tsx", EXAMPLE.replace("https://sightline.example.com", real.url))
        app.write(
          "main.tsx",
          `import { createRoot } from "react-dom/client"
import { Ask } from "./example.tsx"
createRoot(document.getElementById("root")!).render(<Ask />)
`,
        )
        pages.set("/example.js", await bundleFor("main.tsx", app.directory))
        pages.set("/example", pageOf("/example.js"))
        pages.set("/sightline-token", real.key)
        const { context, page } = await browser.open()
        await page.goto(`${web.url}/example`)
        await page.getByLabel("Question").fill("How many deals did we win?")
        await page.getByRole("button", { name: "Ask" }).click()
        await page.locator("ol > li > a").first().waitFor()
        assert.match((await page.locator("article").textContent()) ?? "", /4\b.+\[1\]/)
        await browser.close(context, page)
      })

    it("shows what Sightline answers", async () => {
      const { page, close } = await open(real)
      await page.evaluate('window.answer.ask("Win rate by competitor")')
      await shown(page, 'article[data-status="done"] table.host b[data-mark]')
      const items = await page.locator("article > ol > li").count()
      const marks = await page.locator("b[data-mark]").allTextContents()
      assert.deepStrictEqual(new Set(marks).size, items)
      await close()
    })
  })
})
