import { once } from "node:events"
import { readFileSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { type Browser, chromium as browsers, type Page } from "playwright-core"
import { buildConsole } from "../build/console.ts"
import { chromium } from "../test/support/chromium.ts"
import { median } from "./support/contest.ts"
import { startServer } from "./support/database.ts"
import { heading, judge, summary, table } from "./support/report.ts"
import { startProgram } from "./support/servers.ts"
import { makeWorkspaceDatabase } from "./support/workspaces.ts"

const MAX_FIRST_KIB = 160
const MAX_ALL_KIB = 350
const MAX_PAINT_MS = 800
const MAX_READY_MS = 1200
const MAX_FILTER_MS = 150
const SLOWDOWN = 4

const PAGES = [
  "/",
  "/deals",
  "/ask",
  "/reports",
  "/reports/boards",
  "/review",
  "/competitors",
  "/features",
  "/library",
  ...["", "/workspace", "/questions", "/import", "/keys", "/webhooks", "/audit"].map((part) => `/settings${part}`),
]

/** Measures the console in Chromium. `--quick`: 20,000 deals, fewer rounds. */
export const main = async (args: ReadonlyArray<string>) => {
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${process.platform}; the browser and the servers share them`)
  const quick = args.includes("--quick")
  await measureScripts()
  if (chromium === undefined) return console.log("no Chromium here: only the scripts are measured")
  const browser = await browsers.launch({ executablePath: chromium, args: ["--no-sandbox"] })
  try {
    await measureDemo(browser, quick ? 3 : 9)
    await measureFilters(browser, quick ? 20_000 : 100_000)
  } finally {
    await browser.close()
  }
  summary()
}

const measureScripts = async () => {
  heading("Scripts")
  const chunks = await buildConsole()
  const kib = (code: string) => gzipSync(code).length / 1024
  const home = new Set<string>()
  const follow = (name: string) => {
    const chunk = chunks.find(({ fileName }) => fileName === name)
    if (chunk === undefined || home.has(name)) return
    home.add(name)
    chunk.imports.forEach(follow)
  }
  follow(chunks.find(({ isEntry }) => isEntry)!.fileName)
  const sum = (all: typeof chunks) => all.reduce((total, { code }) => total + kib(code), 0)
  judge(
    "script of the first page, gzip",
    sum(chunks.filter(({ fileName }) => home.has(fileName))),
    MAX_FIRST_KIB,
    "KiB",
  )
  judge("all scripts, gzip", sum(chunks), MAX_ALL_KIB, "KiB")
}

const signIn = async (page: Page, url: string, key: string) => {
  await page.goto(url)
  await page.locator("input[name=key]").fill(key)
  await page.locator("button.primary").click()
  await page.locator(".shell").waitFor()
}

const settle = async (page: Page) => {
  await page.waitForLoadState("networkidle")
  await page.locator(".skeleton").first().waitFor({ state: "detached" })
}

const measureDemo = async (browser: Browser, rounds: number) => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-console-"))
  const server = await startProgram(
    {
      runtime: "node",
      script: "src/adapters/cli/main.js",
      args: ["demo"],
      environment: { SIGHTLINE_DATA_DIR: directory },
    },
    { path: "/health/ready" },
  )
  const url = `http://127.0.0.1:${server.port}`
  try {
    const { key } = JSON.parse(readFileSync(join(directory, "demo.json"), "utf8")) as { readonly key: string }
    const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    const elsewhere: Array<string> = []
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol.startsWith("http") && origin !== url) elsewhere.push(request.url())
    })
    await signIn(page, url, key)
    await measureFirstPage(page, await browser.newPage(), url, rounds)
    await countViolations(page, url)
    judge("requests to other servers", elsewhere.length, 0, "requests")
    await context.close()
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Serves one paragraph: this browser paints no page sooner on this machine. */
const startFloor = async () => {
  const server = createServer((_, reply) =>
    reply.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Floor</title><p>A paragraph.</p>"),
  ).listen(0, "127.0.0.1")
  await once(server, "listening")
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

const slow = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN })
  return session
}

