import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { chromium } from "../support/chromium.ts"
import { root } from "../support/terminal.ts"
import { needs } from "../support/needs.ts"
import { startConsole } from "./browserOf.ts"
import { DEALS, HOSTILE, seed } from "./seed.ts"

const CSV = [
  `Opportunity Name;Account Name;Deal Value;Stage;Close Date;"Notes ${HOSTILE.replaceAll('"', '""')}"`,
  `"Renewal ${HOSTILE.replaceAll('"', '""')}";Hartwell;10;Won;31.03.2026;North`,
  "Expansion;Hartwell;many;Won;30.04.2026;South",
  "Pilot;Caldrith;30;Won;15.05.2026;North",
].join("\r\n")

describe("the import wizard in a browser", needs("chromium", chromium !== undefined), () => {
  let console_: Awaited<ReturnType<typeof startConsole>>
  let keys: Effect.Success<typeof seed>

  beforeAll(async () => {
    console_ = await startConsole({
      prepare: Effect.map(seed, (made) => void (keys = made)),
      expected: /status of (?:40[01349]|410)/,
    })
  })
  afterAll(async () => {
    await console_?.stopBrowser()
    await console_?.stopServer()
  })

  const open = async () => {
    const opened = await console_.signIn(keys.admin.key)
    await opened.page.goto(`${console_.url}/settings/import`)
    await opened.page.locator(".drop input").waitFor({ state: "attached" })
    return opened
  }
  const give = (page: Page, name: string, text: string | Buffer) =>
    page.locator(".drop input").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text as string) })
  const deals = async (query: string) =>
    (
      await fetch(`${console_.url}/api/v1/deals?${query}`, { headers: { authorization: `Bearer ${keys.admin.key}` } })
    ).json()
  const fieldOf = (page: Page, header: string | RegExp) => page.locator(".preview").getByLabel(header)

  it("proposes a mapping, shows errors before it writes, and imports what was chosen", async () => {
    const { context, page } = await open()
    await give(page, `Pipeline ${HOSTILE}.csv`, CSV)
    await page.getByText("Of 3 records: 2 new, 1 refused").waitFor()
    await page.locator(".errors", { hasText: /Line 3\s+Amount/ }).waitFor()
    const fields = await page.locator(".preview select").evaluateAll((all) => all.map((each) => (each as any).value))
    assert.deepStrictEqual(fields, ["name", "client", "amount", "status", "close_date", ""])
    await page.locator(".preview th", { hasText: "Close Date" }).getByText("day first").waitFor()
    await page.locator(".plan", { hasText: "CSV, utf-8, separated by “;”, headers in line 1" }).waitFor()
    assert.deepStrictEqual(await deals("count=true"), { count: DEALS })
    await fieldOf(page, /^Field of the column Notes/).selectOption("region")
    await fieldOf(page, "Field of the column Deal Value").selectOption("")
    await page.getByText("Of 3 records: 3 new").waitFor()
    await page.locator(".examples summary").click()
    await page.locator(".examples tr", { hasText: /Line 4\s*new.*Name\s*Pilot.*Region\s*North/s }).waitFor()
    const sent = page.waitForRequest(
      (request) => request.url().includes("/import?") && !request.url().includes("dry_run"),
    )
    await page.getByRole("button", { name: "Import", exact: true }).click()
    assert.match(new URL((await sent).url()).search, /^\?plan_id=pln_\w+$/)
    await page.getByText("is imported: 3 new").waitFor()
    const found = await deals("region=North&columns=name,amount,close_date,client_name&sort=name&sort_order=asc")
    assert.deepStrictEqual(
      found.map(({ id: _, ...deal }: { readonly id: string }) => deal),
      [
        { name: "Pilot", amount: null, close_date: "2026-05-15", client_name: "Caldrith" },
        { name: `Renewal ${HOSTILE}`, amount: null, close_date: "2026-03-31", client_name: "Hartwell" },
      ],
    )
    await console_.close(context, page)
  })

  it("says once what all rows lack, imports none of them, and names deals after two columns", async () => {
    const { context, page } = await open()
    await give(page, "unnamed.csv", "Account,Product,Stage,Close Value\nHartwell,Flow,Won,1\n")
    await page.getByLabel("Name of a deal").selectOption("Account + Product")
    await page.getByText("Of 1 records: 1 new").waitFor()
    const rows = Array.from({ length: 7 }, (_, n) => `006A${n},Hartwell,Flow ${n},Won,${n}`)
    await give(page, "nameless.csv", ["Opportunity ID,Account,Product,Stage,Close Value", ...rows].join("\n"))
    await page.locator(".errors", { hasText: /^Lines 2, 3, 4, 5, 6 … Name .*\(7×\)$/ }).waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Import", exact: true }).isDisabled())
    await page.getByLabel("Name of a deal").selectOption("Account + Product")
    await page.getByText("Of 7 records: 7 new").waitFor()
    // The choice stays while it holds, whatever else becomes of its columns.
    const checked = page.waitForResponse((response) => response.url().includes("dry_run"))
    await fieldOf(page, "Field of the column Account").selectOption("")
    await checked
    await page.getByText("Of 7 records: 7 new").waitFor()
    assert.strictEqual(await page.getByLabel("Name of a deal").inputValue(), "Account + Product")
    await fieldOf(page, "Field of the column Account").selectOption("client")
    await page.getByText("Of 7 records: 7 new").waitFor()
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("is imported: 7 new").waitFor()
    const found = await deals("searchQuery=Hartwell%20Flow&columns=name,amount,client_name,product_labels&sort=amount")
    const { id: _, ...largest } = found[0]
    assert.deepStrictEqual(largest, {
      name: "Hartwell - Flow 6",
      amount: 6,
      client_name: "Hartwell",
      product_labels: ["Flow 6"],
    })
    await console_.close(context, page)
  })

  it("gives a field to the column that was chosen last, and proposes again for another type", async () => {
    const { context, page } = await open()
    await give(page, "accounts.csv", "Account Name,Industry,Title\nBelmora,Retail,One\n")
    await page.locator(".refusal", { hasText: "looks like a list of accounts" }).waitFor()
    await page.getByLabel("Each row is").selectOption("client")
    await page.getByText("Of 1 records: 1 new").waitFor()
    assert.strictEqual(await fieldOf(page, "Field of the column Account Name").inputValue(), "name")
    await fieldOf(page, "Field of the column Title").selectOption("name")
    assert.strictEqual(await fieldOf(page, "Field of the column Account Name").inputValue(), "")
    await console_.close(context, page)
  })

  it("reads NDJSON, and UTF-16 as spreadsheets save it", async () => {
    const { context, page } = await open()
    await give(page, "records.ndjson", '{"type":"owner","name":"Ada"}\n{"type":"owner","nam":"Ben"}\n')
    await page.getByText("Of 2 records: 1 new, 1 refused").waitFor()
    await give(page, "excel.txt", Buffer.from("\ufeffDeal Name\tDeal Value\nÜbernahme\t5\n", "utf16le"))
    await page.getByRole("cell", { name: "Übernahme" }).waitFor()
    await page.getByText("Of 1 records: 1 new").waitFor()
    await give(page, "empty.csv", "Name,Amount\n")
    await page.locator(".refusal", { hasText: "has a header row and no rows below it" }).waitFor()
    await console_.close(context, page)
  })

  it("reads a workbook, and gives a new stage the category that was chosen", async () => {
    const { context, page } = await open()
    await give(
      page,
      "Vertrieb 2026.xlsx",
      readFileSync(`${root}/test/import/cases/64-german-workbook/Vertrieb 2026.xlsx`),
    )
    await page.locator(".plan", { hasText: "XLSX, sheet “Pipeline”, headers in line 4, amounts in EUR" }).waitFor()
    // The browser does not read workbooks: the rows are those that the server read.
    await page.locator("table.preview td", { hasText: "Käse König KG" }).first().waitFor()
    assert.strictEqual(await page.locator(".examples dl").count(), 4)
    await page.getByLabel("New stage “Angebot” is").selectOption("lost")
    await page.locator(".plan", { hasText: "New names: " }).waitFor()
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("is imported: 4 new").waitFor()
    const found = await deals("searchQuery=Erstauftrag&columns=name,client_name,amount")
    assert.deepInclude(found[0], { name: "Erstauftrag", client_name: "Käse König KG", amount: 1_250_000 })
    const stages = await fetch(`${console_.url}/api/v1/workspace/stages`, {
      headers: { authorization: `Bearer ${keys.admin.key}` },
    })
    const { data } = (await stages.json()) as { readonly data: ReadonlyArray<Record<string, unknown>> }
    assert.deepInclude(
      data.find(({ name }) => name === "Angebot"),
      { category: "lost" },
    )
    await console_.close(context, page)
  })

  it("says that the workspace has changed since the check, and checks again", async () => {
    const { context, page } = await open()
    await give(page, "late.csv", "Deal Name,Stage\nLate one,Proposal\n")
    await page.getByText("Of 1 records: 1 new").waitFor()
    const renamed = await fetch(`${console_.url}/api/v1/import`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.admin.key}`, "content-type": "application/x-ndjson" },
      body: '{"type":"stage","id":"open","name":"Offer"}\n',
    })
    assert.strictEqual(renamed.status, 200)
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page
      .locator(".refusal", {
        hasText: "has changed since the check: the stage 'Proposal' (open) is gone, or has another name",
      })
      .waitFor()
    await page.getByRole("button", { name: "Check again" }).click()
    await page.getByText("New names: stages (1)").waitFor()
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("is imported: 1 new").waitFor()
    await console_.close(context, page)
  })

  it("says that the plan is gone after an hour, and checks again", async () => {
    const { context, page } = await open()
    await give(page, "old.csv", "Deal Name\nOld one\n")
    await page.getByText("Of 1 records: 1 new").waitFor()
    // The server answers alike for a plan that is too old and for one that never was.
    await page.route("**/api/v1/import?plan_id=*", (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/pln_\w+/, "pln_gone"),
      }),
    )
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.locator(".refusal", { hasText: "plans are kept for one hour" }).waitFor()
    await page.unroute("**/api/v1/import?plan_id=*")
    await page.getByRole("button", { name: "Check again" }).click()
    await page.getByText("Of 1 records: 1 new").waitFor()
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("is imported: 1 new").waitFor()
    await console_.close(context, page)
  })

  it("keeps the columns without a field, converts currencies, and undoes the import but for later changes", async () => {
    const set = await fetch(`${console_.url}/api/v1/workspace`, {
      method: "PUT",
      headers: { authorization: `Bearer ${keys.admin.key}`, "content-type": "application/json" },
      body: '{"currency":"USD"}',
    })
    assert.strictEqual(set.status, 200)
    const { context, page } = await open()
    const text = `Deal Name,Deal Value,Currency,Stage,Forecast ${HOSTILE.replaceAll(",", "")}\nKept one,100,EUR,Won,0.5\nKept two,1000,SEK,Won,0.9\n`
    await give(page, "currencies.csv", text)
    await page.getByText("Of 2 records: 2 refused").waitFor()
    await page.getByLabel("Columns that fill no field").selectOption("crm_two")
    await page.locator(".plan", { hasText: /Forecast.*forecast\w*\s*\(new property, number\)/s }).waitFor()
    await page.getByLabel("An empty cell").selectOption("clear")
    const rates = page.getByRole("group", { name: "The file has amounts in other currencies" })
    await rates.getByLabel("1 EUR in USD").fill("1.5")
    await rates.getByLabel("1 SEK in USD").fill("0.1")
    await rates.getByLabel("1 SEK in USD").blur()
    await page.getByText("Of 2 records: 2 new").waitFor()
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("is imported: 2 new").waitFor()
    const found = await deals("searchQuery=Kept&columns=name,amount&sort=name&sort_order=asc")
    assert.deepStrictEqual(
      found.map(({ amount }: { readonly amount: number }) => amount),
      [150, 100],
    )
    await page.getByRole("button", { name: "Undo this import" }).click()
    const dialog = page.getByRole("dialog", { name: "Undo this import?" })
    await dialog.getByText("2 new records").waitFor()
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await dialog.waitFor({ state: "hidden" })
    const changed = await fetch(`${console_.url}/api/v1/deals/${found[0].id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${keys.admin.key}`, "content-type": "application/json" },
      body: '{"amount":7}',
    })
    assert.strictEqual(changed.status, 200)
    await page.getByRole("button", { name: "Undo this import" }).click()
    await dialog.getByRole("button", { name: "Undo the import" }).click()
    await page.getByText("The import is undone:").waitFor()
    await page.locator(".undo li", { hasText: "Deal Kept one: changed after the import" }).waitFor()
    const left = await deals("searchQuery=Kept&columns=name,amount")
    assert.deepStrictEqual(
      left.map(({ name, amount }: any) => [name, amount]),
      [["Kept one", 7]],
    )
    await console_.close(context, page)
  })

  it("offers the undo of an import of the audit log, and says why one is refused", async () => {
    const { context, page } = await open()
    await give(page, "refused.csv", "Deal Name\nRefused one\n")
    await page.getByText("Of 1 records: 1 new").waitFor()
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("is imported: 1 new").waitFor()
    await page.goto(`${console_.url}/settings/audit`)
    await page.getByRole("link", { name: "Look at it, or undo it" }).first().click()
    await page.getByText(/^Import of/).waitFor()
    for (const [status, text] of [
      [410, "It is too late: an import can be undone for 7 days."],
      [403, "Your key may not undo imports"],
      [409, "already undone, or is being undone"],
    ] as const) {
      await page.route("**/api/v1/import/*/undo", (route) =>
        route.fulfill({ status, contentType: "application/json", body: '{"error":{"code":"gone","message":"no"}}' }),
      )
      await page.getByRole("button", { name: "Undo this import" }).click()
      await page.getByRole("button", { name: "Undo the import" }).click()
      await page.locator(".undo .refusal", { hasText: text }).waitFor()
      await page.unroute("**/api/v1/import/*/undo")
    }
    await console_.close(context, page)
  })

  it("says why an import failed", async () => {
    const { context, page } = await open()
    await give(page, "stages.csv", "Name,Category\nLate,open\n")
    await page.getByLabel("Each row is").selectOption("stage")
    await page.getByText("Of 1 records: 1 new").waitFor()
    await page.route("**/api/v1/import?*", (route) => route.abort())
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.locator(".refusal", { hasText: "unreachable" }).waitFor()
    console_.problems.splice(0)
    await console_.close(context, page)
  })

  it("fits every width, and gives axe nothing serious", async () => {
    await console_.examine(keys.admin.key, ["/settings/import"])
    const { context, page } = await open()
    await give(page, "pipeline.csv", CSV)
    await page.locator(".errors").waitFor()
    await page.setViewportSize({ width: 360, height: 800 })
    assert.isAtMost((await page.evaluate("document.documentElement.scrollWidth")) as number, 360)
    await console_.close(context, page)
  })
})
