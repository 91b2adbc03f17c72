import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { startConsole } from "./browserOf.ts"
import { HOSTILE, seed } from "./seed.ts"

const LOST = "How many deals did we lose?"

describe("kept conversations in a browser", needs("chromium", chromium !== undefined), () => {
  let console_: Awaited<ReturnType<typeof startConsole>>
  let keys: Effect.Success<typeof seed>

  beforeAll(async () => {
    console_ = await startConsole({
      prepare: Effect.map(seed, (made) => void (keys = made)),
      expected: /status of 40(1|4)/,
    })
  })
  afterAll(async () => {
    await console_?.stopBrowser()
    await console_?.stopServer()
  })

  const open = async (key: string) => {
    const opened = await console_.signIn(key)
    await opened.page.goto(`${console_.url}/ask`)
    await console_.settle(opened.page)
    return opened
  }
  const ask = async (page: Page, question: string) => {
    const turns = page.locator(".turn")
    const before = await turns.count()
    await page.getByLabel("Your question").fill(question)
    await page.keyboard.press("Enter")
    await turns.nth(before).locator(".prose").waitFor()
    await page.getByRole("button", { name: "Ask", exact: true }).waitFor()
  }
  const rows = (page: Page) => page.locator(".turns .rows .row")
  const kept = async (key: string) => {
    const reply = await fetch(`${console_.url}/api/v1/conversations`, { headers: { authorization: `Bearer ${key}` } })
    return ((await reply.json()) as { readonly data: ReadonlyArray<{ id: string; title: string; turns: number }> }).data
  }

  it("begins with its first line on a small screen", async () => {
    const { context, page } = await open(keys.admin.key)
    await page.setViewportSize({ width: 340, height: 500 })
    await page.reload()
    await page.locator(".lead").waitFor()
    const hidden = await page
      .locator(".turns")
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
    assert.isAbove(hidden, 0)
    assert.strictEqual(await page.locator(".turns").evaluate(({ scrollTop }) => scrollTop), 0)
    await context.close()
  })

  it("opens a conversation again, and goes on with it", async () => {
    const { context, page } = await open(keys.admin.key)
    await ask(page, LOST)
    const answer = await page.locator(".prose").innerText()
    await page.getByRole("button", { name: "New conversation" }).click()
    await rows(page).getByRole("link", { name: LOST }).click()
    await page.locator(".turn .prose").waitFor()
    assert.strictEqual(await page.locator(".prose").innerText(), answer)
    await page.locator(".prose .source").first().click()
    await page.frameLocator(".source-panel iframe").locator("mark").first().waitFor()
    await ask(page, "And how many did we win?")
    await page.getByRole("button", { name: "New conversation" }).click()
    await rows(page).getByText("2 questions").waitFor()
    assert.deepStrictEqual(
      (await kept(keys.admin.key)).map(({ title, turns }) => [title, turns]),
      [[LOST, 2]],
    )
    await console_.close(context, page)
  })

  it("deletes one, then all, and asks before", async () => {
    const { context, page } = await open(keys.admin.key)
    await ask(page, `Who is ${HOSTILE}?`)
    await page.getByRole("button", { name: "New conversation" }).click()
    const attack = rows(page).filter({ hasText: "Who is <img" })
    await attack.getByRole("button", { name: "Delete" }).click()
    await attack.getByRole("button", { name: "no" }).click()
    assert.lengthOf(await kept(keys.admin.key), 2)
    await attack.getByRole("button", { name: "Delete" }).click()
    await attack.getByRole("button", { name: "yes" }).click()
    await attack.waitFor({ state: "detached" })
    assert.deepStrictEqual(
      (await kept(keys.admin.key)).map(({ title, turns }) => [title, turns]),
      [[LOST, 2]],
    )
    await page.getByRole("button", { name: "Delete all" }).click()
    await page.getByRole("button", { name: "yes" }).click()
    await page.getByText("Earlier conversations").waitFor({ state: "detached" })
    assert.deepStrictEqual(await kept(keys.admin.key), [])
    await console_.close(context, page)
  })

  it("goes on with a conversation that was deleted in another tab, and keeps no more of it", async () => {
    const { context, page } = await open(keys.admin.key)
    await ask(page, LOST)
    const [{ id } = { id: "" }] = await kept(keys.admin.key)
    await fetch(`${console_.url}/api/v1/conversations/${id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${keys.admin.key}` },
    })
    await ask(page, "And how many did we win?")
    assert.strictEqual(await page.locator(".turn").count(), 2)
    assert.match(await page.locator(".turn .prose").last().innerText(), /\bwon\b/)
    assert.deepStrictEqual(await kept(keys.admin.key), [])
    await console_.close(context, page)
  })

  it("shows nobody the conversations of another, and says that a link leads nowhere", async () => {
    const admin = await open(keys.admin.key)
    await ask(admin.page, LOST)
    await console_.close(admin.context, admin.page)
    const { id } = (await kept(keys.admin.key))[0]!
    const { context, page } = await open(keys.viewer.key)
    assert.strictEqual(await rows(page).count(), 0)
    await page.goto(`${console_.url}/ask?c=${id}`)
    await page.getByText("There is nothing here").waitFor()
    assert.strictEqual(await page.locator(".turn").count(), 0)
    await console_.close(context, page)
  })

  it("fits every width, and gives axe nothing serious", () => console_.examine(keys.admin.key, ["/ask"]))
})
