import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { until } from "../support/until.ts"
import { startConsole } from "./browserOf.ts"
import { HOSTILE, seed } from "./seed.ts"

const PARTS = ["workspace", "questions", "import", "members", "keys", "webhooks", "audit"]

describe("the settings in a browser", needs("chromium", chromium !== undefined), () => {
  let console_: Awaited<ReturnType<typeof startConsole>>
  let keys: Effect.Success<typeof seed>
  let receiver: Server
  let receiverPort = 0
  const received: Array<string> = []

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      received.push(String(request.headers["webhook-id"]))
      response.writeHead(received.length === 1 ? 410 : 200).end()
    })
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening))
    receiverPort = (receiver.address() as AddressInfo).port
    console_ = await startConsole({
      prepare: Effect.map(seed, (made) => void (keys = made)),
      expected: /status of 4(00|01|03|09)/,
      loopback: [receiverPort],
    })
  })
  afterAll(async () => {
    await console_?.stopBrowser()
    await console_?.stopServer()
    receiver?.close()
  })

  const statusWith = async (key: string) =>
    (await fetch(`${console_.url}/api/v1/workspace`, { headers: { authorization: `Bearer ${key}` } })).status

  it("makes a key whose secret appears once, rotates it and revokes it", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}/settings/keys`)
    await page.getByLabel("Name").fill(`Reporting ${HOSTILE}`)
    await page.getByLabel("Role").selectOption("viewer")
    await page.getByRole("button", { name: "Create" }).click()
    const secret = page.locator(".secret code")
    const first = (await secret.innerText()).trim()
    assert.strictEqual(await statusWith(first), 200)
    await page.getByRole("button", { name: "Done" }).click()
    assert.notInclude(await page.content(), first)
    const row = page.locator("li.row", { hasText: "Reporting" })
    await row.getByRole("button", { name: "Rotate" }).click()
    await row.getByRole("button", { name: "Yes" }).click()
    const second = (await secret.innerText()).trim()
    assert.notStrictEqual(second, first)
    assert.strictEqual(await statusWith(second), 200)
    await row.getByRole("button", { name: "Revoke" }).click()
    await row.getByRole("button", { name: "No" }).click()
    assert.strictEqual(await statusWith(second), 200)
    await row.getByRole("button", { name: "Revoke" }).click()
    await row.getByRole("button", { name: "Yes" }).click()
    await row.getByText("revoked").waitFor()
    await until("the revoked key is refused", async () => (await statusWith(second)) === 401)
    await console_.close(context, page)
  })

  it("makes a webhook, pings it, shows its deliveries and sends one again", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}/settings/webhooks`)
    await page.getByText("No webhooks").waitFor()
    await page.getByLabel("Address").fill("http://127.0.0.1:1/hook")
    await page.getByRole("button", { name: "Create" }).click()
    await page.locator(".refusal", { hasText: "url" }).waitFor()
    await page.getByLabel("Address").fill(`http://127.0.0.1:${receiverPort}/hook`)
    await page.getByLabel("Description").fill(HOSTILE)
    await page.getByText("Events (all").click()
    await page.getByLabel("deal.updated").check()
    await page.getByRole("button", { name: "Create" }).click()
    await page.locator(".secret code", { hasText: "whsec_" }).waitFor()
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("button", { name: "Send a ping" }).click()
    const row = page.locator(".deliveries li.row").first()
    await row.waitFor()
    const untilShown = (state: string) =>
      until(`the delivery is ${state}`, async () => {
        await page.getByRole("button", { name: "Refresh" }).click()
        return (await row.getByText(state).count()) > 0
      })
    await untilShown("failed")
    await page.reload()
    await page.getByText("disabled").waitFor()
    await page.getByRole("button", { name: "Enable" }).click()
    await page.getByText("enabled", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Deliveries" }).click()
    await row.getByRole("button", { name: "Send again" }).click()
    await untilShown("delivered")
    assert.strictEqual(received.at(-1), received[0])
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("button", { name: "Yes" }).click()
    await page.getByText("No webhooks").waitFor()
    await console_.close(context, page)
  })

  it("changes the currency, the fiscal year, the time zone and the names", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}/settings/workspace`)
    await page.getByLabel("Currency").fill("ZZZ")
    await page.getByRole("button", { name: "Save" }).click()
    await page.locator(".refusal", { hasText: "ISO 4217" }).waitFor()
    await page.getByLabel("Currency").fill("CHF")
    await page.getByLabel("Fiscal year begins in").selectOption("4")
    await page.getByLabel("Time zone").fill("Europe/Berln")
    await page.getByRole("button", { name: "Save" }).click()
    await page.locator(".refusal", { hasText: "Europe/Berlin" }).waitFor()
    await page.getByLabel("Time zone").fill("Europe/Berlin")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved.").waitFor()
    // The list arrives while the reader fills the form, which keeps what it has.
    const filled = Promise.withResolvers<void>()
    await page.route("**/workspace/competitors*", (route) => filled.promise.then(() => route.continue()))
    await page.getByRole("button", { name: "Competitors" }).click()
    await page.getByLabel("Other names").fill("Orvanta Flow, Orv")
    await page.getByLabel("Name", { exact: true }).last().fill(`Orvanta ${HOSTILE}`)
    filled.resolve()
    await page.locator("li.row", { hasText: "Rival" }).waitFor()
    await page.unroute("**/workspace/competitors*")
    await page.getByRole("button", { name: "Create" }).click()
    const row = page.locator("li.row", { hasText: "Orvanta" })
    await row.getByText("Orvanta Flow · Orv").waitFor()
    await row.getByRole("button", { name: "Change" }).click()
    await page.locator("li.row").getByLabel("Name", { exact: true }).fill("Orvanta Renamed")
    await page.locator("li.row").getByRole("button", { name: "Save" }).click()
    await row.getByText("Orvanta Renamed").waitFor()
    const used = page.locator("li.row", { hasText: "Rival" })
    await used.getByRole("button", { name: "Delete" }).click()
    await used.getByRole("button", { name: "Yes" }).click()
    await page.locator(".refusal", { hasText: "430 deals" }).waitFor()
    await row.getByRole("button", { name: "Delete" }).click()
    await row.getByRole("button", { name: "Yes" }).click()
    await row.waitFor({ state: "detached" })
    await page.goto(`${console_.url}/deals`)
    await page.getByText(/430 deals, CHF/).waitFor()
    await console_.close(context, page)
  })

  it("makes a question for some deals, says what it costs, changes it and deletes it", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}/settings/questions`)
    const answers = page.getByRole("region", { name: "Answers" })
    await answers.getByText("No questions yet").waitFor()
    await answers.getByLabel("Name").fill(`Budget ${HOSTILE}`)
    await answers.getByLabel("Form of the answer").selectOption("option")
    await answers.getByLabel("Question").fill(`Is there a budget? ${HOSTILE}`)
    await answers.getByLabel("The list").fill("approved\n\n planned ")
    await answers.getByRole("button", { name: "Filter", exact: true }).click()
    await page.getByRole("checkbox", { name: "Lost" }).check()
    // Enter in a field of the dialog does not submit the form behind it.
    await page.getByRole("button", { name: "Stage", exact: true }).click()
    await page.getByRole("searchbox").press("Enter")
    await page.getByRole("button", { name: "Done" }).click()
    await answers.getByRole("button", { name: "Create" }).click()
    const row = answers.locator("li.row", { hasText: "Budget" })
    await row.getByText("approved, planned · Asked of the deals with Outcome: Lost").waitFor()
    await row.getByText("none of these deals has a document").waitFor()
    const stored = async () => {
      const reply = await fetch(`${console_.url}/api/v1/workspace/answers`, {
        headers: { authorization: `Bearer ${keys.admin.key}` },
      })
      return ((await reply.json()) as { readonly data: ReadonlyArray<Readonly<Record<string, unknown>>> }).data
    }
    assert.deepInclude((await stored())[0], {
      question: `Is there a budget? ${HOSTILE}`,
      form: "option",
      options: ["approved", "planned"],
      filters: { outcome: ["lost"] },
    })
    await row.getByRole("button", { name: "Change" }).click()
    await answers.getByRole("button", { name: "Save" }).waitFor()
    await answers.getByLabel("Form of the answer").first().selectOption("boolean")
    await answers.getByRole("button", { name: "Remove the filter Outcome" }).click()
    await answers.getByRole("button", { name: "Save" }).click()
    await row.getByText("Asked of all deals").waitFor()
    assert.deepInclude((await stored())[0], { form: "boolean", options: [], filters: {} })
    await row.getByRole("button", { name: "Delete" }).click()
    await row.getByRole("button", { name: "Yes" }).click()
    await row.waitFor({ state: "detached" })
    const scores = page.getByRole("region", { name: "Scores" })
    await scores.getByLabel("Name").fill("Product fit")
    await scores.getByLabel("Question").fill("How well does it fit?")
    await scores.getByRole("button", { name: "Create" }).click()
    await page.locator(".refusal", { hasText: "name of a score that every deal has" }).waitFor()
    await console_.close(context, page)
  })

  it("scores by the workspace's words, and by the general ones again", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    const stored = async () => {
      const reply = await fetch(`${console_.url}/api/v1/workspace`, {
        headers: { authorization: `Bearer ${keys.admin.key}` },
      })
      return ((await reply.json()) as { readonly settings: { readonly rubrics: unknown } }).settings.rubrics
    }
    await page.goto(`${console_.url}/settings/questions`)
    const scores = page.getByRole("region", { name: "Scores of every deal" })
    const row = scores.locator("li.row", { hasText: "Price sensitivity" })
    await row.getByText("general words").waitFor()
    await row.getByText("the price is said to decide").waitFor()
    const change = async (most: string) => {
      await row.getByRole("button", { name: "Change" }).click()
      await row.getByLabel("1 means").fill("no discount asked")
      await row.getByLabel("3 means").fill("procurement asks")
      await row.getByLabel("5 means").fill(most)
      await row.getByRole("button", { name: "Save" }).click()
      await row.getByText(most).waitFor()
    }
    await change(`the price decides ${HOSTILE}`)
    await change("the price alone decides")
    assert.deepStrictEqual(await stored(), {
      price_sensitivity: { 1: "no discount asked", 3: "procurement asks", 5: "the price alone decides" },
    })
    // Another person's words stay.
    const relationship = { 1: "none", 3: "some", 5: "a champion" }
    await fetch(`${console_.url}/api/v1/workspace`, {
      method: "PUT",
      headers: { authorization: `Bearer ${keys.admin.key}`, "content-type": "application/json" },
      body: JSON.stringify({ rubrics: { relationship, price_sensitivity: relationship } }),
    })
    await row.getByRole("button", { name: "Use the general words" }).click()
    await row.getByRole("button", { name: "Yes" }).click()
    await row.getByText("general words", { exact: true }).waitFor()
    assert.deepStrictEqual(await stored(), { relationship })
    await scores.locator("li.row", { hasText: "a champion" }).waitFor()
    await console_.close(context, page)
  })

  it("lists who did it in the audit log, by action", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}/settings/audit`)
    await page.locator("li.row", { hasText: "workspace.updated" }).first().waitFor()
    await page.getByLabel("Action").selectOption("key.revoked")
    await page.locator("li.row", { hasText: "workspace.updated" }).first().waitFor({ state: "detached" })
    await page.locator("li.row", { hasText: "key.revoked" }).waitFor()
    await page.locator("li.row", { hasText: "Desk <img" }).waitFor()
    await console_.close(context, page)
  })

  it("hides from a viewer what it may not change", async () => {
    const { context, page } = await console_.signIn(keys.viewer.key)
    await page.goto(`${console_.url}/settings`)
    await page.getByRole("navigation", { name: "Parts of the settings" }).waitFor()
    assert.strictEqual(await page.locator(".tabs a").count(), 1)
    for (const part of PARTS) {
      await page.goto(`${console_.url}/settings/${part}`)
      await page.getByText("You may not see this").waitFor()
    }
    await console_.close(context, page)
  })

  it("fits every width, and gives axe nothing serious", async () => {
    await console_.examine(
      keys.admin.key,
      PARTS.map((part) => `/settings/${part}`),
    )
  })
})
