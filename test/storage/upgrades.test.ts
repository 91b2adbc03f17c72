import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPostgres, type PostgresOptions } from "../../src/adapters/database/postgres.ts"
import { type NotReady, open, Organizations } from "../../src/core/Sightline.ts"
import { isMigrated, LATEST, migrate } from "../../src/core/storage/migrate.ts"
import { run } from "../adapters/processes.ts"
import { readCatalogue } from "../support/catalogue.ts"
import { freshPostgresUrl, migratedPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { untilEffect } from "../support/until.ts"

const query = <Row extends object>(url: string, text: string) =>
  Effect.provide(
    Effect.flatMap(SqlClient, (sql) => sql.unsafe<Row>(text)),
    oneConnection(url),
  )
const execute = (url: string, ...texts: ReadonlyArray<string>) =>
  Effect.provide(
    Effect.flatMap(SqlClient, (sql) => Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true })),
    oneConnection(url),
  )
const catalogueOf = (url: string) => Effect.provide(readCatalogue, oneConnection(url))

/** A login of the server, named after the database, with a password of the same text. */
const loginOf = (url: string, kind: string) => {
  const login = new URL(url)
  login.username = login.password = `${kind}_${login.pathname.slice(1)}`
  return login
}

/** The names of the organizations after a start, or how the start fails. */
const start = (url: string, options: Partial<PostgresOptions> = {}) =>
  Effect.promise(async () => {
    await using sightline = await open({
      database: layerPostgres({ url: Redacted.make(url), ...options }),
      background: false,
    })
    const error = await sightline.ready({ seconds: 600 }).catch((error: NotReady) => error)
    if (error === undefined)
      await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" })))
    return error
  })

const doctor = (url: string, settings: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async () => {
    const { stdout } = await run(["doctor", "--json"], { SIGHTLINE_DATABASE_URL: url, ...settings })
    const { checks } = JSON.parse(stdout) as {
      checks: ReadonlyArray<{ name: string; state: string; detail: string; remedy?: string }>
    }
    return checks.find(({ name }) => name === "database")!
  })

/** A change of the schema by a newer version. */
const addMigration = (breaking: boolean) =>
  `insert into sightline.migrations (migration_id, name, breaking) values (${LATEST + 1}, 'later', ${breaking})`

describe("a schema that a newer version migrated", () => {
  it.live("is served as it is, by any number of restarts", () =>
    Effect.gen(function* () {
      const url = yield* migratedPostgresUrl
      yield* execute(
        url,
        addMigration(false),
        "comment on table sightline.migrations is 'newer'",
        "create or replace function sightline.month_of(ms bigint) returns int language sql immutable as 'select 0 + 0'",
      ).pipe(Effect.ignore)
      const before = yield* catalogueOf(url)
      for (const _ of [1, 2]) assert.isUndefined(yield* start(url))
      assert.deepStrictEqual(yield* catalogueOf(url), before)
      assert.deepInclude(yield* doctor(url), { state: "ok" })
    }),
  )

  it.live("is refused, and left as it is, if a migration says that older versions cannot work with it", () =>
    Effect.gen(function* () {
      const url = yield* migratedPostgresUrl
      yield* execute(url, addMigration(true), "comment on table sightline.migrations is 'newer'")
      const before = yield* catalogueOf(url)
      const message = `the schema is at ${LATEST + 1}, and this version supports up to ${LATEST}: migration ${LATEST + 1} needs a newer Sightline`
      assert.deepInclude(yield* start(url), { _tag: "NotReady", reason: "unusable", message })
      assert.include((yield* Effect.promise(() => run(["migrate"], { SIGHTLINE_DATABASE_URL: url }))).stderr, message)
      assert.deepStrictEqual(yield* catalogueOf(url), before)
      assert.deepInclude(yield* doctor(url), {
        state: "problem",
        remedy: `migration ${LATEST + 1} needs a newer Sightline`,
      })
    }),
  )
})

