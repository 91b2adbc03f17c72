import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { DIMENSIONS } from "../../src/core/reports/dimensions.ts"
import { MEASURES } from "../../src/core/reports/measures.ts"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { startConsole } from "./browserOf.ts"
import { DEALS, seed } from "./seed.ts"

const BY_COMPETITOR = "/reports?measures=deals,won&group_by=competitor"
const BY_PAIR = "/reports?measures=deals&group_by=outcome,competitor"
const BY_MONTH = `/reports?measures=won,lost&group_by=close_date.month&compare=previous_year&f=${encodeURIComponent(
  '{"close_date":{"period":"last_12_months"}}',
)}`

describe("reports in a browser", needs("chromium", chromium !== undefined), () => {
  let console_: Awaited<ReturnType<typeof startConsole>>
  let keys: Effect.Success<typeof seed>
  let usageKey = ""

  beforeAll(async () => {
    const prepare = Effect.gen(function* () {
      keys = yield* seed
      const made = yield* (yield* ApiKeys).create(keys.org, {
        name: "usage",
        role: "viewer",
        permissions: ["usage.read"],
      })
      usageKey = made.key
    })
    console_ = await startConsole({ prepare, expected: /status of 40[13]/ })
  })
  afterAll(async () => {
    await console_?.stopBrowser()
    await console_?.stopServer()
  })

  /** The number of deals that the deals page counts. */
  const countShown = (page: Awaited<ReturnType<typeof console_.open>>["page"], count: number) =>
    page.getByText(`${count} deals, `).waitFor()

  it("offers every measure and dimension of the service", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}/reports`)
    const choicesOf = async (button: string) => {
      await page.getByRole("button", { name: button, exact: true }).click()
      const count = await page.locator(".popover:popover-open .choices li").count()
      await page.keyboard.press("Escape")
      return count
    }
    assert.strictEqual(await choicesOf("Measure"), Object.keys(MEASURES["deals"]).length)
    assert.strictEqual(await choicesOf("Group"), Object.keys(DIMENSIONS["deals"]).length)
    await page.getByRole("button", { name: "Feature mentions" }).click()
    await page.waitForURL(/subject=associations/)
    assert.strictEqual(await choicesOf("Measure"), Object.keys(MEASURES["associations"]).length)
    assert.strictEqual(await choicesOf("Group"), Object.keys(DIMENSIONS["associations"]).length)
    await console_.close(context, page)
  })

  it("builds a report by keyboard, keeps it in the address, and opens the deals behind a row", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}${BY_PAIR}`)
    await page.getByRole("button", { name: "Remove Competitor" }).click()
    await page.locator(".bars a").first().waitFor()
    await page.getByRole("button", { name: "Measure", exact: true }).focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await page.keyboard.type("won am")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Space")
    await page.keyboard.press("Escape")
    await page.waitForURL(/measures=deals%2Camount_won/)
    await page.reload()
    const row = page.locator(".report tbody tr", { hasText: "Won" })
    assert.match(await row.innerText(), /Won\s+144\s+174,\d{3}/)
    await row.getByRole("link").click()
    await countShown(page, 144)
    await page.goBack()
    await page.locator(".bars a", { hasText: "Lost" }).click()
    await countShown(page, 143)
    await console_.close(context, page)
  })

  it("draws two dimensions stacked and as a heat map, whose marks open their deals", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}${BY_PAIR}`)
    await page.locator(".chart rect.shape").nth(2).waitFor()
    await page.getByRole("button", { name: "Heat map" }).click()
    await page.waitForURL(/chart=heat/)
    const cell = page.locator(".chart a", { has: page.locator(".heat-value") }).first()
    const count = Number(await cell.locator(".heat-value").textContent())
    await cell.focus()
    await page.keyboard.press("Enter")
    await countShown(page, count)
    await console_.close(context, page)
  })

  it("draws dates as lines with the year before, and changes their grain", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}${BY_MONTH}`)
    // The year before has no deals: its lines are flat, which Playwright takes for hidden.
    await page.locator(".chart .before .stroke").first().waitFor({ state: "attached" })
    assert.strictEqual(await page.locator(".chart .stroke").count(), 4)
    await page.getByLabel("Grain of Close date").selectOption("year")
    await page.waitForURL(/close_date\.year/)
    await page.getByRole("button", { name: "Remove the filter Close date" }).click()
    await page.locator(".chart .before").first().waitFor({ state: "detached" })
    assert.isTrue(await page.getByRole("button", { name: "Year before" }).isDisabled())
    await console_.close(context, page)
  })

  it("gives the same table as CSV and by its curl command", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}${BY_COMPETITOR}`)
    await page.locator(".report").waitFor()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ])
    const csv = readFileSync(await download.path(), "utf8")
    assert.match(csv, /^competitor_id,competitor,deals,won,deals_url\r?\nrival,/)
    await page.getByRole("button", { name: "curl" }).click()
    const command = await page.locator(".command pre").innerText()
    // The server is in this process, so the command must not block it.
    const { stdout } = await promisify(execFile)("sh", ["-c", `${command} -s`], {
      env: { ...process.env, KEY: keys.admin.key },
    })
    const [row] = JSON.parse(stdout).data
    assert.deepStrictEqual(row.values, { deals: DEALS, won: 144 })
    await console_.close(context, page)
  })

  it("says that nothing matches, and that a key may not see deals", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}${BY_COMPETITOR}&f=${encodeURIComponent('{"amount":{"min":9000000}}')}`)
    await page.getByText("No deals match").waitFor()
    await page.getByText("Remove a filter").waitFor()
    await page.goto(`${console_.url}/reports?measures=nonsense`)
    await page.getByText("'nonsense' is not one").waitFor()
    console_.problems.splice(0)
    await console_.close(context, page)
    const refused = await console_.signIn(usageKey)
    await refused.page.goto(`${console_.url}/reports`)
    await refused.page.getByText("You may not see this").waitFor()
    await console_.close(refused.context, refused.page)
  })

  it("names measures and groups in German", async () => {
    const { context, page } = await console_.signIn(keys.admin.key, { locale: "de-DE" })
    await page.goto(`${console_.url}${BY_COMPETITOR}`)
    await page.getByRole("columnheader", { name: "Wettbewerber" }).waitFor()
    await page.getByRole("columnheader", { name: "Gewonnen" }).waitFor()
    await console_.close(context, page)
  })

  it("fits every width, and gives axe nothing serious", async () => {
    await console_.examine(keys.admin.key, ["/reports", BY_COMPETITOR, BY_PAIR, `${BY_PAIR}&chart=heat`, BY_MONTH])
  })
})
