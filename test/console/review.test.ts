import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Page } from "playwright-core"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { RECORDS } from "../analysis/workspace.ts"
import { chromium } from "../support/chromium.ts"
import { needs } from "../support/needs.ts"
import { readDocument } from "../support/readDocument.ts"
import { tones } from "../support/recordings.ts"
import { until } from "../support/until.ts"
import { startConsole } from "./browserOf.ts"
import { HOSTILE } from "./seed.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const SPEECH = [
  [1, 6, "Farah (Acme)", "Thanks for joining. Have you looked at Orvanta as well?"],
  [7, 16, "Dana (Hartwell)", "Yes, Orvanta is cheaper than you. The price is too high for what we would use."],
  [17, 27, "Dana (Hartwell)", "We love single sign on, it works great. Your support was terrible last month."],
  [30, 33, `Dana ${HOSTILE}`, "We would sign if the dashboards were faster."],
] as const

const timeOf = (start: number, end: number, speaker: string) => ({ kind: "time" as const, start, end, speaker })

const seed = Effect.gen(function* () {
  const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
  const report = yield* (yield* Import).records(org, Stream.fromIterable(RECORDS))
  if (report.failed > 0) return yield* Effect.die(new Error(JSON.stringify(report.errors)))
  for (const deal_id of ["d1", "d2"])
    yield* readDocument(
      org,
      SPEECH.map(([start, end, speaker, text]) => ({
        kind: "speech" as const,
        text,
        place: timeOf(start, end, speaker),
      })),
      { file_name: `Call ${HOSTILE}.wav`, content_type: "audio/wav", bytes: tones(8_000), deal_id },
    )
  yield* readDocument(
    org,
    [{ kind: "speech", text: "As I said, Orvanta is cheaper than you.", place: timeOf(1, 4, "Dana (Hartwell)") }],
    { file_name: "Second call.wav", content_type: "audio/wav", bytes: tones(4_000), deal_id: "d1" },
  )
  const keys = yield* ApiKeys
  return {
    admin: yield* keys.create(org, { name: "desk", role: "admin" }),
    viewer: yield* keys.create(org, { name: "viewer", role: "viewer" }),
  }
})

/** Holds the first reply to a request whose address matches, as the server gave it, until it is released. */
const holdReply = async (page: Page, address: string) => {
  const held = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const delivered = Promise.withResolvers<void>()
  await page.route(
    address,
    async (route) => {
      const response = await route.fetch()
      held.resolve()
      await gate.promise
      // A page that no longer wants the reply has aborted its request.
      await route.fulfill({ response }).catch(() => undefined)
      delivered.resolve()
    },
    { times: 1 },
  )
  const release = () => {
    gate.resolve()
    return delivered.promise
  }
  return { held: held.promise, release }
}

