import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { makeIdUnsafe } from "../../src/core/common/ids.ts"

/** Creates an empty database in the run's PostgreSQL. Returns its address. */
export const freshPostgresUrl = Effect.gen(function* () {
  const name = makeIdUnsafe("test").toLowerCase()
  const url = new URL(inject("postgresUrl"))
  yield* Effect.provide(
    Effect.flatMap(SqlClient, (sql) => sql.unsafe(`create database ${name}`)),
    PgClient.layer({ url: Redacted.make(url.href), maxConnections: 1 }),
  )
  url.pathname = `/${name}`
  return url.href
})

/** Both engines, each with its own database: `layer(engine.database)`. */
export const engines = [
  { name: "PGlite", database: layerPglite() },
  {
    name: "PostgreSQL",
    database: Layer.unwrap(
      Effect.map(Effect.orDie(freshPostgresUrl), (url) => layerPostgres({ url: Redacted.make(url) })),
    ),
  },
] as const
