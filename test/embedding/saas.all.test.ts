import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Client } from "pg"
import { chromium as browsers } from "playwright-core"
import { bin, execute, pack, project, ROOT } from "../package/packed.ts"
import { chromium } from "../support/chromium.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { needs } from "../support/needs.ts"
import { late, until } from "../support/until.ts"

const packed = mkdtempSync(join(tmpdir(), "sightline-packed-"))
const app = project()
const signingSecret = "s".repeat(64)
let database = ""

/** A process of the program; `url` once it prints its address. */
const start = async (command: ReadonlyArray<string>, settings: Readonly<Record<string, string>> = {}) => {
  const [program = "", ...args] = command
  const env = { ...process.env, DATABASE_URL: database, SIGNING_SECRET: signingSecret, PORT: "0", ...settings }
  const child = spawn(program, args, { cwd: app.directory, env })
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk))
  // Vite writes the port in bold where it may use colours.
  return { child, printed: () => stripVTControlCharacters(printed) }
}

const startServer = async (command: ReadonlyArray<string>) => {
  const started = await start(command)
  const url = await until("it serves", () => {
    if (started.child.exitCode !== null || started.child.signalCode !== null) throw new Error(started.printed())
    return /http:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d+/.exec(started.printed())?.[0]
  })
  return { ...started, url: url.replace(/\/\/[^/]*:/, "//localhost:") }
}

const end = async (child: ChildProcess) => {
  const ended = child.exitCode !== null || child.signalCode !== null ? undefined : once(child, "exit")
  child.kill("SIGTERM")
  await ended
  return child.exitCode
}

