import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Database } from "../../../core/storage/Database.ts"
import { makeInstallation, nameInstallation } from "../../../core/storage/session.ts"
import { configuration } from "../../configuration/configuration.ts"
import { inWorkspace, Usage } from "../connection/workspace.ts"
import { print } from "../terminal/output.ts"

interface MigrateInput {
  readonly to: Option.Option<string>
  readonly distribute: boolean
  readonly printSql: boolean
  readonly json: boolean
}

export const migrate = Effect.fnUntraced(function* ({ to, distribute, printSql, json }: MigrateInput) {
  if ([printSql, distribute, Option.isSome(to)].filter(Boolean).length > 1)
    return yield* new Usage({ message: "use one of --to, --distribute and --print-sql" })
  if (distribute) {
    const { distributeTables } = yield* Effect.promise(() => import("./distribute.ts"))
    return yield* distributeTables(json)
  }
  if (printSql) return yield* printAdministratorsSql(json)
  if (Option.isNone(to)) return yield* update(json)
  const { moveTo } = yield* Effect.promise(() => import("./moveTo.ts"))
  return yield* moveTo(to.value, json)
})

/** Prints the schema's migrations; opening the database has already applied them. */
const update = (json: boolean) =>
  inWorkspace(
    Effect.gen(function* () {
      const database = yield* Database
      const rows = yield* database.unscoped<{ readonly migration_id: number; readonly name: string }>(
        database.sql`select migration_id, name from migrations order by migration_id`,
      )
      const migrations = rows.map(({ migration_id, name }) => ({ id: migration_id, name }))
      yield* print(json, { migrations }, [
        `The schema is up to date: ${migrations.map(({ id, name }) => `${id} ${name}`).join(", ")}`,
      ])
    }),
  )

/** The statements that need more rights than the tables' owner has. A test runs them. */
const ADMINISTRATORS_SQL = `-- Run this once, as an administrator, in the database that Sightline uses. Choose the passwords.
create role sightline_app nologin;
create role sightline_owner login password 'change-me' in role sightline_app;
create role sightline_login login noinherit password 'change-me' in role sightline_app;
create extension if not exists pg_trgm schema public;
create extension if not exists btree_gin schema public;
create schema sightline authorization sightline_owner;
-- Then set SIGHTLINE_MIGRATION_URL to an address with sightline_owner, which migrates, and SIGHTLINE_DATABASE_URL
-- to one with sightline_login, which serves. Neither needs another right.`

const printAdministratorsSql = Effect.fnUntraced(function* (json: boolean) {
  const { installation } = yield* configuration
  const { schema, role } = makeInstallation(installation)
  const sql = nameInstallation({ schema, role })(ADMINISTRATORS_SQL).replaceAll(
    /\bsightline_(owner|login)\b/g,
    (_, kind: string) => `"${schema}_${kind}"`,
  )
  yield* print(json, { sql }, [sql])
})
