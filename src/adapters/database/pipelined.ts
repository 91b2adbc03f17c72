import * as PgClient from "@effect/sql-pg/PgClient"
import type { PgConnection, Result } from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { inOrder } from "../../core/storage/inOrder.ts"
import { CurrentScope, setOrganization } from "../../core/storage/session.ts"

export interface PipelinedOptions extends PgClient.PgPoolConfig {
  /** The settings of each transaction, for poolers that share sessions. Empty: the session keeps its settings. */
  readonly settings: Readonly<Record<string, string>>
}

/**
 * Connections that set what a statement needs by `begin`, `set local`, the statement and `commit`, sent together: one
 * round trip. Nothing is left in the session. Every statement goes this way, so none runs without the settings.
 */
export const layerPipelined = ({ settings, ...config }: PipelinedOptions) =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      // A multiplexed connection sends statements without waiting for replies; here it has one user at a time.
      const pool = yield* PgPool.make({ ...config, multiplex: true, multiplexConcurrency: 1 })
      const single = (connection: PgConnection) => singleStatements(connection, settings)
      return yield* SqlClient.make({
        driver: "pg",
        acquirer: Effect.map(pool.get, single),
        borrower: (use) => pool.use((connection) => use(single(connection))),
        transactionAcquirer: Effect.flatMap(pool.get, (connection) => begin(connection, settings)),
        beginTransaction: BEGUN,
        commit: (connection) => Effect.flatMap(connection.executeRaw("commit", []), refuseRollback),
        releaseSavepoint: (name) => `release savepoint ${name}`,
        compiler: PgClient.makeCompiler(),
        spanAttributes: [["db.system.name", "postgresql"]],
      })
    }),
  ).pipe(Layer.provide(Reactivity.layer))

type Run = (statement: string, parameters: ReadonlyArray<unknown>, prepare: boolean) => Effect.Effect<Result, SqlError>

/** Begins with the connection: `SqlClient` would begin in a round trip of its own. */
const BEGUN = ""

const singleStatements = (connection: PgConnection, settings: PipelinedOptions["settings"]) =>
  makeConnection((statement, parameters, prepare) =>
    Effect.flatMap(CurrentScope, (organization) => {
      const set = setLocal(connection, settings, organization)
      const asked = connection.query(statement, parameters, prepare)
      if (set.length === 0) return asked
      const all = [connection.query("begin"), ...set, asked, connection.query("commit")]
      return Effect.flatMap(inOrder(all), (results) => Effect.as(refuseRollback(results.at(-1)!), results.at(-2)!))
    }),
  )

/** Begins a transaction with its settings in one round trip. It never outlives the scope, whatever interrupts it. */
const begin = (connection: PgConnection, settings: PipelinedOptions["settings"]) =>
  Effect.uninterruptible(
    Effect.gen(function* () {
      let isOpen = true
      yield* Effect.addFinalizer(() => (isOpen ? Effect.ignore(connection.query("rollback")) : Effect.void))
      let organization = yield* CurrentScope
      yield* inOrder([connection.query("begin"), ...setLocal(connection, settings, organization)])
      const pinned = yield* connection.pin
      yield* FLUSHED
      return makeConnection((statement, parameters, prepare) =>
        Effect.flatMap(CurrentScope, (asked) => {
          if (statement === BEGUN) return Effect.succeed(NO_ROWS)
          const run = Effect.tap(pinned.query(statement, parameters, prepare), () =>
            Effect.sync(() => {
              if (ENDS.test(statement)) isOpen = false
            }),
          )
          if (asked === undefined || asked === organization) return run
          organization = asked
          return Effect.andThen(pinned.query(setOrganization(asked)), run)
        }),
      )
    }),
  )

/**
 * Resumes after the driver's scheduled flush of pipelined statements. Its flush, even an empty one, drops the reply of a
 * statement that the pinned connection has in flight, and Deno can run microtasks later than replies arrive.
 */
const FLUSHED = Effect.callback<void>((resume) => queueMicrotask(() => resume(Effect.void)))

const ENDS = /^(?:commit|rollback)$/i
const NO_ROWS: Result = { command: "BEGIN", rowCount: 0, oid: null, rows: [], fields: [] }

const setLocal = (
  connection: PgConnection,
  settings: PipelinedOptions["settings"],
  organization: string | undefined,
) => [
  ...(Object.keys(settings).length === 0 ? [] : [connection.query(SET_ALL, [JSON.stringify(settings)])]),
  ...(organization === undefined ? [] : [connection.query(setOrganization(organization))]),
]

const SET_ALL = "select set_config(key, value, true) from json_each_text($1::json)"

/** PostgreSQL replies `ROLLBACK` to the `commit` of an aborted transaction. */
const refuseRollback = (result: unknown) =>
  (result as Result).command === "ROLLBACK"
    ? Effect.fail(
        new SqlError({
          reason: new UnknownError({ cause: result, message: "the transaction was rolled back", operation: "commit" }),
        }),
      )
    : Effect.void

const makeConnection = (run: Run): Connection => {
  const rows = (prepare: boolean) => (statement: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(run(statement, parameters, prepare), (result) => result.rows)
  const values = (prepare: boolean) => (statement: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(run(statement, parameters, prepare), (result) => result.rows.map((row) => Object.values(row)))
  return {
    execute: rows(true),
    executeUnprepared: rows(false),
    executeValues: values(true),
    executeValuesUnprepared: values(false),
    executeRaw: (statement, parameters) => run(statement, parameters, true),
    executeStream: () => Stream.die("read a large result by a cursor in a transaction, or by COPY"),
  }
}
