import { existsSync, readdirSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import type { Extension, PGlite } from "@electric-sql/pglite"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { concat } from "../../core/common/bytes.ts"
import { importPackage, PackageMissing } from "../../core/common/optionalPackage.ts"
import { assetsDirectory } from "../../ingest/assetsDirectory.ts"
import { makeInterrupts } from "./interrupts.ts"

/** The engine cannot start on its data directory; the message says why. */
export class CannotStart extends Schema.TaggedError<CannotStart>()("CannotStart", { message: Schema.String }) {}

export interface Engine {
  /** Sends a wire-protocol message and returns the reply. Fails once the engine has ended. */
  readonly exec: (message: Uint8Array) => Promise<Uint8Array>
  /** Counts the segments of the write-ahead log. */
  readonly segments: () => number
  /** Ends each message that runs longer, in milliseconds, from the next one on. */
  readonly setLimit: (ms: number) => void
}

/** An extension of PGlite, such as `vector` of `@electric-sql/pglite-pgvector`. PGlite's own type compiles only with `@types/emscripten`. */
export interface PgliteExtension {
  readonly name: string
  readonly setup: (...args: never) => Promise<object>
}

export interface EngineOptions {
  readonly directory?: string | undefined
  readonly extensions?: Readonly<Record<string, PgliteExtension>> | undefined
  readonly onEnd?: ((why: string) => void) | undefined
  /** A new database may start with the tables of this version: with the directory of the package, if it has one. */
  readonly isMigrated?: boolean | undefined
}

/** Whether a data directory holds a database. */
export const isThere = (directory: string) => existsSync(join(directory, "PG_VERSION"))

/** Names of entries that PostgreSQL makes in a data directory, also when it is cut off, and that of the root of a file system. */
const OF_DATABASE = /^(?:base|global|pg_.*|postgresql\..*|postmaster\..*|lost\+found)$/

/**
 * Why no new database may begin in `directory`: it has files of something else. Without this, a host that names the folder of a server's
 * data in place of its `postgres` would get a second database, which is empty.
 */
export const problemOfNew = (directory: string): string | undefined => {
  const other = readdirSync(directory).find((name) => !OF_DATABASE.test(name))
  if (other === undefined) return undefined
  const inside = join(directory, "postgres")
  const remedy = isThere(inside) ? `the database is in ${inside}` : `choose one of its own, such as ${inside}`
  return `${directory} is no directory of a database, for it has '${other}'; ${remedy} (option \`directory\`)`
}

export const openEngine = ({ directory, extensions: more, onEnd, isMigrated = false }: EngineOptions) => {
  /** The engine's last message before it ends. */
  let said: string | undefined
  const onStderr = (line: string) => {
    said = /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1] ?? said
    return false
  }
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const { PGlite } = await importPackage("@electric-sql/pglite", () => import("@electric-sql/pglite"))
        const engine = assetsDirectory === undefined ? await packagedEngine() : await binaryEngine(assetsDirectory)
        const loaded =
          isMigrated && !(directory !== undefined && isThere(directory)) ? await load(directory) : undefined
        const database = await PGlite.create({
          ...(directory !== undefined && { dataDir: directory }),
          ...(loaded !== undefined && { loadDataDir: loaded }),
          ...engine,
          extensions: { ...engine.extensions, ...(more as Readonly<Record<string, Extension>>) },
          startParams: [...PGlite.defaultStartParams, ...SHORT_LOG, ...FEW_BUFFERS],
          onStderr,
        })
        return watchEngine(
          database,
          (why) => onEnd?.(`the embedded database has ended: ${why}; ${REMEDY}`),
          () => said,
        )
      },
      catch: (cause) =>
        new CannotStart({
          message:
            cause instanceof PackageMissing
              ? cause.message
              : `the embedded database cannot start: ${said ?? String(cause)}; ${REMEDY}`,
        }),
    }),
    ({ close }) => Effect.promise(close),
  )
}

