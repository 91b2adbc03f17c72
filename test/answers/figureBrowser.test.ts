import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Browser, chromium as browsers } from "playwright-core"
import { serve } from "../../src/adapters/node.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { Import } from "../../src/core/import/Import.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { chromium } from "../support/chromium.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { needs } from "../support/needs.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { layerLibrary } from "../support/web.ts"
import { records } from "./dealQuestions.ts"

/** A bound for a hang, not for slowness. */
const PATIENCE_MS = 600_000

/** Its name is wider than a telephone. */
const OWNER = { type: "owner", id: "o-long", name: "Wilhelmina van der Hoogen-Featherstonehaugh of Cholmondeley" }
const LOST = Array.from({ length: 40 }, (_, n) => ({
  type: "deal",
  id: `long${n}`,
  name: `Long ${n}`,
  owner: OWNER.id,
  status: "lost",
  amount: 1_000_000 + n,
  close_date: "2026-10-01",
}))

/** Measures a page of a report, in the browser. */
const measure = () => {
  const style = (selector: string) => getComputedStyle(document.querySelector(selector)!)
  const aligned = (row: Element) => [...row.children].map((cell) => getComputedStyle(cell).textAlign)
  const rows = [...document.querySelectorAll("table:first-of-type tr")].map(aligned)
  const cut = [...document.querySelectorAll("table")].filter(({ scrollWidth, parentElement }) => {
    const { overflowX } = getComputedStyle(parentElement!)
    return scrollWidth > parentElement!.clientWidth && overflowX !== "auto"
  })
  const bars = [...document.querySelectorAll(".chart g")].map((bar) => {
    const name = bar.querySelector<SVGSVGElement>(".name")!
    const isClipped = getComputedStyle(name).overflow === "hidden"
    return {
      name: name.getBoundingClientRect().left + (isClipped ? name.width.baseVal.value : Number.POSITIVE_INFINITY),
      value: bar.querySelector(":scope > text")!.getBoundingClientRect().left,
    }
  })
  const top = (selector: string) => document.querySelector(selector)!.getBoundingClientRect().top
  return {
    tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    alignments: [...new Set(rows.map((row) => row.join(" ")))],
    cut: cut.length,
    overlaps: bars.filter(({ name, value }) => name > value).length,
    bars: bars.length,
    isChartAbove: top(".chart") < top("table"),
    isMarked: style("tr.here td").backgroundColor !== style("tr:not(.here) td").backgroundColor,
    isLikeHeader: style("tr.here td").backgroundColor === style("thead th").backgroundColor,
  }
}

describe("the page of a report in a browser", needs("chromium", chromium !== undefined), () => {
  const scope = Effect.runSync(Scope.make())
  let browser: Browser
  let cited = ""

  beforeAll(async () => {
    let key = ""
    const prepare = Effect.gen(function* () {
      const { id } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
      const { failed } = yield* (yield* Import).records(id, Stream.fromIterable([...records(), OWNER, ...LOST]))
      assert.strictEqual(failed, 0)
      key = (yield* (yield* ApiKeys).create(id, { name: "reader", role: "viewer" })).key
    })
    const { url } = await Effect.runPromise(
      Scope.provide(serve({ database: layerEmbedded, library: layerLibrary(), port: 0, prepare }), scope),
    )
    const reply = await fetch(`${url}/api/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ messages: [{ role: "user", content: "lost amount by owner" }] }),
    })
    const { message } = (await reply.json()) as { message: { citations: ReadonlyArray<{ url: string }> } }
    cited = url + new URL(message.citations[0]!.url).pathname
    browser = await browsers.launch({ executablePath: chromium!, args: ["--no-sandbox"], timeout: PATIENCE_MS })
  })
  afterAll(async () => {
    await browser?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  for (const colorScheme of ["light", "dark"] as const) {
    it.each([360, 800, 1280])(
      `aligns headers like their cells, cuts nothing and marks the cited row unlike the header, ${colorScheme}, at %i px`,
      async (width) => {
        const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
        page.setDefaultTimeout(PATIENCE_MS)
        await page.goto(cited, { waitUntil: "load" })
        const { bars, alignments, ...facts } = await page.evaluate(measure)
        assert.deepStrictEqual(alignments, ["start end end"])
        assert.isAbove(bars, 1)
        assert.deepStrictEqual(facts, {
          tooWide: 0,
          cut: 0,
          overlaps: 0,
          isChartAbove: true,
          isMarked: true,
          isLikeHeader: false,
        })
        await page.close()
      },
    )
  }
})
