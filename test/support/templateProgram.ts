import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { DefinedPlans } from "../../src/core/storage/plans.ts"
import { oneConnection } from "./oneConnection.ts"
import { UNLIMITED_PLANS } from "./unlimited.ts"

/** Makes a migrated database: `embedded DIRECTORY` or `postgres URL NAME`. */
const [engine, at = "", name = ""] = process.argv.slice(2)

const embedded = Effect.scoped(Layer.build(layerPglite({ directory: `${at}/postgres` })))

const postgres = Effect.gen(function* () {
  // `TEST_POSTGRES_URL` may name a server that an earlier run used.
  const create = Effect.flatMap(SqlClient, (sql) =>
    Effect.andThen(sql.unsafe(`drop database if exists ${name}`), sql.unsafe(`create database ${name}`)),
  )
  yield* Effect.provide(create, oneConnection(at))
  const url = new URL(at)
  url.pathname = `/${name}`
  yield* Effect.scoped(Layer.build(layerPostgres({ url: Redacted.make(url.href), connections: 1 })))
})

const made: Effect.Effect<unknown, unknown> = engine === "embedded" ? embedded : postgres
await Effect.runPromise(Effect.provideService(made, DefinedPlans, UNLIMITED_PLANS))
process.exit(0)
