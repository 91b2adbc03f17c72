import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { startConsole } from "./browserOf.ts"
import { HOSTILE, seed } from "./seed.ts"

const LOST = `/deals?f=${encodeURIComponent('{"outcome":["lost"]}')}&sort=amount&cols=name%2Camount%2Cregion`

describe("saved views and boards in a browser", needs("chromium", chromium !== undefined), () => {
  let console_: Awaited<ReturnType<typeof startConsole>>
  let keys: Effect.Success<typeof seed>

  beforeAll(async () => {
    console_ = await startConsole({ prepare: Effect.map(seed, (made) => void (keys = made)) })
  })
  afterAll(async () => {
    await console_?.stopBrowser()
    await console_?.stopServer()
  })

  it("save the filters, order and columns of the deals for everyone, and open them", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(console_.url + LOST)
    await page.getByText(/^143 deals, /).waitFor()
    await page.getByRole("button", { name: "Views" }).click()
    await page.getByText("No saved views yet.").waitFor()
    await page.getByLabel("Name", { exact: true }).fill(`Lost ones ${HOSTILE}`)
    await page.getByLabel("Everyone in the workspace sees it").check()
    await page.keyboard.press("Enter")
    await page.locator(".view-list", { hasText: "Lost ones <img" }).waitFor()
    await console_.close(context, page)

    const other = await console_.signIn(keys.viewer.key)
    await other.page.goto(`${console_.url}/deals`)
    await other.page.getByRole("button", { name: "Views" }).click()
    assert.strictEqual(await other.page.getByRole("button", { name: /^Delete the view/ }).count(), 0)
    await other.page.getByRole("link", { name: /^Lost ones/ }).click()
    await other.page.getByText(/^143 deals, /).waitFor()
    await other.page.locator("th[aria-sort=descending]", { hasText: "Amount" }).waitFor()
    assert.strictEqual(await other.page.locator(".deals thead th").count(), 3)
    await console_.close(other.context, other.page)

    const again = await console_.signIn(keys.admin.key)
    await again.page.goto(`${console_.url}/deals`)
    await again.page.getByRole("button", { name: "Views" }).click()
    await again.page.getByRole("button", { name: /^Delete the view/ }).click()
    await again.page.getByText("No saved views yet.").waitFor()
    await console_.close(again.context, again.page)
  })

  it("show a report on a board, which opens it again, and remove both", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}/reports/boards`)
    await page.getByText("No boards yet").waitFor()
    await page.goto(`${console_.url}/reports?measures=deals&group_by=outcome,competitor&chart=heat`)
    await page.getByRole("button", { name: "Save to a board" }).click()
    await page.getByLabel("Name", { exact: true }).fill(`By outcome ${HOSTILE}`)
    await page.getByLabel("Name of the board").fill("Weekly")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("link", { name: "Saved to Weekly." }).click()
    await page.getByRole("heading", { name: "Weekly" }).waitFor()
    await page.locator(".panel .heat-value").first().waitFor()
    const address = page.url()
    await page.getByRole("link", { name: /^By outcome/ }).click()
    await page.waitForURL(/chart=heat/)
    await console_.close(context, page)

    const other = await console_.signIn(keys.viewer.key)
    await other.page.goto(`${console_.url}/reports/boards`)
    await other.page.getByText("No boards yet").waitFor()
    await console_.close(other.context, other.page)

    await console_.examine(keys.admin.key, ["/reports/boards", new URL(address).pathname])

    const again = await console_.signIn(keys.admin.key)
    await again.page.goto(address)
    await again.page.getByRole("button", { name: /^Remove By outcome/ }).click()
    await again.page.getByText("This board has no reports").waitFor()
    await again.page.getByRole("button", { name: "Delete board" }).click()
    await again.page.getByRole("button", { name: "yes" }).click()
    await again.page.getByText("No boards yet").waitFor()
    await console_.close(again.context, again.page)
  })
})
