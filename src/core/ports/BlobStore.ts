import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Hex from "effect/encoding/Hex"
import { concat } from "../common/bytes.ts"

/** The store cannot take or give bytes now. The message names no place and says what a person can do. */
export class BlobStoreError extends Schema.TaggedError<BlobStoreError>()("BlobStoreError", {
  /** `damaged`: the blob is there, but not all of it. The others may pass. */
  reason: Schema.Literals(["no_space", "out_of_reach", "damaged"]),
  message: Schema.String,
}) {}

/** Nothing is kept under this key. */
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

/** Bytes from `start` up to, not including, `end`, as `slice` has it. What lies past the end is not there. */
export interface BlobRange {
  readonly start?: number | undefined
  readonly end?: number | undefined
}

/**
 * Originals of documents, recordings and exports, under keys that `blobKey` makes. Bytes stream both ways: neither side
 * ever holds a whole blob.
 */
export class BlobStore extends Context.Service<
  BlobStore,
  {
    /**
     * Keeps what the stream brings, in place of what was there. The blob appears whole, at the end, or not at all: of a
     * put that fails or is interrupted nothing stays. The bytes of one chunk may be written over once the next is asked for.
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
    /** Afterwards nothing is there, whether or not something was. */
    readonly remove: (key: string) => Effect.Effect<void, BlobStoreError>
    /** The whole blobs of an organization, in no order, page by page. */
    readonly list: (org: string) => Stream.Stream<ListedBlob, BlobStoreError>
    /** Afterwards nothing of the organization is there. */
    readonly removeAll: (org: string) => Effect.Effect<void, BlobStoreError>
  }
>()("sightline/ports/BlobStore") {
  /** Gone with the process: for tests. */
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

/** The key of something of an organization. `names` are ours: letters, digits, `-`, `_` and inner dots. */
export const blobKey = (org: string, ...names: ReadonlyArray<string>): string =>
  validKey([ownerOf(org), ...names].join("/"))

/** The first part of every key of an organization. */
export const ownerOf = (org: string): string => encodeURIComponent(org).replaceAll(/[.!~*'()]/g, escape)

const escape = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Whose blob a key names. */
export const organizationOf = (key: string): string => decodeURIComponent(key.slice(0, key.indexOf("/")))

/** A key without its organization: `documents/doc_…`. */
export const nameOf = (key: string): string => key.slice(key.indexOf("/") + 1)

const KEY = /^[A-Za-z0-9_%-]{1,600}(?:\/[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)+$/

/** The key itself. One that `blobKey` did not make is a fault of ours: a defect, before anything is touched. */
export const validKey = (key: string): string => {
  if (!isKey(key)) throw new TypeError(`not the key of a blob: ${JSON.stringify(key)}`)
  return key
}

/** Could `blobKey` have made it? Other programs may keep things in the same place. */
export const isKey = (key: string): boolean => key.length <= 800 && KEY.test(key)

/** A range as two offsets inside the blob. */
export const clamp = (range: BlobRange, size: number): { readonly start: number; readonly end: number } => {
  const start = Math.min(Math.max(range.start ?? 0, 0), size)
  return { start, end: Math.max(start, Math.min(range.end ?? size, size)) }
}

export const notFound = new BlobNotFound({ message: "the file no longer exists" })

export const noSpace = new BlobStoreError({
  reason: "no_space",
  message: "there is no space left to store the file; free some space and try again",
})

export const outOfReach = new BlobStoreError({
  reason: "out_of_reach",
  message: "the file store is unreachable; try again shortly",
})

export const damaged = new BlobStoreError({
  reason: "damaged",
  message: "a part of the file is missing; upload it again",
})