/** A user's browser as far as the server sees it: one cookie. */
const visitor = (url: string) => {
  let cookie = ""
  return async (path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData
    const reply = await fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { cookie, origin: url, ...(body && !isForm && { "content-type": "application/json" }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    cookie = reply.headers.get("set-cookie")?.split(";")[0] ?? cookie
    return reply
  }
}

const json = async (reply: Response, status = 200): Promise<any> => {
  const text = await reply.text()
  assert.strictEqual(reply.status, status, text)
  return text === "" ? undefined : JSON.parse(text)
}

beforeAll(async () => {
  cpSync(join(ROOT, "docs/examples/saas"), app.directory, { recursive: true })
  await app.install(await pack(packed), ["sightline"])
  database = await Effect.runPromise(freshPostgresUrl)
  process.env["DATABASE_URL"] = database
  await execute(bin("node"), ["server/migrate.ts"], app.directory)
  await execute(bin("node"), [app.path("node_modules/.bin/vite"), "build"], app.directory)
})
afterAll(() => {
  app.remove()
  rmSync(packed, { recursive: true, force: true })
})

describe("the program of the documentation", () => {
  it("compiles", () => execute(app.path("node_modules/.bin/tsc"), ["-p", "."], app.directory))

  it.each([
    ["Node", [bin("node"), "server/node.ts"]],
    ["Bun", [bin("bun"), "server/bun.ts"]],
    ["Deno", [bin("deno"), "run", "-A", "server/deno.ts"]],
  ])("serves its users on %s, while a worker reads documents, and ends at SIGTERM", async (runtime, command) => {
    const worker = await start([bin("node"), "server/worker.ts"])
    const server = await startServer(command)
    try {
      const email = `ada@${runtime.toLowerCase()}.example`
      const call = visitor(server.url)
      await json(await call("/app/sign-up", { email, password: "a long password", team: runtime }))
      await call("/app/renewals", { id: "harbour", name: "Harbour", due: "2027-03-31" }).then((reply) =>
        json(reply, 204),
      )
      const [deal] = await json(await call("/intel/api/v1/deals?columns=name&columns=close_date"))
      assert.deepInclude(deal, { id: "harbour", name: "Harbour", close_date: "2027-03-31" })

      const form = new FormData()
      form.set("deal_id", "harbour")
      form.set(
        "file",
        new File(["Harbour wants a discount of 12 % for a second year."], "call.txt", { type: "text/plain" }),
      )
      const { document } = await json(await call("/intel/api/v1/deals/documents?form=1", form))
      await until("the worker has read it", async () => {
        const { status } = await json(await call(`/intel/api/v1/documents/${document.id}`))
        return status === "ready"
      })
      const question = {
        messages: [{ role: "user", content: "Which discount does Harbour want?" }],
        citations: "marks",
      }
      const { message } = await json(await call("/intel/api/v1/responses", question))
      assert.match(message.content, /12 %.*\[1\]/s)
      assert.strictEqual(message.citations[0].document_name, "call.txt")
      const opened = await fetch(message.citations[0].url)
      assert.include(await opened.text(), "Harbour wants a discount")

      const other = visitor(server.url)
      await json(await other("/app/sign-up", { email: `eve@${email}`, password: "a long password", team: "Others" }))
      assert.deepStrictEqual(await json(await other("/intel/api/v1/deals")), [])
      assert.strictEqual((await fetch(`${server.url}/intel/api/v1/deals`)).status, 401)
      await json(await call("/app/sign-out", {}), 204)
      assert.strictEqual((await call("/intel/api/v1/deals")).status, 401)
      assert.strictEqual((await call("/app/sign-in", { email, password: "another password" })).status, 401)
      await json(await call("/app/sign-in", { email, password: "a long password" }))
      await json(await call("/intel/api/v1/deals"))
      assert.include(await (await fetch(server.url)).text(), "/page/index.js")
    } finally {
      const codes = [await end(server.child), await end(worker.child)]
      assert.deepStrictEqual(codes, [0, 0], server.printed() + worker.printed())
    }
  })

  it("records a renewal and its deal together, or neither", async () => {
    const server = await startServer([bin("node"), "server/node.ts"])
    const sql = new Client(database)
    await sql.connect()
    try {
      const call = visitor(server.url)
      await json(await call("/app/sign-up", { email: "ada@tx.example", password: "a long password", team: "Tx" }))
      const name = "x".repeat(2000)
      assert.strictEqual((await call("/app/renewals", { id: "long", name, due: "2027-03-31" })).status, 500)
      assert.strictEqual((await call("/app/renewals", { id: "late", name: "Late", due: "someday" })).status, 500)
      assert.deepStrictEqual(await json(await call("/intel/api/v1/deals")), [])
      assert.lengthOf((await sql.query("select from app.renewals where deal_id in ('long', 'late')")).rows, 0)
    } finally {
      await sql.end()
      await end(server.child)
    }
  })

  it("serves without a 503 under `vite dev` while its modules are edited", async () => {
    const vite = app.path("node_modules/.bin/vite")
    const server = await startServer([bin("node"), vite, "--port", "0"])
    const path = app.path("server/sightline.ts")
    const original = readFileSync(path, "utf8")
    const edits = new AbortController()
    try {
      const call = visitor(server.url)
      await json(await call("/app/sign-up", { email: "ada@dev.example", password: "a long password", team: "Dev" }))
      const statuses = new Set<number>()
      const asking = (async () => {
        while (!edits.signal.aborted) {
          const reply = await call("/intel/api/v1/usage")
          statuses.add(reply.status)
          await reply.arrayBuffer()
          await late(20)
        }
      })()
      for (const version of [1, 2, 3]) {
        writeFileSync(path, original.replace("name: email", `name: \`\${email} ${version}\``))
        await until(`version ${version} answers`, async () => {
          const { identities } = await json(await call("/intel/api/v1/usage"))
          return identities.some(({ name }: { name: string }) => name.endsWith(` ${version}`))
        })
        appendFileSync(app.path("server/app.ts"), `// Version ${version}\n`)
      }
      edits.abort()
      await asking
      assert.deepStrictEqual([...statuses], [200], server.printed())
      assert.strictEqual((await call("/")).status, 200)
    } finally {
      edits.abort()
      writeFileSync(path, original)
      server.child.kill("SIGKILL")
    }
  })

  describe("in a browser", needs("chromium", chromium !== undefined), () => {
    it("asks in React and in the custom element, as the signed-in user", async () => {
      const worker = await start([bin("node"), "server/worker.ts"])
      const server = await startServer([bin("node"), "server/node.ts"])
      const browser = await browsers.launch({ executablePath: chromium!, args: ["--no-sandbox"], timeout: 600_000 })
      try {
        const page = await browser.newPage()
        page.setDefaultTimeout(600_000)
        const problems: Array<string> = []
        page.on("pageerror", ({ message }) => problems.push(message))
        await page.goto(server.url)
        const enter = page.locator("form", { hasText: "Create a team" })
        await enter.locator("[name=team]").fill("Browser")
        await enter.locator("[name=email]").fill("ada@browser.example")
        await enter.locator("[name=password]").fill("a long password")
        await enter.getByRole("button").click()
        await page.locator("[name=name]").fill("Harbour")
        await page.locator("[name=due]").fill("2027-03-31")
        await page.getByRole("button", { name: "Add a renewal" }).click()
        await page.getByText("Harbour, due 2027-03-31").waitFor()
        const buffer = Buffer.from("Harbour wants a discount of 12 % for a second year.")
        await page.locator("[name=file]").setInputFiles({ name: "call.txt", mimeType: "text/plain", buffer })
        const uploaded = page.waitForResponse((reply) => reply.url().includes("/deals/documents"))
        await page.getByRole("button", { name: "Add a document" }).click()
        const { document } = await (await uploaded).json()
        await until(
          "the worker has read it",
          () =>
            page.evaluate(
              `fetch("/intel/api/v1/documents/${document.id}").then((reply) => reply.json()).then(({ status }) => status === "ready")`,
            ) as Promise<boolean>,
        )
        for (const address of ["/", "/app/ask"]) {
          await page.goto(server.url + address)
          const question = page.getByRole("textbox").last()
          await question.fill("Which discount does Harbour want?")
          await question.press("Enter")
          await page.getByText("12 %").first().waitFor()
          await page.getByRole("link", { name: "call.txt" }).first().waitFor()
        }
        assert.deepStrictEqual(problems, [])
      } finally {
        await browser.close()
        await end(server.child)
        await end(worker.child)
      }
    })
  })
})
