import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmbedded } from "./embedded.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { makeIdUnsafe } from "../../src/core/common/ids.ts"
import { TimeLimits } from "../../src/core/storage/Database.ts"
import { freshCitusUrl, freshCitusUrlOverShards, hasCitus } from "./citus.ts"
import { needs } from "./needs.ts"
import { oneConnection } from "./oneConnection.ts"
import { resource } from "./resources.ts"

const createDatabase = Effect.fnUntraced(function* (template?: string) {
  const name = makeIdUnsafe("test").toLowerCase()
  const url = new URL(yield* Effect.promise(() => resource("postgres")))
  yield* Effect.provide(
    Effect.flatMap(SqlClient, (sql) =>
      sql.unsafe(`create database ${name}${template === undefined ? "" : ` template ${template}`}`),
    ),
    oneConnection(url.href),
  )
  url.pathname = `/${name}`
  return url.href
})

/** Creates an empty database in the run's PostgreSQL. Returns its address. */
export const freshPostgresUrl = Effect.suspend(() => createDatabase())

/** Creates an empty, migrated database in the run's PostgreSQL. Returns its address. */
export const migratedPostgresUrl = Effect.flatMap(
  Effect.promise(() => resource("postgresTemplate")),
  createDatabase,
)

/** On a slow machine a test's own set-up, or the query that it compares, takes longer than a caller may wait. */
const unhurried = Layer.succeed(TimeLimits, { short: Infinity, heavy: Infinity })

const onPostgres = (url: Effect.Effect<string, unknown>, options: { readonly connections?: number } = {}) =>
  Layer.merge(
    unhurried,
    Layer.unwrap(Effect.map(Effect.orDie(url), (url) => layerPostgres({ url: Redacted.make(url), ...options }))),
  )

/** Both engines, each with its own database: `layer(engine.database)`. */
export const engines = [
  { name: "PGlite", database: layerEmbedded },
  { name: "PostgreSQL", database: onPostgres(migratedPostgresUrl) },
] as const

const onCitus = (url: typeof freshCitusUrl) => ({
  name: "Citus" as const,
  database: onPostgres(url, { connections: 4 }),
})

/** Refuses statements that read or write several shards, except those of background functions. */
export const citus = onCitus(freshCitusUrl)
/** For tests whose own statements name no organization. */
export const citusOverShards = onCitus(freshCitusUrlOverShards)

/** For suites that also run on Citus: `describe(name, whereIs(engine), …)`. */
export const allEngines = [...engines, citus] as const

/** The options of a suite on this engine: skips it, and says so, where the engine is absent. */
export const whereIs = ({ name }: { readonly name: string }) =>
  name === "Citus" ? needs("a Citus cluster", hasCitus) : {}
