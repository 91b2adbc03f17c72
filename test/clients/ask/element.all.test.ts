import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cite, layerDouble, link, release, type Step, text } from "../../answers/double.ts"
import { startBrowser } from "../../console/browserOf.ts"
import { textOf } from "../../package/packed.ts"
import { chromium } from "../../support/chromium.ts"
import { needs } from "../../support/needs.ts"
import { startServer, type TestServer } from "../server.ts"
import { bundleFor, servePages } from "./pageServer.ts"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const [, EXAMPLE = ""] = /```html\n([^]*?)```/.exec(textOf("docs/react.md")) ?? []
const [, SCRIPT = ""] = /<script type="module">([^]*?)<\/script>/.exec(EXAMPLE) ?? []
const MARKUP = EXAMPLE.slice(0, EXAMPLE.indexOf("<script"))

describe("<sightline-ask>", needs("chromium", chromium !== undefined), () => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-element-"))
  const pages = new Map<string, string>()
  let web: Awaited<ReturnType<typeof servePages>>
  let double: TestServer
  let real: TestServer
  let browser: Awaited<ReturnType<typeof startBrowser>>

  beforeAll(async () => {
    web = await servePages(pages)
    double = await startServer({ answerer: layerDouble(), corsOrigins: [web.url] })
    real = await startServer({ corsOrigins: [web.url] })
    writeFileSync(join(directory, "page.js"), SCRIPT)
    pages.set("/page.js", await bundleFor("page.js", directory))
    pages.set("/style.css", ":root { color-scheme: light dark; background: Canvas; color: CanvasText }")
    pages.set("/favicon.ico", "")
    pages.set("/sightline-token", real.key)
    for (const [path, { url }] of [
      ["/real", real],
      ["/double", double],
    ] as const) {
      const markup = MARKUP.replace("https://sightline.example.com", url)
      const head =
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Host</title><link rel="stylesheet" href="/style.css">'
      pages.set(
        path,
        `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>Host</h1>${markup}</main><script type="module" src="/page.js"></script></body></html>`,
      )
    }
    browser = await startBrowser(web.url, /^$/)
  })
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true })
    await Promise.all([browser?.stopBrowser(), web?.close(), double?.close(), real?.close()])
  })

  const open = async (path: string, options: Parameters<typeof browser.open>[0] = {}) => {
    const { context, page } = await browser.open(options)
    await page.goto(web.url + path)
    await page.locator("textarea").waitFor()
    if (path === "/double") await page.evaluate(`document.querySelector("sightline-ask").token = "${double.key}"`)
    return { page, close: () => browser.close(context, page) }
  }
  const answered = (page: Page, count: number) =>
    page
      .locator('article[aria-busy="false"]')
      .nth(count - 1)
      .waitFor()
  const ask = (page: Page, steps: ReadonlyArray<Step>) =>
    page.evaluate(`void document.querySelector("sightline-ask").ask(${JSON.stringify(JSON.stringify(steps))})`)

  it("asks an offered question on a click", async () => {
    const { page, close } = await open("/real")
    await page.getByLabel("Your question").fill("Hello")
    await page.keyboard.press("Enter")
    const offer = page.locator("article li button").first()
    const question = (await offer.textContent()) ?? ""
    assert.match(question, /\?$/)
    await offer.click()
    await answered(page, 2)
    assert.strictEqual(await page.locator("article .question").nth(1).textContent(), question)
    await close()
  })

  it("answers as its page says, under a strict policy, with the host's token", async () => {
    const { page, close } = await open("/real")
    assert.isTrue(await page.getByText("Shown until the first question.").isVisible())
    await page.getByLabel("Your question").fill("Win rate by competitor")
    const said = page.waitForEvent("console", (message) => message.text().endsWith("sources"))
    await page.keyboard.press("Enter")
    await answered(page, 1)
    assert.isFalse(await page.getByText("Shown until the first question.").isVisible())
    const count = await page.locator(".sources li").count()
    assert.strictEqual((await said).text(), `${count} sources`)
    const numbers = new Set(await page.locator(".text a.mark").allTextContents())
    assert.sameMembers(
      [...numbers],
      Array.from({ length: count }, (_, index) => String(index + 1)),
    )
    assert.strictEqual(await page.getByLabel("Your question").inputValue(), "")
    assert.strictEqual(await page.getByRole("status").textContent(), "The answer is complete.")
    // The next question is a follow-up.
    await page.keyboard.type("and by region?")
    await page.getByRole("button", { name: "Ask" }).click()
    await answered(page, 2)
    await close()
  })

  it("has nothing that axe finds wrong and fits narrow and wide pages, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, close } = await open("/real", { colorScheme, bypassCSP: true })
      await page.evaluate(AXE)
      const examine = async () => {
        for (const width of [320, 768, 1920]) {
          await page.setViewportSize({ width, height: 800 })
          assert.isAtMost((await page.evaluate("document.documentElement.scrollWidth")) as number, width)
        }
        const found = await page.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + failureSummary)))",
        )
        assert.deepStrictEqual(found, [], colorScheme)
      }
      await examine()
      for (const [index, question] of [
        "Win rate by competitor",
        "List the lost deals",
        "How high is the moon?",
      ].entries()) {
        await page.getByLabel("Your question").fill(question)
        await page.keyboard.press("Enter")
        await answered(page, index + 1)
      }
      for (const summary of await page.locator("summary").all()) await summary.click()
      await examine()
      await close()
    }
  })

  it("stops by its button, keeps the text and the focus, and tries again after a failure", async () => {
    const { page, close } = await open("/double")
    const field = page.getByLabel("Your question")
    await field.fill(JSON.stringify([cite(1), text(`Won ${link(1)}`), { hold: "element" }, text(" all")]))
    await page.keyboard.press("Enter")
    await page.locator(".mark").waitFor()
    assert.strictEqual(await page.locator("article").getAttribute("aria-busy"), "true")
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByText("Stopped.").first().waitFor()
    assert.strictEqual(await page.locator(".text").textContent(), "Won Document 1\u00A01")
    await page.getByRole("button", { name: "Ask" }).waitFor()
    release("element")
    await ask(page, [text("So far"), { hold: "broken" }, { fail: "unavailable" }])
    await page.locator(".text").getByText("So far").last().waitFor()
    release("broken")
    await page.getByRole("alert").waitFor()
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("alert").waitFor({ state: "detached" })
    await page.getByRole("alert").waitFor()
    await close()
  })

  it("keeps what a reader selected while more arrives", async () => {
    const { page, close } = await open("/double")
    await ask(page, [text("First paragraph.\n\nSecond"), { hold: "selected" }, text(" goes on.\n\nThird.")])
    await page.locator(".text").getByText("Second").last().waitFor()
    await page.evaluate(
      `window.kept = document.querySelector("sightline-ask").shadowRoot.querySelector(".text").firstChild`,
    )
    release("selected")
    await answered(page, 1)
    assert.strictEqual(await page.locator(".text").textContent(), "First paragraph.Second goes on.Third.")
    assert.isTrue(await page.evaluate("window.kept.isConnected"))
    await close()
  })

  it("lets the host open a citation, and shows hostile text as text", async () => {
    const { page, close } = await open("/double")
    const hostile = "<img src=x onerror=\"document.title='pwned'\"> [x](javascript:document.title='pwned')"
    await ask(page, [cite(1), text(`${link(1)} ${hostile}`)])
    await answered(page, 1)
    assert.include((await page.locator(".text").textContent()) ?? "", '<img src=x onerror="document.title')
    assert.strictEqual(await page.locator('a[href^="javascript"]').count(), 0)
    await page.evaluate(
      `document.addEventListener("sightline-citation", (event) => { event.preventDefault(); window.opened = event.detail.number + event.detail.citation.document_name })`,
    )
    await page.getByRole("link", { name: "Source 1: Document 1.md" }).click()
    assert.strictEqual(await page.evaluate("window.opened"), "1Document 1.md")
    assert.lengthOf(page.context().pages(), 1)
    await close()
  })

  it("stops when it leaves the page, but not when it moves, and speaks the language around it", async () => {
    const { page, close } = await open("/double")
    await ask(page, [text("Be"), { hold: "moving" }, text("gin")])
    await page.locator(".text").getByText("Be").last().waitFor()
    await page.evaluate(`document.querySelector("h1").before(document.querySelector("sightline-ask"))`)
    release("moving")
    await answered(page, 1)
    assert.strictEqual(await page.locator(".text").textContent(), "Begin")
    const aborted = page.waitForEvent("requestfailed")
    await ask(page, [text("Be"), { hold: "leaving" }])
    await page.locator('article[aria-busy="true"] .text p').waitFor()
    await page.evaluate(`window.ask = document.querySelector("sightline-ask"); window.ask.remove()`)
    await aborted
    release("leaving")
    assert.strictEqual(await page.evaluate("window.ask.turns.at(-1).status"), "stopped")
    await page.evaluate(`
      const german = document.createElement("div")
      german.lang = "de-CH"
      german.innerHTML = '<sightline-ask placeholder="Los"></sightline-ask>'
      document.body.append(german)`)
    await page.getByRole("button", { name: "Fragen" }).waitFor()
    assert.strictEqual(await page.getByLabel("Ihre Frage").getAttribute("placeholder"), "Los")
    await close()
  })
})
