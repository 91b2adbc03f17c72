import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Base64 from "effect/encoding/Base64"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { limitsServices, makeChannel, MultipartError } from "effect/http/Multipart"
import { makeId } from "../access/secret.ts"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../http/errors.ts"
import { badRequest } from "../http/validation.ts"
import { BlobStore, type BlobStoreError } from "../ports/BlobStore.ts"
import { DocumentReader } from "../ports/DocumentReader.ts"
import { UrlFetcher } from "../ports/UrlFetcher.ts"
import { MEDIA_FORMATS } from "./document.ts"
import { type Original, originalKey } from "./Documents.ts"
import { problemsOfChoice } from "./places.ts"

const MIB = 1024 * 1024
/** The largest originals. */
export const MOST_BYTES = { document: 50 * MIB, media: 500 * MIB, base64: 10 * MIB } as const
const SNIFFED = 65_536

type Failure = BadRequest | PayloadTooLarge | UnsupportedMediaType | BlobStoreError

/** What an upload said, and where its bytes are. */
export interface Upload<Fields> {
  readonly fields: Fields
  readonly original: Original
}

/**
 * Takes an upload from its request: multipart, the file streamed to the blob store as it comes, or JSON. Of one that is
 * refused nothing stays.
 */
export class Uploads extends Context.Service<
  Uploads,
  {
    readonly take: <Fields extends { readonly content_type: string; readonly file_url?: string | undefined }>(
      org: string,
      request: HttpServerRequest,
      schema: Schema.Codec<Fields, unknown>,
      /** Of these exactly one is given. */
      choice: ReadonlyArray<string>,
    ) => Effect.Effect<Upload<Fields>, Failure>
    /** Takes bytes that come another way than in a request. */
    readonly keep: <E>(
      org: string,
      contentType: string,
      bytes: Stream.Stream<Uint8Array, E>,
    ) => Effect.Effect<Original, Failure | E>
    /** Removes what an upload stored, where something after it refused it. */
    readonly discard: (org: string, original: Original) => Effect.Effect<void>
  }
