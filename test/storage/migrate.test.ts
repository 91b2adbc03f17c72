import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { isMigrated, migrate } from "../../src/core/storage/migrate.ts"
import warningsMoved from "../../src/core/storage/migrations/before39/0021_document_warnings.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { readCatalogue } from "../support/catalogue.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { startPostgres } from "../support/postgres.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { layerOrganizations } from "../support/organizations.ts"

const on = <A, E>(url: string, effect: Effect.Effect<A, E, SqlClient>) => Effect.provide(effect, oneConnection(url))

/** Four instances that start at once on a database that holds nothing. */
const migrateByFour = (url: string) =>
  Effect.gen(function* () {
    const done = yield* Effect.forEach([1, 2, 3, 4], () => on(url, migrate), { concurrency: 4 })
    const counts = done.map((migrations) => migrations.length)
    assert.strictEqual(counts.filter((count) => count > 0).length, 1, `each ran ${counts}`)
    assert.deepStrictEqual(yield* on(url, migrate), [])
  })

/** A server of its own: roles belong to the server, and the run's server has ours already. */
const newServer = Effect.acquireRelease(
  Effect.promise(() => startPostgres()),
  ({ stop }) => Effect.promise(stop),
)

const works = (url: string, migrationUrl = url) =>
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const { id } = yield* organizations.create({ name: "Acme", plan: "growth" })
    assert.strictEqual((yield* organizations.find(id))?.name, "Acme")
  }).pipe(
    Effect.provide(
      layerOrganizations.pipe(
        Layer.provideMerge(Database.layer),
        Layer.provide(layerPostgres({ url: Redacted.make(url), migrationUrl: Redacted.make(migrationUrl) })),
      ),
    ),
  )

