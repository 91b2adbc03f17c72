import { assert, describe, it } from "@effect/vitest"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { migrate } from "../../src/core/storage/migrate.ts"
import { Organizations } from "../../src/core/workspace/Organizations.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { startPostgres } from "../support/postgres.ts"

const connect = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })
const on = <A, E>(url: string, effect: Effect.Effect<A, E, SqlClient>) => Effect.provide(effect, connect(url))

/** Four instances that start at once on a database that holds nothing. */
const migrateByFour = (url: string) =>
  Effect.gen(function* () {
    const done = yield* Effect.forEach([1, 2, 3, 4], () => on(url, migrate), { concurrency: 4 })
    const counts = done.map((migrations) => migrations.length)
    assert.strictEqual(counts.filter((count) => count > 0).length, 1, `each ran ${counts}`)
    assert.deepStrictEqual(yield* on(url, migrate), [])
  })

/** The catalog, as far as a migration could change it. */
const schemaOf = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql`
    select c.relkind, c.relname, c.relacl::text, (select json_agg(json_build_array(attname, atttypid, attnotnull) order by attnum)
      from pg_attribute where attrelid = c.oid) as columns from pg_class c
    where c.relnamespace = 'sightline'::regnamespace order by c.relname`
})

const works = (url: string) =>
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const { id } = yield* organizations.create({ name: "Acme", plan: "growth" })
    assert.strictEqual((yield* organizations.find(id))?.name, "Acme")
  }).pipe(
    Effect.provide(
      Organizations.layer.pipe(
        Layer.provideMerge(Database.layer),
        Layer.provide(layerPostgres({ url: Redacted.make(url) })),
      ),
    ),
  )

describe("migrations on PostgreSQL", () => {
  it.live("four instances starting at once all succeed, and a second run changes nothing", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      yield* migrateByFour(url)
      const before = yield* on(url, schemaOf)
      assert.isAbove(before.length, 50)
      yield* on(url, migrate)
      assert.deepStrictEqual(yield* on(url, schemaOf), before)
      yield* works(url)
    }),
  )

  it.live("a session that bypasses row-level security is not served", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      yield* on(url, migrate)
      const error = yield* Effect.flip(Effect.scoped(Layer.build(Database.layer.pipe(Layer.provide(connect(url))))))
      assert.strictEqual(error._tag, "UnsafeSession")
      assert.include(error.message, "'postgres'")
    }),
  )

  it.live("the owner of the database need not be a superuser", () =>
    Effect.gen(function* () {
      // A server of its own: roles belong to the server, and the run's server has ours already.
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => startPostgres()),
        ({ stop }) => Effect.promise(stop),
      )
      yield* on(
        server.url,
        Effect.flatMap(SqlClient, (sql) =>
          Effect.forEach(
            [
              "create role host login createrole password 'host'",
              "create database first owner host",
              "create database second owner host",
            ],
            (text) => sql.unsafe(text),
          ),
        ),
      )
      for (const database of ["first", "second"]) {
        const url = new URL(server.url)
        url.username = "host"
        url.password = "host"
        url.pathname = `/${database}`
        yield* migrateByFour(url.href)
        yield* works(url.href)
        const direct = Layer.build(Database.layer.pipe(Layer.provide(connect(url.href))))
        const refused = yield* Effect.flip(Effect.scoped(direct))
        assert.include(refused.message, "'host', has the rights of the tables' owner")
      }
    }).pipe(Effect.scoped),
  )
})
