import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { CITUS_PROGRAM } from "../support/citusCluster.ts"
import { needs } from "../support/needs.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import {
  type Cluster,
  createTenant,
  isRefused,
  send,
  startCluster,
  startServers,
  type Tenant,
  tenantOfEach,
  workerOf,
} from "./cluster.ts"
import { late, until } from "../support/until.ts"
import { COLUMNS, deals, report, temporary, text, TIMES } from "./support.ts"

const DEALS = 500
const lines = (records: ReadonlyArray<object>) => records.map((record) => JSON.stringify(record)).join("\n")
const deal = (n: number) => ({
  type: "deal",
  id: `extra_${n}`,
  name: `Extra ${n}`,
  status: "Won",
  created_at: "2026-01-01T00:00:00Z",
})

/** Requests that read or write one organization. `n` makes the writes differ. */
const REQUESTS = (n: number): ReadonlyArray<readonly [method: string, path: string, body?: unknown]> => [
  ["GET", "/api/v1/deals?page_size=5"],
  ["GET", "/api/v1/deals?count=true"],
  ["GET", "/api/v1/deals/deal_3"],
  ["PATCH", "/api/v1/deals/deal_3", { name: `Renamed ${n}` }],
  ["GET", "/api/v1/changes?page_size=2"],
  ["GET", "/api/v1/workspace"],
  ["GET", "/api/v1/audit"],
  ["POST", "/api/v1/import", lines([deal(n)])],
  ["POST", "/api/v1/deals/export", { columns: COLUMNS }],
]

