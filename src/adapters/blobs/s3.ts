import { createHash } from "node:crypto"
import { AwsClient } from "aws4fetch"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { reveal } from "../../core/common/secret.ts"
import {
  type BlobNotFound,
  BlobStore,
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
import type { S3Options } from "../libraryOptions.ts"
import { Digest } from "./digest.ts"
import { inParts } from "./parts.ts"

/** Bytes: a blob up to this length is one PUT. S3 requires parts of at least 5 MiB, except the last. */
const PART_BYTES = 8 * 1024 * 1024

/** Milliseconds until a reply begins, and for each streamed part of it. */
const TIMEOUT_MS = 60_000

/**
 * Stores blobs as objects of an S3-compatible bucket. A put that is killed with its process may leave a multipart upload
 * behind, which costs until the bucket's lifecycle rule aborts it.
 */
export const layerS3 = (options: S3Options) =>
  Layer.sync(BlobStore, () => {
    const client = new AwsClient({
      service: "s3",
      region: options.region,
      accessKeyId: options.accessKeyId,
      secretAccessKey: reveal(options.secretAccessKey),
      ...(options.sessionToken !== undefined && { sessionToken: reveal(options.sessionToken) }),
      retries: 3,
    })
    const base = [baseOf(options), options.prefix].filter(Boolean).join("/")
    const place = (key: string) => `${base}/${validKey(key).split("/").map(segmentOf).join("/")}`

    const send = (url: string, { body, ...init }: Sent) =>
      Effect.tryPromise({
        try: (interrupted) =>
          client.fetch(url, {
            ...init,
            ...(body !== undefined && { body }),
            headers: { ...init.headers, "x-amz-content-sha256": sha256(body ?? "") },
            // A stream takes as long as its reader does: its parts have their own limits.
            signal:
              init.method === "GET" ? interrupted : AbortSignal.any([interrupted, AbortSignal.timeout(TIMEOUT_MS)]),
          }),
        catch: () => unreachable,
      }).pipe(
        Effect.timeoutOrElse({ duration: TIMEOUT_MS, orElse: () => Effect.fail(unreachable) }),
        Effect.flatMap((response) => (response.ok ? Effect.succeed(response) : refused(response))),
      )

    /** Reads a short reply. S3 may report an error after it has sent status 200. */
    const ask = (url: string, sent: Sent) =>
      send(url, sent).pipe(
        Effect.flatMap((response) => Effect.tryPromise({ try: () => response.text(), catch: () => unreachable })),
        Effect.filterOrFail(
          (text) => !text.includes("<Error>"),
          () => unreachable,
        ),
        found,
      )

    const head = Effect.fnUntraced(function* (key: string) {
      const { headers } = yield* send(place(key), { method: "HEAD" })
      return { size: Number(headers.get("content-length")), etag: headers.get("etag") ?? "" }
    })

    const begin = Effect.fnUntraced(function* (url: string) {
      const id = /<UploadId>([^<]+)</.exec(yield* ask(`${url}?uploads`, { method: "POST" }))?.[1]
      return `${url}?uploadId=${encodeURIComponent(id ?? (yield* unreachable))}`
    })

    const putPart = Effect.fnUntraced(function* (upload: string, number: number, body: UploadPart) {
      const { headers } = yield* found(send(`${upload}&partNumber=${number}`, { method: "PUT", body }))
      return `<Part><PartNumber>${number}</PartNumber><ETag>${headers.get("etag") ?? ""}</ETag></Part>`
    })

    const complete = (upload: string, parts: ReadonlyArray<string>) =>
      ask(upload, {
        method: "POST",
        body: `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`,
      })

    const abort = (upload: string) => Effect.ignore(send(upload, { method: "DELETE" }))

    const list = (org: string) => {
      const own = `${segmentOf(ownerOf(org))}/`
      const prefix = [options.prefix, own].filter(Boolean).join("/")
      return Stream.paginate(undefined as string | undefined, (token) =>
        Effect.map(found(ask(`${baseOf(options)}?${listQuery(prefix, token)}`, { method: "GET" })), (text) => {
          const objects = objectsIn(text)
            .map(({ name, storedAt }) => ({ key: `${ownerOf(org)}/${name.slice(prefix.length)}`, storedAt }))
            .filter(({ key }) => isKey(key))
          return [objects, Option.fromUndefinedOr(tag(text, "NextContinuationToken"))] as const
        }),
      )
    }

    const remove = (key: string) =>
      Effect.suspend(() => send(place(key), { method: "DELETE" })).pipe(
        Effect.catchTag("BlobNotFound", () => Effect.void),
        Effect.asVoid,
      )

    return BlobStore.of({
      put: Effect.fnUntraced(function* (key, bytes) {
        const url = place(key)
        const digest = new Digest()
        const parts: Array<string> = []
        let upload: string | undefined
        let last: UploadPart = new Uint8Array(0)
        yield* Effect.gen(function* () {
          // Sends a part only when another follows: a single part needs no multipart upload.
          yield* Stream.runForEach(inParts(bytes, PART_BYTES, 1), ([part]) =>
            Effect.gen(function* () {
              digest.update(part)
              if (last.length > 0) {
                upload ??= yield* begin(url)
                parts.push(yield* putPart(upload, parts.length + 1, last))
              }
              last = part as UploadPart
            }),
          )
          if (upload === undefined) return yield* ask(url, { method: "PUT", body: last })
          parts.push(yield* putPart(upload, parts.length + 1, last))
          return yield* complete(upload, parts)
        }).pipe(Effect.onError(() => (upload === undefined ? Effect.void : abort(upload))))
        return digest.finish()
      }),
      get: Effect.fnUntraced(function* (key, range = {}) {
        const url = place(key)
        const { size, etag } = yield* head(key)
        const { start, end } = clamp(range, size)
        if (start === end) return Stream.empty
        const wanted = { method: "GET", headers: { range: `bytes=${start}-${end - 1}`, "if-match": etag } } as const
        return Stream.unwrap(
          Effect.map(found(send(url, wanted)), ({ status, body }) =>
            status !== 206 && start > 0
              ? Stream.fail(unreachable)
              : exactly(
                  Stream.fromReadableStream<Uint8Array, BlobStoreError>({
                    evaluate: () => body as ReadableStream<Uint8Array>,
                    onError: () => unreachable,
                  }).pipe(Stream.timeoutOrElse({ duration: TIMEOUT_MS, orElse: () => Stream.fail(unreachable) })),
                  end - start,
                ),
          ),
        )
      }),
      size: (key) => Effect.suspend(() => Effect.map(head(key), ({ size }) => size)),
      remove,
      list,
      removeAll: (org) => Stream.runDrain(Stream.mapEffect(list(org), ({ key }) => remove(key), { concurrency: 8 })),
    })
  })

type UploadPart = Uint8Array<ArrayBuffer>

interface Sent {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  readonly body?: UploadPart | string
  readonly headers?: Readonly<Record<string, string>>
}

/** Only characters that URLs do not encode; hashes names that are too long for stores that keep objects as files. */
const segmentOf = (segment: string) => (segment.length > 200 ? `~~${sha256(segment)}` : segment.replaceAll("%", "~"))

const listQuery = (prefix: string, token: string | undefined) =>
  new URLSearchParams({
    "list-type": "2",
    prefix,
    ...(token !== undefined && { "continuation-token": token }),
  })

const objectsIn = (xml: string) =>
  [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, object = ""]) => ({
    name: tag(object, "Key") ?? "",
    storedAt: Date.parse(tag(object, "LastModified") ?? ""),
  }))

