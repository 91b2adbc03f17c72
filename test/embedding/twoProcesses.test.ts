import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { layerGuarded } from "../../src/adapters/fetch/guarded.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { layerLibrary } from "../../src/adapters/library.ts"
import { PollSeconds } from "../../src/core/jobs/Background.ts"
import { ApiKeys, open, Organizations } from "../../src/core/Sightline.ts"
import { Commits, CommitSignal } from "../../src/core/storage/Commits.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { environment, fromSources, root, textOf } from "../support/terminal.ts"
import { until } from "../support/until.ts"
import { startEndpoint } from "../webhooks/endpoint.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const signingSecret = "s".repeat(64)
const endpoint = await startEndpoint()
const library = layerLibrary({ fetcher: layerGuarded({ allowLoopback: [endpoint.port] }) })

const DAY_SECONDS = 86_400
/** As in a process of its own that never polls: neither commits of this process nor time wake its workers. */
const layerAlone = Layer.mergeAll(
  Layer.succeed(PollSeconds, { min: DAY_SECONDS, max: DAY_SECONDS, jitter: 0 }),
  Layer.succeed(Commits, new CommitSignal()),
)
const openWorker = (url: string) =>
  open({ database: Layer.merge(layerPostgres({ url: Redacted.make(url) }), layerAlone), library, signingSecret })

/** A service that only serves, on one connection, and a look into its database. */
const openServing = async () => {
  const url = await Effect.runPromise(migratedPostgresUrl)
  const serving = await open({
    database: layerPostgres({ url: Redacted.make(url), connections: 1 }),
    library,
    signingSecret,
    background: false,
  })
  const { id: org } = await serving.run(Organizations.use(({ create }) => create({ name: "Acme", plan: UNLIMITED })))
  const { key } = await serving.run(ApiKeys.use(({ create }) => create(org, { name: "host", role: "owner" })))
  const call = async (method: string, path: string, body?: object) => {
    const type = path === "/import" ? "application/x-ndjson" : "application/json"
    const headers = { authorization: `Bearer ${key}`, "content-type": type }
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const reply = await serving.handler(new Request(`http://localhost/api/v1${path}`, request))
    const json = (await reply.json()) as any
    assert.isBelow(reply.status, 300, JSON.stringify(json))
    return json
  }
  await call("POST", "/import", { type: "competitor", name: "Orvanta" })
  let uploads = 0
  const upload = async (): Promise<string> => {
    const file = { file_name: `card-${++uploads}.md`, file_base64: btoa(`Orvanta charges ${uploads} dollars.`) }
    const fields = { content_type: "text/markdown", type: "asset", competitor_name: "Orvanta" }
    return (await call("POST", "/documents/library", { ...file, ...fields })).document.id
  }
  const isRead = async (id: string) => (await call("GET", `/documents/${id}`)).status === "ready"
  const elsewhere = new URL(url)
  elsewhere.pathname = "/postgres"
  const superuser = new Client({ connectionString: elsewhere.href })
  await superuser.connect()
  const database = new URL(url).pathname.slice(1)
  const query = async (text: string) => (await superuser.query(text)).rows
  return {
    url,
    call,
    query,
    database,
    upload,
    readOne: async () => {
      const id = await upload()
      await until(`the worker reads ${id}`, () => isRead(id))
    },
    isRead,
    /** The server's processes that serve the connections which listen. */
    listeners: async () =>
      (
        await query(`select pid from pg_stat_activity
          where datname = '${database}' and application_name = 'sightline listen' and state = 'idle' and query <> ''`)
      ).map(({ pid }) => Number(pid)),
    dispose: async () => {
      await superuser.end()
      await serving.dispose()
    },
  }
}

describe("a process that works for one that only serves, on PostgreSQL", () => {
  it("reads each upload and sends each webhook without a poll, and ends its connection", async () => {
    const serving = await openServing()
    const worker = await openWorker(serving.url)
    // The first may be found as the worker starts.
    for (let n = 0; n < 4; n++) await serving.readOne()
    await serving.call("POST", "/webhooks", {
      url: `http://127.0.0.1:${endpoint.port}/hook`,
      event_types: ["deal.created"],
    })
    for (const id of ["d1", "d2", "d3"]) {
      await serving.call("POST", "/import", { type: "deal", id, name: id })
      await until(`the event of ${id} arrives`, () => endpoint.at("/hook").some((event) => event.id === id))
    }
    assert.lengthOf(await serving.listeners(), 1)
    await worker.dispose()
    await until("nobody listens", async () => (await serving.listeners()).length === 0)
    await serving.dispose()
  })

  it("reads the next upload when its connection was ended", async () => {
    const serving = await openServing()
    const worker = await openWorker(serving.url)
    await serving.readOne()
    for (let n = 0; n < 2; n++) {
      const [pid] = await until("the worker listens", async () => {
        const pids = await serving.listeners()
        return pids.length === 1 && pids
      })
      await serving.query(`select pg_terminate_backend(${pid})`)
      await until("it listens again", async () => {
        const [next] = await serving.listeners()
        return next !== undefined && next !== pid
      })
      await serving.readOne()
      await serving.readOne()
    }
    await worker.dispose()
    await serving.dispose()
  })

  it("reads what was uploaded while it could not listen", async () => {
    const serving = await openServing()
    const worker = await openWorker(serving.url)
    await serving.readOne()
    const allow = (isAllowed: boolean) =>
      serving.query(`alter database ${serving.database} allow_connections ${isAllowed}`)
    const [pid] = await until("the worker listens", async () => {
      const pids = await serving.listeners()
      return pids.length === 1 && pids
    })
    await allow(false)
    await serving.query(`select pg_terminate_backend(${pid})`)
    await until("nobody listens", async () => (await serving.listeners()).length === 0)
    const id = await serving.upload()
    assert.isFalse(await serving.isRead(id))
    await allow(true)
    await until("the worker reads it", () => serving.isRead(id))
    await worker.dispose()
    await serving.dispose()
  })

  it("is docs/examples/worker.ts, which ends at SIGTERM", async () => {
    const serving = await openServing()
    const directory = mkdtempSync(join(tmpdir(), "sightline-worker-"))
    symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
    writeFileSync(join(directory, "worker.ts"), fromSources(textOf("docs/examples/worker.ts")))
    const settings = { DATABASE_URL: serving.url, SIGNING_SECRET: signingSecret }
    const child = spawn(process.execPath, ["worker.ts"], { cwd: directory, env: { ...environment, ...settings } })
    let printed = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk))
    const ended = once(child, "exit")
    await Promise.race([serving.readOne(), ended.then(() => assert.fail(printed))])
    await until("it listens", async () => (await serving.listeners()).length === 1)
    child.kill("SIGTERM")
    assert.deepStrictEqual(await ended, [0, null], printed)
    assert.deepStrictEqual(await serving.listeners(), [])
    rmSync(directory, { recursive: true })
    await serving.dispose()
  })
})
