import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { hasConnection } from "./admit.ts"
import { announceCommit } from "./Commits.ts"
import { CurrentClass } from "./CurrentClass.ts"
import { CurrentEngine } from "./EmbeddedEngine.ts"
import { makeEstimate } from "./estimate.ts"
import { type CannotJoin, HostTransaction, makeJoin } from "./hostTransaction.ts"
import { NOBODY } from "./Permits.ts"
import { Notifications } from "./notifications.ts"
import { CurrentChanges, TransactionChanges } from "./recordChanges.ts"
import { makeServe } from "./serve.ts"
import { CurrentScope, Installation, IsDistributed, ScopeForm } from "./session.ts"
import { noSpace, unavailable } from "./unavailable.ts"
import { Vacuum } from "./Vacuum.ts"

export { CurrentEngine } from "./EmbeddedEngine.ts"
export { PoolSize, TimeLimits } from "./serve.ts"
export { DISK_FULL, isTransient, toUnavailable, unavailable } from "./unavailable.ts"

/**
 * The behaviour of a transaction while less than the reserve is free on the disk of an embedded database. Background work waits;
 * transactions that read, delete or finish work proceed.
 */
export const WhenDiskFull = Context.Reference<"refuse" | "wait" | "proceed">("sightline/storage/WhenDiskFull", {
  defaultValue: () => "refuse",
})

/** Waits or fails while the disk is full, as `WhenDiskFull` says. Each transaction runs it first; single statements do not. */
export const DiskGuard = Context.Reference<Effect.Effect<void, SqlError>>("sightline/storage/DiskGuard", {
  defaultValue: () => Effect.void,
})

/** The session bypasses row-level security, or the schema is missing, so that serving is unsafe. */
export class UnsafeSession extends Schema.TaggedError<UnsafeSession>()("UnsafeSession", { message: Schema.String }) {}

/**
 * The only access to the database. Each call names its organization, and row-level security limits the statement to it,
 * even if the statement has no such condition.
 */
