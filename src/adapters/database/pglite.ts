import { Duplex } from "node:stream"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { BulkRead } from "../../core/ports/BulkRead.ts"
import { hasConnection } from "../../core/storage/admit.ts"
import { CurrentEngine, DiskGuard, PoolSize, toUnavailable } from "../../core/storage/Database.ts"
import { isMigrated, migrate } from "../../core/storage/migrate.ts"
import { definePlans, hasPlans } from "../../core/storage/plans.ts"
import { observe } from "../../core/telemetry/family.ts"
import { diskFree } from "../../core/telemetry/metrics.ts"
import { makeInstallation, sessionSettings } from "../../core/storage/session.ts"
import { Vacuum } from "../../core/storage/Vacuum.ts"
import { inlineParameters } from "./copy.ts"
import { encodeQuery, CopyReply } from "./copyReply.ts"
import { lockDirectory } from "../directory/directoryLock.ts"
import { assertPglite, type PgliteOptions } from "./options.ts"

import { CannotStart, type Engine, isThere, openEngine, problemOfNew } from "./engine.ts"
import { cpuMs } from "./interrupts.ts"
import { freeAt, makeDiskGuard } from "./space.ts"
import { grantsOf, vacuumEmbedded } from "./vacuum.ts"

export type { PgliteOptions }

/** The data directory needs an extension that is not given. */
export class ExtensionMissing extends Schema.TaggedError<ExtensionMissing>()("ExtensionMissing", {
  message: Schema.String,
}) {}

/** PostgreSQL inside this process. Committed data survives a crash of the process, not necessarily a power loss. */
export const layerPglite = (options: PgliteOptions = {}) => {
  assertPglite(options)
  return Layer.effectContext(
    Effect.gen(function* () {
      const { directory, reserve = 256 * 1024 * 1024 } = options
      const free = options.free ?? (directory === undefined ? () => Infinity : () => freeAt(directory))
      if (directory !== undefined) yield* lockDirectory(directory)
      if (directory !== undefined && !isThere(directory)) {
        const problem = problemOfNew(directory)
        if (problem !== undefined) return yield* new CannotStart({ message: problem })
        if (free() < reserve) {
          return yield* new CannotStart({
            message: `a new database needs ${reserve / 1024 / 1024} MiB of free disk space, and ${directory} has less; free some space, or choose another \`directory\` (SIGHTLINE_DATA_DIR)`,
          })
        }
      }
      if (Number.isFinite(free())) yield* observe(diskFree({}), free)
      const engine = yield* openEngine({ ...options, isMigrated: true })
      const context = yield* Layer.build(clientOf(engine))
      const sql = Context.get(context, PgClient.PgClient)
      yield* Effect.provideContext(install(Object.keys(options.extensions ?? {})), context)
      if (!(yield* Effect.provideContext(isMigrated, context))) yield* Effect.provideContext(migrate, context)
      yield* sql.unsafe(grantsOf(installation.role))
      if (!(yield* Effect.provideContext(hasPlans, context))) yield* Effect.provideContext(definePlans, context)
      // The engine silently ignores startup parameters, and its own user is a superuser.
      const settings = JSON.stringify({ ...sessionSettings(installation), role: installation.role })
      yield* sql`select set_config(key, value, false) from json_each_text(${settings}::json)`
      const diskGuard = makeDiskGuard(sql, { free, reserve, segments: engine.segments })
      const inTurn = takeTurns(sql, diskGuard)
      const page = pageFrom(engine, inTurn)
      return context.pipe(
        Context.add(BulkRead, { _tag: "pages", page }),
        Context.add(DiskGuard, diskGuard),
        Context.add(PoolSize, 1),
        Context.add(CurrentEngine, { setLimit: engine.setLimit, limits: TIME_LIMITS_MS, cpuMs }),
        Context.add(Vacuum, vacuumEmbedded(sql, { free: () => free() - reserve, segments: engine.segments })),
      )
    }),
  )
}

