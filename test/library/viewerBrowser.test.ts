import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Browser, chromium as browsers, type Page } from "playwright-core"
import { layerEmbedded } from "../support/embedded.ts"
import { serve } from "../../src/adapters/node.ts"
import type { Element } from "../../src/core/ports/document.ts"
import { ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { chromium } from "../support/chromium.ts"
import { inRow, onPage, readDocument } from "../support/readDocument.ts"
import { until } from "../support/until.ts"
import { layerLibrary } from "../support/web.ts"
import { needs } from "../support/needs.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const words = (n: number) => `Paragraph ${n}. ${"The buyer asked about terms, and was told. ".repeat(8)}`.trim()

const REPORT: ReadonlyArray<Element> = [
  onPage(1, "How the renewal was lost", "heading"),
  ...Array.from({ length: 12 }, (_, n) => onPage(Math.floor(n / 4) + 1, words(n))),
  onPage(4, "Prices", "heading"),
  onPage(4, "Rival cut its list price by a tenth."),
  onPage(4, "three years, paid yearly", "list-item"),
  onPage(4, "one year, paid monthly", "list-item"),
  onPage(4, "Plan\tSeats\tPrice", "table-row"),
  onPage(4, "Team\t25\tEUR 4,000", "table-row"),
  onPage(4, "Signed by: A. Buyer", "form-value"),
  ...Array.from({ length: 8 }, (_, n) => onPage(5, words(n))),
]

const SHEET: ReadonlyArray<Element> = [
  { kind: "heading", level: 1, text: "Q1 & Q2", place: { kind: "sheet", sheet: "Q1 & Q2", row: 1 } },
  ...Array.from({ length: 120 }, (_, n) =>
    inRow("Q1 & Q2", n + 1, `Account ${n}\tEUR ${n * 1000}\t${"a remark that is long ".repeat(3)}\tclosed`),
  ),
]

const CALL: ReadonlyArray<Element> = Array.from({ length: 30 }, (_, n) => ({
  kind: "speech",
  text: `Sentence ${n} of the call: the price is the question.`,
  place: { kind: "time", start: n * 3.5, end: n * 3.5 + 3.4, speaker: n % 2 === 0 ? "Buyer" : "Seller" },
}))

const DRIVER = "the price was a third above the next offer"
const DEAL = [
  {
    type: "deal",
    id: "d1",
    name: "Hütte & Söhne – renewal with a name that is long enough for two lines of a telephone",
    amount: 64_000,
    summary: { executive_summary: "They stayed. ".repeat(60), lessons_learned: ["Raise the price early."] },
    drivers: [{ reason: "Price", positive: false, summary: DRIVER }],
    deal_analyzed: true,
  },
]

const LONG = Array.from({ length: 900 }, (_, n) => onPage(n + 1, words(n)))

/** Silence, with one byte per sample. */
const wav = (seconds: number) => {
  const rate = 8000
  const view = new DataView(new ArrayBuffer(44 + rate * seconds))
  const ascii = (at: number, text: string) =>
    [...text].forEach((character, n) => view.setUint8(at + n, character.charCodeAt(0)))
  ascii(0, "RIFF")
  view.setUint32(4, 36 + rate * seconds, true)
  ascii(8, "WAVEfmt ")
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
    [40, rate * seconds],
  ] as const)
    view.setUint32(at, value, true)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    view.setUint16(at, value, true)
  ascii(36, "data")
  return new Uint8Array(view.buffer).fill(128, 44)
}

/** A bound for a hang, not for slowness. */
const PATIENCE_MS = 600_000