/** Makes a new database of the package's directory, if it has one: in `directory`, or as the archive for one in memory. */
const load = async (directory: string | undefined): Promise<Blob | undefined> => {
  const { findPrebuilt, writeTar, writePrebuilt } = await import("./prebuilt/prebuilt.ts")
  const prebuilt = await findPrebuilt()
  if (prebuilt === undefined) return undefined
  if (directory === undefined) return writeTar(prebuilt)
  writePrebuilt(prebuilt, directory)
  return undefined
}

const REMEDY = "check that its disk has space and start again: committed data is kept"

/** A checkpoint removes all obsolete segments: one that was used again would still have the text of rows that were erased. */
const SHORT_LOG = ["-c", "max_wal_size=32MB", "-c", "min_wal_size=32MB", "-c", "wal_recycle=off"]

/** Shared buffers, which a start fills with zeros. Other pages come from the system's cache with one call. */
const FEW_BUFFERS = ["-c", "shared_buffers=32MB"]

/** After a message that took longer, in milliseconds, requests that came meanwhile are read before the next one runs. */
const LONG_MS = 5
/** Turns of the event loop in which a request is accepted, read, and asks for its first statement. */
const REQUEST_TURNS = 4

/** Without it, each statement that waits would begin in the turn in which the one before ends, and no socket would be read in between. */
const takeRequests = async () => {
  for (let turn = 0; turn < REQUEST_TURNS; turn++) await setImmediate()
}

/** An engine that cannot write its log aborts while it holds locks: the next call would deadlock. */
const watchEngine = (database: PGlite, onEnd: (why: string) => void, said: () => string | undefined) => {
  let ended: Error | undefined
  const engine = database.Module
  const interrupts = makeInterrupts(engine)
  engine.onAbort = () => {
    const why = said() ?? "it aborted"
    ended = new Error(why)
    const refuse = () => {
      throw ended
    }
    // PGlite takes an exception for a statement's error and sends the next statement to the dead engine.
    Object.assign(engine, {
      stackRestore: refuse,
      _PostgresMainLoopOnce: refuse,
      _PostgresSendReadyForQueryIfNecessary: refuse,
    })
    onEnd(why)
  }
  return {
    exec: async (message: Uint8Array) => {
      if (ended !== undefined) throw ended
      const pieces: Array<Uint8Array> = []
      const beganMs = performance.now()
      interrupts.begin()
      try {
        // For an unstreamed reply PGlite parses each message and retains it forever.
        await database.execProtocolRawStream(message, { onRawData: (bytes) => void pieces.push(bytes.slice()) })
      } finally {
        interrupts.end()
      }
      if (performance.now() - beganMs > LONG_MS) await takeRequests()
      return concat(pieces)
    },
    segments: () =>
      engine.FS.readdir("/pglite/data/pg_wal").filter((name: string) => /^[0-9A-F]{24}$/.test(name)).length,
    setLimit: interrupts.setLimit,
    close: () => database.close(),
  }
}

const packagedEngine = async () => {
  const [{ pg_trgm }, { btree_gin }] = await Promise.all([
    import("@electric-sql/pglite/contrib/pg_trgm"),
    import("@electric-sql/pglite/contrib/btree_gin"),
  ])
  return { extensions: { pg_trgm, btree_gin } }
}

/** The engine's files in a compiled binary: beside the code, where the package does not look. */
const binaryEngine = async (folder: string) => {
  const [engine, initdb, files] = await Promise.all(
    ["pglite.wasm", "initdb.wasm", "pglite.data"].map((name) => readFile(join(folder, name))),
  )
  return {
    pgliteWasmModule: await WebAssembly.compile(engine!),
    initdbWasmModule: await WebAssembly.compile(initdb!),
    fsBundle: new Blob([files!]),
    extensions: { pg_trgm: binaryExtension(folder, "pg_trgm"), btree_gin: binaryExtension(folder, "btree_gin") },
  }
}

/** Reads the file at once: files inside a binary cannot be streamed. */
const binaryExtension = (folder: string, name: string): Extension => ({
  name,
  setup: async () => {
    const outside = await mkdtemp(join(tmpdir(), "sightline-engine-"))
    const path = join(outside, `${name}.tar.gz`)
    await writeFile(path, await readFile(join(folder, `${name}.tar.gz`)))
    return { bundlePath: pathToFileURL(path), init: () => rm(outside, { recursive: true, force: true }) }
  },
})
