import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { engines } from "../support/engines.ts"

/** The columns of constraints, in their order. */
const COLUMNS = `array(select a.attname::text from unnest(k.keys) with ordinality x(attnum, n)
  join pg_attribute a on a.attrelid = k.relation and a.attnum = x.attnum order by x.n)`

/** Tables whose rows belong to an organization each. */
const OF_ORGANIZATIONS = `k.relation in (
  select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
  where c.relnamespace = 'sightline'::regnamespace and c.relkind in ('r', 'p'))`

for (const engine of engines) {
  describe(`the schema on ${engine.name}`, () => {
    layer(engine.database, { excludeTestServices: true })((it) => {
      const namesOf = (query: string) =>
        Effect.map(
          Effect.flatMap(SqlClient, (sql) => sql.unsafe<{ name: string }>(query)),
          (rows) => rows.map(({ name }) => name),
        )

      it.effect("has no triggers: writers write what hangs on their rows", () =>
        Effect.gen(function* () {
          const triggers = `select t.tgrelid::regclass || ' ' || t.tgname as name from pg_trigger t
            join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'sightline'::regnamespace and not t.tgisinternal`
          assert.deepStrictEqual(yield* namesOf(triggers), [])
          const functions = `select p.proname as name from pg_proc p
            where p.pronamespace = 'sightline'::regnamespace and p.prorettype = 'trigger'::regtype`
          assert.deepStrictEqual(yield* namesOf(functions), [])
        }),
      )

      it.effect("has no sequence and no identity column: numbers belong to an organization", () =>
        Effect.gen(function* () {
          const sequences = `select relname as name from pg_class
            where relnamespace = 'sightline'::regnamespace and relkind = 'S'`
          assert.deepStrictEqual(yield* namesOf(sequences), [])
        }),
      )

      it.effect("begins every unique key and foreign key of an organization's table with org_id", () =>
        Effect.gen(function* () {
          const keys = (
            of: string,
          ) => `select k.relation::regclass || ' (' || array_to_string(${COLUMNS}, ', ') || ')' as name
            from (${of}) k where ${OF_ORGANIZATIONS} order by 1`
          const unique = keys(
            "select indrelid as relation, string_to_array(indkey::text, ' ')::int2[] as keys from pg_index where indisunique",
          )
          const foreign = keys("select conrelid as relation, conkey as keys from pg_constraint where contype = 'f'")
          for (const all of [yield* namesOf(unique), yield* namesOf(foreign)]) {
            assert.isAbove(all.length, 20)
            assert.deepStrictEqual(
              all.filter((key) => !/ \(org_id\b/.test(key)),
              [],
            )
          }
        }),
      )
    })
  })
}