describe("the viewer in a browser", needs("chromium", chromium !== undefined), () => {
  const scope = Effect.runSync(Scope.make())
  const links: Record<string, string> = {}
  let browser: Browser
  let report = ""

  beforeAll(async () => {
    const prepare = Effect.gen(function* () {
      const { id } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
      const made = yield* readDocument(id, REPORT, {
        file_name: "Why we lost – Hütte & Söhne <2026>.pdf",
        warnings: [{ code: "pages_without_text", message: "Page 6 is a picture." }],
      })
      report = made.text
      links["report"] = made.url
      links["sheet"] = (yield* readDocument(id, SHEET, { file_name: "pipeline.xlsx" })).url
      const recording = { file_name: "call.wav", content_type: "audio/wav", bytes: wav(120) }
      links["call"] = (yield* readDocument(id, CALL, recording)).url
      links["long"] = (yield* readDocument(id, LONG)).url
      yield* (yield* Import).records(id, Stream.fromIterable(DEAL))
      const { text } = (yield* (yield* DealRecords).text(id, "d1"))!
      const start = text.indexOf(DRIVER)
      links["deal"] = yield* (yield* ViewerLinks).dealUrl(id, "d1", { start, end: start + DRIVER.length })
    })
    const options = { database: layerEmbedded, library: layerLibrary(), port: 0, prepare }
    const { url } = await Effect.runPromise(Scope.provide(serve(options), scope))
    for (const name of Object.keys(links)) links[name] = url + new URL(links[name]!).pathname
    browser = await browsers.launch({ executablePath: chromium!, args: ["--no-sandbox"], timeout: PATIENCE_MS })
  })
  afterAll(async () => {
    await browser?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** Opens a page. Violations of the policy and errors of scripts fail the test. */
  const open = async (url: string, options: Parameters<Browser["newPage"]>[0] = {}) => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, ...options })
    page.setDefaultTimeout(PATIENCE_MS)
    const problems: Array<string> = []
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()))
    page.on("pageerror", ({ message }) => problems.push(message))
    await page.goto(url, { waitUntil: "load" })
    assert.deepStrictEqual(problems, [])
    return page
  }

  const inView = (page: Page, selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      const covered = document.querySelector(".player")?.getBoundingClientRect().bottom ?? 0
      return top >= covered && bottom <= innerHeight
    })

  it("opens at the page, or at the cited passage, which is marked", async () => {
    const page = await open(`${links["report"]}#page=4`)
    assert.isTrue(await inView(page, `[id="page=4"] h2`))
    assert.isFalse(await inView(page, `h1`))
    const passage = "cut its list price"
    const start = report.indexOf(passage)
    const cited = await open(`${links["report"]}?start=${start}&end=${start + passage.length}#page=4`)
    assert.strictEqual(await cited.locator("mark").innerText(), passage)
    assert.isTrue(await inView(cited, "mark"))
    await page.close()
    await cited.close()
  })

  it("opens a deal's record at the cited passage", async () => {
    const page = await open(links["deal"]!)
    assert.strictEqual(await page.locator("mark").innerText(), DRIVER)
    assert.isTrue(await inView(page, "mark"))
    await page.close()
  })

  it("opens at a sheet row, with or without the sheet's name", async () => {
    for (const anchor of ["row=Q1%20%26%20Q2!90", "row=90"]) {
      const page = await open(`${links["sheet"]}#${anchor}`)
      assert.isTrue(await inView(page, `th[id$="!90"]`), anchor)
      await page.close()
    }
  })

  it("plays a recording from a second, and from a sentence that the reader chooses", async () => {
    const page = await open(`${links["call"]}#t=73`)
    const time = () => page.evaluate("document.querySelector('audio').currentTime") as Promise<number>
    await holds(page, "document.querySelector('audio').readyState >= 2")
    assert.strictEqual(await time(), 73)
    assert.match(await page.locator(".here").innerText(), /Sentence 20 /)
    assert.isTrue(await inView(page, ".here"))
    await page.goto(`${links["call"]}#t=70`)
    await page.reload()
    assert.isTrue(await inView(page, `[id="t=70"]`), "not behind the player")
    // A sentence of three seconds lasts for most of a minute, so that the page is seen in it.
    await page.evaluate("document.querySelector('audio').playbackRate = 1 / 16")
    await page.locator(`[id="t=35"] a`).click()
    await holds(page, "!document.querySelector('audio').paused && document.querySelector('audio').currentTime > 35")
    assert.isBelow(await time(), 38)
    assert.match(await page.locator(".here").innerText(), /Sentence 10 /)
    await page.close()
  })

  it("opens the part of a long document that contains the page", async () => {
    const page = await open(`${links["long"]}#page=880`)
    await page.waitForURL(/at=page%3D880/)
    await page.waitForLoadState()
    assert.isTrue(await inView(page, `[id="page=880"] h2`))
    await page.goto(`${links["long"]}#page=9999`)
    await page.waitForURL(/at=page%3D9999/)
    assert.match(await page.locator(".parts").first().innerText(), /Part 1 of/)
    await page.close()
  })

  it("fits 320 px, and works without scripts and by keyboard", async () => {
    for (const name of Object.keys(links)) {
      const page = await open(links[name]!, { viewport: { width: 320, height: 640 } })
      assert.isAtMost((await page.evaluate("document.documentElement.scrollWidth")) as number, 320, name)
      await page.keyboard.press("Tab")
      assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Skip to the text")
      await page.keyboard.press("Enter")
      assert.strictEqual(await page.evaluate("document.activeElement.id"), "text")
      assert.strictEqual(await page.locator("main").count(), 1)
      assert.strictEqual(await page.locator("h1").count(), 1)
      await page.close()
    }
    const plain = await open(`${links["report"]}#page=4`, { javaScriptEnabled: false })
    assert.isTrue(await inView(plain, `[id="page=4"] h2`))
    await plain.close()
  })
})

/** Polls from outside, because the page's policy forbids evaluating code in it. */
const holds = (page: Page, expression: string) => until(expression, () => page.evaluate(expression))