const paintOf = async (page: Page) => {
  const entry = "performance.getEntriesByName('first-contentful-paint')[0]"
  await page.waitForFunction(entry)
  return (await page.evaluate(`${entry}.startTime`)) as number
}

/** Ready: the figures of the first page are there, and their links react. */
const measureFirstPage = async (page: Page, floorPage: Page, url: string, rounds: number) => {
  heading(`The first page of the demo, CPU slowed ${SLOWDOWN} times`)
  const floor = await startFloor()
  const session = await slow(page)
  await slow(floorPage)
  const floors: Array<number> = []
  const paints: Array<number> = []
  const ready: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    await floorPage.goto(floor.url)
    floors.push(await paintOf(floorPage))
    await session.send("Network.clearBrowserCache")
    await page.goto(url, { waitUntil: "commit" })
    await page.locator("a.figure").first().waitFor()
    ready.push((await page.evaluate("performance.now()")) as number)
    paints.push(await paintOf(page))
  }
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 })
  await session.detach()
  await floorPage.close()
  floor.stop()
  const spread = `${Math.min(...floors).toFixed(0)} to ${Math.max(...floors).toFixed(0)}`
  console.log(`one paragraph without style or script: ${median(floors).toFixed(0)} ms (${spread})`)
  judge("first contentful paint", median(paints), MAX_PAINT_MS, "ms")
  judge("figures shown and ready", median(ready), MAX_READY_MS, "ms")
}

interface Violation {
  readonly id: string
  readonly impact: string
}

const countViolations = async (page: Page, url: string) => {
  heading("axe")
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
  const rows: Array<ReadonlyArray<string>> = []
  let serious = 0
  for (const path of PAGES) {
    await page.goto(url + path)
    await settle(page)
    await page.evaluate(axe)
    const found = (await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, impact }) => ({ id, impact })))",
    )) as ReadonlyArray<Violation>
    const bad = found.filter(({ impact }) => impact === "serious" || impact === "critical")
    serious += bad.length
    rows.push([path, String(bad.length), String(found.length - bad.length), found.map(({ id }) => id).join(", ")])
  }
  table(["page", "serious", "less", "rules"], rows)
  judge("serious findings of axe", serious, 0, "findings")
}

/** A quick typist: 100 words a minute. */
const KEY_MS = 120
/** Between two searches, until the first has counted its deals. */
const PAUSE_MS = 1000

/** From the last key of a search to the rows on the screen, while earlier keys have started searches of their own. */
const measureFilters = async (browser: Browser, deals: number) => {
  heading(`A filter typed, ${deals.toLocaleString("en")} deals`)
  const postgres = await startServer()
  try {
    const { url: database, key } = await makeWorkspaceDatabase(postgres, deals)
    const server = await startProgram(
      {
        runtime: "node",
        script: "src/adapters/cli/main.js",
        args: ["serve"],
        environment: { SIGHTLINE_DATABASE_URL: database },
      },
      { path: "/health/ready" },
    )
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      const url = `http://127.0.0.1:${server.port}`
      await signIn(page, url, key)
      await page.goto(`${url}/deals`)
      await settle(page)
      const taken: Array<number> = []
      const search = page.getByRole("searchbox").first()
      for (const text of ["renewal", "pilot", "security", "budget", "roadmap"]) {
        await search.fill("")
        await setTimeout(PAUSE_MS)
        const shown = page.waitForResponse((reply) => reply.url().includes(`/deals?searchQuery=${text}&`))
        await search.pressSequentially(text.slice(0, -1), { delay: KEY_MS })
        await setTimeout(KEY_MS)
        const began = performance.now()
        await search.press(text.at(-1)!)
        await shown
        await page.locator(".deals tbody tr:not(.stale) th a").first().waitFor()
        taken.push(performance.now() - began)
      }
      judge("rows on the screen after the last key", median(taken), MAX_FILTER_MS, "ms")
    } finally {
      await server.stop()
    }
  } finally {
    await postgres.stop()
  }
}
