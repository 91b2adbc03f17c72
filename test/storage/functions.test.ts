import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
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

  it.live("reply to the previous release as its own do, or are new", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const found = yield* sql<{ head: string; reply: string }>`
        select p.oid::regprocedure::text as head, concat_ws(' ', pg_get_function_result(p.oid), (
            select format('(%s)', string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum))
            from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            where c.reltype = p.prorettype and c.relkind = 'c' having count(*) > 0)) as reply
        from pg_proc p where p.pronamespace = 'sightline'::regnamespace`
      const heads = new Set(found.map(({ head }) => head.replace(/^sightline\./, "")))
      const lines = new Set(found.map(({ head, reply }) => `${head} ${reply}`.replaceAll("sightline.", "")))
      const previous = readFileSync(join(import.meta.dirname, "previousReplies.txt"), "utf8")
        .trim()
        .split("\n")
      assert.isAbove(previous.length, 30)
      const isKept = (line: string) => lines.has(line) || !heads.has(line.slice(0, line.indexOf(")") + 1))
      assert.deepStrictEqual(
        previous.filter((line) => !isKept(line)),
        [],
        "a function that the previous release may call keeps its reply: docs/upgrades.md",
      )
    }).pipe((test) => Effect.flatMap(migratedPostgresUrl, (url) => Effect.provide(test, oneConnection(url)))),
  )

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