>()("sightline/library/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const reader = yield* DocumentReader
      const fetcher = yield* UrlFetcher

      /** Stores bytes under a new document's id, keeping their two ends to look at. */
      const store = Effect.fnUntraced(function* <E>(org: string, bytes: Stream.Stream<Uint8Array, E>, most: number) {
        const id = yield* makeId("doc")
        const ends = new Ends()
        const { size, sha256 } = yield* blobs.put(
          originalKey(org, id),
          Stream.mapEffect(bytes, (chunk) => {
            ends.add(chunk)
            return ends.size > most ? Effect.fail(tooLarge(most)) : Effect.succeed(chunk)
          }),
        )
        return { id, size, sha256, ends }
      })

      const supported = Effect.fnUntraced(function* (contentType: string) {
        const format = reader.formatOf(contentType)
        if (format === undefined) {
          return yield* new UnsupportedMediaType({
            message: `content_type must be one of ${reader.contentTypes.join(", ")}`,
          })
        }
        return MEDIA_FORMATS.has(format) ? MOST_BYTES.media : MOST_BYTES.document
      })

      const judge = Effect.fnUntraced(function* (contentType: string, { ends }: Stored) {
        const most = yield* supported(contentType)
        if (ends.size === 0) return yield* badRequest({ invalid: [{ field: "file", reason: "must not be empty" }] })
        if (ends.size > most) return yield* tooLarge(most)
        if (!reader.agrees(contentType, ends.head, ends.tail)) {
          return yield* new UnsupportedMediaType({ message: `the file's bytes are not ${contentType}` })
        }
      })

      const discard = (org: string, original: Original) =>
        "id" in original ? Effect.ignore(blobs.remove(originalKey(org, original.id))) : Effect.void

      const keep = Effect.fn("Uploads.keep")(function* <E>(
        org: string,
        contentType: string,
        bytes: Stream.Stream<Uint8Array, E>,
      ) {
        const stored = yield* store(org, bytes, yield* supported(contentType))
        yield* Effect.onError(judge(contentType, stored), () => discard(org, stored))
        return { id: stored.id, size: stored.size, sha256: stored.sha256 } satisfies Original
      })

      const parts = Effect.fnUntraced(function* (org: string, request: HttpServerRequest) {
        const fields: Record<string, string> = {}
        let stored: Stored | undefined
        // Not `multipartStream`: it reads past what watches the body, an Idempotency-Key for one.
        yield* Stream.mapError(request.stream, (cause) => MultipartError.fromReason("InternalError", cause)).pipe(
          Stream.pipeThroughChannel(makeChannel(request.headers)),
          Stream.runForEach((part) =>
            Effect.gen(function* () {
              if (part._tag === "Field") {
                fields[part.key] = part.value
              } else if (part.key === "file" && stored === undefined) {
                stored = yield* store(org, part.content, MOST_BYTES.media)
              } else {
                yield* Stream.runDrain(part.content)
                fields[part.key] = "a second file"
              }
            }),
          ),
          Effect.provideContext(
            limitsServices({ maxParts: 50, maxFieldSize: "64 KiB", maxFileSize: "501 MiB", maxTotalSize: "510 MiB" }),
          ),
          Effect.catchIf(
            (error): error is MultipartError => error instanceof MultipartError,
            (error) =>
              Effect.fail(
                error.reason._tag === "FileTooLarge" || error.reason._tag === "BodyTooLarge"
                  ? tooLarge(MOST_BYTES.media)
                  : new BadRequest({ message: "the multipart body is cut off or malformed" }),
              ),
          ),
          Effect.onError(() => (stored === undefined ? Effect.void : discard(org, stored))),
        )
        return { fields, stored }
      })

      const json = Effect.fnUntraced(function* (org: string, request: HttpServerRequest) {
        const text = yield* Effect.mapError(
          request.text,
          () => new BadRequest({ message: "the request's body could not be read" }),
        )
        const body = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))(
          text,
        )
        if (Result.isFailure(body))
          return yield* badRequest({ invalid: [{ field: "body", reason: "must be a JSON object" }] })
        const { file_base64, ...fields } = body.success
        if (file_base64 === undefined) return { fields, stored: undefined }
        const bytes = typeof file_base64 === "string" ? Result.getOrUndefined(Base64.decode(file_base64)) : undefined
        if (bytes === undefined)
          return yield* badRequest({ invalid: [{ field: "file_base64", reason: "must be base64" }] })
        return { fields, stored: yield* store(org, Stream.succeed(bytes), MOST_BYTES.base64) }
      })

      const take = Effect.fn("Uploads.take")(function* <
        Fields extends { readonly content_type: string; readonly file_url?: string | undefined },
      >(org: string, request: HttpServerRequest, schema: Schema.Codec<Fields, unknown>, choice: ReadonlyArray<string>) {
        const type = request.headers["content-type"] ?? ""
        if (!/^(multipart\/form-data|application\/json)\b/i.test(type)) {
          return yield* new UnsupportedMediaType({
            message: "send multipart/form-data, or JSON with file_url or file_base64",
          })
        }
        const { fields, stored } = yield* /^multipart/i.test(type) ? parts(org, request) : json(org, request)
        return yield* Effect.gen(function* () {
          const decoded = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(fields)
          const { missing, invalid } = problemsOfChoice(choice, fields)
          if (stored === undefined && !("file_url" in fields)) missing.unshift("file")
          if (stored !== undefined && "file_url" in fields) {
            invalid.push({ field: "file_url", reason: "must be left out when the file is sent" })
          }
          if (Result.isFailure(decoded)) return yield* badRequest({ issue: decoded.failure.issue, missing, invalid })
          if (missing.length + invalid.length > 0) return yield* badRequest({ missing, invalid })
          const { content_type, file_url } = decoded.success
          yield* stored === undefined ? supported(content_type) : judge(content_type, stored)
          if (file_url !== undefined) {
            yield* Effect.mapError(fetcher.check(file_url), ({ message }) =>
              badRequest({ invalid: [{ field: "file_url", reason: `must be fetchable: ${message}` }] }),
            )
          }
          const original: Original =
            stored === undefined
              ? { file_url: file_url ?? "" }
              : { id: stored.id, size: stored.size, sha256: stored.sha256 }
          return { fields: decoded.success, original }
        }).pipe(Effect.onError(() => (stored === undefined ? Effect.void : discard(org, stored))))
      })

      return Uploads.of({ take, keep, discard })
    }),
  )
}

interface Stored {
  readonly id: string
  readonly size: number
  readonly sha256: string
  readonly ends: Ends
}

const tooLarge = (most: number) =>
  new PayloadTooLarge({ message: `the file is larger than the ${most / MIB} MiB that may be sent this way` })

/** The first and the last 64 KiB of what flows by. */
export class Ends {
  head = new Uint8Array(0)
  tail = new Uint8Array(0)
  size = 0

  add(chunk: Uint8Array): void {
    this.size += chunk.length
    if (this.head.length < SNIFFED) this.head = joined(this.head, chunk.subarray(0, SNIFFED - this.head.length))
    this.tail = joined(this.tail, chunk.subarray(-SNIFFED)).slice(-SNIFFED)
  }
}

const joined = (a: Uint8Array, b: Uint8Array) => {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
