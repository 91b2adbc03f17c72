import { createHash, randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat, statfs } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import {
  BlobStore,
  type BlobNotFound,
  type BlobRange,
  BlobStoreError,
  clamp,
  damaged,
  isKey,
  noSpace,
  notFound,
  unreachable,
  ownerOf,
  validKey,
} from "../../core/ports/BlobStore.ts"
import type { FilesOptions } from "../libraryOptions.ts"
import { ensureDirectory } from "../directory/dataDirectory.ts"
import { Digest } from "./digest.ts"
import { errorCode } from "../../core/common/errorCode.ts"

/**
 * Stores blobs as files of `directory`, one subdirectory per organization, readable by this user only. Processes of one machine may share it.
 * The first start after a day removes the unfinished files of a killed process.
 */
export const layerFiles = ({ directory, reserve = 256 * 1024 * 1024 }: FilesOptions) =>
  Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const incoming = join(directory, INCOMING)
      yield* ensureDirectory(incoming, "`directory` (SIGHTLINE_BLOBS)")
      yield* Effect.ignore(sweep(incoming))
      const place = (key: string) => join(directory, ...validKey(key).split("/").map(fileName))

      return BlobStore.of({
        put: <E, R>(key: string, bytes: Stream.Stream<Uint8Array, E, R>) =>
          Effect.suspend(() => {
            const path = place(key)
            const temporary = join(incoming, randomUUID())
            return Effect.acquireUseRelease(
              Effect.andThen(
                spaceLeft(directory, reserve),
                attempt(() => open(temporary, "wx", 0o600)),
              ),
              (file) =>
                Effect.gen(function* () {
                  const digest = new Digest()
                  let checked = 0
                  yield* Stream.runForEach(bytes, (chunk) =>
                    Effect.gen(function* () {
                      digest.update(chunk)
                      if (digest.size - checked > SPACE_CHECK_BYTES) {
                        yield* spaceLeft(directory, reserve)
                        checked = digest.size
                      }
                      yield* Effect.uninterruptible(attempt(() => writeAll(file, chunk)))
                    }),
                  )
                  yield* Effect.uninterruptible(attempt(() => publish(file, temporary, path)))
                  return digest.finish()
                }),
              (file) => Effect.promise(() => discard(file, temporary)),
            )
          }),
        get: (key, range = {}) =>
          Effect.suspend(() => {
            const path = place(key)
            return Effect.map(readSize(path), (size) => read(path, clamp(range, size)))
          }),
        size: (key) => Effect.suspend(() => readSize(place(key))),
        remove: (key) =>
          Effect.suspend(() => {
            const path = place(key)
            // Keeps the directory: removing it would race with a concurrent put.
            return attempt(() => rm(path, { force: true }))
          }),
        list: (org) => Stream.suspend(() => listed(directory, org)),
        removeAll: (org) =>
          Effect.suspend(() => {
            const path = join(directory, fileName(ownerOf(org)))
            return attempt(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
          }),
      })
    }),
  )

/** No key has a segment that begins with a dot, so names cannot collide. */
const INCOMING = ".incoming"
const SPACE_CHECK_BYTES = 32 * 1024 * 1024
const PIECE_BYTES = 256 * 1024
const DAY_MS = 86_400_000

/** Marks capitals, because some file systems equate `A` and `a`; hashes names that are too long. */
const fileName = (segment: string) =>
  segment.length > 120
    ? `~~${createHash("sha256").update(segment).digest("hex")}`
    : segment.replaceAll(/[A-Z]/g, (capital) => `~${capital.toLowerCase()}`)

