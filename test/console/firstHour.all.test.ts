import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { createOperator } from "../../src/adapters/client/operator.ts"
import { startServer } from "../adapters/processes.ts"
import { pagesOf } from "../ingest/support/pdf.ts"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { FOLDER, present } from "../support/publicCrm.ts"
import { audio, programs } from "../support/recordings.ts"
import { resource } from "../support/resources.ts"
import { until } from "../support/until.ts"
import { startBrowser } from "./browserOf.ts"

const OPERATOR_KEY = "operator-key-of-the-first-hour-0001"
const PRICES = pagesOf([[{ text: "Orvanta asks 40 a month for each seat", y: 700 }]])
const CALL = [
  "Dana (Acme): Orvanta is cheaper than you, and their support is faster.",
  "Reed: We can talk about the price.",
  "Dana (Acme): We love your reports, they save us a day each week.",
].join("\n\n")

/** The first hour of a new user: the console alone, from the first sign-in to the audit log. */
const firstHour = async (
  { url, settle }: Awaited<ReturnType<typeof startBrowser>>,
  page: Page,
  receiver: { readonly url: string; readonly received: ReadonlyArray<string> },
) => {
  const open = async (path: string) => {
    await page.goto(url + path)
    await settle(page)
  }
  const give = (name: string, bytes: Uint8Array, mimeType: string) =>
    page.locator(".drop input").setInputFiles({ name, mimeType, buffer: Buffer.from(bytes) })
  const isRead = (name: string) =>
    page.locator("li.document", { hasText: name }).getByText("ready", { exact: true }).waitFor()

  const importFile = async (name: string, type: string, count: string, choose?: () => Promise<unknown>) => {
    await open("/settings/import")
    await give(name, readFileSync(join(FOLDER, name)), "text/csv")
    await page.getByLabel("Each row is").selectOption(type)
    await page.getByText(/^Of [\d,]+ records:/).waitFor()
    await choose?.()
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText(`${name} is imported: ${count} new`).waitFor()
  }
  await importFile("accounts.csv", "client", "85")
  await importFile("products.csv", "feature", "7", async () => {
    await page.getByLabel("Field of the column product", { exact: true }).selectOption("name")
    await page.getByLabel("Field of the column series").selectOption("product")
  })
  await importFile("sales_teams.csv", "owner", "35")
  await importFile("sales_pipeline.csv", "deal", "8,800", () =>
    page.getByLabel("Name of a deal").selectOption("account + product"),
  )

  await open("/settings/workspace")
  await page.getByRole("button", { name: "Competitors" }).click()
  await page.getByLabel("Name", { exact: true }).last().fill("Orvanta")
  await page.getByRole("button", { name: "Create" }).click()
  await page.locator("li.row", { hasText: "Orvanta" }).waitFor()

  await open("/library")
  await page.getByLabel("About the competitor").selectOption({ label: "Orvanta" })
  await give("Prices.pdf", PRICES, "application/pdf")
  await isRead("Prices.pdf")

  await open("/reports?measures=deals&group_by=outcome")
  await page.locator(".bars a", { hasText: "Won" }).click()
  await page.getByText(/^4,238 deals, /).waitFor()
  await page.locator(".deals tbody tr a").first().click()
  await page.locator("article.deal h1").waitFor()
  await give("First call.mp3", readFileSync(join(audio, "jfk.mp3")), "audio/mpeg")
  await isRead("First call.mp3")
  await give("Second call.txt", Buffer.from(CALL), "text/plain")
  await isRead("Second call.txt")
  await page.locator("li.document", { hasText: "First call.mp3" }).waitFor()
  await page.getByRole("button", { name: "Analyze the documents" }).click()
  await page.locator(".finding").first().waitFor()
  const finding = page.locator(".finding", { hasText: "Orvanta is cheaper" }).first()
  await finding.getByLabel("Effect; choosing one accepts the finding").selectOption("neutral")
  await page.locator(".finding.accepted", { hasText: "Orvanta is cheaper" }).waitFor()
  await finding.locator(".quote").click()
  await page.frameLocator(".source-panel iframe").locator("mark", { hasText: "cheaper" }).waitFor()

  const ask = async (question: string, answer: RegExp) => {
    await open("/ask")
    await page.getByLabel("Your question").fill(question)
    await page.keyboard.press("Enter")
    await page.locator(".turn .prose", { hasText: answer }).waitFor()
    await page.locator(".turn .source-list").waitFor()
  }
  await ask("How many deals did we win?", /4,238/)
  await page.getByRole("button", { name: "New conversation" }).click()
  await ask("What does Orvanta charge per seat?", /40 a month/)

  await open(`/deals?f=${encodeURIComponent('{"outcome":["lost"]}')}`)
  await page.getByText(/^2,473 deals, /).waitFor()
  await page.getByRole("button", { name: "Export" }).click()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download CSV" }).click(),
  ])
  assert.lengthOf(
    readFileSync(await download.path(), "utf8")
      .trim()
      .split("\n"),
    1 + 2473,
  )

  await open("/settings/webhooks")
  await page.getByLabel("Address").fill(receiver.url)
  await page.getByRole("button", { name: "Create" }).click()
  await page.locator(".secret code", { hasText: "whsec_" }).waitFor()
  await page.getByRole("button", { name: "Done" }).click()
  await page.getByRole("button", { name: "Send a ping" }).click()
  await until("the ping arrives", () => receiver.received.length > 0)
  assert.match(receiver.received[0]!, /"type":"ping"/)

  await open("/settings/audit")
  for (const action of ["webhook.created", "export.downloaded", "finding.accepted", "records.imported"])
    await page.locator("li.row", { hasText: action }).first().waitFor()
}

describe("the first hour in a browser", needs("chromium", chromium !== undefined), () => {
  describe("with a real CRM's files", needs("shared/data/crm", present), () => {
    const received: Array<string> = []
    let receiver: Server
    beforeAll(async () => {
      receiver = createServer((request, response) => {
        request.setEncoding("utf8").once("data", (text: string) => received.push(text))
        response.end()
      })
      await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening))
    })
    afterAll(() => void receiver?.close())

    it.each(["Node", "Bun", "binary"] as const)(
      "goes from the first sign-in to the audit log on %s",
      needs("ffmpeg and pocketsphinx", programs !== undefined),
      async (program) => {
        received.splice(0)
        const directory = mkdtempSync(join(tmpdir(), "sightline-hour-"))
        const hook = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
        const server = await startServer(program === "binary" ? [await resource("binary")] : program, {
          SIGHTLINE_DATA_DIR: directory,
          SIGHTLINE_OPERATOR_KEY: OPERATOR_KEY,
          SIGHTLINE_WEBHOOK_HOSTS: hook,
        })
        try {
          const operator = createOperator({ baseUrl: server.url, key: OPERATOR_KEY })
          await operator.organizations.create({ id: "acme", name: "Acme", plan: "enterprise" })
          const { key } = await operator.of("acme").access.createKey({ name: "desk", role: "admin" })
          const browser = await startBrowser(server.url)
          try {
            const { context, page } = await browser.signIn(key)
            await firstHour(browser, page, { url: `http://${hook}/hook`, received })
            await browser.close(context, page)
          } finally {
            await browser.stopBrowser()
          }
        } finally {
          server.child.kill("SIGTERM")
          await server.finished
          rmSync(directory, { recursive: true, force: true })
        }
      },
    )
  })
})
