import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "../adapters/processes.ts"
import { send, startCluster, startServers, createTenantOn, type Cluster } from "../faults/cluster.ts"
import { deals, temporary } from "../faults/support.ts"
import { CITUS_PROGRAM } from "../support/citusCluster.ts"
import { until } from "../support/until.ts"
import { needs } from "../support/needs.ts"
import { PLACEMENTS } from "../../src/core/storage/placement.ts"

const DEALS = 1500
const lines = deals(DEALS)
  .map((record) => JSON.stringify(record))
  .join("\n")

/** The number of each table's rows, and a digest of them without regard to order. */
const digestOf = async (cluster: Cluster) => {
  const digests: Record<string, unknown> = {}
  for (const table of Object.keys(PLACEMENTS)) {
    // Workers, leases and counters go on during the move.
    if (/^(chores|api_key_usage|organization_usage|jobs|audit_log)$/.test(table)) continue
    const [row] = await cluster.select(
      `select count(*)::int as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as digest from sightline.${table} t`,
    )
    digests[table] = row
  }
  return digests
}

const foreignKeys = (cluster: Cluster) =>
  cluster.select(
    `select conname from pg_constraint where contype = 'f' and connamespace = 'sightline'::regnamespace
      and conrelid = any(select logicalrelid::oid from pg_dist_partition) order by 1`,
  )

describe(
  "sightline migrate --distribute",
  needs("a program that starts Citus clusters", CITUS_PROGRAM !== undefined),
  () => {
    it("moves every row of a database that owners without superuser rights filled on one server, while instances read", () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        const cluster = yield* startCluster(directory)
        yield* Effect.promise(async () => {
          // On one server: the extension comes later.
          await cluster.select("drop extension citus cascade")
          await cluster.select("create role keeper login createrole")
          await cluster.select("grant create on database sightline to keeper")
          await cluster.select("grant create on schema public to keeper")
        })
        const url = cluster.url.replace("postgres@", "keeper@")
        const settings = { SIGHTLINE_DATABASE_URL: url, SIGHTLINE_DATA_DIR: directory }
        const tenants = yield* Effect.scoped(
          Effect.gen(function* () {
            const [origin] = (yield* startServers({ ...cluster, url }, directory, 1)) as [string]
            return yield* Effect.promise(async () => {
              const made = [await createTenantOn(origin), await createTenantOn(origin), await createTenantOn(origin)]
              for (const { key } of made) {
                assert.strictEqual((await send(origin, key, "POST", "/api/v1/import", lines)).json.created, DEALS)
              }
              const stale = async () =>
                (await cluster.select<{ n: number }>("select count(*)::int as n from sightline.stale_deal_records"))[0]!
                  .n
              await until("records are made", async () => (await stale()) === 0)
              await cluster.select(
                "update sightline.plans set requests_per_minute = 1000000, requests_per_key_minute = 1000000",
              )
              await cluster.addExtension()
              const early = await run(["migrate", "--distribute"], settings)
              assert.strictEqual(early.code, 2, early.stderr)
              assert.match(early.stderr, /restart them first/)
              return made
            })
          }),
        )
        const [origin] = (yield* startServers({ ...cluster, url }, directory, 1)) as [string]
        yield* Effect.promise(async () => {
          const before = await digestOf(cluster)
          let [reads, refused] = [0, 0]
          const move = { isDone: false }
          const finished = run(["migrate", "--distribute"], settings).finally(() => (move.isDone = true))
          const reading = (async () => {
            for (let n = 0; n === 0 || !move.isDone; n++) {
              const { key } = tenants[n % tenants.length]!
              const { status, json } = await send(origin, key, "GET", "/api/v1/deals?count=true")
              if (status === 503) refused++
              else {
                assert.deepStrictEqual([status, json.count], [200, DEALS], JSON.stringify(json))
                reads++
              }
            }
          })()
          const [{ code, stderr }] = await Promise.all([finished, reading])
          assert.strictEqual(code, 0, stderr)
          assert.match(stderr, /s: 43 of 43|s: \d+ of \d+: webhooks/)
          assert.isAbove(reads, 0)
          console.log(
            `distributing: ${reads} reads served, ${refused} refused; ${stderr.trim().split("\n").slice(-2).join("; ")}`,
          )
          assert.deepStrictEqual(await digestOf(cluster), before)
          const [placed] = await cluster.select<{ n: number }>(
            `select count(*)::int as n from pg_dist_partition where logicalrelid::text like 'sightline.%' and partmethod in ('h', 'n')`,
          )
          assert.strictEqual(placed!.n, Object.values(PLACEMENTS).filter((placement) => placement !== "local").length)
          assert.isAbove((await foreignKeys(cluster)).length, 20)
          const left = await cluster.select<{ n: number }>(
            `select coalesce(sum(pg_relation_size(logicalrelid)), 0)::int as n from pg_dist_partition where partmethod = 'h'`,
          )
          assert.deepStrictEqual(left, [{ n: 0 }], "rows stay on the coordinator")
          for (const { key } of tenants) {
            assert.strictEqual(
              (await send(origin, key, "PATCH", "/api/v1/deals/deal_3", { name: "Renamed" })).status,
              200,
            )
          }
          const again = await run(["migrate", "--distribute", "--json"], settings)
          assert.deepStrictEqual(JSON.parse(again.stdout), { moved: [] })
        })
      }).pipe(Effect.scoped, Effect.runPromise))
  },
)
