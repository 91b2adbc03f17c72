import { createHash, type Hash } from "node:crypto"
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from "node:fs"
import { pipeline } from "node:stream/promises"
import { constants, createGunzip, createGzip } from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Tar from "effect/encoding/Tar"
import { readSeal, type Seal } from "./seal.ts"

/** The file cannot be written. */
export class CannotWrite extends Schema.TaggedError<CannotWrite>()("CannotWrite", { message: Schema.String }) {}

/** The file is not a whole backup. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** A file of the archive. The consumer reads its bytes before it takes the next. */
export interface Entry<E = never, R = never> {
  readonly path: string
  readonly size: number
  readonly bytes: Stream.Stream<Uint8Array, E, R>
}

/** The last entry holds the SHA-256 of those before it: of each, a line with its size and path, and its bytes; and the seal. */
const END = "end.json"
const MAX_END_BYTES = 4096

export const textEntry = (path: string, text: string): Entry => {
  const bytes = new TextEncoder().encode(text)
  return { path, size: bytes.length, bytes: Stream.succeed(bytes) }
}

const describe = (hash: Hash, { path, size }: { readonly path: string; readonly size: number }) =>
  hash.update(`${size} ${path}\n`)

/** Writes a .tar.gz under another name, and gives it its name once it is whole. Returns its size in bytes. */
export const writeArchive = Effect.fnUntraced(function* <E, R, E2, R2>(
  file: string,
  entries: Stream.Stream<Entry<E, R>, E2, R2>,
  seal: ((sha256: string) => Seal) | undefined,
) {
  if (existsSync(file)) return yield* new CannotWrite({ message: `${file} exists; choose another name` })
  const part = `${file}.part`
  const hash = createHash("sha256")
  const hashed = Stream.map(entries, ({ path, size, bytes }): Tar.Entry<E, R> => {
    const seen = Stream.suspend(() => {
      describe(hash, { path, size })
      return Stream.tap(bytes, (chunk) => Effect.sync(() => void hash.update(chunk)))
    })
    return Tar.fileStream(path, size, seen, { mode: 0o600 })
  })
  const end = Stream.suspend(() => {
    const sha256 = hash.digest("hex")
    return Stream.succeed(Tar.file(END, JSON.stringify({ sha256, seal: seal?.(sha256) })))
  })
  const tar = Stream.pipeThroughChannel(Stream.rechunk(Stream.concat(hashed, end), 1), Tar.encode())
  return yield* Effect.gen(function* () {
    const chunks = yield* Stream.toAsyncIterableEffect(tar)
    let failure: unknown
    // The error of the entries, which the pipeline would wrap.
    const watched = async function* () {
      try {
        yield* chunks
      } catch (cause) {
        failure = cause
        throw cause
      }
    }
    yield* Effect.tryPromise({
      try: (signal) =>
        pipeline(
          watched,
          createGzip({ level: constants.Z_BEST_SPEED }),
          createWriteStream(part, { mode: 0o600, flush: true }),
          {
            signal,
          },
        ),
      catch: (cause) => failure ?? new CannotWrite({ message: `${file} cannot be written: ${messageOf(cause)}` }),
    })
    return yield* Effect.try({
      try: () => {
        renameSync(part, file)
        return statSync(file).size
      },
      catch: (cause) => new CannotWrite({ message: `${file} cannot be written: ${messageOf(cause)}` }),
    })
  }).pipe(Effect.ensuring(Effect.sync(() => rmSync(part, { force: true }))))
})

/**
 * Hands the entries to `use`, one by one, and fails unless the archive is whole. `onBytes` counts what is read from the file. Returns the
 * SHA-256 of the entries, and the seal.
 */
export const readArchive = Effect.fnUntraced(function* <E, R>(
  file: string,
  use: (entry: Entry<Unreadable>) => Effect.Effect<void, E, R>,
  onBytes: (count: number) => void = () => {},
) {
  const damaged = (why: string) =>
    new Unreadable({ message: `${file} is damaged or incomplete: ${why}; nothing was restored, use another copy` })
  const bytes = NodeStream.fromReadable<Uint8Array, Unreadable>({
    evaluate: () => {
      const gunzip = createGunzip()
      const source = createReadStream(file)
      source.on("data", (chunk) => onBytes(chunk.length))
      source.on("error", (cause) => gunzip.destroy(cause))
      return source.pipe(gunzip)
    },
    onError: (cause) => damaged(messageOf(cause)),
  })
  const hash = createHash("sha256")
  let whole: { readonly sha256: string; readonly seal: Seal | undefined } | undefined
  const entries = Stream.mapError(Stream.pipeThroughChannel(bytes, Tar.decode<Unreadable>()), (error) =>
    error._tag === "TarError" ? damaged(error.message) : error,
  )
  yield* Stream.runForEach(entries, ({ header: { path, size }, body }) =>
    Effect.gen(function* () {
      const read = Stream.mapError(body, (error) => (error._tag === "TarError" ? damaged(error.message) : error))
      if (whole !== undefined) return yield* damaged("something follows its end")
      if (path === END) {
        if (size > MAX_END_BYTES) return yield* damaged("its end is too long")
        const text = yield* Stream.mkString(Stream.decodeText(read))
        const end = yield* Effect.try({
          try: () => JSON.parse(text) as { readonly sha256?: unknown },
          catch: () => damaged("its end is not JSON"),
        })
        const sha256 = hash.digest("hex")
        if (end?.sha256 !== sha256) return yield* damaged("its checksum differs")
        whole = { sha256, seal: readSeal(end) }
        return
      }
      describe(hash, { path, size })
      const seen = Stream.tap(read, (chunk) => Effect.sync(() => void hash.update(chunk)))
      yield* use({ path, size, bytes: seen })
    }),
  )
  return whole ?? (yield* damaged("its end is missing"))
})

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))
