import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Base64 from "effect/encoding/Base64"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { limitsServices, makeChannel, MultipartError } from "effect/http/Multipart"
import { makeId } from "../common/ids.ts"
import { concat } from "../common/bytes.ts"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../http/errors.ts"
import { formatBytes } from "../http/bodies.ts"
import { badRequest, type Invalid, notJson } from "../http/validation.ts"
import { BlobStore, type BlobStoreError } from "../ports/BlobStore.ts"
import { DocumentReader } from "../ports/DocumentReader.ts"
import { UrlFetcher } from "../ports/UrlFetcher.ts"
import { isMedia } from "../ports/document.ts"
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

      const recordings = reader.contentTypes.filter((type) => isMedia(reader.formatOf(type)))
      const mostOf = (contentType: string) =>
        isMedia(reader.formatOf(contentType)) ? MOST_BYTES.media : MOST_BYTES.document
      const isRecording = (head: Uint8Array) => recordings.some((type) => reader.refusal(type, head) === undefined)

      /** Stores bytes under a new document's id, keeping their two ends to look at. */
      const store = Effect.fnUntraced(function* <E>(org: string, bytes: Stream.Stream<Uint8Array, E>, most: number) {
        const id = yield* makeId("doc")
        const ends = new Ends()
        let limit = Math.min(most, MOST_BYTES.document)
        const { size, sha256 } = yield* blobs.put(
          originalKey(org, id),
          Stream.mapEffect(bytes, (chunk) => {
            ends.add(chunk)
            // Whatever was said of it, only what begins as a recording does may be larger than a document.
            if (ends.size > limit && limit < most && isRecording(ends.head)) limit = most
            return ends.size > limit ? Effect.fail(tooLarge(limit)) : Effect.succeed(chunk)
          }),
        )
        return { id, size, sha256, ends }
      })

      /** Refuses by what is known: the bytes' two ends, or the type alone. */
      const accept = (contentType: string, ends?: Ends) => {
        const message = reader.refusal(contentType, ends?.head, ends?.tail)
        return message === undefined ? Effect.void : Effect.fail(new UnsupportedMediaType({ message }))
      }

      const judge = Effect.fnUntraced(function* (contentType: string, { ends }: Stored) {
        if (ends.size === 0) {
          yield* accept(contentType)
          return yield* badRequest({ invalid: [{ field: "file", reason: "must not be empty" }] })
        }
        const most = mostOf(contentType)
        if (ends.size > most) return yield* tooLarge(most)
        yield* accept(contentType, ends)
      })

      const discard = (org: string, original: Original) =>
        "id" in original ? Effect.ignore(blobs.remove(originalKey(org, original.id))) : Effect.void

      const keep = Effect.fn("Uploads.keep")(function* <E>(
        org: string,
        contentType: string,
        bytes: Stream.Stream<Uint8Array, E>,
      ) {
        yield* accept(contentType)
        const stored = yield* store(org, bytes, mostOf(contentType))
        yield* Effect.onError(judge(contentType, stored), () => discard(org, stored))
        return { id: stored.id, size: stored.size, sha256: stored.sha256 } satisfies Original
      })

      const parts = Effect.fnUntraced(function* (org: string, request: HttpServerRequest) {
        const fields: Record<string, string> = {}
        const invalid: Array<Invalid> = []
        let stored: Stored | undefined
        // Not `multipartStream`: it reads past what watches the body, an Idempotency-Key for one.
        yield* Stream.mapError(request.stream, (cause) => MultipartError.fromReason("InternalError", cause)).pipe(
          Stream.pipeThroughChannel(makeChannel(request.headers)),
          Stream.runForEach((part) =>
            Effect.gen(function* () {
              if (part._tag === "Field") {
                if (part.key in fields) invalid.push({ field: part.key, reason: "must be given once" })
                fields[part.key] = part.value
              } else if (part.key === "file" && stored === undefined) {
                const { content_type } = fields
                const most = content_type === undefined ? MOST_BYTES.media : mostOf(content_type)
                stored = yield* store(org, part.content, most)
              } else {
                yield* Stream.runDrain(part.content)
                const reason = part.key === "file" ? "must be one file" : "must be text, not a file"
                invalid.push({ field: part.key, reason })
                if (part.key !== "file") fields[part.key] ??= "a file"
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
        return { fields, stored, file: stored && "file", invalid }
      })

      const json = Effect.fnUntraced(function* (org: string, request: HttpServerRequest) {
        // A body that is too large or breaks off is answered as everywhere, by `envelope`.
        const text = yield* Effect.orDie(request.text)
        const parsed = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))(text)
        if (Result.isFailure(parsed)) return yield* notJson(text)
        const body = Schema.decodeUnknownResult(Schema.Record(Schema.String, Schema.Unknown))(parsed.success)
        if (Result.isFailure(body))
          return yield* badRequest({ invalid: [{ field: "body", reason: "must be an object" }] })
        const { file_base64, ...fields } = body.success
        if (file_base64 === undefined) return { fields, stored: undefined, file: undefined, invalid: [] }
        const bytes = typeof file_base64 === "string" ? Result.getOrUndefined(Base64.decode(file_base64)) : undefined
        if (bytes === undefined) {
          const invalid = [{ field: "file_base64", reason: "must be text in base64" }]
          return { fields, stored: undefined, file: "file_base64", invalid }
        }
        const stored = yield* store(org, Stream.succeed(bytes), MOST_BYTES.base64)
        return { fields, stored, file: "file_base64", invalid: [] }
      })

      const take = Effect.fn("Uploads.take")(function* <
        Fields extends { readonly content_type: string; readonly file_url?: string | undefined },
      >(org: string, request: HttpServerRequest, schema: Schema.Codec<Fields, unknown>, choice: ReadonlyArray<string>) {
        const type = request.headers["content-type"] ?? ""
        if (!/^(multipart\/form-data|application\/json)\b/i.test(type)) {
          return yield* new UnsupportedMediaType({
            message: "Content-Type must be multipart/form-data, or application/json with file_url or file_base64",
          })
        }
        const [files, reading] = /^multipart/i.test(type)
          ? ([["file", "file_url"], parts(org, request)] as const)
          : ([["file_url", "file_base64"], json(org, request)] as const)
        const body = yield* reading
        const { fields, stored } = body
        return yield* Effect.gen(function* () {
          const decoded = Schema.decodeUnknownResult(schema, {
            errors: "all",
            onExcessProperty: "error",
            reportInput: true,
          })(fields)
          const given = [...Object.keys(fields), ...(body.file === undefined ? [] : [body.file])]
          const invalid = [...problemsOfChoice(files, given), ...problemsOfChoice(choice, given), ...body.invalid]
          if (Result.isFailure(decoded)) return yield* badRequest({ issue: decoded.failure.issue, invalid })
          if (invalid.length > 0) return yield* badRequest({ invalid })
          const { content_type, file_url } = decoded.success
          yield* stored === undefined ? accept(content_type) : judge(content_type, stored)
          if (file_url !== undefined) {
            yield* Effect.mapError(fetcher.check(file_url, "fetch"), ({ message }) =>
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
  new PayloadTooLarge({
    message: `the file is larger than ${formatBytes(most)}, the most that may be sent this way`,
    details: { max_bytes: most },
  })

/** The first and the last 64 KiB of what flows by, in pieces of any size; nothing else of them is kept. */
export class Ends {
  readonly #first = new Uint8Array(SNIFFED)
  /** The last bytes, the oldest of them at `size % SNIFFED`. */
  readonly #ring = new Uint8Array(SNIFFED)
  size = 0

  add(chunk: Uint8Array): void {
    if (this.size < SNIFFED) this.#first.set(chunk.subarray(0, SNIFFED - this.size), this.size)
    this.size += chunk.length
    const last = chunk.subarray(-SNIFFED)
    const at = (this.size - last.length) % SNIFFED
    this.#ring.set(last.subarray(0, SNIFFED - at), at)
    this.#ring.set(last.subarray(SNIFFED - at), 0)
  }

  get head(): Uint8Array {
    return this.#first.subarray(0, this.size)
  }

  get tail(): Uint8Array {
    if (this.size <= SNIFFED) return this.head
    const at = this.size % SNIFFED
    return concat([this.#ring.subarray(at), this.#ring.subarray(0, at)])
  }
}
