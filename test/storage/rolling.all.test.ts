import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { NPM_OPTIONS } from "../../build/installPackages.ts"
import { MAIN, start, startServer } from "../adapters/processes.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { until } from "../support/until.ts"

/** The commit of the previous release. Until one is tagged: the last version before migrations could be marked as breaking. */
const PREVIOUS = "a1c62da"

const ROOT = join(import.meta.dirname, "../..")
const directory = mkdtempSync(join(tmpdir(), "sightline-previous-"))
const OLD = join(directory, "source/src/adapters/cli/main.js")
beforeAll(() => {
  const source = join(directory, "source")
  mkdirSync(source)
  const archive = execFileSync("git", ["archive", PREVIOUS, "src", "package.json"], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync("tar", ["-x", "-C", source], { input: archive })
  symlinkSync(join(ROOT, "node_modules"), join(source, "node_modules"))
  installRemoved(source)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Packages that the sources of the previous release import and this one no longer has lie where Node looks next. */
const installRemoved = (source: string) => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"))
  const isImported = (name: string) =>
    spawnSync("grep", ["-rqE", `["']${name}(/[^"']*)?["']`, join(source, "src")]).status === 0
  const removed = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([name]) => !existsSync(join(ROOT, "node_modules", name)) && isImported(name),
  )
  if (removed.length === 0) return
  const names = removed.map(([name, version]) => `${name}@${version}`)
  execFileSync("npm", ["install", "--no-save", ...NPM_OPTIONS, "--prefix", directory, ...names])
}

const settingsOn = (url: string) => ({
  SIGHTLINE_DATABASE_URL: url,
  SIGHTLINE_SIGNING_SECRET: "s".repeat(64),
  SIGHTLINE_BLOBS: "database:",
  SIGHTLINE_DATA_DIR: join(directory, "data"),
})

const query = <Row extends object>(url: string, text: string) =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(SqlClient, (sql) => sql.unsafe<Row>(text)),
      oneConnection(url),
    ),
  )
const readFunctions = (url: string) =>
  query(
    url,
    `select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'sightline'::regnamespace
      order by oid::regprocedure::text`,
  )

const call = async (server: { readonly url: string }, key: string, method: string, path: string, body?: unknown) => {
  const isText = typeof body === "string"
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": isText ? "application/x-ndjson" : "application/json" }),
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === "" ? undefined : JSON.parse(text)
}

const untilStatus = (wanted: string, read: () => Promise<{ readonly status: string }>) =>
  until(`the status is ${wanted}`, async () => {
    const found = await read()
    if (found.status === "failed") throw new Error(JSON.stringify(found))
    return found.status === wanted
  })

/** The steps of users' ordinary work: each fails on a status from 400. `name` is new in each round. */
const work = async (server: { readonly url: string }, key: string, name: string) => {
  const send = (method: string, path: string, body?: unknown) => call(server, key, method, path, body)
  const records = [
    { type: "competitor", name: "Orvanta" },
    { type: "deal", id: name, name, client: `${name} Ltd`, amount: 100, competitors: ["Orvanta"] },
  ]
  const imported = await send("POST", "/import", records.map((record) => JSON.stringify(record)).join("\n"))
  assert.deepInclude(imported, { received: 2, failed: 0 })
  assert.deepInclude(await send("GET", `/deals/${name}`), { name, amount: 100 })
  await send("PATCH", `/deals/${name}`, { summary: { key_quotes: [name] } })
  const { document } = await send("POST", "/documents/library", {
    type: "intel",
    competitor_name: "Orvanta",
    file_name: `${name}.md`,
    content_type: "text/markdown",
    file_base64: Buffer.from(`Orvanta charges $40 per seat in ${name}.`).toString("base64"),
  })
  await untilStatus("ready", () => send("GET", `/documents/${document.id}`))
  const { message } = await send("POST", "/responses", {
    messages: [{ role: "user", content: "What does Orvanta charge per seat?" }],
  })
  assert.include(message.content, "$40")
  const [, path = ""] = /\]\(https?:\/\/[^/]+(\/v\/[^)\s]+)/.exec(message.content) ?? assert.fail(message.content)
  const viewed = await fetch(`${server.url}${path}`)
  assert.strictEqual(viewed.status, 200, await viewed.text())
  const { export_id } = await send("POST", "/deals/export", { columns: ["name", "amount"] })
  await untilStatus("completed", () => send("GET", `/deals/export/${export_id}`))
  const hook = await send("POST", "/webhooks", { url: "https://example.com/hook", event_types: ["document.ready"] })
  await send("DELETE", `/webhooks/${hook.id}`)
  const made = await send("POST", "/keys", { name, role: "viewer" })
  assert.deepInclude(await call(server, made.key, "GET", `/deals/${name}`), { name })
  await send("DELETE", `/keys/${made.id}`)
  await send("GET", "/usage")
  await send("GET", "/changes")
  await send("GET", "/audit")
}

it("the previous release serves while this one migrates, beside it, and after a restart, without a change to its functions", async () => {
  const url = await Effect.runPromise(freshPostgresUrl)
  const settings = settingsOn(url)
  const asOperator = async (...args: ReadonlyArray<string>) => {
    const { code, stdout, stderr } = await start("Node", [...args, "--json"], settings, { main: OLD }).finished
    assert.strictEqual(code, 0, stderr)
    return JSON.parse(stdout)
  }
  const { id } = await asOperator("orgs", "create", "--name", "Acme", "--plan", "enterprise")
  const { key } = await asOperator("keys", "create", "--org", id, "--name", "load", "--role", "owner")

  await query(url, "update sightline.plans set requests_per_minute = 100000, requests_per_key_minute = 100000")

  const servers: Array<Awaited<ReturnType<typeof startServer>>> = []
  const startOne = async (main: string) => {
    const server = await startServer("Node", settings, main)
    servers.push(server)
    return server
  }
  const stop = async ({ child, finished }: (typeof servers)[number]) => {
    child.kill("SIGTERM")
    return finished
  }
  let rounds = 0
  try {
    const old = await startOne(OLD)
    await work(old, key, `round${++rounds}`)
    const before = await readFunctions(url)

    const migration = { isRunning: true }
    const [young] = await Promise.all([
      startOne(MAIN).finally(() => (migration.isRunning = false)),
      (async () => {
        while (migration.isRunning) await work(old, key, `round${++rounds}`)
      })(),
    ])
    const after = await readFunctions(url)
    assert.notDeepEqual(after, before)
    await work(old, key, `round${++rounds}`)
    await work(young, key, `round${++rounds}`)

    assert.strictEqual((await stop(old)).code, 0)
    const again = await startOne(OLD)
    assert.deepStrictEqual(await readFunctions(url), after)
    await Promise.all([work(again, key, `round${++rounds}`), work(young, key, `round${++rounds}`)])
    assert.deepStrictEqual(await readFunctions(url), after)
    for (const server of [again, young]) assert.strictEqual((await stop(server)).code, 0)
    for (const server of servers) assert.notMatch(server.stdout() + server.stderr(), /"level":"error"/)
  } finally {
    for (const { child } of servers) child.kill("SIGKILL")
  }
})