describe("migrations on PostgreSQL", () => {
  it.live("serves with a login that owns nothing, by the SQL of docs/deploy.md", () =>
    Effect.gen(function* () {
      const server = new URL((yield* newServer).url)
      const [, block = ""] = /## A login that owns nothing[^]*?```sql\n([^]*?)```/.exec(
        readFileSync(join(import.meta.dirname, "../../docs/deploy.md"), "utf8"),
      )!
      const sqlOf = (url: URL, ...texts: ReadonlyArray<string>) =>
        on(
          url.href,
          Effect.flatMap(SqlClient, (sql) =>
            Effect.map(
              Effect.forEach(texts, (text) => sql.unsafe<{ n: number }>(text)),
              (replies) => replies.at(-1)?.[0]?.n,
            ),
          ),
        )
      yield* sqlOf(server, ...block.split(";").filter((text) => text.trim() !== ""))
      const [owner, login] = ["owner", "login"].map((name) => {
        const url = new URL("/sightline", server)
        url.username = `sightline_${name}`
        url.password = "change-me"
        return url
      }) as [URL, URL]

      yield* works(login.href, owner.href)
      // Later instances need no owner.
      yield* works(login.href)
      const organizations = "select count(*)::int as n from sightline.organizations"
      const scope = "select set_config('sightline.organization', 'none', false)"
      assert.strictEqual(yield* sqlOf(owner, organizations), 2)
      assert.strictEqual(yield* sqlOf(login, "set role sightline_app", scope, organizations), 0)
      const refused = yield* Effect.flip(sqlOf(login, "set role sightline_app", "reset role", scope, organizations))
      assert.match(String(refused.reason.cause), /permission denied/)
      const owned = "select count(*)::int as n from pg_class where relowner = 'sightline_login'::regrole"
      assert.strictEqual(yield* sqlOf(server, owned), 0)
    }),
  )

  it.live("forces row-level security, and renews the owner's policies when a restore changes the owner", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      yield* on(url, migrate)
      const [unforced] = yield* on(
        url,
        Effect.flatMap(
          SqlClient,
          (sql) => sql<{ n: number }>`select count(*)::int as n from pg_class
          where relnamespace = 'sightline'::regnamespace and relrowsecurity and not relforcerowsecurity`,
        ),
      )
      assert.strictEqual(unforced?.n, 0)
      assert.isTrue(yield* on(url, isMigrated))
      yield* on(
        url,
        Effect.flatMap(SqlClient, (sql) => sql`drop policy functions_of_owner on sightline.api_keys`),
      )
      assert.isFalse(yield* on(url, isMigrated))
      yield* on(url, migrate)
      assert.isTrue(yield* on(url, isMigrated))
      yield* works(url)
    }),
  )

  it.live("four instances starting at once all succeed, and a second run changes nothing", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      yield* migrateByFour(url)
      const before = yield* on(url, readCatalogue)
      assert.isAbove(before.length, 1000)
      yield* on(url, migrate)
      assert.deepStrictEqual(yield* on(url, readCatalogue), before)
      yield* works(url)
    }),
  )

  it.live("moves the warnings of readings to their documents, with codes, and reports no change", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      yield* on(url, migrate)
      const moved = yield* on(
        url,
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`set search_path = sightline`
          yield* sql`alter table documents drop column warnings`
          yield* sql`alter table document_texts add column warnings jsonb not null default '[]'`
          yield* sql`insert into organizations (id, name, plan) values ('o', 'Acme', 'growth')`
          yield* sql`insert into documents (org_id, id, type, source, file_name, content_type)
            values ('o', 'a', 'asset', 'api', 'a.pdf', 'application/pdf'), ('o', 'b', 'asset', 'api', 'b.txt', 'text/plain')`
          const old = ["Pages that could not be read: 2, 3.", 'The sheet "x" is hidden in the workbook; it was read.']
          yield* sql`insert into document_texts (org_id, document_id, body, warnings)
            values ('o', 'a', '', ${JSON.stringify(old)}::text::jsonb), ('o', 'b', '', '[]')`
          const before = yield* sql`select id, sequence::text from changes order by id`
          yield* warningsMoved
          assert.deepStrictEqual(yield* sql`select id, sequence::text from changes order by id`, before)
          return yield* sql<{ warnings: unknown }>`select warnings from documents order by id`
        }),
      )
      const [a, b] = moved.map(({ warnings }) => warnings)
      assert.deepStrictEqual(a, [
        { code: "pages_unreadable", message: "Pages that could not be read: 2, 3." },
        { code: "sheet_hidden", message: 'The sheet "x" is hidden in the workbook; it was read.' },
      ])
      assert.deepStrictEqual(b, [])
    }),
  )

  it.live("says whether something is left to do, also to the role that serves", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      assert.isFalse(yield* on(url, isMigrated))
      yield* on(url, migrate)
      assert.isTrue(yield* on(url, isMigrated))
      const asApplication = Effect.flatMap(SqlClient, (sql) =>
        Effect.andThen(sql.unsafe("set role sightline_app"), isMigrated),
      )
      assert.isTrue(yield* on(url, asApplication))

      const olderFunctions = Effect.flatMap(SqlClient, (sql) =>
        sql.unsafe("comment on table sightline.migrations is 'older'"),
      )
      yield* on(url, olderFunctions)
      assert.isFalse(yield* on(url, isMigrated))
      yield* on(url, migrate)
      assert.isTrue(yield* on(url, isMigrated))

      yield* on(
        url,
        Effect.flatMap(SqlClient, (sql) => sql.unsafe("delete from sightline.migrations where migration_id > 14")),
      )
      assert.isFalse(yield* on(url, isMigrated))
      const nowhere = yield* Effect.flip(on("postgres://postgres@127.0.0.1:1/none", isMigrated))
      assert.strictEqual((nowhere as SqlError).reason._tag, "ConnectionError")
    }),
  )

  it.live("who may not migrate may serve what is migrated", () =>
    Effect.gen(function* () {
      const url = new URL(yield* freshPostgresUrl)
      yield* on(url.href, migrate)
      const guest = url.pathname.replace("/test", "guest")
      yield* on(
        url.href,
        Effect.flatMap(SqlClient, (sql) =>
          sql.unsafe(`create role ${guest} login password 'guest' in role sightline_app`),
        ),
      )
      url.username = guest
      url.password = "guest"
      yield* works(url.href)
    }),
  )

  it.live("a session that bypasses row-level security is not served", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      yield* on(url, migrate)
      const error = yield* Effect.flip(
        Effect.scoped(Layer.build(Database.layer.pipe(Layer.provide(oneConnection(url))))),
      )
      assert.strictEqual(error._tag, "UnsafeSession")
      assert.include(error.message, "'postgres'")
    }),
  )

  it.live("a server that has neither schema nor role is made ready", () =>
    Effect.scoped(Effect.flatMap(newServer, ({ url }) => works(url))),
  )

  it.live("the owner of the database need not be a superuser", () =>
    Effect.gen(function* () {
      const server = yield* newServer
      yield* on(
        server.url,
        Effect.flatMap(SqlClient, (sql) =>
          Effect.forEach(
            [
              "create role host login createrole password 'host'",
              "create database first owner host",
              "create database second owner host",
            ],
            (text) => sql.unsafe(text),
          ),
        ),
      )
      for (const database of ["first", "second"]) {
        const url = new URL(server.url)
        url.username = "host"
        url.password = "host"
        url.pathname = `/${database}`
        yield* migrateByFour(url.href)
        yield* works(url.href)
        const direct = Layer.build(Database.layer.pipe(Layer.provide(oneConnection(url.href))))
        const refused = yield* Effect.flip(Effect.scoped(direct))
        assert.include(refused.message, "'host', has the rights of the tables' owner")
      }
    }).pipe(Effect.scoped),
  )
})
