import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { OPERATOR_KEY, createTenantOn, send } from "../faults/cluster.ts"
import { SIGNING_SECRET } from "../faults/protocol.ts"
import { deals, temporary } from "../faults/support.ts"
import { until } from "../support/until.ts"
import { startServer } from "../adapters/processes.ts"
import { freshCitusUrl } from "../support/citus.ts"
import { hasCitus } from "../support/citusCluster.ts"
import { needs } from "../support/needs.ts"
import { hasPgBouncer, startPgBouncer } from "../support/pgbouncer.ts"

const DEALS = 40

describe("Citus behind PgBouncer in transaction mode", needs("a Citus cluster", hasCitus), () => {
  describe("with two organizations on few connections", needs("pgbouncer", hasPgBouncer), () => {
    it("imports, lists, changes and exports the deals of each, and of no other", () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        // PgBouncer asks for a password, and the cluster trusts this machine.
        const direct = (yield* freshCitusUrl).replace("postgres@", "postgres:any@")
        const pooler = yield* Effect.acquireRelease(
          Effect.promise(() => startPgBouncer(direct)),
          ({ close }) => Effect.promise(close),
        )
        const server = yield* Effect.acquireRelease(
          Effect.promise(() =>
            startServer("Node", {
              SIGHTLINE_DATABASE_URL: pooler.through(direct),
              SIGHTLINE_DATABASE_POOLED: "true",
              SIGHTLINE_MIGRATION_URL: direct,
              SIGHTLINE_DATA_DIR: directory,
              SIGHTLINE_SIGNING_SECRET: SIGNING_SECRET,
              SIGHTLINE_OPERATOR_KEY: OPERATOR_KEY,
            }),
          ),
          ({ child }) => Effect.sync(() => void child.kill("SIGKILL")),
        )
        const { origin } = new URL(server.url)
        yield* Effect.promise(async () => {
          const records = deals(DEALS).map((record) => JSON.stringify(record))
          const both = [await createTenantOn(origin), await createTenantOn(origin)]
          const work = both.map(async ({ key }, n) => {
            const count = DEALS - n * 10
            const { json } = await send(origin, key, "POST", "/api/v1/import", records.slice(0, count).join("\n"))
            assert.strictEqual(json.created, count, JSON.stringify(json))
            const renamed = await send(origin, key, "PATCH", "/api/v1/deals/deal_3", { name: `Of ${n}` })
            assert.strictEqual(renamed.status, 200)
            for (let turn = 0; turn < 5; turn++) {
              const listed = await send(origin, key, "GET", "/api/v1/deals?count=true")
              assert.deepStrictEqual([listed.status, listed.json.count], [200, count])
              const read = await send(origin, key, "GET", "/api/v1/deals/deal_3")
              assert.include(JSON.stringify(read.json), `Of ${n}`)
            }
            const { json: started } = await send(origin, key, "POST", "/api/v1/deals/export", { columns: ["id"] })
            const find = () => send(origin, key, "GET", `/api/v1/deals/export/${started.export_id}`)
            await until("the export ends", async () => (await find()).json.status === "completed")
            assert.strictEqual((await find()).json.row_count, count)
          })
          await Promise.all(work)
        })
      }).pipe(Effect.scoped, Effect.runPromise))
  })
})
