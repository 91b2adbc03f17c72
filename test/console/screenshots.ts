import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { chromium as browsers, type Page } from "playwright-core"
import { chromium } from "../support/chromium.ts"

// `npm run screenshots -- ADDRESS KEY DIRECTORY [PAGES]` writes a picture of each page of a running console, at three widths, light and
// dark. PAGES are names of `PAGES`, separated by commas.

const [address = "http://127.0.0.1:8787", key = "", directory = "screenshots", names] = process.argv.slice(2)

const WIDTHS = [360, 800, 1280] as const

const settle = async (page: Page) => {
  await page.waitForLoadState("networkidle")
  await page.locator(".skeleton").first().waitFor({ state: "detached" })
}

const PAGES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  home: async (page) => void (await page.goto(address)),
  deals: async (page) => void (await page.goto(`${address}/deals?f=${encodeURIComponent('{"outcome":["lost"]}')}`)),
  filter: async (page) => {
    await page.goto(`${address}/deals`)
    await page.getByRole("button", { name: "Filter", exact: true }).click()
    await page.getByRole("button", { name: "Competitor", exact: true }).click()
  },
  deal: async (page) => {
    await page.goto(`${address}/deals?f=${encodeURIComponent('{"analyzed":true,"outcome":["lost"]}')}`)
    await page.locator(".deals tbody th a").first().click()
  },
  ask: async (page) => {
    await page.goto(`${address}/ask?q=${encodeURIComponent("Why do we lose deals to Nimbrel, and how often?")}`)
    await page.locator(".source-list").waitFor()
    await page.locator(".prose .source").nth(1).click()
  },
  reports: async (page) =>
    void (await page.goto(`${address}/reports?measures=amount_won&group_by=close_date.quarter,competitor`)),
  review: async (page) => void (await page.goto(`${address}/review`)),
  competitors: async (page) => void (await page.goto(`${address}/competitors`)),
  competitor: async (page) => {
    await page.goto(`${address}/competitors`)
    await page.locator(".ranking tbody th a").first().click()
    await page.getByRole("button", { name: "Prices" }).click()
    await page.locator(".source-list, .prose").first().waitFor()
  },
  features: async (page) => void (await page.goto(`${address}/features`)),
  feature: async (page) => {
    await page.goto(`${address}/features`)
    await page.locator(".ranking tbody th a").first().click()
    await page.locator(".factors").waitFor()
  },
  library: async (page) => void (await page.goto(`${address}/library`)),
  import: async (page) => {
    await page.goto(`${address}/settings/import`)
    const rows = ["Opportunity Name,Account Name,Deal Value,Stage,Close Date,Notes"]
    for (let n = 1; n < 9; n++)
      rows.push(`Renewal ${n},Hartwell ${n},${n}0000,Won,${n + 12}.03.2026,${n === 4 ? "" : "call"}`)
    rows.push("Expansion,Caldrith,many,Lost,31.03.2026,")
    await page.locator(".drop input").setInputFiles({
      name: "pipeline.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(rows.join("\n")),
    })
    await page.locator(".errors").waitFor()
  },
  boards: async (page) => void (await page.goto(`${address}/reports/boards`)),
  keys: async (page) => void (await page.goto(`${address}/settings/keys`)),
  webhooks: async (page) => void (await page.goto(`${address}/settings/webhooks`)),
  audit: async (page) => void (await page.goto(`${address}/settings/audit`)),
  names: async (page) => void (await page.goto(`${address}/settings/workspace`)),
  questions: async (page) => void (await page.goto(`${address}/settings/questions`)),
  settings: async (page) => void (await page.goto(`${address}/settings`)),
}

mkdirSync(directory, { recursive: true })
const browser = await browsers.launch({ executablePath: chromium!, args: ["--no-sandbox"] })
for (const colorScheme of ["light", "dark"] as const)
  for (const width of WIDTHS) {
    const context = await browser.newContext({
      colorScheme,
      locale: "en-GB",
      viewport: { width, height: width === 360 ? 780 : Math.round(width * 0.62) },
      isMobile: width === 360,
      deviceScaleFactor: 1,
    })
    const page = await context.newPage()
    page.on("console", (message) => message.type() === "error" && console.error(message.text()))
    page.on("pageerror", ({ message }) => console.error(message))
    await page.goto(address)
    await page.getByLabel("API key").waitFor()
    await page.screenshot({ path: join(directory, `signIn-${width}-${colorScheme}.png`) })
    await page.getByLabel("API key").fill(key)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.locator(".shell").waitFor()
    for (const [name, open] of Object.entries(PAGES)) {
      if (names !== undefined && !names.split(",").includes(name)) continue
      await open(page)
      await settle(page)
      await page.screenshot({ path: join(directory, `${name}-${width}-${colorScheme}.png`) })
    }
    await context.close()
  }
await browser.close()
