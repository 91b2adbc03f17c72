import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { checkDatabase } from "../../src/adapters/cli/doctor/checkDatabase.ts"
import type { Configuration } from "../../src/adapters/configuration/configuration.ts"
import { layerPipelined } from "../../src/adapters/database/pipelined.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { needs } from "../support/needs.ts"
import { hasPgBouncer, startPgBouncer } from "../support/pgbouncer.ts"
import { resource } from "../support/resources.ts"
import { layerOrganizations } from "../support/organizations.ts"

const pooler = Effect.acquireRelease(
  Effect.promise(async () => startPgBouncer(await resource("postgres"), 2)),
  ({ close }) => Effect.promise(close),
)

const open = Effect.fnUntraced(function* (url: string, pooled = true) {
  const database = layerPostgres({ url: Redacted.make(url), pooled, connections: 8 })
  return yield* Layer.build(layerOrganizations.pipe(Layer.provideMerge(Database.layer), Layer.provide(database)))
})

const concurrently = { concurrency: 8 } as const

describe("behind a transaction pooler", needs("pgbouncer", hasPgBouncer), () => {
  it.live("shares sessions among organizations, each of which sees its own rows only", () =>
    Effect.gen(function* () {
      const { through } = yield* pooler
      const context = yield* open(through(yield* migratedPostgresUrl))
      yield* Effect.gen(function* () {
        const organizations = yield* Organizations
        const { sql, scoped, transaction, unscoped } = yield* Database
        const ids = yield* Effect.forEach(Array.from({ length: 6 }), (_, n) =>
          Effect.map(organizations.create({ name: `Organization ${n}`, plan: UNLIMITED }), ({ id }) => id),
        )
        const seen = sql<{ id: string; pid: number; role: string }>`
          select id, pg_backend_pid() as pid, current_user::text as role from organizations`
        const looks = Effect.forEach(
          Array.from({ length: 240 }, (_, n) => ids[n % ids.length]!),
          (id, n) => Effect.map(n % 2 === 0 ? scoped(id, seen) : transaction(id, seen), (rows) => ({ id, rows })),
          concurrently,
        )
        const processes = new Set<number>()
        for (const { id, rows } of yield* looks) {
          assert.deepStrictEqual(
            rows.map((row) => [(row as { id: string }).id, (row as { role: string }).role]),
            [[id, "sightline_app"]],
          )
          processes.add((rows[0] as { pid: number }).pid)
        }
        assert.isAtMost(processes.size, 2)
        // Sessions that have served an organization show a statement without one nothing.
        const nothing = yield* Effect.forEach(Array.from({ length: 40 }), () => unscoped(seen), concurrently)
        assert.deepStrictEqual(nothing.flat(), [])
        const plain = yield* Effect.forEach(Array.from({ length: 40 }), () => seen, concurrently)
        assert.deepStrictEqual(plain.flat(), [])
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped),
  )

  it.live("runs no statement when the settings fail, and leaves nothing open when a transaction is interrupted", () =>
    Effect.gen(function* () {
      const { through } = yield* pooler
      const url = yield* migratedPostgresUrl
      const context = yield* open(through(url))
      yield* Effect.gen(function* () {
        const { sql, transaction, unscoped } = yield* Database
        yield* Effect.forEach(
          Array.from({ length: 20 }),
          (_, n) => Effect.timeoutOption(transaction("org_a", sql`select pg_sleep(0.2)`), `${n * 5} millis`),
          concurrently,
        )
        const [row] = yield* unscoped<{ open: number }>(sql`
          select count(*)::int as open from pg_stat_activity
          where state like 'idle in transaction%' and datname = current_database()`)
        assert.strictEqual(row?.open, 0)
        // A statement that fails rolls back, and the session serves the next one.
        const failed = yield* Effect.exit(sql`select 1 / 0`)
        assert.isTrue(Exit.isFailure(failed))
        assert.deepStrictEqual(yield* unscoped(sql`select 1 as one`), [{ one: 1 }])
      }).pipe(Effect.provide(context))
      const settings = { role: "no_such_role" }
      const unsettled = yield* Layer.build(
        layerPipelined({ url: Redacted.make(through(url)), settings, prepare: false }),
      )
      const refused = yield* Effect.flip(
        Effect.provide(
          Effect.flatMap(SqlClient, (sql) => sql`select 1`),
          unsettled,
        ),
      )
      assert.include(String(refused.reason.cause), "no_such_role")
    }).pipe(Effect.scoped),
  )

  it.live("doctor recognises the pooler and asks for the setting", () =>
    Effect.gen(function* () {
      const { through } = yield* pooler
      const direct = yield* migratedPostgresUrl
      const check = (url: string, pooled: boolean) =>
        Effect.map(
          checkDatabase({ database: { kind: "postgres", url: Redacted.make(url), pooled } } as Configuration),
          (found) => JSON.stringify(found),
        )
      const [missing, set, straight] = [
        yield* check(through(direct), false),
        yield* check(through(direct), true),
        yield* check(direct, false),
      ]
      assert.include(missing, "set SIGHTLINE_DATABASE_POOLED=true")
      assert.include(set, "behind a transaction pooler")
      assert.notInclude(set, "set SIGHTLINE_DATABASE_POOLED")
      assert.notInclude(straight, "pooler")
    }).pipe(Effect.scoped),
  )

  it.live("without `pooled`, the error names the setting", () =>
    Effect.gen(function* () {
      const { through } = yield* pooler
      const error = yield* Effect.flip(open(through(yield* migratedPostgresUrl), false))
      assert.include(JSON.stringify(error), "SIGHTLINE_DATABASE_POOLED=true")
    }).pipe(Effect.scoped),
  )
})