describe("review in a browser", needs("chromium", chromium !== undefined), () => {
  let console_: Awaited<ReturnType<typeof startConsole>>
  let keys: Effect.Success<typeof seed>

  beforeAll(async () => {
    console_ = await startConsole({ prepare: Effect.map(seed, (made) => void (keys = made)) })
  })
  afterAll(async () => {
    await console_?.stopBrowser()
    await console_?.stopServer()
  })

  const findingsOf = async (deal: string) => {
    const reply = await fetch(`${console_.url}/api/v1/deals/${deal}/analysis`, {
      headers: { authorization: `Bearer ${keys.admin.key}` },
    })
    return (
      (await reply.json()) as { findings: ReadonlyArray<{ quote: string; state: string; effect: string | null }> }
    ).findings
  }

  it("analyzes all deals, and judges the findings of the largest one by keyboard", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}/review`)
    await page.getByText("Nothing awaits review").waitFor()
    await page.getByRole("button", { name: "Analyze all deals" }).click()
    // A reload before the reply would forget the run.
    const isKept = async () => (await page.evaluate("sessionStorage.getItem('sightline.analysis')")) !== null
    const isDone = async () => (await page.getByRole("link", { name: /Expansion/ }).count()) > 0
    await until("the page knows the run", async () => (await isKept()) || (await isDone()))
    await page.reload()
    await page.getByRole("link", { name: /Expansion/ }).click()
    await page.locator(".finding:focus").waitFor()
    await page.keyboard.press("a")
    await page.locator(".finding.accepted, .findings .refusal:not(:empty)").first().waitFor()
    assert.strictEqual(await page.locator(".findings .refusal").innerText(), "")
    await page.keyboard.press("r")
    await page.locator(".finding.rejected").first().waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("k")
    const states = (await findingsOf("d2")).map(({ state }) => state)
    assert.deepStrictEqual(states.slice(0, 3), ["accepted", "rejected", "proposed"])
    await page.getByLabel("Effect; choosing one accepts the finding").nth(2).selectOption("neutral")
    await page.locator(".finding.accepted").nth(1).waitFor()
    assert.isTrue((await findingsOf("d2")).some(({ state, effect }) => state === "accepted" && effect === "neutral"))
    await page.keyboard.press("Escape")
    await page.locator("h1").click()
    await page.keyboard.press("n")
    await page.getByRole("heading", { name: "Hartwell – Platform renewal" }).waitFor()
    await console_.close(context, page)
  })

  it("shows on the first page what awaits review, and leads there", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    const card = page.locator("section.card", { hasText: "Awaits review" })
    await card.getByRole("link", { name: "All 2 deals" }).waitFor()
    await card.getByRole("link", { name: /Platform renewal/ }).click()
    await page.locator(".finding:focus").waitFor()
    await page.goBack()
    await card.getByRole("link", { name: "All 2 deals" }).click()
    await page.getByRole("heading", { name: "Deals to review" }).waitFor()
    await console_.close(context, page)
  })

  it("shows findings that say the same as one, with their documents and quotes", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}/deals/d1`)
    const group = page.getByRole("region", { name: "In sum" }).locator("li.row").first()
    await group.getByText(/buyer · 2 findings in 2 documents · \d+ \w+ \d+$/).waitFor()
    assert.include(await group.innerText(), "Orvanta")
    await group.getByRole("button", { name: /Quote \d, in Second call.wav/ }).click()
    await page.frameLocator(".source-panel iframe").locator("mark", { hasText: "Orvanta is cheaper" }).waitFor()
    await console_.close(context, page)
  })

  it("plays a recording from the quote, and the transcript follows", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    await page.goto(`${console_.url}/deals/d1`)
    await page
      .getByRole("button", { name: /price is too high/ })
      .first()
      .click()
    const frame = page.frameLocator(".source-panel iframe")
    await frame.locator("mark", { hasText: "price is too high" }).waitFor()
    const audio = frame.locator("audio")
    assert.strictEqual(await audio.evaluate((media: HTMLAudioElement) => media.currentTime), 7)
    await audio.evaluate((media: HTMLAudioElement) => {
      media.muted = true
      media.currentTime = 16.5
      return media.play()
    })
    await frame.locator(".here", { hasText: "single sign on" }).waitFor()
    await page.getByRole("button", { name: "Close" }).click()
    assert.strictEqual(await page.locator(".source-panel").count(), 0)
    await console_.close(context, page)
  })

  it("lets a viewer read findings and judge none", async () => {
    const { context, page } = await console_.signIn(keys.viewer.key)
    await page.goto(`${console_.url}/deals/d1`)
    await page.locator(".finding").first().waitFor()
    await page.locator(".finding").first().focus()
    await page.keyboard.press("a")
    await page.waitForLoadState("networkidle")
    assert.strictEqual(await page.locator(".finding.accepted").count(), 0)
    assert.strictEqual(await page.getByRole("button", { name: "Accept", exact: true }).count(), 0)
    await console_.close(context, page)
  })

  it("keeps a verdict when a reply from before it arrives after it", async () => {
    const { context, page } = await console_.signIn(keys.admin.key)
    const headers = { authorization: `Bearer ${keys.admin.key}` }
    const started = await fetch(`${console_.url}/api/v1/deals/d1/analysis`, { method: "POST", headers })
    const { run_id } = (await started.json()) as { run_id: string }
    const run = await holdReply(page, `**/api/v1/runs/${run_id}`)
    await page.evaluate(`sessionStorage.setItem("sightline.analysis", "${run_id}")`)
    await page.goto(`${console_.url}/review`)
    await page.getByRole("link", { name: /Platform renewal/ }).click()
    await page.locator(".finding:focus").waitFor()
    // The end of a run lets the page load the findings again.
    const older = await holdReply(page, "**/api/v1/deals/d1/analysis")
    await run.release()
    await older.held
    await page.keyboard.press("r")
    await page.locator(".finding.rejected").waitFor()
    await older.release()
    await page.keyboard.press("a")
    await page.locator(".finding.accepted").waitFor()
    assert.strictEqual(await page.locator(".finding.rejected").count(), 1)
    await console_.close(context, page)
  })

  it("fits every width, and gives axe nothing serious", async () => {
    await console_.examine(keys.admin.key, ["/review", "/deals/d1?review", "/deals/d2"])
  })
})
