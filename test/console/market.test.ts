import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Page } from "playwright-core"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { onPage, readDocument } from "../support/readDocument.ts"
import { until } from "../support/until.ts"
import { startConsole } from "./browserOf.ts"
import { HOSTILE } from "./seed.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const closed = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10)

/** Two competitors and two features: Orvanta wins one of three deals, Nimbrel none. */
const RECORDS = [
  { type: "stage", id: "open", name: "Proposal", category: "open" },
  { type: "stage", id: "won", name: "Won", category: "won" },
  { type: "stage", id: "lost", name: "Lost", category: "lost" },
  { type: "competitor", id: "orvanta", name: `Orvanta ${HOSTILE}`, aliases: ["Orvanta"] },
  { type: "competitor", id: "nimbrel", name: "Nimbrel" },
  { type: "reason", id: "price", name: `Price ${HOSTILE}` },
  { type: "feature", id: "sso", name: `Single sign-on ${HOSTILE}`, product: "Core", product_area: HOSTILE },
  { type: "feature", id: "api", name: "Open API" },
  ...[
    ["d1", "won", 100, ["orvanta"]],
    ["d2", "lost", 300, ["orvanta", "nimbrel"]],
    ["d3", "open", 500, ["orvanta"]],
    ["d4", "won", 700, []],
  ].map(([id, status, amount, rivals]) => ({
    type: "deal",
    id,
    name: `Deal ${id as string} ${HOSTILE}`,
    amount,
    status,
    close_date: closed,
    client: `Account ${id as string}`,
    competitors: (rivals as ReadonlyArray<string>).map((competitor) => ({ competitor })),
    drivers: [{ reason: "price", positive: status === "won" }],
  })),
  ...[
    ["d2", "sso", false, `They could not sign in ${HOSTILE}`],
    ["d3", "sso", true, "They want it"],
    ["d4", "api", null, "It came up"],
  ].map(([deal, feature, sentiment, influence_summary]) => ({
    type: "association",
    deal,
    feature,
    sentiment,
    influence_summary,
    created_at: `${closed}T08:00:00Z`,
  })),
]

const prepare = Effect.gen(function* () {
  const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
  const report = yield* (yield* Import).records(org, Stream.fromIterable(RECORDS))
  if (report.failed > 0) return yield* Effect.die(new Error(JSON.stringify(report.errors)))
  yield* readDocument(org, [onPage(1, "Buyer: we also look at Orvanta, which is cheaper than you.")], {
    file_name: `Call ${HOSTILE}.pdf`,
    deal_id: "d3",
  })
  const keys = yield* ApiKeys
  return {
    org,
    admin: yield* keys.create(org, { name: "desk", role: "admin" }),
    blind: yield* keys.create(org, { name: "blind", role: "admin", permissions: ["documents.read"] }),
  }
})

