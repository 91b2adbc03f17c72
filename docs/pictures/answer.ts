/**
 * Makes `answer.png`, a question on the command line beside the viewer that its first citation opens, and two pictures of the console.
 * Starts a demo of its own; needs Chromium. `npm run pictures`
 */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { chromium } from "playwright-core"

const root = join(import.meta.dirname, "../..")
const QUESTION = "How do we beat Orvanta?"
const ANSWER_WIDTH = 768
const CONSOLE = { width: 1280, height: 800 }
const CONSOLE_QUESTION = "Why do we lose deals to Nimbrel, and how often?"
const SIZE = { width: 720, height: 540 }
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
const READ_TIMEOUT_MS = 120_000

const directory = mkdtempSync(join(tmpdir(), "sightline-picture-"))
const environment = { ...process.env, PORT: "0", SIGHTLINE_DATA_DIR: directory }
const main = join(root, "src/adapters/cli/main.js")
const server = spawn(process.execPath, [main, "demo", "--json"], {
  env: environment,
  stdio: ["ignore", "pipe", "inherit"],
})

try {
  const [line] = (await once(server.stdout.setEncoding("utf8"), "data")) as [string]
  const { url, key } = JSON.parse(line) as { readonly url: string; readonly key: string }
  await untilRead(url, key)
  const asked = { env: { ...environment, SIGHTLINE_API_KEY: key } }
  const { stdout } = await promisify(execFile)(process.execPath, [main, "ask", "--url", url, QUESTION], asked)
  const link = /https?:\/\/\S+\/v\/\S+/.exec(stdout)?.[0]
  if (link === undefined) throw new Error(`the answer has no citation:\n${stdout}`)
  await take(stdout.trim(), link)
  await takeConsole(url, key)
} finally {
  if (server.exitCode === null) {
    server.kill("SIGTERM")
    await once(server, "exit")
  }
  rmSync(directory, { recursive: true, force: true })
}

/** Waits for the demo's documents, which it reads in the background. */
async function untilRead(url: string, key: string) {
  const headers = { authorization: `Bearer ${key}` }
  for (const end = performance.now() + READ_TIMEOUT_MS; performance.now() < end;) {
    const reply = await fetch(`${url}/api/v1/documents?competitor_id=orvanta`, { headers })
    const { data } = (await reply.json()) as { readonly data: ReadonlyArray<{ readonly status: string }> }
    if (data.length > 0 && data.every(({ status }) => status === "ready")) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error("the demo's documents were not read in time")
}

function launch() {
  const executablePath = BROWSERS.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error("no Chromium was found; install it")
  return chromium.launch({ executablePath, args: ["--no-sandbox"] })
}

/** The first page, and an answer beside the source of one of its numbers. */
async function takeConsole(url: string, key: string) {
  const browser = await launch()
  try {
    const page = await browser.newPage({ viewport: CONSOLE, colorScheme: "light", locale: "en-GB" })
    const shoot = async (name: string) => {
      await page.waitForLoadState("networkidle")
      await page.locator(".skeleton").first().waitFor({ state: "detached" })
      await page.screenshot({ path: join(import.meta.dirname, name), animations: "disabled" })
    }
    await page.goto(url)
    await page.getByLabel("API key").fill(key)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.locator("a.figure").first().waitFor()
    await shoot("console.png")
    await page.goto(`${url}/ask?q=${encodeURIComponent(CONSOLE_QUESTION)}`)
    await page.locator(".source-list").waitFor()
    await page.locator(".prose .source").nth(1).click()
    await page.frameLocator(".source-panel iframe").locator("mark").first().waitFor()
    await shoot("console-ask.png")
  } finally {
    await browser.close()
  }
}

async function take(answer: string, link: string) {
  const browser = await launch()
  try {
    const viewer = await browser.newPage({ viewport: SIZE, colorScheme: "light" })
    await viewer.goto(link)
    const shot = await viewer.screenshot({ animations: "disabled" })
    const page = await browser.newPage({
      viewport: { width: ANSWER_WIDTH + SIZE.width + 48, height: SIZE.height + 32 },
    })
    await page.setContent(pageOf(answer, link, `data:image/png;base64,${shot.toString("base64")}`))
    await page.locator("img").evaluate((image: HTMLImageElement) => image.decode())
    await page.screenshot({ path: join(import.meta.dirname, "answer.png") })
  } finally {
    await browser.close()
  }
}

function pageOf(answer: string, link: string, viewer: string) {
  const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
  return `<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; padding: 16px; display: flex; gap: 16px; background: #e7e9ee; }
  pre, img { box-sizing: border-box; height: ${SIZE.height}px; margin: 0; border-radius: 8px; background: #fff; }
  pre { width: ${ANSWER_WIDTH}px; padding: 24px; overflow: hidden; white-space: pre-wrap; overflow-wrap: anywhere; font: 13.5px/1.6 ui-monospace, "DejaVu Sans Mono", monospace; color: #1c2330; }
  b { color: #0b5cad; } mark { background: #fff1b8; color: inherit; }
</style><pre><b>$</b> sightline ask "${QUESTION}"

${escape(answer).replace(escape(link), (text) => `<mark>${text}</mark>`)}</pre><img alt="" src="${viewer}">`
}
