import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { makeId } from "../common/ids.ts"
import { formatBytes } from "../http/bodies/bodies.ts"
import { type BadRequest, type Forbidden, PayloadTooLarge, UnsupportedMediaType } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { BlobStore, type BlobStoreError } from "../ports/BlobStore.ts"
import { DocumentReader } from "../ports/DocumentReader.ts"
import { isMedia } from "../ports/document.ts"
import { Ends } from "./Ends.ts"
import { originalKey } from "./removal.ts"

const MIB = 1024 * 1024
/** The size limits of originals; `base64`: inside JSON. */
export const MAX_BYTES = { document: 50 * MIB, media: 500 * MIB, base64: 10 * MIB } as const

export type Refused = BadRequest | Forbidden | PayloadTooLarge | UnsupportedMediaType | BlobStoreError

/** Bytes in the blob store under `originalKey(org, id)`, where `id` is the document's. */
export interface StoredOriginal {
  readonly id: string
  readonly size: number
  readonly sha256: string
}

/** Bytes that are stored but not checked yet. */
export interface UncheckedOriginal extends StoredOriginal {
  readonly ends: Ends
}

/** Stores the bytes of uploads and checks their type and size. Keeps nothing of a refused upload. */
export class Originals extends Context.Service<
  Originals,
  {
    /** Refuses a content type that no reader knows. */
    readonly accept: (contentType: string) => Effect.Effect<void, UnsupportedMediaType>
    /** Stores bytes whose type may still be unknown. Only recordings may exceed the limit for documents. */
    readonly store: <E>(
      org: string,
      bytes: Stream.Stream<Uint8Array, E>,
      contentType: string | undefined,
      maxBytes?: number,
    ) => Effect.Effect<UncheckedOriginal, PayloadTooLarge | BlobStoreError | E>
    /** Refuses stored bytes that are empty, too large, or of another type than stated. */
    readonly check: (
      contentType: string,
      stored: UncheckedOriginal,
    ) => Effect.Effect<void, BadRequest | PayloadTooLarge | UnsupportedMediaType>
    /** Stores and checks in one step; discards what it refuses. */
    readonly keep: <E>(
      org: string,
      contentType: string,
      bytes: Stream.Stream<Uint8Array, E>,
    ) => Effect.Effect<StoredOriginal, Refused | E>
    readonly discard: (org: string, original: StoredOriginal) => Effect.Effect<void>
  }
>()("sightline/library/Originals") {
  static readonly layer = Layer.effect(
    Originals,
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const reader = yield* DocumentReader

      const recordings = reader.contentTypes.filter((type) => isMedia(reader.formatOf(type)))
      const maxBytesOf = (contentType: string) =>
        isMedia(reader.formatOf(contentType)) ? MAX_BYTES.media : MAX_BYTES.document
      const isRecording = (head: Uint8Array) => recordings.some((type) => reader.refusal(type, head) === undefined)

      const store = Effect.fnUntraced(function* <E>(
        org: string,
        bytes: Stream.Stream<Uint8Array, E>,
        contentType: string | undefined,
        maxBytes = contentType === undefined ? MAX_BYTES.media : maxBytesOf(contentType),
      ) {
        const id = yield* makeId("doc")
        const ends = new Ends()
        let limit = Math.min(maxBytes, MAX_BYTES.document)
        const { size, sha256 } = yield* blobs.put(
          originalKey(org, id),
          Stream.mapEffect(bytes, (chunk) => {
            ends.add(chunk)
            // The first bytes decide which limit applies, not the stated type.
            if (ends.size > limit && limit < maxBytes && isRecording(ends.head)) limit = maxBytes
            return ends.size > limit ? Effect.fail(tooLarge(limit)) : Effect.succeed(chunk)
          }),
        )
        return { id, size, sha256, ends }
      })

      /** Refuses by content type and, if given, by the first and last bytes. */
      const accept = (contentType: string, ends?: Ends) => {
        const message = reader.refusal(contentType, ends?.head, ends?.tail)
        return message === undefined ? Effect.void : Effect.fail(new UnsupportedMediaType({ message }))
      }

      const check = Effect.fnUntraced(function* (contentType: string, { ends }: UncheckedOriginal) {
        if (ends.size === 0) {
          yield* accept(contentType)
          return yield* badRequest({ invalid: [{ field: "file", reason: "must not be empty" }] })
        }
        const maxBytes = maxBytesOf(contentType)
        if (ends.size > maxBytes) return yield* tooLarge(maxBytes)
        yield* accept(contentType, ends)
      })

      const discard = (org: string, { id }: StoredOriginal) => Effect.ignore(blobs.remove(originalKey(org, id)))

      const keep = Effect.fn("Originals.keep")(function* <E>(
        org: string,
        contentType: string,
        bytes: Stream.Stream<Uint8Array, E>,
      ) {
        yield* accept(contentType)
        const stored = yield* store(org, bytes, contentType)
        yield* Effect.onError(check(contentType, stored), () => discard(org, stored))
        return { id: stored.id, size: stored.size, sha256: stored.sha256 } satisfies StoredOriginal
      })

      return Originals.of({ accept, store, check, keep, discard })
    }),
  )
}

export const tooLarge = (maxBytes: number) =>
  new PayloadTooLarge({
    message: `the file is larger than ${formatBytes(maxBytes)}, the limit for this kind of upload`,
    details: { max_bytes: maxBytes },
  })
