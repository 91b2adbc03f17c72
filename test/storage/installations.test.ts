import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { FUNCTIONS } from "../../src/core/storage/functions/all.ts"
import { recreate } from "../../src/core/storage/functions/define.ts"
import { makeInstallation, nameInstallation } from "../../src/core/storage/session.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { run } from "../adapters/processes.ts"
import { insertWorkspace, makeWorkspace } from "../deals/workspace.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { makeRandom } from "../support/random.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { layerOrganizations } from "../support/organizations.ts"

const asOwner = <A, E>(url: string, use: (sql: SqlClient) => Effect.Effect<A, E>) =>
  Effect.provide(Effect.flatMap(SqlClient, use), oneConnection(url))

const open = (url: string, options: { readonly schema?: string; readonly role?: string }) =>
  Layer.build(
    Layer.fresh(
      Layer.mergeAll(layerOrganizations, ApiKeys.layer).pipe(
        Layer.provideMerge(Database.layer),
        Layer.provide(layerPostgres({ url: Redacted.make(url), ...options })),
      ),
    ),
  )

/** The objects of a schema, with what they say: texts of functions, policies, privileges. */
const catalogOf = (url: string, schema: string) =>
  asOwner(
    url,
    (sql) =>
      sql<{ name: string; text: string }>`
      select p.proname as name, concat(pg_get_functiondef(p.oid), p.proacl::text) as text from pg_proc p
        where p.pronamespace = ${schema}::regnamespace
      union all select c.relname, concat(c.relacl::text, ' ', (
          select string_agg(concat(polname, polroles::regrole[]::text, pg_get_expr(polqual, polrelid)), ' ' order by polname)
          from pg_policy where polrelid = c.oid)) from pg_class c
        where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'v')
      order by 1, 2`,
  )

describe("two installations in one database", () => {
  it.live("have their own tables, functions, policies and roles, and do not see each other's rows", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      const first = yield* open(url, {})
      const before = yield* catalogOf(url, "sightline")
      const second = yield* open(url, { schema: "acme_intel", role: "acme_reader" })
      assert.deepStrictEqual(yield* catalogOf(url, "sightline"), before)

      // Nothing of the second names the first, and it has the same things.
      const catalog = yield* catalogOf(url, "acme_intel")
      assert.deepStrictEqual(
        catalog.map(({ name }) => name),
        before.map(({ name }) => name),
      )
      for (const { name, text } of catalog) assert.notMatch(text, /sightline(?!\.organization)/, name)

      const fill = (name: string, seed: number) =>
        Effect.gen(function* () {
          const { id } = yield* (yield* Organizations).create({ name, plan: "growth" })
          yield* (yield* ApiKeys).create(id, { name: "key", role: "owner" })
          yield* insertWorkspace(id, makeWorkspace(makeRandom(seed), 20, []))
          return id
        })
      const ids = [yield* Effect.provide(fill("First", 1), first), yield* Effect.provide(fill("Second", 2), second)]
      const seen = Effect.gen(function* () {
        const { sql, scoped } = yield* Database
        return yield* Effect.forEach(ids, (id) =>
          scoped<{ deals: number; role: string }>(
            id,
            sql`
            select count(*)::int as deals, current_user::text as role from deals where org_id = scope.org`,
          ),
        )
      })
      assert.deepStrictEqual((yield* Effect.provide(seen, first)).flat(), [
        { deals: 20, role: "sightline_app" },
        { deals: 0, role: "sightline_app" },
      ])
      assert.deepStrictEqual((yield* Effect.provide(seen, second)).flat(), [
        { deals: 0, role: "acme_reader" },
        { deals: 20, role: "acme_reader" },
      ])
      const trespass = Effect.flatMap(Database, ({ sql, unscoped }) => unscoped(sql`select from sightline.deals`))
      const refused = yield* Effect.exit(Effect.provide(trespass, second))
      assert.include(JSON.stringify(refused), `"code":"42501"`)

      // Trigrams serve both: their extension is in neither schema.
      const [homes] = yield* asOwner(
        url,
        (sql) => sql<{ schema: string }>`
        select string_agg(distinct extnamespace::regnamespace::text, ',') as schema from pg_extension
        where extname in ('pg_trgm', 'btree_gin')`,
      )
      assert.strictEqual(homes?.schema, "public")
      const named = Effect.flatMap(Database, ({ sql, scoped }) =>
        scoped<{ n: number }>(
          ids[1]!,
          sql`select count(*)::int as n from deals d, deals_named_like(d.org_id, d.folded) m where m.id = d.id`,
        ),
      )
      assert.deepStrictEqual(yield* Effect.provide(named, second), [{ n: 20 }])

      // The first goes, and the second stays.
      yield* asOwner(url, (sql) => sql.unsafe("drop schema sightline cascade"))
      assert.deepStrictEqual(yield* Effect.provide(named, second), [{ n: 20 }])
    }).pipe(Effect.scoped),
  )

  it.live("serve with the logins that `migrate --print-sql` makes, which have no other right", () =>
    Effect.gen(function* () {
      const url = new URL(yield* freshPostgresUrl)
      const name = `printed_${url.pathname.slice(6).toLowerCase()}`
      const settings = { SIGHTLINE_DATABASE_URL: url.href, SIGHTLINE_DATABASE_SCHEMA: name }
      const { stdout } = yield* Effect.promise(() => run(["migrate", "--print-sql"], settings))
      yield* asOwner(url.href, (sql) =>
        Effect.forEach(stdout.split(";").slice(0, -1), (text) => sql.unsafe(text), { discard: true }),
      )
      const [migrationUrl, login] = ["owner", "login"].map((kind) => {
        const address = new URL(url)
        address.username = `${name}_${kind}`
        address.password = "change-me"
        return Redacted.make(address.href)
      }) as [Redacted.Redacted, Redacted.Redacted]
      const layer = layerOrganizations.pipe(
        Layer.provideMerge(Database.layer),
        Layer.provide(layerPostgres({ url: login, migrationUrl, schema: name })),
      )
      const made = Effect.flatMap(Organizations, (organizations) => organizations.create({ name: "A", plan: "growth" }))
      assert.match((yield* Effect.provide(made, layer)).id, /^org_/)
      const [rights] = yield* asOwner(
        url.href,
        (sql) => sql<{ n: number }>`
          select count(*)::int as n from pg_roles where rolname like ${`${name}%`} and (rolsuper or rolcreaterole or rolcreatedb)`,
      )
      assert.strictEqual(rights?.n, 0)
    }).pipe(Effect.scoped),
  )

  it("render every SQL function without a name of the default installation", () => {
    const render = nameInstallation(makeInstallation({ schema: "user", role: "reader" }))
    const texts = FUNCTIONS.flatMap(recreate).map(render).join("\n")
    assert.include(texts, `set search_path = "user", pg_temp`)
    assert.include(texts, `hashtextextended('user.jobs ' || p_kind, 0)`)
    assert.include(texts, `to "reader"`)
    assert.include(texts, "current_setting('sightline.organization', true)")
    assert.notMatch(texts, /sightline(?!\.organization)/)
  })

  it("refuse names that SQL texts cannot hold", () => {
    for (const schema of ["", "Upper", "a-b", `a"b`, "a'b", "pg_mine", "1st", "x".repeat(49)]) {
      assert.throws(() => makeInstallation({ schema }), /must be 1 to 48 lower-case letters/)
    }
    assert.deepStrictEqual(makeInstallation({ schema: "acme" }), { schema: "acme", role: "acme_app" })
  })
})
