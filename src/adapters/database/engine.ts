import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Extension, PGlite } from "@electric-sql/pglite"
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { concat } from "../../core/common/bytes.ts"
import { carried } from "../../ingest/carried.ts"

/** The engine cannot start on its data directory, and why. */
export class CannotStart extends Schema.TaggedError<CannotStart>()("CannotStart", { message: Schema.String }) {}

export interface Engine {
  /** Asks in the wire protocol, and answers in it. Fails once the engine has ended. */
  readonly exec: (message: Uint8Array) => Promise<Uint8Array>
  /** How many segments of the write-ahead log there are. */
  readonly segments: () => number
}

export interface EngineOptions {
  readonly directory?: string | undefined
  readonly extensions?: Readonly<Record<string, Extension>> | undefined
  readonly onEnd?: ((why: string) => void) | undefined
}

/** Whether a data directory holds a database. */
export const isThere = (directory: string) => existsSync(join(directory, "PG_VERSION"))

export const openEngine = ({ directory, extensions: more, onEnd }: EngineOptions) => {
  /** The engine's last word before it ends. */
  let said: string | undefined
  const onStderr = (line: string) => {
    said = /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1] ?? said
    return false
  }
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const engine = carried === undefined ? { extensions: { pg_trgm, btree_gin } } : await carriedEngine(carried)
        const database = await PGlite.create({
          ...(directory !== undefined && { dataDir: directory }),
          ...engine,
          extensions: { ...engine.extensions, ...more },
          startParams: [...PGlite.defaultStartParams, ...SHORT_LOG, ...FEW_BUFFERS],
          onStderr,
        })
        return watched(
          database,
          (why) => onEnd?.(`the embedded database has ended: ${why}; ${REMEDY}`),
          () => said,
        )
      },
      catch: (cause) =>
        new CannotStart({ message: `the embedded database cannot start: ${said ?? String(cause)}; ${REMEDY}` }),
    }),
    ({ close }) => Effect.promise(close),
  )
}

const REMEDY = "check that its disk has space and start again: committed data is kept"

/** Segments that a checkpoint has done with are removed, but for one. */
const SHORT_LOG = ["-c", "max_wal_size=32MB", "-c", "min_wal_size=32MB"]

/** A start fills them with zeros, all of them. A page that is not among them is in the system's memory, a call away. */
const FEW_BUFFERS = ["-c", "shared_buffers=32MB"]

/** An engine that cannot write its log aborts, holding its locks: asked again, it would wait for itself for ever. */
const watched = (database: PGlite, onEnd: (why: string) => void, said: () => string | undefined) => {
  let ended: Error | undefined
  const engine = database.Module
  engine.onAbort = () => {
    const why = said() ?? "it aborted"
    ended = new Error(why)
    const refuse = () => {
      throw ended
    }
    // PGlite takes what is thrown for an error of a statement and goes on with the next, in the engine that is no more.
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
      // Asked for a reply as a whole, PGlite parses it and keeps each of its messages for ever.
      await database.execProtocolRawStream(message, { onRawData: (bytes) => void pieces.push(bytes.slice()) })
      return concat(pieces)
    },
    segments: () =>
      engine.FS.readdir("/pglite/data/pg_wal").filter((name: string) => /^[0-9A-F]{24}$/.test(name)).length,
    close: () => database.close(),
  }
}

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
