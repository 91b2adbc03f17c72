import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { createTables, LATEST } from "../../src/core/storage/migrate.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { makeRecorder } from "./recorder.ts"

/** Builds a database, and returns the spans. */
const openDatabase = <E>(database: Layer.Layer<SqlClient, E>) =>
  Effect.gen(function* () {
    const recorder = makeRecorder()
    yield* Effect.scoped(Layer.build(Layer.provide(database, recorder.layer)))
    return recorder
  })

const postgres = (url: string) => layerPostgres({ url: Redacted.make(url) })

/** Each span of the migration with its attributes; fails if a statement of it has a span of its own. */
const migrationsIn = ({ spans, named }: ReturnType<typeof makeRecorder>) => {
  const below = spans.filter(({ parent }) => Option.isSome(parent)).map(({ name }) => name)
  assert.deepStrictEqual([...below, ...named("sql.transaction")], [])
  assert.isBelow(spans.length, 10)
  return named("migrate").map(({ attributes }) => Object.fromEntries(attributes))
}

describe("the span of a migration", () => {
  it.live("is one on PGlite, without its statements, and says the numbers of the schema", () =>
    Effect.gen(function* () {
      const recorder = yield* openDatabase(layerPglite())
      assert.deepStrictEqual(migrationsIn(recorder), [{ from: 0, to: LATEST }])
    }),
  )

  it.live("is one on PostgreSQL, and missing where nothing is left to do", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      assert.deepStrictEqual(migrationsIn(yield* openDatabase(postgres(url))), [{ from: 0, to: LATEST }])
      assert.deepStrictEqual(migrationsIn(yield* openDatabase(postgres(url))), [])
    }),
  )

  it.live("says where an older schema was", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      const older = Effect.flatMap(SqlClient, (sql) => sql.withTransaction(createTables(29)))
      yield* Effect.provide(older, oneConnection(url))
      assert.deepStrictEqual(migrationsIn(yield* openDatabase(postgres(url))), [{ from: 29, to: LATEST }])
    }),
  )
})
