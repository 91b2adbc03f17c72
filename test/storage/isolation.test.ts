import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../../src/core/storage/Database.ts"
import { PLACEMENTS } from "../../src/core/storage/placement.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { insertWorkspace, makeWorkspace } from "../deals/workspace.ts"
import { citusOverShards, engines, whereIs } from "../support/engines.ts"
import { makeRandom } from "../support/random.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

/** Tables that belong to nobody: plans are the same for all; the migrator and periodic work keep their own books. */
const SHARED = [
  "chores",
  "erasures",
  "migrations",
  "oauth_clients",
  "pending_erasures",
  "plans",
  "refused_sign_ins",
  "signing_secret",
]

/** Only these bind their owner on Citus, which cannot replicate into tables that do. */
const LOCAL = Object.entries(PLACEMENTS).flatMap(([name, placement]) => (placement === "local" ? [name] : []))

/** Tables that the application may neither update nor delete from. */
const APPEND_ONLY: ReadonlySet<string> = new Set(["audit_log"])

for (const engine of [...engines, citusOverShards]) {
  /** Citus refuses by itself to move a row to another organization. */
  const isPinned = (table: string) =>
    engine.name === "Citus" && PLACEMENTS[table as keyof typeof PLACEMENTS] === "distributed"
  const services = layerOrganizations.pipe(Layer.provideMerge(Database.layer), Layer.provide(engine.database))
  describe(`row-level security on ${engine.name}`, whereIs(engine), () => {
    layer(services, { excludeTestServices: true })((it) => {
      /** Every table of the schema and the column that says whose a row is: from the catalog, so that none is forgotten. */
      const tables = Effect.gen(function* () {
        const { sql, unscoped } = yield* Database
        return yield* unscoped<{ name: string; owner: string | null; secured: boolean; policies: number }>(sql`
          select c.relname as name,
            (select a.attname from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
              and (a.attname = 'org_id' or (c.relname = 'organizations' and a.attname = 'id')) limit 1) as owner,
            c.relrowsecurity and c.relforcerowsecurity = ${engine.name !== "Citus"} or c.relname = any(${LOCAL}::text[]) and
              c.relrowsecurity and c.relforcerowsecurity as secured,
            (select count(*)::int from pg_policy p where p.polrelid = c.oid and p.polqual is not null
              and (0 = any (p.polroles) or 'sightline_app'::regrole = any (p.polroles))
              and p.polwithcheck is not null and p.polcmd = '*') as policies
          from pg_class c where c.relnamespace = 'sightline'::regnamespace and c.relkind in ('r', 'p') order by 1`)
      })
      const owned = Effect.map(tables, (all) =>
        all.flatMap(({ name, owner }) => (owner === null ? [] : [{ name, owner }])),
      )

      const twoTenants = Effect.gen(function* () {
        const organizations = yield* Organizations
        const mine = yield* organizations.create({ name: "Mine", plan: UNLIMITED })
        const theirs = yield* organizations.create({ name: "Theirs", plan: UNLIMITED })
        const segments = [{ id: "seg", name: "all", filters: {} }]
        yield* insertWorkspace(mine.id, makeWorkspace(makeRandom(1), 20, segments))
        yield* insertWorkspace(theirs.id, makeWorkspace(makeRandom(2), 20, segments))
        return { mine: mine.id, theirs: theirs.id }
      })

      /** The database's own code of why not: 42501 is "insufficient privilege", which the check of a policy raises. */
      const refusalOf = (effect: Effect.Effect<unknown, unknown>) =>
        Effect.map(Effect.exit(effect), (exit) => /"code":"(\w+)"/.exec(JSON.stringify(exit))?.[1])

      it.effect("every table of a tenant has a policy for reading and writing; no other table is there", () =>
        Effect.gen(function* () {
          const all = yield* tables
          assert.deepStrictEqual(
            all.filter(({ owner }) => owner === null).map(({ name }) => name),
            SHARED,
          )
          for (const { name, owner, secured, policies } of all) {
            if (owner !== null) assert.deepStrictEqual({ secured, policies }, { secured: true, policies: 1 }, name)
          }
          assert.isAbove(all.length, 20)
        }),
      )

      it.effect("a statement that forgets its filter sees the scope's rows only, and none without a scope", () =>
        Effect.gen(function* () {
          const { mine, theirs } = yield* twoTenants
          const { sql, scoped, unscoped, transaction } = yield* Database
          for (const { name, owner } of yield* owned) {
            const all = sql`select ${sql.literal(owner)} as org from ${sql.literal(name)}`
            for (const org of [mine, theirs]) {
              const seen = yield* scoped<{ org: string }>(org, all)
              assert.isTrue(
                seen.every((row) => row.org === org),
                `${name} shows foreign rows`,
              )
              const inTransaction = yield* transaction(org, sql<{ org: string }>`${all}`)
              assert.strictEqual(inTransaction.length, seen.length, name)
            }
            assert.deepStrictEqual(yield* unscoped(all), [], `${name} without a scope`)
            assert.deepStrictEqual(yield* scoped("", all), [], `${name} in the scope of nobody`)
          }
          const [deals] = yield* scoped<{ count: number }>(mine, sql`select count(*)::int as count from deals`)
          assert.strictEqual(deals?.count, 20)
        }),
      )

      it.effect("writing for another organization is refused, or reaches no row", () =>
        Effect.gen(function* () {
          const { mine, theirs } = yield* twoTenants
          const { sql, transaction, scoped } = yield* Database
          const written: Array<string> = []
          for (const { name, owner } of yield* owned) {
            const [table, column] = [sql.literal(name), sql.literal(owner)]
            const foreign = sql`jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${owner}::text, ${theirs}::text))`
            const rows = yield* scoped(mine, sql`select 1 as one from ${table} limit 1`)
            // Generated columns take no value.
            const [given] = yield* scoped<{ columns: string }>(
              mine,
              sql`select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
                where attrelid = ${name}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
            )
            const columns = sql.literal(given!.columns)
            const inserted = yield* refusalOf(
              transaction(
                mine,
                sql`insert into ${table} (${columns}) select ${columns}
                  from (select (${foreign}).* from (select * from ${table} limit 1) t) moved returning 1`,
              ),
            )
            const moved = yield* refusalOf(transaction(mine, sql`update ${table} set ${column} = ${theirs}`))
            if (rows.length > 0) {
              written.push(name)
              assert.strictEqual(inserted, "42501", `insert into ${name} for another organization`)
              assert.strictEqual(moved, isPinned(name) ? "0A000" : "42501", `update of ${name} to another organization`)
            }
            if (APPEND_ONLY.has(name)) {
              assert.strictEqual(yield* refusalOf(transaction(mine, sql`delete from ${table}`)), "42501", name)
              continue
            }

            const reached = yield* transaction(
              mine,
              sql`with gone as (delete from ${table} where ${column} = ${theirs} returning 1) select * from gone`,
            )
            assert.deepStrictEqual(reached, [], `delete from ${name}`)
            const touched = yield* transaction(
              mine,
              sql`update ${table} set ${column} = ${column} where ${column} = ${theirs} returning 1`,
            )
            assert.deepStrictEqual(touched, [], `update of ${name}`)
          }
          assert.includeMembers(written, ["organizations", "deals", "deal_drivers", "associations", "segments"])
        }),
      )

      it.effect("nothing of a scope stays on the connection, not after a failure either", () =>
        Effect.gen(function* () {
          const { mine } = yield* twoTenants
          const { sql, scoped, unscoped, transaction } = yield* Database
          const left = sql`select current_setting('sightline.organization', true) as org, current_user::text as name`
          yield* scoped(mine, sql`select 1 as one`)
          yield* transaction(mine, sql`select 1`)
          yield* Effect.exit(transaction(mine, sql`select 1 / 0`))
          yield* Effect.exit(scoped(mine, sql`select 1 / 0 as one`))
          yield* Effect.exit(transaction(mine, Effect.andThen(sql`select 1`, Effect.fail("changed my mind"))))
          // More often than the pool has connections.
          const settings = yield* Effect.forEach(
            Array.from({ length: 30 }),
            () => unscoped<{ org: string | null; name: string }>(left),
            { concurrency: 10 },
          )
          for (const [row] of settings) {
            assert.isTrue(row?.org === null || row?.org === "", `left on the connection: ${row?.org}`)
            assert.strictEqual(row?.name, "sightline_app")
          }
        }),
      )

      it.effect("a search with another organization's id finds nothing", () =>
        Effect.gen(function* () {
          const { mine, theirs } = yield* twoTenants
          const { sql, scoped, unscoped } = yield* Database
          const search = (org: string) => sql`select id from deals_named_like(${org}, ${"e"})`
          assert.isAbove((yield* scoped(mine, search(mine))).length, 0)
          assert.deepStrictEqual(yield* scoped(mine, search(theirs)), [])
          assert.deepStrictEqual(yield* unscoped(search(theirs)), [])
        }),
      )
    })
  })
}
