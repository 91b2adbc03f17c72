import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Client } from "../conformance/Client.ts"
import { importDataset } from "../conformance/dataset.ts"
import { prepare, type Prepared } from "../conformance/prepare.ts"
import { type RunningServer, startServer } from "../conformance/servers.ts"
import { fresh, settled, taken, toLibrary } from "../conformance/upload.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { needs } from "../support/needs.ts"
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "../support/pgbouncer.ts"
import { resource } from "../support/resources.ts"
import { until, untilEffect } from "../support/until.ts"

/** Waits until no job will change what a list shows. */
const untilIdle = (url: string) =>
  Effect.runPromise(
    untilEffect(
      "no job waits or runs",
      SqlClient.use((sql) => sql`select from sightline.jobs where state in ('queued', 'running')`).pipe(
        Effect.map((rows) => rows.length === 0),
      ),
    ).pipe(Effect.provide(oneConnection(url))),
  )

/** The replies of both servers about one organization, to requests of every kind. */
const READS = [
  "/deals?columns=*&sort=name",
  "/deals?searchQuery=north",
  "/deals?status=%5B%22Closed%20Won%22%5D&count=true",
  "/product-intelligence",
  "/changes",
  "/workspace/segments",
  "/documents?page_size=100",
  "/deals/d01",
]

describe("a server behind a pooler with three connections", needs("pgbouncer", hasPgBouncer), () => {
  let pooler: PgBouncer
  let prepared: Prepared
  let direct: RunningServer
  let pooled: RunningServer
  let organizations: ReadonlyArray<readonly [pooled: Client, direct: Client]>

  beforeAll(async () => {
    pooler = await startPgBouncer(await resource("postgres"), 3)
    prepared = await prepare("PostgreSQL")
    const environment = { ...prepared.environment, SIGHTLINE_BASE_URL: "https://sightline.example.com" }
    const url = prepared.environment["SIGHTLINE_DATABASE_URL"]!
    pooled = await startServer("Node", {
      ...environment,
      SIGHTLINE_DATABASE_URL: pooler.through(url),
      SIGHTLINE_DATABASE_POOLED: "true",
    })
    direct = await startServer("Node", environment)
    const { key, otherKey, twins } = prepared.keys
    const client = (server: RunningServer, key: string) =>
      new Client({ baseUrl: `${server.url}/api/v1`, key, write: true })
    organizations = [key, otherKey!, twins[0]!.key].map((key) => [client(pooled, key), client(direct, key)] as const)
    for (const [api] of organizations) await importDataset(api)
  })

  afterAll(async () => {
    await Promise.all([pooled?.stop(), direct?.stop()])
    await pooler?.close()
    await prepared?.drop()
  })

  it("answers a mixed load of three organizations without an error, as a direct connection does", async () => {
    const work = organizations.flatMap(([api], n) => [
      ...READS.flatMap((path) => [0, 1, 2].map(() => () => api.request(path))),
      ...[0, 1, 2, 3].map(
        (i) => () =>
          api.request("/import", {
            method: "POST",
            headers: { "content-type": "application/x-ndjson" },
            body: `${JSON.stringify({ type: "deal", id: `load_${i}`, name: `Load ${n} ${i}`, status: "Discovery" })}\n`,
          }),
      ),
      () => toLibrary(api, { file: new Blob([fresh(`Organization ${n} read about Acme.`)]) }),
      () => api.request("/deals/export", { method: "POST", headers: JSON_TYPE, body: '{"columns":["name"]}' }),
      () =>
        api.request("/responses", {
          method: "POST",
          headers: JSON_TYPE,
          body: '{"messages":[{"role":"user","content":"Who is Northwind?"}]}',
        }),
    ])
    const replies = await Promise.all(work.map((send) => send()))
    expect(replies.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([])
    expect(pooled.log()).not.toContain("request failed")

    for (const [n, [api, other]] of organizations.entries()) {
      const { document } = await taken(toLibrary(api))
      await settled(api, document.id)
      await untilIdle(prepared.environment["SIGHTLINE_DATABASE_URL"]!)
      for (const path of READS) {
        const [through, straight] = [await api.request(path), await other.request(path)]
        expect([path, through.status, withoutCursors(through.text)]).toEqual([path, 200, withoutCursors(straight.text)])
      }
      const names = (await api.get("/deals", { columns: ["name"], searchQuery: "Load" })).deals ?? []
      expect(names.every(({ name }: { name: string }) => name.startsWith(`Load ${n} `))).toBe(true)
    }
  })

  it("replies 503 while the pooler is down, and recovers by itself", async () => {
    const [[api]] = organizations as [(typeof organizations)[0]]
    expect((await api.request("/deals")).status).toBe(200)
    await pooler.stop()
    const reply = await api.request("/deals")
    expect([reply.status, reply.json.error.code]).toEqual([503, "service_unavailable"])
    await pooler.start()
    await until("the server recovers", async () => (await api.request("/deals")).status === 200)
  })
})

/** A sealed cursor differs each time. */
const withoutCursors = (text: string) => text.replaceAll(/"(?:next_)?cursor":"[^"]*"/g, "")

const JSON_TYPE = { "content-type": "application/json" }
