import { assert, describe, it } from "@effect/vitest"
import { Client } from "pg"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { databaseErrors } from "../../src/core/telemetry/metrics.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"

describe("a transaction whose connection ends", () => {
  it.live("says and counts that the database is unreachable, though it cannot be rolled back", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* freshPostgresUrl
        const layer = Database.layer.pipe(Layer.provide(layerPostgres({ url: Redacted.make(url), connections: 1 })))
        const { transaction, scoped, sql } = yield* Effect.provide(Database, yield* Layer.build(layer))
        const superuser = new Client({ connectionString: url })
        yield* Effect.acquireRelease(
          Effect.promise(() => superuser.connect()),
          () => Effect.promise(() => superuser.end()),
        )
        const cut = Effect.gen(function* () {
          const [row] = yield* sql<{ pid: number }>`select pg_backend_pid() as pid`
          yield* Effect.promise(() => superuser.query("select pg_terminate_backend($1)", [row!.pid]))
          yield* untilEffect(
            "the connection has ended",
            Effect.promise(async () => {
              const { rowCount } = await superuser.query("select from pg_stat_activity where pid = $1", [row!.pid])
              return rowCount === 0
            }),
          )
          yield* sql`select 1`
        })
        const error = yield* Effect.flip(transaction("org", cut))
        assert.strictEqual(error._tag, "DatabaseUnavailable")
        assert.isAbove((yield* Metric.value(databaseErrors({ reason: "unreachable" }))).count, 0)
        assert.deepStrictEqual(yield* scoped("org", sql`select 1 as one`), [{ one: 1 }])
      }),
    ),
  )
})
