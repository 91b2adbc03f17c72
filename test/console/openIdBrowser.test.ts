import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { openIdProvider } from "../../src/adapters/identity/openId.ts"
import { NO_RULES } from "../../src/core/members/rules.ts"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { startConsole } from "./browserOf.ts"
import { type Provider, startProvider } from "./provider.ts"
import { HOSTILE, seed } from "./seed.ts"

describe("signing in through a provider, in a browser", needs("chromium", chromium !== undefined), () => {
  let provider: Provider
  let console_: Awaited<ReturnType<typeof startConsole>>
  let keys: Effect.Success<typeof seed>

  beforeAll(async () => {
    provider = await startProvider()
    const choice = {
      issuer: provider.issuer,
      clientId: "sightline",
      clientSecret: Redacted.make("provider-secret"),
      scopes: "openid email",
      trustEmail: false,
    }
    console_ = await startConsole({
      prepare: Effect.map(seed, (made) => void (keys = made)),
      openId: { ...NO_RULES, provider: openIdProvider(choice) },
      expected: /status of 4(01|03|09)/,
    })
  })
  afterAll(async () => {
    await console_?.stopBrowser()
    await console_?.stopServer()
    await provider?.stop()
  })

  const ask = (path: string, body: object) =>
    fetch(`${console_.url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.admin.key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then((reply) => reply.json() as Promise<any>)

  it("an administrator adds a person, who signs in, gets another role and is removed", async () => {
    const { context, page } = await console_.open()
    await page.goto(console_.url)
    await page.getByText("Use an API key").click()
    await page.locator("input[name=key]").fill(keys.admin.key)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.locator(".shell").waitFor()
    await page.goto(`${console_.url}/settings/members`)
    await page.getByLabel("E-mail address").fill("ada@example.com")
    await page.getByLabel("Role").selectOption("viewer")
    await page.getByRole("button", { name: "Add" }).click()
    const row = page.locator("li.row", { hasText: "ada@example.com" })
    assert.include(await row.innerText(), "has not signed in yet")

    const userInfo = { email: "ada@example.com", email_verified: true, name: `Ada ${HOSTILE}` }
    provider.person("ada", { userInfo })
    const theirs = await console_.open()
    // Another name of the server, whose cookies the provider's reply would not carry.
    await theirs.page.goto(console_.url.replace("127.0.0.1", "localhost"))
    await theirs.page.getByRole("button", { name: /^Sign in at 127\.0\.0\.1:/ }).click()
    await theirs.page.locator(".shell").waitFor()
    assert.strictEqual(theirs.page.url(), `${console_.url}/`)
    await theirs.page.goto(`${console_.url}/settings`)
    assert.include(await theirs.page.locator(".facts").innerText(), "Ada ")
    assert.strictEqual(await theirs.page.getByRole("link", { name: "Members" }).count(), 0)

    await page.reload()
    await Promise.all([
      page.waitForResponse((reply) => reply.url().endsWith("/members") && reply.request().method() === "POST"),
      row.getByRole("combobox").selectOption("admin"),
    ])
    await theirs.page.reload()
    await theirs.page.getByRole("link", { name: "Members" }).waitFor()
    await row.getByRole("button", { name: "Remove" }).click()
    await row.getByRole("button", { name: "Yes" }).click()
    await page.getByText("No members").waitFor()
    await theirs.page.reload()
    await theirs.page.getByRole("button", { name: /^Sign in at/ }).click()
    await theirs.page.getByText("You are not a member of a workspace here.").waitFor()
    await ask("/members", { email: "ada@example.com", role: "viewer" })
    await theirs.page.getByRole("button", { name: /^Sign in at/ }).click()
    await theirs.page.locator(".facts").waitFor()
    assert.strictEqual(theirs.page.url(), `${console_.url}/settings`)
    await console_.close(theirs.context, theirs.page)
    await console_.close(context, page)
  })

  it("comes back to the figure that offered to sign in, from a page that fits every width", async () => {
    await ask("/members", { email: "bob@example.com", role: "viewer" })
    const { message } = await ask("/responses", { messages: [{ role: "user", content: "How many deals are there?" }] })
    provider.person("bob", { userInfo: { email: "bob@example.com", email_verified: true, name: "Bob" } })
    const { context, page } = await console_.open()
    const figure = message.citations[0].url as string
    await page.goto(figure)
    await page.getByRole("link", { name: /sign in/i }).click()
    const button = page.getByRole("button", { name: /^Sign in at/ })
    await button.waitFor()
    for (const width of [360, 768, 2560]) {
      await page.setViewportSize({ width, height: 800 })
      assert.isAtMost((await page.evaluate("document.documentElement.scrollWidth")) as number, width)
    }
    await button.click()
    await page.waitForURL(figure)
    assert.strictEqual(await page.getByRole("link", { name: /sign in/i }).count(), 0)
    await console_.close(context, page)
  })
})