export class Database extends Context.Service<
  Database,
  {
    readonly sql: SqlClient.SqlClient
    /**
     * Runs one statement in one round trip, in the scope of `org`. The statement sees the organization as `scope.org` and
     * must compare `org_id` with it.
     */
    readonly scoped: <Row extends object>(
      org: string,
      statement: Fragment,
    ) => Effect.Effect<ReadonlyArray<Row>, DatabaseUnavailable>
    /** Runs statements in a transaction, in the scope of `org`. Its last statement writes the recorded changes. */
    readonly transaction: <A, E, R>(
      org: string,
      effect: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, Exclude<E, SqlError> | DatabaseUnavailable, R>
    /**
     * Runs an effect in the transaction that a host has begun on a client of its own, to which `connect` sends our statements. An effect
     * that fails leaves nothing in it.
     */
    readonly join: <A, E, R>(
      client: object,
      connect: () => Connection,
      effect: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, Exclude<E, SqlError> | CannotJoin | DatabaseUnavailable, R>
    /** Runs a statement without an organization, such as a health check or the look-up of a key. */
    readonly unscoped: <Row extends object>(
      statement: Fragment,
    ) => Effect.Effect<ReadonlyArray<Row>, DatabaseUnavailable>
    /** Vacuums tables that many writes have changed, and returns how many. Undefined if the engine does it by itself. */
    readonly vacuumAfterWrites?: Effect.Effect<number, DatabaseUnavailable> | undefined
    /** Frees the space of deleted rows, in these tables or in all. */
    readonly vacuumAfterErasing: (tables?: ReadonlyArray<string>) => Effect.Effect<void, DatabaseUnavailable>
    /** Whether the disk is too full for writes: an embedded database measures it; a server says so when a write fails. */
    readonly isReadOnly: Effect.Effect<boolean>
  }
>()("sightline/storage/Database") {
  static readonly layer: Layer.Layer<Database, DatabaseUnavailable | UnsafeSession, SqlClient.SqlClient> = Layer.effect(
    Database,
    Effect.suspend(() => Effect.andThen(assertRestricted, make)),
  )

  /** For a backup or restore, whose session may bypass row-level security. */
  static readonly layerOwner: Layer.Layer<Database, never, SqlClient.SqlClient> = Layer.effect(
    Database,
    Effect.suspend(() => make),
  )
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const scope = (yield* ScopeForm) === "statement" ? setByStatement(sql) : setByConnection(sql)
  const isDistributed = yield* IsDistributed
  const notifications = yield* Notifications
  const record = runAndRecord(sql, isDistributed, notifications)
  const serve = yield* makeServe(sql)
  const engine = yield* CurrentEngine
  const runIfShort = engine === undefined ? undefined : makeEstimate(sql, engine)
  const scoped =
    runIfShort === undefined
      ? scope.scoped
      : <Row extends object>(org: string, statement: Fragment) =>
          runIfShort(org, statement, scope.scoped<Row>(org, statement))
  const joined = makeJoin(sql, yield* Installation)
  const diskGuard = yield* DiskGuard
  const checkDisk = Effect.provideService(diskGuard, WhenDiskFull, "refuse")
  let fullAtMs = -Infinity
  const noteFullDisk = (error: unknown) =>
    error === noSpace ? Effect.map(Clock.currentTimeMillis, (now) => void (fullAtMs = now)) : Effect.void
  const vacuum = yield* Vacuum
  const unscoped = <Row extends object>(statement: Fragment) =>
    serve("statement", NOBODY, (endInTime) =>
      endInTime(unavailable(Effect.provideService(sql<Row>`${statement}`, CurrentScope, undefined))),
    )
  return Database.of({
    sql,
    vacuumAfterWrites: vacuum.afterWrites?.(unscoped),
    vacuumAfterErasing: (tables) => vacuum.afterErasing(unscoped, tables),
    isReadOnly:
      diskGuard === Effect.void
        ? Effect.map(Clock.currentTimeMillis, (now) => now - fullAtMs < FULL_DISK_MEMORY_MS)
        : Effect.map(Effect.exit(checkDisk), Exit.isFailure),
    scoped: (org, statement) => serve("statement", org, (endInTime) => endInTime(unavailable(scoped(org, statement)))),
    transaction: <A, E, R>(org: string, effect: Effect.Effect<A, E, R>) => {
      const served = Effect.tapError(
        serve("transaction", org, (endInTime) => unavailable(scope.transaction(org, endInTime(record(org, effect))))),
        noteFullDisk,
      )
      if (diskGuard === Effect.void) return served
      // Work that waits for space holds no connection.
      return Effect.withFiber<A, Exclude<E, SqlError> | DatabaseUnavailable, R>((fiber) =>
        hasConnection(fiber) ? served : Effect.andThen(unavailable(diskGuard), served),
      )
    },
    join: (client, connect, effect) => unavailable(joined(client, connect, effect)),
    unscoped,
  })
})

/** The tenant scope that `set_config` sets, in the statement itself. */
const setByStatement = (sql: SqlClient.SqlClient) => ({
  // `offset 0` keeps the planner from reading rows before the scope is set.
  scoped: <Row extends object>(org: string, statement: Fragment) => sql<Row>`
    with scope as materialized (select set_config('sightline.organization', ${org}, true) as org)
    select answer.* from scope, lateral (select * from (${statement}) statement offset 0) answer`,
  transaction: <A, E, R>(org: string, effect: Effect.Effect<A, E, R>) =>
    inTransaction(sql, Effect.andThen(sql`select set_config('sightline.organization', ${org}, true)`, effect)),
})

/**
 * The tenant scope that the connection sets before a statement or transaction. The planner sees a plain parameter. Heavy statements are
 * transactions, because a statement by itself shares its connection and cannot be cancelled.
 */
const setByConnection = (sql: SqlClient.SqlClient) => ({
  scoped: <Row extends object>(org: string, statement: Fragment) => {
    const rows = sql<Row>`with scope as (select ${org}::text as org) select answer.* from scope, lateral (${statement}) answer`
    const run = Effect.withFiber<ReadonlyArray<Row>, SqlError>((fiber) =>
      fiber.getRef(CurrentClass) === "heavy" ? inTransaction(sql, rows) : rows,
    )
    return Effect.provideService(run, CurrentScope, org)
  },
  transaction: <A, E, R>(org: string, effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(inTransaction(sql, effect), CurrentScope, org),
})

/** A transaction of our own, or a savepoint in that of the host. */
const inTransaction = <A, E, R>(sql: SqlClient.SqlClient, effect: Effect.Effect<A, E, R>) =>
  Effect.withFiber<A, E | SqlError, R>((fiber) => (fiber.getRef(HostTransaction) ?? sql).withTransaction(effect))

/**
 * Runs an effect, then writes the changes that it recorded. A nested transaction leaves writing to the outermost one. This process does not
 * see when a host commits: it then learns of due work by a notification, as from another sender.
 */
const runAndRecord = (sql: SqlClient.SqlClient, isDistributed: boolean, notifications: Notifications | undefined) => {
  const ofHost = notifications && { ...notifications, sender: `${notifications.sender}.host` }
  return <A, E, R>(org: string, effect: Effect.Effect<A, E, R>) =>
    Effect.withFiber<A, E | SqlError, R>((fiber) => {
      const [outer, host] = [fiber.getRef(CurrentChanges), fiber.getRef(HostTransaction)]
      const changes = new TransactionChanges(outer, isDistributed)
      return Effect.tap(
        Effect.provideService(effect, CurrentChanges, changes),
        (): Effect.Effect<unknown, SqlError> => {
          if (outer !== undefined) return Effect.sync(() => outer.addAll(changes))
          return Effect.flatMap(changes.write(sql, org, host === undefined ? notifications : ofHost), (some) =>
            some && host === undefined ? sql.afterCommit(announceCommit(org)) : Effect.void,
          )
        },
      )
    })
}

/** Jobs that write retry every ten seconds, so a disk that is still full says so again within this time. */
const FULL_DISK_MEMORY_MS = 30_000

const assertRestricted = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { role, schema } = yield* Installation
  const [session] = yield* unavailable(
    sql<{ name: string; bypasses: boolean; owns: boolean }>`
      select current_user::text as name, rolsuper or rolbypassrls as bypasses, exists (
        select from pg_class c where c.relnamespace = to_regnamespace(${schema}) and c.relkind in ('r', 'p')
          and pg_has_role(current_user, c.relowner, 'USAGE')) as owns
      from pg_roles where rolname = current_user`,
  )
  if (session === undefined || session.bypasses || session.owns) {
    const why =
      session?.owns === true && !session.bypasses ? "has the rights of the tables' owner and therefore" : "which"
    return yield* new UnsafeSession({
      message: `the database session runs as '${session?.name}', ${why} bypasses row-level security; let it take the role '${role}', as the adapters do, or a role that owns nothing`,
    })
  }
})