/** The engine's own user, who may do anything, on the database of `directory`: for a look, a backup or a restore. */
export const layerPgliteOwner = (directory: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      yield* lockDirectory(directory)
      return yield* Layer.build(clientOf(yield* openEngine({ directory })))
    }),
  )

/** Reads the number of the last migration of the database in `directory`, without migrating it. */
export const readSchemaNumber = (directory: string) =>
  Effect.provide(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [row] = yield* sql<{ last: number | null }>`select max(migration_id) as last from sightline.migrations`
      return row?.last ?? 0
    }),
    layerPgliteOwner(directory),
  )

const installation = makeInstallation({})

/** Half of what a server allows for heavy statements: nothing else runs meanwhile. */
const TIME_LIMITS_MS = { short: 5_000, heavy: 5_000 }

/** The size of a reply, in bytes: a backup reads whole texts of documents. */
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024

const clientOf = (engine: Engine) =>
  PgClient.layer({
    stream: () => wire(engine),
    username: "postgres",
    database: "postgres",
    maxConnections: 1,
    maxMessageSize: MAX_MESSAGE_BYTES,
  })

/**
 * Makes transactions wait for `diskGuard` and then queue for the one connection, so that a single statement waits for one
 * of them, not for all. The engine replies without yielding to the event loop, so each transaction yields before it begins: otherwise requests
 * would not be accepted until the last one ends. A nested transaction has already begun and holds the connection. Work that `Database`
 * admitted has asked `diskGuard` before.
 * Returns the queue for other work.
 */
const takeTurns = (sql: SqlClient, diskGuard: Effect.Effect<void, SqlError>) => {
  const turn = Semaphore.makeUnsafe(1)
  const inTurn: InTurn = (effect) => turn.withPermit(Effect.andThen(Effect.yieldNow, effect))
  const { withTransaction } = sql
  Object.assign(sql, {
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.withFiber<A, E | SqlError, R>((fiber) => {
        if (Option.isSome(Context.getOption(fiber.context, sql.transactionService))) return withTransaction(effect)
        const taken = inTurn(withTransaction(effect))
        return hasConnection(fiber) ? taken : Effect.andThen(diskGuard, taken)
      }),
  })
  return inTurn
}

type InTurn = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const install = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  const missing = yield* sql<{ name: string }>`
    select extname as name from pg_extension where extname not in (select name from pg_available_extensions)`
  if (missing.length > 0) {
    const list = missing.map(({ name }) => name).join(", ")
    return yield* new ExtensionMissing({
      message: `the data directory needs the extensions that it was opened with before: ${list}; pass them to layerPglite again`,
    })
  }
  yield* Effect.forEach(names, (name) => sql`create extension if not exists ${sql(name)}`, { discard: true })
})

/**
 * Bypasses the driver, which has no COPY. Statements sent together are a transaction, so a page is one call of
 * the engine.
 */
const pageFrom =
  (engine: Engine, inTurn: InTurn) => (org: string, statement: string, parameters: ReadonlyArray<unknown>) => {
    const rows = inlineParameters(statement, parameters, literal)
    const scope = `select set_config('sightline.organization', ${literal(org)}, true)`
    const asking = Effect.tryPromise({
      try: () => engine.exec(encodeQuery(`${scope}; copy (${rows}) to stdout (format binary)`)),
      catch: toUnavailable,
    })
    return Effect.map(inTurn(asking), (reply) => new CopyReply().take(reply))
  }

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The wire protocol over an in-memory stream: the PostgreSQL driver talks to the engine as to a server. */
const wire = (engine: Engine): Duplex => {
  const duplex: Duplex = new Duplex({
    read() {},
    write(chunk: Uint8Array, _encoding, done) {
      engine.exec(chunk).then((reply) => {
        duplex.push(reply)
        done()
      }, done)
    },
  })
  return duplex
}
