import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { FUNCTIONS, FUNCTIONS_ON_CITUS } from "../../src/core/storage/functions/all.ts"
import { recreate } from "../../src/core/storage/functions/define.ts"
import { FUNCTIONS_FINGERPRINT } from "../../src/core/storage/migrate.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"

describe("the SQL functions", () => {
  it("have the fingerprint that makes a start replace older texts", () => {
    const texts = [...FUNCTIONS, ...FUNCTIONS_ON_CITUS].flatMap(recreate).join(";\n")
    const fingerprint = createHash("sha256").update(texts).digest("hex").slice(0, 16)
    assert.strictEqual(FUNCTIONS_FINGERPRINT, fingerprint, `set FUNCTIONS_FINGERPRINT to "${fingerprint}"`)
  })

  it.live("have texts for Citus that PostgreSQL compiles, so that a slip shows without a cluster", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`set search_path = sightline, public`
      // Loads the extension whose parameter a function sets.
      yield* sql`select similarity('', '')`
      yield* Effect.forEach(FUNCTIONS_ON_CITUS.flatMap(recreate), (text) => sql.unsafe(text), { discard: true })
      assert.deepStrictEqual(yield* sql`select * from due_work(array['webhooks', 'records', 'vectors'], 'm')`, [])
    }).pipe((test) => Effect.flatMap(migratedPostgresUrl, (url) => Effect.provide(test, oneConnection(url)))),
  )
})