const upload = async (origin: string, { key }: Tenant, word: string) => {
  const form = new FormData()
  const fields = { type: "asset", file_name: `${word}.md`, content_type: "text/markdown", competitor_name: "Rival 1" }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set("file", new Blob([text(word)], { type: "text/markdown" }), `${word}.md`)
  const reply = await fetch(`${origin}/api/v1/documents/library`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  return { status: reply.status, retryAfter: reply.headers.get("retry-after"), json: await reply.json() }
}

const openJobs = async ({ select }: Cluster, org: string) => {
  const [row] = await select<{ open: number }>(
    `select count(*)::int as open from sightline.jobs where org_id = $1 and state in ('queued', 'running')`,
    [org],
  )
  return row!.open
}

/** The ids that the feed lists for deals. A doubled one fails. */
const feedOf = async (origin: string, { key }: Tenant) => {
  const ids: Array<string> = []
  for (let since = ""; ;) {
    const { status, json } = await send(origin, key, "GET", `/api/v1/changes?types=deal&page_size=1000${since}`)
    assert.strictEqual(status, 200)
    for (const { id } of json.data) ids.push(id)
    if (!json.has_more) return ids
    since = `&since=${json.next_cursor}`
  }
}

describe(
  "faults of a Citus cluster",
  needs("a program that starts Citus clusters", CITUS_PROGRAM !== undefined),
  () => {
    it(
      `${TIMES} times killed, a worker costs its own organizations a 503 and nobody a row`,
      () =>
        Effect.gen(function* () {
          const random = makeRandom(seedOfRun("worker killed"))
          const directory = yield* temporary
          const cluster = yield* startCluster(directory)
          const [origin] = (yield* startServers(cluster, directory, 1)) as [string]
          yield* Effect.promise(async () => {
            const both = await tenantOfEach(cluster, origin)
            for (const { key } of both) {
              const { json } = await send(origin, key, "POST", "/api/v1/import", lines(deals(DEALS)))
              assert.strictEqual(json.created, DEALS)
            }
            let [refused, served, slowest] = [0, 0, 0]
            for (let time = 0; time < TIMES; time++) {
              const [down, up] = time % 2 === 0 ? both : [both[1], both[0]]
              for (const tenant of both) {
                assert.strictEqual(
                  (await send(origin, tenant.key, "POST", "/api/v1/deals/export", { columns: COLUMNS })).status,
                  202,
                )
                assert.strictEqual((await upload(origin, tenant, `kill ${time}`)).status, 200)
              }
              await late(random.below(300))
              await cluster.kill(down.worker)
              for (const [method, path, body] of REQUESTS(time)) {
                const lost = await send(origin, down.key, method, path, body)
                assert.isTrue(
                  isRefused(`${method} ${path}`, lost),
                  `${method} ${path} of a worker that is down: ${lost.status}`,
                )
                refused++
                const kept = await send(origin, up.key, method, path, body)
                assert.isBelow(kept.status, 300, `${method} ${path} of the other worker: ${JSON.stringify(kept.json)}`)
                served++
              }
              const ready = await send(origin, "", "GET", "/health/ready")
              assert.deepStrictEqual([ready.status, ready.json.jobs], [200, "waiting"])
              await cluster.start(down.worker)
              const began = performance.now()
              await until(
                "jobs end",
                async () => (await openJobs(cluster, down.id)) + (await openJobs(cluster, up.id)) === 0,
              )
              slowest = Math.max(slowest, performance.now() - began)
            }
            for (const [n, tenant] of both.entries()) {
              const jobs = await cluster.select<{ kind: string; state: string; jobs: number }>(
                `select kind, state, count(*)::int as jobs from sightline.jobs where org_id = $1 group by 1, 2 order by 1`,
                [tenant.id],
              )
              const whileOtherDown = n === 0 ? Math.floor(TIMES / 2) : Math.ceil(TIMES / 2)
              assert.deepStrictEqual(jobs, [
                { kind: "document", state: "completed", jobs: TIMES },
                { kind: "export", state: "completed", jobs: TIMES + whileOtherDown },
              ])
              const ids = await feedOf(origin, tenant)
              assert.lengthOf(ids, new Set(ids).size)
              const { json } = await send(origin, tenant.key, "GET", "/api/v1/deals?count=true")
              assert.strictEqual(json.count, DEALS + whileOtherDown)
            }
            report("worker killed", "Citus", {
              times: TIMES,
              refused,
              served,
              "slowest end": `${(slowest / 1000).toFixed(1)} s`,
            })
          })
        }).pipe(Effect.scoped, Effect.runPromise),
      900_000 + TIMES * 120_000,
    )

    it(
      `${TIMES} times moved between workers, an organization is never read or written wrongly, and limits hold over 3 processes`,
      () =>
        Effect.gen(function* () {
          const directory = yield* temporary
          const cluster = yield* startCluster(directory)
          const origins = yield* startServers(cluster, directory, 3)
          yield* Effect.promise(async () => {
            await cluster.select(
              `update sightline.plans set requests_per_minute = 1000000, requests_per_key_minute = 1000000, exports_per_month = 1000000
              where name = 'enterprise'`,
            )
            const [tenant] = await tenantOfEach(cluster, origins[0]!)
            const first = await send(origins[0]!, tenant.key, "POST", "/api/v1/import", lines(deals(DEALS)))
            assert.strictEqual(first.json.created, DEALS)
            const counts = { writes: 0, reads: 0, exports: 0, documents: 0, refused: 0 }
            let n = 0
            const moves = { areDone: false }
            const written = new Set<number>()
            const exported: Array<string> = []
            /** Repeats until the moves end. A refused request is sent again. */
            const repeat = async (what: keyof typeof counts, act: (origin: string) => Promise<unknown>) => {
              for (let turn = 0; !moves.areDone; turn++) {
                await act(origins[turn % origins.length]!)
                counts[what]++
              }
            }
            const untilDone = async (what: string, request: () => ReturnType<typeof send>) => {
              const { json } = await until(`${what} is not refused`, async () => {
                const reply = await request()
                if (!isRefused(what, reply)) return reply
                counts.refused++
                return undefined
              })
              return json
            }
            const work = [
              repeat("writes", async (origin) => {
                const own = n++
                await untilDone("import", () => send(origin, tenant.key, "POST", "/api/v1/import", lines([deal(own)])))
                written.add(own)
              }),
              repeat("reads", async (origin) => {
                const least = written.size
                const { count } = await untilDone("count", () =>
                  send(origin, tenant.key, "GET", "/api/v1/deals?count=true"),
                )
                assert.isAtLeast(count, DEALS + least, "a committed deal is missing")
                assert.isAtMost(count, DEALS + n, "a deal is there twice")
              }),
              repeat("exports", async (origin) => {
                const { export_id } = await untilDone("export", () =>
                  send(origin, tenant.key, "POST", "/api/v1/deals/export", { columns: ["id"] }),
                )
                exported.push(export_id)
                await late(500)
              }),
              repeat("documents", async (origin) => {
                await untilDone("upload", () => upload(origin, tenant, `move ${counts.documents}`))
                await late(500)
              }),
            ]
            let [moved, slowest] = [0, 0]
            const moving = (async () => {
              for (let time = 0; time < TIMES; time++) {
                const { port, shard } = await workerOf(cluster, tenant.id)
                const target = cluster.ports.find((each) => each !== port)!
                const began = performance.now()
                // Once by blocking writes, then by logical replication.
                const mode = time % 2 === 0 ? "force_logical" : "block_writes"
                await cluster.select(
                  `select citus_move_shard_placement($1::bigint, '127.0.0.1', $2, '127.0.0.1', $3, '${mode}')`,
                  [shard, port, target],
                )
                slowest = Math.max(slowest, performance.now() - began)
                assert.strictEqual((await workerOf(cluster, tenant.id)).port, target)
                moved++
              }
            })().finally(() => (moves.areDone = true))
            await Promise.all([moving, ...work])
            await until("jobs end", async () => (await openJobs(cluster, tenant.id)) === 0)

            const ids = await feedOf(origins[0]!, tenant)
            assert.deepStrictEqual(new Set(ids).size, ids.length)
            const expected = [
              ...Array.from({ length: DEALS }, (_, each) => `deal_${each}`),
              ...[...written].map((each) => `extra_${each}`),
            ]
            assert.deepStrictEqual(ids.toSorted(), expected.toSorted())
            for (const id of exported) {
              const { json } = await send(origins[0]!, tenant.key, "GET", `/api/v1/deals/export/${id}`)
              assert.strictEqual(json.status, "completed", json.error)
              const file = await (await fetch(json.download_url)).text()
              const rows = file.trimEnd().split("\n").slice(1)
              assert.lengthOf(rows, new Set(rows).size)
              assert.isAtLeast(rows.length, DEALS)
            }
            const [read] = await cluster.select<{ ready: number; wrong: number }>(
              `select count(*) filter (where status = 'ready')::int as ready, count(*) filter (where status <> 'ready')::int as wrong
              from sightline.documents where org_id = $1`,
              [tenant.id],
            )
            assert.deepStrictEqual(read, { ready: counts.documents, wrong: 0 })
            report("moved while in use", "Citus", {
              times: moved,
              ...counts,
              lost: 0,
              doubled: 0,
              "slowest move": `${(slowest / 1000).toFixed(1)} s`,
            })

            const [{ limit }] = (await cluster.select<{ limit: number }>(
              `select requests_per_key_minute as limit from sightline.plans where name = 'growth'`,
            )) as [{ limit: number }]
            const replies = await until("the requests fall into one minute", async () => {
              const limited = await createTenant(cluster, origins[0]!, "growth")
              const minute = new Date().getMinutes()
              const all = await Promise.all(
                Array.from({ length: limit * 2 }, (_, each) =>
                  send(origins[each % 3]!, limited.key, "GET", "/api/v1/deals?count=true"),
                ),
              )
              return new Date().getMinutes() === minute ? all : undefined
            })
            assert.lengthOf(
              replies.filter(({ status }) => status === 200),
              limit,
            )
            assert.lengthOf(
              replies.filter(({ status }) => status === 429),
              limit,
            )
          })
        }).pipe(Effect.scoped, Effect.runPromise),
      900_000 + TIMES * 120_000,
    )
  },
)
