import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { migratedPostgresUrl } from "../../support/engines.ts"
import { run, startServer } from "../processes.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-export-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

const RECORDS = `{"type":"deal","id":"d1","name":"=1+1","amount":-5,"status":"Won","created_at":"2026-01-02T00:00:00Z"}
{"type":"deal","id":"d2","name":"b,c","created_at":"2026-01-01T00:00:00Z"}
`

/** A proxy that serves a server below a path. */
const below = (path: string, url: string) =>
  new Promise<Server>((resolve) => {
    const proxy = createServer(async (asked, answer) => {
      if (!asked.url?.startsWith(`${path}/`)) return void answer.writeHead(404).end()
      const body = Buffer.concat(await asked.toArray())
      const { authorization = "", "content-type": type = "" } = asked.headers
      const reply = await fetch(url + asked.url.slice(path.length), {
        method: asked.method ?? "GET",
        headers: { authorization, "content-type": type },
        ...(body.length > 0 && { body }),
      })
      answer.writeHead(reply.status).end(Buffer.from(await reply.arrayBuffer()))
    }).listen(0, "127.0.0.1", () => resolve(proxy))
  })

describe("sightline export", () => {
  it.effect("writes the same file of deals from a database and through a server", () =>
    Effect.gen(function* () {
      const at = yield* directory
      const settings = { SIGHTLINE_DATA_DIR: join(at, "data"), SIGHTLINE_DATABASE_URL: yield* migratedPostgresUrl }
      const sightline = (args: ReadonlyArray<string>, more: Record<string, string> = {}) =>
        Effect.promise(() => run([...args, "--json"], { ...settings, ...more }))
      const { id } = JSON.parse((yield* sightline(["orgs", "create", "--name", "Acme"])).stdout) as { id: string }
      writeFileSync(join(at, "w.ndjson"), RECORDS)
      assert.strictEqual((yield* sightline(["import", "--org", id, join(at, "w.ndjson")])).code, 0)

      const out = join(at, "out.csv")
      const own = ["--org", id, "--out", out]
      const all = yield* sightline(["export", ...own, "--columns", "name,amount,deal_status"])
      assert.strictEqual(all.code, 0, all.stderr)
      const csv = `name,amount,deal_status\r\n"'=1+1",-5,Won\r\n"b,c",,\r\n`
      assert.strictEqual(readFileSync(out, "utf8"), csv)
      assert.deepInclude(JSON.parse(all.stdout), { file: out, rows: 2, bytes: Buffer.byteLength(csv) })

      const filter = ["--filter", 'status=["won"]', "--filter", "analyzed=false", "--plain"]
      assert.strictEqual((yield* sightline(["export", ...own, "--columns", "name", ...filter])).code, 0)
      assert.strictEqual(readFileSync(out, "utf8"), "name\r\n=1+1\r\n")

      const misspelt = yield* sightline(["export", ...own, "--filter", "colour=red"])
      assert.deepStrictEqual([misspelt.code, misspelt.stderr], [2, "sightline: colour is no filter\n"])
      const unknown = yield* sightline(["export", ...own, "--columns", "nonsense"])
      assert.strictEqual(unknown.code, 1)
      assert.include(unknown.stderr, "'nonsense' is not one")
      const nowhere = yield* sightline(["export", "--org", id, "--out", join(at, "absent", "out.csv")])
      assert.strictEqual(nowhere.code, 1)
      assert.include(nowhere.stderr, "cannot be written")

      const made = yield* sightline(["keys", "create", "--org", id, "--role", "admin"])
      const { key } = JSON.parse(made.stdout) as { key: string }
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => startServer("Node", settings)),
        ({ child, finished }) => Effect.promise(() => (child.kill("SIGTERM"), finished)),
      )
      const through = join(at, "through.csv")
      const args = ["export", "--url", server.url, "--out", through, "--columns", "name,amount,deal_status"]
      const asked = yield* sightline(args, { SIGHTLINE_API_KEY: key })
      assert.strictEqual(asked.code, 0, asked.stderr)
      assert.strictEqual(readFileSync(through, "utf8"), csv)
      assert.isFalse(existsSync(`${through}.part`))
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => below("/sales", server.url)),
        (opened) => Effect.sync(() => opened.close()),
      )
      const { port } = proxy.address() as AddressInfo
      const proxied = args.with(args.indexOf("--url") + 1, `http://127.0.0.1:${port}/sales`)
      rmSync(through)
      assert.strictEqual((yield* sightline(proxied, { SIGHTLINE_API_KEY: key })).code, 0)
      assert.strictEqual(readFileSync(through, "utf8"), csv)
      const refused = yield* sightline(args, { SIGHTLINE_API_KEY: `${key}x` })
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /^sightline: 401: /)
      assert.strictEqual((yield* sightline([...args, "--org", id])).code, 2)
    }),
  )
})
