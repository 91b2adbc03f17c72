import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CannotMigrate, LATEST } from "../../core/storage/migrate.ts"
import { Installation } from "../../core/storage/session.ts"

/** The login of a connection and its rights, read without any right in the schema. */
export interface Rights {
  readonly user: string
  readonly schema_exists: boolean
  /** Whether the login has the rights of the owner of the schema and its tables. */
  readonly owns: boolean
  readonly may_create_schema: boolean
  readonly may_create_role: boolean
  readonly role_exists: boolean
  readonly role_bypasses: boolean
  readonly may_become: boolean
}

export const readRights = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { schema, role } = yield* Installation
  const [rights] = yield* sql<Rights>`
    select current_user::text as user, n.oid is not null as schema_exists,
      coalesce(pg_has_role(current_user, coalesce(m.relowner, n.nspowner), 'USAGE'), false) as owns,
      has_database_privilege(current_database(), 'CREATE') as may_create_schema,
      (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as may_create_role,
      app.rolname is not null as role_exists,
      coalesce(app.rolsuper or app.rolbypassrls, false) as role_bypasses,
      app.rolname is not null and pg_has_role(current_user, app.oid, 'MEMBER') as may_become
    from (select 1) one left join pg_roles app on app.rolname = ${role}
      left join pg_namespace n on n.nspname = ${schema}
      left join pg_class m on m.relnamespace = n.oid and m.relname = 'migrations'`
  return rights!
})

/** The number of the last migration, if the role that serves exists, the login may take it, and it may read the schema. */
export const readSchemaNumber = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { schema, role } = yield* Installation
  const [row] = yield* sql.withTransaction(
    Effect.andThen(
      sql`set local role ${sql(role)}`,
      sql<{ last: number | null }>`select max(migration_id) as last from ${sql(schema)}.migrations`,
    ),
  )
  return row?.last ?? undefined
}).pipe(
  Effect.catchIf(
    ({ reason }) => reason._tag !== "ConnectionError",
    () => Effect.succeed(undefined),
  ),
)

/** Why a login cannot do something, and what helps. */
export interface Refusal {
  readonly what: string
  readonly remedy: string
}

/** Why a login cannot serve as the restricted role, if it cannot. */
export const cannotServe = (
  { user, role_exists, role_bypasses, may_become }: Rights,
  { role }: Installation,
): Refusal | undefined => {
  if (role_bypasses)
    return {
      what: `the role ${role} bypasses row-level security`,
      remedy: `alter role ${role} nosuperuser nobypassrls`,
    }
  if (role_exists && !may_become)
    return { what: `'${user}' cannot act as ${role}`, remedy: `grant ${role} to "${user}"` }
  return undefined
}

const lackOf = (at: number | undefined) => {
  if (at === LATEST) return "lacks functions or policies of this version"
  return `${at === undefined ? "lacks migrations" : `is at ${at}`}, this version needs ${LATEST}`
}

/** Why a login cannot migrate, if it cannot. `at`: the number of the schema's last migration, if it is known. */
export const cannotMigrate = (
  rights: Rights,
  installation: Installation,
  at: number | undefined,
): Refusal | undefined => {
  const { user, schema_exists, owns, may_create_schema, may_create_role, role_exists } = rights
  const { schema, role } = installation
  if (schema_exists && !owns)
    return {
      what: `the schema ${schema} ${lackOf(at)}, and '${user}' does not own it`,
      remedy: "run `sightline migrate` as its owner, whose login is SIGHTLINE_MIGRATION_URL (`migrationUrl`)",
    }
  const lacks = [
    ...(schema_exists || may_create_schema ? [] : [`the schema ${schema}`]),
    ...(role_exists || may_create_role ? [] : [`the role ${role}`]),
  ]
  if (lacks.length > 0)
    return {
      what: `'${user}' cannot create ${lacks.join(" and ")}`,
      remedy: `connect as a user with CREATEROLE and CREATE on the database, or run the SQL of \`sightline migrate --print-sql\` as an administrator`,
    }
  return may_create_role ? undefined : cannotServe(rights, installation)
}

/** Fails, before anything runs, if the login of the connection may not migrate. */
export const assertMayMigrate = Effect.gen(function* () {
  const rights = yield* readRights
  const at = rights.schema_exists && !rights.owns ? yield* readSchemaNumber : undefined
  const refusal = cannotMigrate(rights, yield* Installation, at)
  if (refusal !== undefined) return yield* new CannotMigrate(refusal)
})
