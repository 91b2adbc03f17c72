import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { makeWithTransaction, type SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError, SqlError, UnknownError } from "effect/sql/SqlError"
import { type Installation, sessionSettings } from "./session.ts"
import { errorCode } from "../common/errorCode.ts"

/** The connection of a host cannot run our statements; `message` says why, and what helps. */
export class CannotJoin extends Schema.TaggedError<CannotJoin>()("CannotJoin", { message: Schema.String }) {}

type WithTransaction = SqlClient["withTransaction"]

interface Joined {
  readonly client: object
  readonly withTransaction: WithTransaction
}

/** The transaction of a host that this fiber works in. Its commit is the host's, and unknown here. */
export const HostTransaction = Context.Reference<Joined | undefined>("sightline/storage/HostTransaction", {
  defaultValue: () => undefined,
})

/**
 * Runs effects in the transaction that a host has begun on `client`, which `connect` makes a connection of ours. All is in a savepoint,
 * with our role and settings, and the host's own after it: a failure rolls back what the effect did, and the host's transaction goes on.
 */
export const makeJoin = (sql: SqlClient, installation: Installation) => {
  const settings = settingsOf(installation)
  const begin = (client: object, connection: Connection) => {
    const run = (statement: string, parameters: ReadonlyArray<unknown> = []) =>
      connection.executeUnprepared(statement, parameters, undefined)
    const rollback = Effect.asVoid(Effect.andThen(run(`rollback to ${SAVEPOINT}`), run(`release ${SAVEPOINT}`)))
    let before = "{}"
    const enter = Effect.gen(function* () {
      const [row] = yield* run(ENTER, [settings, `"${installation.schema}".organizations`])
      const entered = row as { readonly before: string; readonly is_there: boolean }
      before = entered.before
      if (!entered.is_there) return yield* refuse(absent(installation))
    })
    const withTransaction: WithTransaction = makeWithTransaction({
      transactionService: sql.transactionService,
      spanAttributes: [["db.system.name", "postgresql"]],
      acquireConnection: () => Effect.succeed(connection),
      begin: () =>
        Effect.andThen(
          run(`savepoint ${SAVEPOINT}`),
          Effect.onError(enter, () => Effect.ignore(rollback)),
        ).pipe(Effect.mapError((error) => explain(error, installation))),
      commit: () => Effect.andThen(run(LEAVE, [before]), Effect.asVoid(run(`release ${SAVEPOINT}`))),
      onCommitFailure: () => rollback,
      rollback: () => rollback,
      savepoint: (_, id) => Effect.asVoid(run(`savepoint ${SAVEPOINT}_${id}`)),
      rollbackSavepoint: (_, id) => Effect.asVoid(run(`rollback to ${SAVEPOINT}_${id}`)),
      releaseSavepoint: (_, id) => Effect.asVoid(run(`release ${SAVEPOINT}_${id}`)),
    })
    return { client, withTransaction }
  }
  return <A, E, R>(
    client: object,
    connect: () => Connection,
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | SqlError | CannotJoin, R> =>
    Effect.gen(function* () {
      const outer = yield* HostTransaction
      if (outer?.client === client) return yield* outer.withTransaction(effect)
      if (Option.isSome(yield* Effect.serviceOption(sql.transactionService))) return yield* another
      const joined = begin(client, connect())
      return yield* Effect.catchIf(
        joined.withTransaction(Effect.provideService(effect, HostTransaction, joined)),
        isRefused,
        (error) => Effect.fail(error.reason.cause),
      )
    })
}

const SAVEPOINT = "sightline_joined"

/** Null: left as it is, and set back if a statement of ours changes it. */
const settingsOf = (installation: Installation): string =>
  JSON.stringify({
    ...sessionSettings(installation),
    bytea_output: "hex",
    synchronous_commit: null,
    statement_timeout: null,
    enable_seqscan: null,
    enable_nestloop: null,
    "sightline.organization": "",
    // Last, because a role may be forbidden to set the others.
    role: installation.role,
  })

/** One row: the settings of before, as JSON, and whether the schema is in this database. The outer query runs with the new role. */
const ENTER = `
  select before, to_regclass($2::text) is not null as is_there
  from (select json_object_agg(s.key, s.before)::text as before
    from (select key, coalesce(current_setting(key, true), '') as before,
        set_config(key, coalesce(value, current_setting(key)), true)
      from json_each_text($1::json) offset 0) s) entered`

const LEAVE = "select set_config(key, value, true) from json_each_text($1::json)"

const another = new CannotJoin({
  message: "this effect runs in another transaction already: call `inTransaction` outside of it",
})

const absent = ({ schema }: Installation) =>
  new CannotJoin({
    message: `the database of this connection has no schema '${schema}' of this service; connect to the one that \`open\` uses`,
  })

/** A transaction of the driver begins or fails with an `SqlError`, so the refusal is its cause. */
const refuse = (cause: CannotJoin) =>
  new SqlError({ reason: new UnknownError({ cause, message: cause.message, operation: "begin" }) })

const isRefused = (error: unknown): error is SqlError & { readonly reason: { readonly cause: CannotJoin } } =>
  isSqlError(error) && error.reason.cause instanceof CannotJoin

const explain = (error: SqlError, { role }: Installation): SqlError => {
  const message = REASONS[errorCode(error.reason.cause)]
  return message === undefined ? error : refuse(new CannotJoin({ message: message.replaceAll("ROLE", role) }))
}

/** By SQLSTATE. */
const REASONS: Readonly<Record<string, string>> = {
  "25P01": "the connection has no open transaction: run `begin` on it first",
  "25P02": "a statement failed in the transaction of this connection: roll it back, and begin anew",
  "42501": "the login of this connection may not take the role ROLE: run `grant ROLE to` that login",
  "22023": "the server of this connection has no role ROLE; connect to the one that `open` uses",
}