/** Inverts `fileName` for short names. */
const segmentOf = (name: string) => name.replaceAll(/~([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Lists one kind of blobs at a time, in the file system's order. */
const listed = (directory: string, org: string) => {
  const place = join(directory, fileName(ownerOf(org)))
  const kinds = attempt(async () =>
    (await readdir(place, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name),
  ).pipe(Effect.catch((error) => absent(place, error)))
  return Stream.fromIterableEffect(kinds).pipe(
    Stream.flatMap((kind) =>
      Stream.fromAsyncIterable(listFiles(join(place, kind)), explain).pipe(
        Stream.map(({ name, storedAt }) => ({
          key: `${ownerOf(org)}/${segmentOf(kind)}/${segmentOf(name)}`,
          storedAt,
        })),
        Stream.filter(({ key }) => isKey(key)),
      ),
    ),
  )
}

/** An organization without blobs has no directory. */
const absent = (place: string, error: BlobStoreError) =>
  existsSync(place) ? Effect.fail(error) : Effect.succeed<Array<string>>([])

async function* listFiles(path: string) {
  for await (const entry of await opendir(path)) {
    if (!entry.isFile()) continue
    const found = await stat(join(path, entry.name)).catch(() => undefined)
    if (found !== undefined) yield { name: entry.name, storedAt: found.mtimeMs }
  }
}

const attempt = <A>(action: () => Promise<A>) => Effect.tryPromise({ try: action, catch: explain })

const explain = (cause: unknown): BlobStoreError => {
  const code = errorCode(cause)
  if (code === "ENOSPC" || code === "EDQUOT") return noSpace
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new BlobStoreError({
      reason: "out_of_reach",
      message:
        "the directory of the file store is not writable; let this user write there, or choose another `directory` (SIGHTLINE_BLOBS)",
    })
  }
  return unreachable
}

const spaceLeft = (directory: string, reserve: number) =>
  Effect.filterOrFail(
    attempt(() => statfs(directory)),
    ({ bavail, bsize }) => bavail * bsize >= reserve,
    () => noSpace,
  )

const writeAll = async (file: FileHandle, bytes: Uint8Array) => {
  for (let written = 0; written < bytes.length;) {
    written += (await file.write(bytes, written, bytes.length - written)).bytesWritten
  }
}

/** Syncs the bytes before the rename, and the rename before returning. */
const publish = async (file: FileHandle, temporary: string, path: string) => {
  await file.sync()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await rename(temporary, path)
  const parent = await open(dirname(path), "r").catch(() => undefined)
  // Some systems cannot sync a directory.
  await parent?.sync().catch(() => {})
  await parent?.close()
}

const discard = async (file: FileHandle, temporary: string) => {
  await file.close().catch(() => {})
  await rm(temporary, { force: true }).catch(() => {})
}

const readSize = (path: string): Effect.Effect<number, BlobNotFound | BlobStoreError> =>
  Effect.tryPromise({
    try: async () => {
      const found = await stat(path)
      return found.isFile() ? found.size : undefined
    },
    catch: (cause) => (["ENOENT", "ENOTDIR"].includes(errorCode(cause)) ? notFound : explain(cause)),
  }).pipe(Effect.flatMap((size) => (size === undefined ? Effect.fail(notFound) : Effect.succeed(size))))

/** Opens the file when the stream runs and closes it at the end: an unused stream holds nothing. */
const read = (path: string, { start, end }: Required<BlobRange> & { start: number; end: number }) =>
  Stream.unwrap(
    Effect.gen(function* () {
      if (start === end) return Stream.empty
      const file = yield* Effect.acquireRelease(
        attempt(() => open(path, "r")),
        (opened) => Effect.promise(() => opened.close().catch(() => {})),
      )
      return Stream.unfold(start, (offset) =>
        Effect.gen(function* () {
          if (offset >= end) return undefined
          const piece = new Uint8Array(Math.min(PIECE_BYTES, end - offset))
          const { bytesRead } = yield* Effect.uninterruptible(attempt(() => file.read(piece, 0, piece.length, offset)))
          if (bytesRead === 0) return yield* damaged
          return [piece.subarray(0, bytesRead), offset + bytesRead] as const
        }),
      )
    }),
  )

const sweep = (incoming: string) =>
  attempt(async () => {
    for (const name of await readdir(incoming)) {
      const path = join(incoming, name)
      const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity)
      if (age > DAY_MS) await rm(path, { force: true })
    }
  })
