import { createServer, request as sendRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { layerS3 } from "../../../src/adapters/blobs/s3.ts"
import { blobKey, BlobStore } from "../../../src/core/ports/BlobStore.ts"
import { BUCKET, CREDENTIALS, s3Server } from "../../support/s3.ts"

const MIB = 1024 * 1024
const key = blobKey("org_a", "documents", "doc_1")

/** Records the requests. `spoil` may answer with a status in place of the server. */
const relay = Effect.fnUntraced(function* (
  spoil: (method: string, url: string) => number | undefined = () => undefined,
) {
  const endpoint = yield* s3Server
  const seen: Array<string> = []
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer((request, response) => {
        const { method = "", url = "" } = request
        seen.push(`${method} ${url.replace(/uploadId=[^&]+/, "uploadId=…")}`)
        const status = spoil(method, url)
        const chunks: Array<Buffer> = []
        request.on("data", (chunk) => chunks.push(chunk))
        request.on("end", () => {
          if (status !== undefined) return void response.writeHead(status).end(`<Error><Code>Spoilt</Code></Error>`)
          // Unlike `fetch`, it keeps the host that the signature names.
          const { hostname, port } = new URL(endpoint)
          const passed = sendRequest({ hostname, port, method, path: url, headers: request.headers }, (reply) => {
            response.writeHead(reply.statusCode!, reply.headers)
            reply.pipe(response)
          })
          passed.end(Buffer.concat(chunks))
        })
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) => Effect.sync(() => made.close()),
  )
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
})

const storeAt = (endpoint: string, credentials = CREDENTIALS) =>
  Effect.map(Layer.build(layerS3({ endpoint, bucket: BUCKET, region: "us-east-1", ...credentials })), (context) =>
    context.pipe((services) => Effect.provideContext(BlobStore, services)),
  ).pipe(Effect.flatten)

/** Makes one chunk at a time: a source that held them all would hide other holders. */
const bytes = (mib: number) =>
  Stream.range(0, mib - 1).pipe(
    Stream.rechunk(1),
    Stream.map((n) => new Uint8Array(MIB).fill(n)),
  )

describe("blobs in an S3 bucket", () => {
  layer(Layer.empty, { excludeTestServices: true })((it) => {
    it.effect("follows the store's token from page to page, and skips the objects of other programs", () =>
      Effect.gen(function* () {
        const asked: Array<string> = []
        const contents = (name: string) =>
          `<Contents><Key>files/org_~C3~84/${name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`
        const page = (names: ReadonlyArray<string>, token?: string) =>
          `<ListBucketResult>${names.map(contents).join("")}${
            token === undefined ? "" : `<NextContinuationToken>${token}</NextContinuationToken>`
          }</ListBucketResult>`
        const server = yield* Effect.acquireRelease(
          Effect.callback<ReturnType<typeof createServer>>((resume) => {
            const made = createServer((request, response) => {
              const query = new URL(request.url ?? "", "http://s3").searchParams
              asked.push(`${query.get("prefix")} ${query.get("continuation-token")}`)
              const isFirst = query.get("continuation-token") === null
              response.end(isFirst ? page(["documents/doc_A", ".DS_Store"], "a&amp;b=") : page(["exports/e-1.csv"]))
            }).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
          }),
          (made) => Effect.sync(() => made.close()),
        )
        const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        const { list } = yield* Effect.provide(
          BlobStore,
          layerS3({ endpoint, bucket: BUCKET, prefix: "files", region: "us-east-1", ...CREDENTIALS }),
        )
        const storedAt = Date.UTC(2026, 0, 1)
        assert.deepStrictEqual(yield* Stream.runCollect(list("org_Ä")), [
          { key: blobKey("org_Ä", "documents", "doc_A"), storedAt },
          { key: blobKey("org_Ä", "exports", "e-1.csv"), storedAt },
        ])
        assert.deepStrictEqual(asked, ["files/org_~C3~84/ null", "files/org_~C3~84/ a&b="])
      }).pipe(Effect.scoped),
    )

    it.effect("uploads long blobs in parts, and aborts a failed upload without a trace", () =>
      Effect.gen(function* () {
        const { endpoint, seen } = yield* relay()
        const store = yield* storeAt(endpoint)
        assert.strictEqual((yield* store.put(key, bytes(20))).size, 20 * MIB)
        const path = `/${BUCKET}/${key}`
        const parts = [1, 2, 3].map((number) => `PUT ${path}?uploadId=…&partNumber=${number}`)
        assert.deepStrictEqual(seen.splice(0), [`POST ${path}?uploads`, ...parts, `POST ${path}?uploadId=…`])
        assert.strictEqual(yield* store.size(key), 20 * MIB)
        const middle = Buffer.concat(
          yield* Stream.runCollect(yield* store.get(key, { start: 8 * MIB - 1, end: 8 * MIB + 1 })),
        )
        assert.deepStrictEqual([...middle], [7, 8])
        seen.splice(0)
        const other = blobKey("org_a", "documents", "doc_2")
        yield* Effect.flip(store.put(other, Stream.concat(bytes(20), Stream.fail("gone"))))
        assert.strictEqual(seen.at(-1), `DELETE /${BUCKET}/${other}?uploadId=…`)
        assert.strictEqual((yield* Effect.flip(store.size(other)))._tag, "BlobNotFound")
      }),
    )

    it.effect("retries failed requests, and reports a server that keeps failing as unreachable", () =>
      Effect.gen(function* () {
        let stumbles = 2
        const { endpoint } = yield* relay(() => (stumbles-- > 0 ? 503 : undefined))
        const store = yield* storeAt(endpoint)
        yield* store.put(key, bytes(1))
        stumbles = 100
        const error = yield* Effect.flip(store.size(key))
        assert.isTrue(error._tag === "BlobStoreError" && error.reason === "out_of_reach")
      }),
    )

    it.effect("errors about credentials and a missing bucket say what to check, without an address or a secret", () =>
      Effect.gen(function* () {
        const { endpoint } = yield* relay()
        const wrong = yield* storeAt(endpoint, { ...CREDENTIALS, secretAccessKey: Redacted.make("wrong") })
        const error = yield* Effect.flip(wrong.put(key, bytes(1)))
        assert.isTrue(error._tag === "BlobStoreError")
        assert.match(error.message, /check `bucket` and its credentials \(SIGHTLINE_BLOBS\)/)
        const { endpoint: full } = yield* relay((method) => (method === "PUT" ? 507 : undefined))
        const noSpace = yield* Effect.flip((yield* storeAt(full)).put(key, bytes(1)))
        assert.isTrue(noSpace._tag === "BlobStoreError" && noSpace.reason === "no_space", JSON.stringify(noSpace))
      }),
    )
  })
})
