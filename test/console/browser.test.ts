import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Sessions } from "../../src/core/sessions/Sessions.ts"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { until } from "../support/until.ts"
import { startConsole } from "./browserOf.ts"
import { DEALS, LAST, seed } from "./seed.ts"

/** A 401 is how the console learns that nobody is signed in; a test opens the deal `none`. */
const EXPECTED = /status of 401|deals\/none/

describe("the console in a browser", needs("chromium", chromium !== undefined), () => {
  let console_: Awaited<ReturnType<typeof startConsole>>
  let keys: Effect.Success<typeof seed>
  let link = ""
  let url = ""

  beforeAll(async () => {
    const prepare = Effect.gen(function* () {
      keys = yield* seed
      const { admin, org } = keys
      link = (yield* (yield* Sessions).createLink(org, { keyId: admin.id, credential: admin.key, isLocal: true })).token
    })
    console_ = await startConsole({ prepare, expected: EXPECTED })
    url = console_.url
  })
  afterAll(async () => {
    await console_?.stopBrowser()
    await console_?.stopServer()
  })

  it("signs in with a key that script cannot read, and out", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    assert.notInclude(await page.evaluate("document.cookie"), "sightline")
    assert.notInclude(await page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})"), "sl_")
    const [cookie] = await context.cookies()
    assert.deepInclude(cookie, { name: "sightline_session", httpOnly: true, sameSite: "Strict" })
    await page.goto(`${url}/settings`)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.locator("input[name=key]").waitFor()
    assert.lengthOf(await context.cookies(), 0)
    await console_.close(context, page)
  })

  it("shows its name before its script arrives", async () => {
    const { context, page } = await console_.open()
    await page.route("**/console/*.js", () => undefined)
    await page.goto(url, { waitUntil: "commit" })
    await page.locator("main").getByText("Sightline").waitFor()
    await console_.close(context, page)
  })

  it("says why a key is refused, and keeps the page", async () => {
    const { context, page } = await console_.open()
    await page.goto(`${url}/deals`)
    await page.locator("input[name=key]").fill("sl_live_wrong")
    await page.locator("button.primary").click()
    await page.getByText("this API key is incomplete").waitFor()
    await page.locator("input[name=key]").fill(keys.admin.key)
    await page.locator("button.primary").click()
    await page.getByRole("heading", { name: "Deals" }).waitFor()
    await console_.close(context, page)
  })

  it("opens by a one-time link once, and drops its token from the address", async () => {
    const { context, page } = await console_.open()
    await page.goto(`${url}/sign-in#${link}`)
    await page.locator(".shell").waitFor()
    assert.notInclude(page.url(), "sl_link")
    await console_.close(context, page)
    const replayed = await console_.open()
    await replayed.page.goto(`${url}/sign-in#${link}`)
    await replayed.page.getByText("this link was used before").waitFor()
    await console_.close(replayed.context, replayed.page)
  })

  it("shows the figures of the period, and the deals behind a figure", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.getByRole("button", { name: "Last 12 months" }).click()
    const figure = page.locator(".figures:not(.stale) .figure", { hasText: "Lost" }).first()
    const count = /(\d+) deals/.exec(await figure.innerText())?.[1]
    assert.isDefined(count)
    await figure.click()
    await page.getByText(`${count} deals, `).waitFor()
    await page.goBack()
    await console_.settle(page)
    const column = page.locator(".chart a").last()
    const name = (await column.locator("title").textContent())!
    const [won, lost] = [/Won (\d+)/, /Lost (\d+)/].map((part) => Number(part.exec(name)?.[1]))
    await column.click()
    const shown = Number(
      /^(\d+) deals/.exec(await page.locator(".page-head > p", { hasText: " deals, " }).innerText())?.[1],
    )
    assert.isAtLeast(shown, won! + lost!)
    await console_.close(context, page)
  })

  it("scrolls to the last of all deals, sorts, searches and filters them by names", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${url}/deals`)
    await page.getByText(`${DEALS} deals, `).waitFor()
    await page.getByRole("link", { name: "Newest" }).waitFor()
    await page.locator(".table-scroll").evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.getByRole("link", { name: "Deal 0", exact: true }).waitFor()
    assert.isBelow(await page.locator(".deals tbody tr").count(), 80, "only visible rows are drawn")
    await page.getByRole("button", { name: "Amount", exact: true }).click()
    await page.waitForURL(/sort=amount/)
    await page.locator("tr[aria-rowindex='2']", { hasText: "Newest" }).waitFor()
    await page.getByRole("button", { name: "Amount", exact: true }).click()
    await page.locator("tr[aria-rowindex='2']", { hasText: "Deal 0" }).waitFor()
    const search = page.getByRole("searchbox", { name: "Search deals by name" })
    // Rows arrive while the reader types on.
    await search.pressSequentially("Newest ", { delay: 45 })
    await page.getByText(/^1 deal, /).waitFor()
    assert.strictEqual(await search.inputValue(), "Newest ")
    await search.fill("")
    await page.getByText(`${DEALS} deals, `).waitFor()
    await search.fill("nothing of the kind")
    await page.getByText("No deals").waitFor()
    await page.goto(`${url}/deals`)
    await page.getByRole("button", { name: "Filter", exact: true }).click()
    await page.getByRole("button", { name: "Stage", exact: true }).click()
    await page.getByRole("checkbox", { name: /^Won/ }).check()
    await page.getByText(/^144 deals, /).waitFor()
    await page.getByRole("button", { name: "Done" }).click()
    assert.match(await page.locator(".chip").innerText(), /Stage\s+Won/)
    await page.getByRole("button", { name: "Remove the filter Stage" }).click()
    await page.getByText(`${DEALS} deals, `).waitFor()
    await console_.close(context, page)
  })

  it("exports the deals shown", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${url}/deals?f=${encodeURIComponent('{"status":["won"]}')}`)
    await page.getByText(/^144 deals, /).waitFor()
    await page.getByRole("button", { name: "Export" }).click()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download CSV" }).click(),
    ])
    const text = readFileSync(await download.path(), "utf8")
    assert.lengthOf(text.trim().split("\n"), 145)
    await page.getByLabel("Format of the export").selectOption("xlsx")
    await page.getByRole("button", { name: "Export" }).click()
    const [workbook] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download XLSX" }).click(),
    ])
    assert.match(workbook.suggestedFilename(), /\.xlsx$/)
    await console_.close(context, page)
  })

  it("shows a deal whole, and its hostile texts as text", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${url}/deals/${LAST}`)
    await page.getByRole("heading", { name: "Newest" }).waitFor()
    await console_.settle(page)
    for (const text of ["Story <img", "Too dear <img", "Rival <img", "Owner <img"])
      await page.getByText(text).first().waitFor()
    await page.goto(`${url}/deals/none`)
    await page.getByText("There is nothing here").waitFor()
    await console_.close(context, page)
  })

  it("streams an answer whose numbers open their source beside it", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${url}/ask`)
    await page.getByLabel("Your question").fill("How many deals did we lose?")
    await page.keyboard.press("Enter")
    await page.locator(".source-list").waitFor()
    await page.locator(".prose", { hasText: "show as table" }).waitFor()
    await page.locator(".prose .source").first().click()
    const frame = page.frameLocator(".source-panel iframe")
    await frame.locator("mark").first().waitFor()
    await page.getByLabel("Your question").fill("And how many did we win?")
    await page.keyboard.press("Enter")
    await page.locator(".turn").nth(1).locator(".source-list").waitFor()
    await console_.close(context, page)
  })

  it("hides from a viewer what the server refuses", async () => {
    const { context, page } = await console_.signIn(keys.viewer.key)
    await page.goto(`${url}/deals`)
    await page.getByText(`${DEALS} deals, `).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Export" }).count(), 0)
    await console_.close(context, page)
  })

  it("says that the server is unreachable, and recovers", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await console_.settle(page)
    await page.route("**/api/v1/deals**", (route) => route.abort())
    await page.getByRole("link", { name: "Deals", exact: true }).click()
    await page.getByText("The server is unreachable").first().waitFor()
    await page.unroute("**/api/v1/deals**")
    await page.getByRole("button", { name: "Try again" }).first().click()
    await page.getByText(`${DEALS} deals, `).waitFor()
    console_.problems.splice(0)
    await console_.close(context, page)
  })

  it("says that the script of a page did not arrive, and loads the page again", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await console_.settle(page)
    await page.route(/\.js$/, (route) => route.abort())
    await page.getByRole("link", { name: "Competitors", exact: true }).click()
    await page.getByText("it has a newer version of this page").waitFor()
    await page.unroute(/\.js$/)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("heading", { name: "Competitors" }).waitFor()
    console_.problems.splice(0)
    await console_.close(context, page)
  })

  it("wraps a question that is one long word", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${url}/ask`)
    await page.getByLabel("Your question").fill("x".repeat(2_000))
    await page.keyboard.press("Enter")
    const question = page.locator(".question")
    await question.waitFor()
    const [inner, outer] = await question.evaluate((element) => [element.scrollWidth, element.clientWidth])
    assert.isAtMost(inner!, outer!)
    await console_.close(context, page)
  })

  it("returns to the sign-in when the session ends, and says so", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await console_.settle(page)
    await context.clearCookies()
    await page.getByRole("link", { name: "Deals", exact: true }).click()
    await page.locator("input[name=key]").waitFor()
    await page.getByText("Your session ended").waitFor()
    await console_.close(context, page)
  })

  it("shows nothing of the session before to the next person", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    const ask = async () => {
      await page.getByRole("link", { name: "Ask", exact: true }).click()
      await page.getByLabel("Your question").waitFor()
    }
    await ask()
    await page.getByLabel("Your question").fill("How many deals did we lose?")
    await page.keyboard.press("Enter")
    await page.locator(".source-list").waitFor()
    await context.clearCookies()
    await page.getByRole("link", { name: "Deals", exact: true }).click()
    await page.locator("input[name=key]").fill(keys.viewer.key)
    await page.locator("button.primary").click()
    await page.locator(".who", { hasText: "viewer" }).waitFor()
    await ask()
    assert.strictEqual(await page.locator(".turn").count(), 0)
    await console_.close(context, page)
  })

  it("speaks German, with its numbers", async () => {
    const { context, page } = await console_.signIn(keys.admin.key, { locale: "de-DE" })
    await page.getByRole("heading", { name: "Wo wir stehen" }).waitFor()
    await page.goto(`${url}/deals`)
    await page.getByText(/^430 Deals, 522\.235/).waitFor()
    await console_.close(context, page)
  })

  it("fits every width, works by keyboard, and gives axe nothing serious", async () => {
    await console_.examine(keys.admin.key, ["/", "/deals", `/deals/${LAST}`, "/ask", "/review", "/settings"])
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${url}/settings`)
    await console_.settle(page)
    // The effects of the first frames have run.
    await page.evaluate("new Promise((next) => requestAnimationFrame(() => requestIdleCallback(next)))")
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Skip to the page")
    await page.keyboard.press("Enter")
    assert.strictEqual(await page.evaluate("document.activeElement.id"), "page")
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(`${url}/settings`)
    await console_.settle(page)
    const isShown = "document.querySelector('.nav [aria-current]').getBoundingClientRect().right <= innerWidth + 1"
    await until("the current page in the row of pages", () => page.evaluate(isShown) as Promise<boolean>)
    await console_.close(context, page)
  })

  it("cannot be framed by another page", async () => {
    const { context, page } = await console_.open()
    await page.goto("about:blank")
    await page.setContent(`<iframe src="${url}/"></iframe>`)
    await until("the browser refuses the frame", () => page.frames()[1]?.url().startsWith("chrome-error:"))
    await context.close()
  })
})