describe("a migration beside statements of others", () => {
  it.live("lets requests through while a long one holds a table, and runs when that ends", () =>
    Effect.gen(function* () {
      const url = yield* migratedPostgresUrl
      yield* execute(url, "comment on table sightline.migrations is 'older'")
      const long = Context.get(yield* Layer.build(Layer.fresh(oneConnection(url))), SqlClient)
      const held = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const holding = yield* Effect.forkScoped(
        long.withTransaction(
          Effect.gen(function* () {
            yield* long`select count(*) from sightline.deals`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(gate)
          }),
        ),
      )
      yield* Deferred.await(held)
      const migrating = yield* Effect.forkScoped(Effect.provide(migrate, oneConnection(url)))
      const isWaiting = query<{ n: number }>(
        url,
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      yield* untilEffect(
        "the migration waits for the table",
        Effect.map(isWaiting, ([row]) => row!.n > 0),
      )
      // It would wait for the long one, too, behind a migration that waits for ever.
      yield* execute(url, "set statement_timeout = '60s'", "select count(*) from sightline.deals")
      assert.isUndefined(migrating.pollUnsafe())
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(holding)
      assert.deepStrictEqual(yield* Fiber.join(migrating), [])
      assert.isTrue(yield* Effect.provide(isMigrated, oneConnection(url)))
    }).pipe(Effect.scoped),
  )
})

describe("a login that may not migrate", () => {
  it.live("serves a migrated schema, and names the number and the remedy if a migration is pending", () =>
    Effect.gen(function* () {
      const url = yield* migratedPostgresUrl
      const login = loginOf(url, "server")
      yield* execute(
        url,
        `create role ${login.username} login noinherit password '${login.password}' in role sightline_app`,
      )
      assert.isUndefined(yield* start(login.href))
      assert.deepInclude(yield* doctor(login.href), { state: "ok" })

      yield* execute(url, `delete from sightline.migrations where migration_id = ${LATEST}`)
      const what = `the schema sightline is at ${LATEST - 1}, this version needs ${LATEST}, and '${login.username}' does not own it`
      const remedy = "run `sightline migrate` as its owner, whose login is SIGHTLINE_MIGRATION_URL (`migrationUrl`)"
      assert.deepInclude(yield* start(login.href), { reason: "unusable", message: `${what}: ${remedy}` })
      const check = yield* doctor(login.href)
      assert.deepInclude(check, { state: "problem", remedy })
      assert.include(check.detail, what)
      const asOwner = yield* doctor(login.href, { SIGHTLINE_MIGRATION_URL: url })
      assert.deepInclude(asOwner, { state: "ok" })
      assert.include(asOwner.detail, `schema at ${LATEST - 1}: serve and migrate bring it to ${LATEST}`)
    }),
  )

  it.live("gets the words of `doctor` if it owns the database but cannot create the role", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      const login = loginOf(url, "host")
      yield* execute(
        url,
        `create role ${login.username} login password '${login.password}'`,
        `alter database ${login.pathname.slice(1)} owner to ${login.username}`,
      )
      const schema = `of_${login.username}`
      const check = yield* doctor(login.href, { SIGHTLINE_DATABASE_SCHEMA: schema })
      assert.deepInclude(check, { state: "problem" })
      assert.include(check.detail, `'${login.username}' cannot create the role ${schema}_app`)
      assert.include(check.remedy, "CREATEROLE")
      const error = yield* start(login.href, { schema })
      assert.deepInclude(error, {
        reason: "unusable",
        message: `'${login.username}' cannot create the role ${schema}_app: ${check.remedy}`,
      })
    }),
  )
})

describe("`doctor`", () => {
  it.live("says that a database is unreachable only if it is", () =>
    Effect.gen(function* () {
      assert.include((yield* doctor("postgres://postgres@127.0.0.1:1/none")).detail, "is unreachable")
      const url = new URL(yield* freshPostgresUrl)
      url.pathname = "/nowhere"
      const { detail } = yield* doctor(url.href)
      assert.include(detail, 'refuses: database "nowhere" does not exist')
    }),
  )
})
