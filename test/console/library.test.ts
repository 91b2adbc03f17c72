import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { onPage, readDocument } from "../support/readDocument.ts"
import { startConsole } from "./browserOf.ts"
import { HOSTILE, LAST, seed } from "./seed.ts"

const note = (name: string, text: string) => ({
  name,
  mimeType: "text/markdown",
  buffer: Buffer.from(`# Notes\n\n${text}\n`),
})

const prepare = Effect.gen(function* () {
  const keys = yield* seed
  yield* readDocument(keys.org, [onPage(1, "Scanned in part.")], {
    file_name: "Scan.pdf",
    warnings: [{ code: "pages_without_text", message: `Pages 2 to 3 are pictures ${HOSTILE}`, pages: [] }],
  })
  yield* readDocument(keys.org, [onPage(1, "A call.")], { file_name: "Call.md", deal_id: LAST })
  const blind = yield* (yield* ApiKeys).create(keys.org, { name: "blind", role: "admin", permissions: ["deals.read"] })
  const member = yield* (yield* ApiKeys).create(keys.org, { name: "seller", role: "member" })
  return { ...keys, blind, member }
})

describe("the library in a browser", needs("chromium", chromium !== undefined), () => {
  let console_: Awaited<ReturnType<typeof startConsole>>
  let keys: Effect.Success<typeof prepare>

  beforeAll(async () => {
    console_ = await startConsole({
      prepare: Effect.map(prepare, (made) => void (keys = made)),
      expected: /status of 4(00|01|03|15)/,
    })
  })
  afterAll(async () => {
    await console_?.stopBrowser()
    await console_?.stopServer()
  })

  const openLibrary = async (key = keys.admin.key, query = "") => {
    const opened = await console_.signIn(key)
    await opened.page.goto(`${console_.url}/library${query}`)
    await console_.settle(opened.page)
    return opened
  }
  const rowOf = (page: Page, name: string) => page.locator("li.document", { hasText: name })
  const choose = (page: Page) => page.getByLabel("About the competitor").selectOption({ index: 1 })
  const files = (page: Page) => page.locator(".drop input")

  it("asks for the competitor, sends the chosen files, and opens them in the viewer", async () => {
    const { context, page } = await openLibrary()
    await files(page).setInputFiles(note("early.md", "Too early."))
    await page.getByText("Choose the competitor first").waitFor()
    assert.strictEqual(await page.locator(".uploads").count(), 0)
    await choose(page)
    await files(page).setInputFiles([note(`List ${HOSTILE}.md`, "Rival asks 40."), note("Other.md", "Rival is slow.")])
    await rowOf(page, "Other.md").getByText("ready", { exact: true }).waitFor()
    await page.locator(".uploads li", { hasText: "Other.md" }).getByText("ready").waitFor()
    await page.getByRole("button", { name: "Remove Other.md from this list" }).click()
    assert.strictEqual(await page.locator(".uploads li", { hasText: "Other.md" }).count(), 0)
    await files(page).setInputFiles(note("Copy.md", "Rival is slow."))
    await page.locator(".uploads").getByText("is here already").waitFor()
    const [viewer] = await Promise.all([
      context.waitForEvent("page"),
      rowOf(page, "List <img").getByRole("link", { name: "List <img" }).click(),
    ])
    await viewer.getByText("Rival asks 40.").waitFor()
    await console_.close(context, page)
  })

  it("takes a dropped file, and follows its run over a reload", async () => {
    const { context, page } = await openLibrary()
    let isHeld = true
    await context.route("**/api/v1/runs/*", async (route) => {
      const reply = await route.fetch()
      const run = await reply.json()
      const held = { ...run, status: "running", stage: "indexing", progress: 0.4 }
      await route.fulfill({ response: reply, json: isHeld ? held : run })
    })
    await choose(page)
    const dataTransfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(["Dropped words."], "Dropped.txt", { type: "text/plain" }))
      return transfer
    })
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer })
    const row = page.locator(".uploads li", { hasText: "Dropped.txt" })
    await row.getByText("making it searchable").waitFor()
    await page.reload()
    await row.getByText("making it searchable").waitFor()
    assert.strictEqual(await row.locator("progress").getAttribute("value"), "0.4")
    isHeld = false
    await row.getByText("ready").waitFor()
    await rowOf(page, "Dropped.txt").getByText("ready", { exact: true }).waitFor()
    await page.reload()
    await console_.settle(page)
    assert.strictEqual(await row.count(), 0)
    await console_.close(context, page)
  })

  it("says why a file cannot be read, tries again, and deletes it after asking", async () => {
    const { context, page } = await openLibrary()
    await choose(page)
    await files(page).setInputFiles({
      name: "Broken.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.7\nnothing of a document\n%%EOF"),
    })
    const row = rowOf(page, "Broken.pdf")
    await row.getByText("not readable").waitFor()
    const reason = await row.locator(".refusal").innerText()
    assert.isAbove(reason.length, 10)
    await row.getByRole("button", { name: "Try again" }).click()
    await page.locator(".uploads li", { hasText: "Broken.pdf" }).nth(1).getByText(reason).waitFor()
    await row.getByRole("button", { name: "Delete" }).click()
    await row.getByRole("button", { name: "no", exact: true }).click()
    await row.getByRole("button", { name: "Delete" }).click()
    await row.getByRole("button", { name: "yes", exact: true }).click()
    await row.waitFor({ state: "detached" })
    await console_.close(context, page)
  })

  it("says why a file is refused in words that are not the API's", async () => {
    const { context, page } = await openLibrary()
    await choose(page)
    await files(page).setInputFiles([
      { name: "setup.exe", mimeType: "application/x-msdownload", buffer: Buffer.from("MZ") },
      { name: "empty.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(0) },
      { name: "text.pdf", mimeType: "application/pdf", buffer: Buffer.from("plain text") },
    ])
    const reason = (name: string) => page.locator(".uploads li", { hasText: name }).locator(".refusal").innerText()
    assert.include(await reason("setup.exe"), "It reads PDF, Word, PowerPoint, Excel")
    assert.strictEqual(await reason("empty.pdf"), "This file is empty.")
    assert.strictEqual(await reason("text.pdf"), "This file has other contents than its name says.")
    await console_.close(context, page)
  })

  it("keeps versions, and offers a new one of the latest alone", async () => {
    const { context, page } = await openLibrary()
    await choose(page)
    await files(page).setInputFiles(note("Plan.md", "First plan."))
    await rowOf(page, "Plan.md").getByText("ready", { exact: true }).waitFor()
    await page.getByLabel("New version of Plan.md").setInputFiles(note("Plan.md", "Second plan."))
    await rowOf(page, "version 2").getByText("ready", { exact: true }).waitFor()
    await rowOf(page, "replaced by a newer version").waitFor()
    assert.strictEqual(await page.getByLabel("New version of Plan.md").count(), 1)
    await console_.close(context, page)
  })

  it("finds documents by name, type, status and competitor, by the address too", async () => {
    const { context, page } = await openLibrary()
    await page.getByRole("searchbox", { name: "Search by name" }).fill("pRICES")
    await page.waitForURL(/q=pRICES/)
    await rowOf(page, "Scan.pdf").waitFor({ state: "detached" })
    assert.strictEqual(await page.locator("li.document").count(), 1)
    await page.getByLabel("Status", { exact: true }).selectOption("failed")
    await page.getByText("No document matches").waitFor()
    await page.getByRole("link", { name: "Clear the filters" }).click()
    await rowOf(page, "Prices <img").waitFor()
    assert.strictEqual(await rowOf(page, "Call.md").count(), 0, "a deal's document")
    await rowOf(page, "Scan.pdf").getByText("1 warning").click()
    await page.getByText("Pages 2 to 3 are pictures <img").waitFor()
    await page.getByLabel("Type").first().selectOption("deal")
    await rowOf(page, "Call.md").getByRole("link", { name: "a deal’s document" }).waitFor()
    assert.strictEqual(await page.locator("li.document").count(), 1)
    await page.goto(`${console_.url}/library?type=intel&competitor=rival`)
    await rowOf(page, "Plan.md").first().waitFor()
    assert.strictEqual(await rowOf(page, "Scan.pdf").count(), 0)
    await console_.close(context, page)
  })

  it("adds files at a deal, follows them where they were given, and keeps their versions", async () => {
    const { context, page } = await console_.signIn(keys.member.key)
    await page.goto(`${console_.url}/deals/${LAST}`)
    await rowOf(page, "Call.md").waitFor()
    await files(page).setInputFiles([
      note(`Mail ${HOSTILE}.md`, "They ask for a discount."),
      { name: "Broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\nnothing\n%%EOF") },
    ])
    await rowOf(page, "Mail <img").getByText("ready", { exact: true }).waitFor()
    await rowOf(page, "Broken.pdf").getByText("not readable").waitFor()
    assert.isAbove((await rowOf(page, "Broken.pdf").locator(".refusal").innerText()).length, 10)
    assert.strictEqual(await page.locator(".uploads li").count(), 2)
    await page.getByLabel(/^New version of Mail/).setInputFiles(note(`Mail ${HOSTILE}.md`, "They want 10 % off."))
    await rowOf(page, "version 2").getByText("ready", { exact: true }).waitFor()
    // A member adds documents to deals, and deletes none.
    assert.strictEqual(await page.getByRole("button", { name: "Delete" }).count(), 0)
    await page.getByRole("link", { name: "Library", exact: true }).click()
    await page.getByRole("heading", { name: "Library", exact: true }).waitFor()
    await page.locator("li.document").first().waitFor()
    assert.strictEqual(await page.locator(".uploads").count(), 0)
    await console_.close(context, page)
    const viewer = await console_.signIn(keys.viewer.key)
    await viewer.page.goto(`${console_.url}/deals/${LAST}`)
    await rowOf(viewer.page, "version 2").waitFor()
    assert.strictEqual(await viewer.page.locator(".drop").count(), 0)
    await console_.close(viewer.context, viewer.page)
    const admin = await openLibrary(keys.admin.key, "?type=deal")
    await rowOf(admin.page, "Mail <img").getByRole("button", { name: "Read again" }).last().click()
    await admin.page.locator(".uploads li", { hasText: "Mail <img" }).getByText("ready").waitFor()
    await console_.close(admin.context, admin.page)
  })

  it("lets a viewer read alone, and says to a key without documents that it may not", async () => {
    const { context, page } = await openLibrary(keys.viewer.key)
    await rowOf(page, "Scan.pdf").waitFor()
    assert.strictEqual(await page.locator(".drop").count(), 0)
    assert.strictEqual(await page.getByRole("button", { name: "Delete" }).count(), 0)
    await console_.close(context, page)
    const blind = await openLibrary(keys.blind.key)
    await blind.page.getByText("You may not see this").waitFor()
    await console_.close(blind.context, blind.page)
  })

  it("fits every width, and gives axe nothing serious", async () => {
    await console_.examine(keys.admin.key, ["/library", "/library?status=failed"])
  })
})