/** Keys and tokens contain nothing that XML escapes, except a token's ampersand. */
const tag = (xml: string, name: string) =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll("&amp;", "&")

const baseOf = ({ bucket, endpoint, region }: S3Options) =>
  endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint.replace(/\/+$/, "")}/${bucket}`

const sha256 = (body: UploadPart | string) => createHash("sha256").update(body).digest("hex")

const refused = (response: Response) =>
  Effect.flatMap(
    Effect.promise(() => response.text().catch(() => "")),
    (text): Effect.Effect<never, BlobNotFound | BlobStoreError> => {
      const code = /<Code>([^<]+)</.exec(text)?.[1] ?? ""
      if (response.status === 404 && code !== "NoSuchBucket") return Effect.fail(notFound)
      if (response.status === 507 || /Full|QuotaExceeded/.test(code)) return Effect.fail(noSpace)
      return Effect.fail(response.status === 403 || code === "NoSuchBucket" ? forbidden : unreachable)
    },
  )

const forbidden = new BlobStoreError({
  reason: "out_of_reach",
  message: "access to the file store's bucket is denied; check `bucket` and its credentials (SIGHTLINE_BLOBS)",
})

/** A missing object that existed a moment ago, or is being written, is a retryable failure. */
const found = <A, R>(effect: Effect.Effect<A, BlobNotFound | BlobStoreError, R>) =>
  Effect.catchTag(effect, "BlobNotFound", () => Effect.fail(unreachable))

/** Fails if the server sends fewer bytes than requested; some servers send more. */
const exactly = (bytes: Stream.Stream<Uint8Array, BlobStoreError>, size: number) =>
  Stream.suspend(() => {
    let left = size
    const wanted = Stream.map(bytes, (chunk) => {
      const part = chunk.subarray(0, left)
      left -= part.length
      return part
    })
    return Stream.concat(
      wanted,
      Stream.suspend(() => (left === 0 ? Stream.empty : Stream.fail(damaged))),
    )
  })
