import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPglite, layerPgliteOwner } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { createTables, LATEST } from "../../src/core/storage/migrate.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { readCatalogue } from "../support/catalogue.ts"
import { engines, freshPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { layerOrganizations } from "../support/organizations.ts"

/** A database as version 29 left it: files 0001 to 0029 are those of commit a1c62da, but for comments. */
const makeVersion29 = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* createTables(29)
      yield* sql`insert into organizations (id, name, plan) values ('acme', 'Acme', 'growth')`
      yield* sql`insert into deals (org_id, id, name, amount, region, created_at, updated_at, summary)
        values ('acme', 'd1', 'Harbor renewal', 12000, 'EMEA', '2026-01-10', '2026-01-11', '{"key_quotes":["a"],"b":1}')`
      yield* sql`insert into documents (org_id, id, type, source, file_name, content_type, deal_id)
        values ('acme', 'a', 'asset', 'api', 'a.pdf', 'application/pdf', 'd1')`
    }),
  )
})

/** Databases of version 29, opened by the present program. */
const version29 = {
  PGlite: Layer.unwrap(
    Effect.gen(function* () {
      const directory = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-version-29-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
      )
      yield* Effect.scoped(Effect.provide(makeVersion29, layerPgliteOwner(join(directory, "postgres"))))
      return layerPglite({ directory: join(directory, "postgres"), reserve: 0 })
    }),
  ),
  PostgreSQL: Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      yield* Effect.provide(makeVersion29, oneConnection(url))
      return layerPostgres({ url: Redacted.make(url) })
    }),
  ),
}

const migrationsOf = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ id: number; name: string; breaking: boolean }>`
    select migration_id as id, name, breaking from migrations order by migration_id`,
)

for (const { name, database } of engines) {
  describe(`a database of version 29 on ${name}`, () => {
    const services = layerOrganizations.pipe(Layer.provideMerge(Database.layer))
    layer(Layer.provideMerge(services, Layer.orDie(version29[name])), { excludeTestServices: true })((it) => {
      it.effect("gets exactly the catalogue that the baseline makes", () =>
        Effect.gen(function* () {
          const [old, made] = [yield* readCatalogue, yield* Effect.provide(readCatalogue, database)]
          assert.isAbove(made.length, 1000)
          const lacks = made.filter((line) => !old.includes(line))
          const hasBeyond = old.filter((line) => !made.includes(line))
          assert.deepStrictEqual({ lacks, hasBeyond }, { lacks: [], hasBeyond: [] })
        }),
      )

      it.effect("keeps its rows", () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* (yield* Organizations).find("acme"))?.name, "Acme")
          const { scoped, sql } = yield* Database
          const rows = yield* scoped(
            "acme",
            sql`select d.name, d.amount, d.folded_region, d.summary::text as summary, f.file_name, f.version
              from deals d join documents f on f.org_id = d.org_id and f.deal_id = d.id where d.org_id = scope.org`,
          )
          assert.deepStrictEqual(rows, [
            {
              name: "Harbor renewal",
              amount: 12000,
              folded_region: "emea",
              summary: '{"key_quotes":["a"],"b":1}',
              file_name: "a.pdf",
              version: 1,
            },
          ])
        }),
      )

      it.effect("records every migration in order, and a new database those from the baseline on", () =>
        Effect.gen(function* () {
          const old = yield* migrationsOf
          assert.deepStrictEqual(
            old.map(({ id }) => id),
            Array.from({ length: LATEST }, (_, n) => n + 1),
          )
          assert.deepStrictEqual(old[38], { id: 39, name: "baseline", breaking: false })
          assert.deepStrictEqual(yield* Effect.provide(migrationsOf, database), old.slice(38))
        }),
      )
    })
  })
}
