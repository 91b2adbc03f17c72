import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Hex from "effect/encoding/Hex"
import { concat } from "../common/bytes.ts"

/** The store cannot read or write bytes now. `message` reveals no path and says what to do. */
export class BlobStoreError extends Schema.TaggedError<BlobStoreError>()("BlobStoreError", {
  /** `damaged`: part of the blob is missing. The other reasons may be temporary. */
  reason: Schema.Literals(["no_space", "out_of_reach", "damaged"]),
  message: Schema.String,
}) {}

/** No blob has this key. */
export class BlobNotFound extends Schema.TaggedError<BlobNotFound>()("BlobNotFound", { message: Schema.String }) {}

export interface StoredBlob {
  /** Bytes. */
  readonly size: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

export interface ListedBlob {
  readonly key: string
  /** Unix milliseconds, by the store's clock. */
  readonly storedAt: number
}

/** Bytes from `start` (inclusive) to `end` (exclusive), like `slice`; bounds past the end are clamped. */
export interface BlobRange {
  readonly start?: number | undefined
  readonly end?: number | undefined
}

/**
 * Stores the originals of documents and recordings, and exports, under keys made by `blobKey`. Bytes stream both ways:
 * neither side holds a whole blob in memory.
 */
export class BlobStore extends Context.Service<
  BlobStore,
  {
    /**
     * Replaces the blob with the bytes of the stream, atomically: a put that fails or is interrupted leaves nothing behind.
     * The stream may reuse the buffer of a chunk once the store pulls the next chunk.
     */
    readonly put: <E, R>(
      key: string,
      bytes: Stream.Stream<Uint8Array, E, R>,
    ) => Effect.Effect<StoredBlob, E | BlobStoreError, R>
    readonly get: (
      key: string,
      range?: BlobRange,
    ) => Effect.Effect<Stream.Stream<Uint8Array, BlobStoreError>, BlobNotFound | BlobStoreError>
    readonly size: (key: string) => Effect.Effect<number, BlobNotFound | BlobStoreError>
    /** Deletes the blob; succeeds if there is none. */
    readonly remove: (key: string) => Effect.Effect<void, BlobStoreError>
    /** Lists the complete blobs of an organization, page by page, in no particular order. */
    readonly list: (org: string) => Stream.Stream<ListedBlob, BlobStoreError>
    /** Deletes every blob of the organization. */
    readonly removeAll: (org: string) => Effect.Effect<void, BlobStoreError>
  }
>()("sightline/ports/BlobStore") {
  /** Keeps blobs in memory, for tests. */
  static readonly layerMemory = Layer.sync(BlobStore, () => {
    const blobs = new Map<string, Uint8Array<ArrayBuffer>>()
    const storedAt = new Map<string, number>()
    const keysOf = (org: string) => [...blobs.keys()].filter((key) => organizationOf(key) === org)
    const find = (key: string) =>
      Effect.suspend(() => {
        const blob = blobs.get(validKey(key))
        return blob === undefined ? Effect.fail(notFound) : Effect.succeed(blob)
      })
    return BlobStore.of({
      put: Effect.fnUntraced(function* (key, bytes) {
        const blob = concat(yield* Stream.runCollect(Stream.map(bytes, (chunk) => chunk.slice())))
        const digest = yield* Effect.promise(() => crypto.subtle.digest("SHA-256", blob))
        blobs.set(validKey(key), blob)
        storedAt.set(key, yield* Clock.currentTimeMillis)
        return { size: blob.length, sha256: Hex.encode(new Uint8Array(digest)) }
      }),
      get: (key, range = {}) =>
        Effect.map(find(key), (blob) => Stream.succeed(blob.slice(range.start ?? 0, range.end ?? blob.length))),
      size: (key) => Effect.map(find(key), (blob) => blob.length),
      remove: (key) => Effect.sync(() => void blobs.delete(validKey(key))),
      list: (org) =>
        Stream.suspend(() =>
          Stream.fromIterable(keysOf(org).map((key) => ({ key, storedAt: storedAt.get(key) ?? 0 }))),
        ),
      removeAll: (org) => Effect.sync(() => keysOf(org).forEach((key) => blobs.delete(key))),
    })
  })
}

/** Makes the key of a blob. `names` may contain letters, digits, `-`, `_` and inner dots. */
export const blobKey = (org: string, ...names: ReadonlyArray<string>): string =>
  validKey([ownerOf(org), ...names].join("/"))

/** Returns the first part of every key of an organization. */
export const ownerOf = (org: string): string => encodeURIComponent(org).replaceAll(/[.!~*'()]/g, escape)

const escape = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Returns the organization that a key belongs to. */
export const organizationOf = (key: string): string => decodeURIComponent(key.slice(0, key.indexOf("/")))

/** Returns a key without its organization: `documents/doc_…`. */
export const nameOf = (key: string): string => key.slice(key.indexOf("/") + 1)

const KEY = /^[A-Za-z0-9_%-]{1,600}(?:\/[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)+$/

/** Returns the key. Throws a defect if `blobKey` cannot have made it, before the store touches anything. */
export const validKey = (key: string): string => {
  if (!isKey(key)) throw new TypeError(`not the key of a blob: ${JSON.stringify(key)}`)
  return key
}

/** Checks whether `blobKey` can have made the key, because other programs may use the same directory or bucket. */
export const isKey = (key: string): boolean => key.length <= 800 && KEY.test(key)

/** Clamps a range to offsets inside the blob. */
export const clamp = (range: BlobRange, size: number): { readonly start: number; readonly end: number } => {
  const start = Math.min(Math.max(range.start ?? 0, 0), size)
  return { start, end: Math.max(start, Math.min(range.end ?? size, size)) }
}

export const notFound = new BlobNotFound({ message: "the file no longer exists" })

export const noSpace = new BlobStoreError({
  reason: "no_space",
  message: "there is no space left to store the file; free some space and try again",
})

export const unreachable = new BlobStoreError({
  reason: "out_of_reach",
  message: "the file store is unreachable; try again shortly",
})

export const damaged = new BlobStoreError({
  reason: "damaged",
  message: "a part of the file is missing; upload it again",
})
