import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Duplex } from "node:stream"
import { pathToFileURL } from "node:url"
import { type Extension, PGlite } from "@electric-sql/pglite"
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { BulkRead } from "../../core/ports/BulkRead.ts"
import { APPLICATION_ROLE, migrate, SESSION_SETTINGS } from "../../core/storage/migrate.ts"
import { carried } from "../../ingest/carried.ts"
import { inlined } from "./copy.ts"
import { asked, copied } from "./copyMessages.ts"
import { lockDirectory } from "./directoryLock.ts"

/** The data directory was opened with an extension that is not given now. */
export class ExtensionMissing extends Schema.TaggedError<ExtensionMissing>()("ExtensionMissing", {
  message: Schema.String,
}) {}

/**
 * PostgreSQL inside this process. `directory` keeps the data, and belongs to one process at a time; without it the data
 * lives in memory and ends with the process. It survives a crash of the process; of power loss it promises nothing.
 * `extensions` are installed by the names they are given under: `{ vector }`. A directory opened with one needs it ever after.
 */
export const layerPglite = (
  options: { readonly directory?: string; readonly extensions?: Readonly<Record<string, Extension>> } = {},
) =>
  Layer.effectContext(
    Effect.gen(function* () {
      if (options.directory !== undefined) yield* lockDirectory(options.directory)
      const database = yield* open(options.directory, options.extensions)
      const context = yield* Layer.build(
        PgClient.layer({
          stream: () => wire(database),
          username: "postgres",
          database: "postgres",
          maxConnections: 1,
        }),
      )
      const sql = Context.get(context, PgClient.PgClient)
      yield* Effect.provideContext(install(Object.keys(options.extensions ?? {})), context)
      yield* Effect.provideContext(migrate, context)
      // The engine ignores startup parameters without a word, and its own user is a superuser.
      for (const [name, value] of Object.entries(SESSION_SETTINGS)) {
        yield* sql`select set_config(${name}, ${value}, false)`
      }
      yield* sql.unsafe(`set role ${APPLICATION_ROLE}`)
      return Context.add(context, BulkRead, { _tag: "pages", page: pageFrom(database) })
    }),
  )

const install = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  const missing = yield* sql<{ name: string }>`
    select extname as name from pg_extension where extname not in (select name from pg_available_extensions)`
  if (missing.length > 0) {
    const list = missing.map(({ name }) => name).join(", ")
    return yield* new ExtensionMissing({
      message: `the data directory needs extensions it was opened with before: ${list}; give layerPglite the same again`,
    })
  }
  yield* Effect.forEach(names, (name) => sql`create extension if not exists ${sql(name)}`, { discard: true })
})

const open = (directory: string | undefined, more: Readonly<Record<string, Extension>> = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const engine = carried === undefined ? { extensions: { pg_trgm, btree_gin } } : await carriedEngine(carried)
      const extensions = { ...engine.extensions, ...more }
      return PGlite.create({ ...(directory !== undefined && { dataDir: directory }), ...engine, extensions })
    }),
    (database) => Effect.promise(() => database.close()),
  )

/** The engine's files where a compiled binary has them: beside the code, where the package itself does not look. */
const carriedEngine = async (folder: string) => {
  const [engine, initdb, files] = await Promise.all(
    ["pglite.wasm", "initdb.wasm", "pglite.data"].map((name) => readFile(join(folder, name))),
  )
  return {
    pgliteWasmModule: await WebAssembly.compile(engine!),
    initdbWasmModule: await WebAssembly.compile(initdb!),
    fsBundle: new Blob([files!]),
    extensions: { pg_trgm: carriedExtension(folder, "pg_trgm"), btree_gin: carriedExtension(folder, "btree_gin") },
  }
}

/** It is read as a stream, which what is inside a binary cannot be. */
const carriedExtension = (folder: string, name: string): Extension => ({
  name,
  setup: async () => {
    const outside = await mkdtemp(join(tmpdir(), "sightline-engine-"))
    const path = join(outside, `${name}.tar.gz`)
    await writeFile(path, await readFile(join(folder, `${name}.tar.gz`)))
    return { bundlePath: pathToFileURL(path), init: () => rm(outside, { recursive: true, force: true }) }
  },
})

/** Asked past the driver, which knows no COPY and sends nothing while its connection is held for a transaction. */
const pageFrom = (database: PGlite) => (statement: string, parameters: ReadonlyArray<unknown>) =>
  Effect.promise(async () => {
    const rows = inlined(statement, parameters, (text) => `'${text.replaceAll("'", "''")}'`)
    return copied(await database.execProtocolRaw(asked(`copy (${rows}) to stdout (format binary)`)))
  })

/** The wire protocol over a stream in memory: the PostgreSQL driver talks to the engine as to a server. */
const wire = (database: PGlite): Duplex => {
  const duplex: Duplex = new Duplex({
    read() {},
    write(chunk: Uint8Array, _encoding, done) {
      database.execProtocolRaw(chunk).then((reply) => {
        duplex.push(reply)
        done()
      }, done)
    },
  })
  return duplex
}
