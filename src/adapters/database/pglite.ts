import { Duplex } from "node:stream"
import type { Extension } from "@electric-sql/pglite"
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
import { passing, Room } from "../../core/storage/Database.ts"
import { isMigrated, migrate } from "../../core/storage/migrate.ts"
import { APPLICATION_ROLE, SESSION_SETTINGS } from "../../core/storage/session.ts"
import { inlined } from "./copy.ts"
import { asked, CopyReply } from "./copyReply.ts"
import { lockDirectory } from "../directory/directoryLock.ts"
import { CannotStart, type Engine, isThere, openEngine } from "./engine.ts"
import { freeAt, roomFor } from "./space.ts"

/** The data directory was opened with an extension that is not given now. */
export class ExtensionMissing extends Schema.TaggedError<ExtensionMissing>()("ExtensionMissing", {
  message: Schema.String,
}) {}

export interface PgliteOptions {
  /** Keeps the data, and belongs to one process at a time; without it the data lives in memory and ends with the process. */
  readonly directory?: string | undefined
  /** Installed by the names they are given under: `{ vector }`. A directory opened with one needs it ever after. */
  readonly extensions?: Readonly<Record<string, Extension>> | undefined
  /** Bytes that must stay free on the disk, for what ends work that was begun; 256 MiB unless said. */
  readonly reserve?: number | undefined
  /** Bytes free on the disk; as the system has it unless said. */
  readonly free?: (() => number) | undefined
  /** Told why, once, when the engine has ended by itself: nothing is answered any more, and only a new process helps. */
  readonly onEnd?: ((why: string) => void) | undefined
}

/** PostgreSQL inside this process. It survives a crash of the process; of power loss it promises nothing. */
export const layerPglite = (options: PgliteOptions = {}) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { directory, reserve = 256 * 1024 * 1024 } = options
      const free = options.free ?? (directory === undefined ? () => Infinity : () => freeAt(directory))
      if (directory !== undefined) yield* lockDirectory(directory)
      if (directory !== undefined && !isThere(directory) && free() < reserve) {
        return yield* new CannotStart({
          message: `a new database needs ${reserve / 1024 / 1024} MiB of free disk space, and ${directory} has less; free some space, or set SIGHTLINE_DATA_DIR`,
        })
      }
      const engine = yield* openEngine(options)
      const context = yield* Layer.build(clientOf(engine))
      const sql = Context.get(context, PgClient.PgClient)
      yield* Effect.provideContext(install(Object.keys(options.extensions ?? {})), context)
      if (!(yield* Effect.provideContext(isMigrated, context))) {
        const granted = sql.unsafe(`grant pg_checkpoint to ${APPLICATION_ROLE}`)
        yield* sql.withTransaction(Effect.andThen(Effect.provideContext(migrate, context), granted))
      }
      // The engine ignores startup parameters without a word, and its own user is a superuser.
      const settings = JSON.stringify({ ...SESSION_SETTINGS, role: APPLICATION_ROLE })
      yield* sql`select set_config(key, value, false) from json_each_text(${settings}::json)`
      const room = roomFor(sql, { free, reserve, segments: engine.segments })
      const inTurn = takeTurns(sql, room)
      const page = pageFrom(engine, inTurn)
      return context.pipe(Context.add(BulkRead, { _tag: "pages", page }), Context.add(Room, room))
    }),
  )

/** The migrations that the database in `directory` has seen. It is opened as it is, and nothing is migrated. */
export const countMigrations = (directory: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* lockDirectory(directory)
      const context = yield* Layer.build(clientOf(yield* openEngine({ directory })))
      const [row] = yield* Context.get(context, PgClient.PgClient)<{ count: number }>`
        select count(*)::int as count from sightline.migrations`
      return row?.count ?? 0
    }),
  )

const clientOf = (engine: Engine) =>
  PgClient.layer({ stream: () => wire(engine), username: "postgres", database: "postgres", maxConnections: 1 })

/**
 * Transactions wait for `room`, and take turns before they ask for the one connection: a statement by itself waits for one
 * of them, not for all. The engine answers without a turn of the event loop, so each takes one before it begins, or requests
 * would not even be seen until the last was through. What is within another has begun already, and holds the connection.
 * Answers how anything else takes its turn.
 */
const takeTurns = (sql: SqlClient, room: Effect.Effect<void, SqlError>) => {
  const turn = Semaphore.makeUnsafe(1)
  const inTurn: InTurn = (effect) => turn.withPermit(Effect.andThen(Effect.yieldNow, effect))
  const { withTransaction } = sql
  Object.assign(sql, {
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
        Option.isSome(open) ? withTransaction(effect) : Effect.andThen(room, inTurn(withTransaction(effect))),
      ),
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
 * Asked past the driver, which knows no COPY. Statements that are sent as one are a transaction, so that a page is one call of
 * the engine.
 */
const pageFrom =
  (engine: Engine, inTurn: InTurn) => (org: string, statement: string, parameters: ReadonlyArray<unknown>) => {
    const rows = inlined(statement, parameters, literal)
    const scope = `select set_config('sightline.organization', ${literal(org)}, true)`
    const asking = Effect.tryPromise({
      try: () => engine.exec(asked(`${scope}; copy (${rows}) to stdout (format binary)`)),
      catch: passing,
    })
    return Effect.map(inTurn(asking), (reply) => new CopyReply().take(reply))
  }

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The wire protocol over a stream in memory: the PostgreSQL driver talks to the engine as to a server. */
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