describe("competitors and features in a browser", needs("chromium", chromium !== undefined), () => {
  let console_: Awaited<ReturnType<typeof startConsole>>
  let keys: Effect.Success<typeof prepare>

  beforeAll(async () => {
    console_ = await startConsole({
      prepare: Effect.map(prepare, (made) => void (keys = made)),
      expected: /status of 4(01|03|04)/,
    })
  })
  afterAll(async () => {
    await console_?.stopBrowser()
    await console_?.stopServer()
  })

  const open = async (path: string, key = keys.admin.key) => {
    const opened = await console_.signIn(key)
    await opened.page.goto(console_.url + path)
    await console_.settle(opened.page)
    return opened
  }
  const cells = async (page: Page, name: string) => {
    const row = page.locator(".ranking tbody tr", { hasText: name })
    await row.waitFor()
    return (await row.locator("td").allInnerTexts()).map((text) => text.trim())
  }

  it("lists competitors with their record, and the deals behind each figure", async () => {
    const { context, page } = await open("/competitors")
    assert.deepStrictEqual(await cells(page, "Orvanta <img"), ["3", "1", "1", "50.0%", "100", "300", "500"])
    assert.deepStrictEqual(await cells(page, "Nimbrel"), ["1", "0", "1", "0.0%", "0", "300", "0"])
    await page.getByRole("button", { name: "Win rate" }).click()
    await page.locator("th[aria-sort=descending]", { hasText: "Win rate" }).waitFor()
    await page.getByRole("searchbox", { name: "Search by name" }).fill("nimb")
    await page.locator(".ranking", { hasText: "Orvanta" }).waitFor({ state: "detached" })
    await page.getByRole("searchbox", { name: "Search by name" }).fill("nobody")
    await page.getByText("No such name").waitFor()
    await page.getByRole("searchbox", { name: "Search by name" }).fill("")
    await page.locator(".ranking tbody tr", { hasText: "Orvanta" }).locator("td").nth(2).getByRole("link").click()
    await page.getByText(/^1 deal, 300/).waitFor()
    await console_.close(context, page)
  })

  it("shows one competitor's quarters, reasons, documents and quotes of deals", async () => {
    const run = await fetch(`${console_.url}/api/v1/deals/d3/analysis`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.admin.key}` },
    })
    assert.strictEqual(run.status, 202)
    const { context, page } = await open("/competitors")
    await page.getByRole("link", { name: "Orvanta <img" }).click()
    await page.getByRole("heading", { name: "Orvanta <img" }).first().waitFor()
    await console_.settle(page)
    const column = page.locator(".chart a").first()
    assert.match((await column.locator("title").textContent())!, /Won 1, Lost 1, Win rate 50\.0%/)
    assert.strictEqual(await page.locator(".bars a", { hasText: "Price <img" }).count(), 2)
    await page.getByText("The library has no document about it.").waitFor()
    await until("the analysis has a quote", async () => {
      await page.reload()
      await console_.settle(page)
      return (await page.getByRole("button", { name: /cheaper than you/ }).count()) > 0
    })
    await page
      .getByRole("button", { name: /cheaper than you/ })
      .first()
      .click()
    await page.frameLocator(".source-panel iframe").locator("mark", { hasText: "Orvanta" }).first().waitFor()
    await page.getByRole("button", { name: "Close" }).click()
    await page.getByRole("link", { name: "Deal d3 <img" }).first().click()
    await page.getByRole("heading", { name: "Deal d3 <img" }).waitFor()
    await page.goto(`${console_.url}/competitors/none`)
    await page.getByText("There is nothing here").waitFor()
    await console_.close(context, page)
  })

  it("asks the documents when the reader chooses a topic, and not before", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    const asked: Array<string> = []
    page.on("request", (request) => {
      if (request.url().endsWith("/responses")) asked.push(request.postData() ?? "")
    })
    await page.goto(`${console_.url}/competitors/nimbrel`)
    await console_.settle(page)
    assert.lengthOf(asked, 0)
    await page.getByRole("button", { name: "Prices" }).click()
    await page.locator(".prose").waitFor()
    assert.include(asked[0], "What does Nimbrel charge?")
    await console_.close(context, page)
  })

  it("lists features by the revenue behind them, and shows accounts and quotes of one", async () => {
    const { context, page } = await open("/features")
    assert.deepStrictEqual(await cells(page, "Single sign-on"), ["500", "300", "0", "2", "2"])
    await page.getByRole("button", { name: "positive" }).click()
    await page.locator(".ranking tbody tr", { hasText: "Open API" }).waitFor({ state: "detached" })
    assert.deepStrictEqual(await cells(page, "Single sign-on"), ["500", "0", "0", "1", "1"])
    await page.getByRole("link", { name: "Single sign-on <img" }).click()
    await page.getByRole("heading", { name: "Single sign-on <img" }).waitFor()
    await console_.settle(page)
    assert.match(
      (await page.locator(".chart a").first().locator("title").textContent())!,
      /Positive 1, Neutral 0, Negative 1/,
    )
    await page.locator(".bars a", { hasText: "Account d3" }).waitFor()
    const quotes = await page.locator(".factors li .said").allInnerTexts()
    assert.deepStrictEqual(quotes, ["They want it", `They could not sign in ${HOSTILE}`])
    await page.locator(".factors li").last().getByRole("link", { name: "Deal d2" }).click()
    await page.getByRole("heading", { name: "Deal d2" }).waitFor()
    await console_.close(context, page)
  })

  it("says to a key without deals that it may not see them", async () => {
    for (const path of ["/competitors", "/features"]) {
      const { context, page } = await open(path, keys.blind.key)
      await page.getByText("You may not see this").first().waitFor()
      await console_.close(context, page)
    }
  })

  it("fits every width, and gives axe nothing serious", async () => {
    await console_.examine(keys.admin.key, ["/competitors", "/competitors/orvanta", "/features", "/features/sso"])
  })
})
