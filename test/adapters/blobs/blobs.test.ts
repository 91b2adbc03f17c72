import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerDatabase } from "../../../src/adapters/blobs/database.ts"
import { layerFiles } from "../../../src/adapters/blobs/files.ts"
import { layerS3 } from "../../../src/adapters/blobs/s3.ts"
import { blobKey, BlobStore, organizationOf } from "../../../src/core/ports/BlobStore.ts"
import { Database } from "../../../src/core/storage/Database.ts"
import { Organizations } from "../../../src/core/catalogue/Organizations.ts"
import { makeIdUnsafe } from "../../../src/core/common/ids.ts"
import { engines } from "../../support/engines.ts"
import { BUCKET, CREDENTIALS, s3Server } from "../../support/s3.ts"
import { interruptPut } from "./interruptPut.ts"
import { layerOrganizations } from "../../support/organizations.ts"
import { UNLIMITED } from "../../support/unlimited.ts"

const KIB = 1024
const MIB = 1024 * KIB

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-blobs-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
)

/** Bytes that depend on their position. */
const bytesOf = (length: number) =>
  new Uint8Array(
    Uint32Array.from({ length: Math.ceil(length / 4) }, (_, index) => index * 2_654_435_761).buffer,
    0,
    length,
  )
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

/** The bytes in pieces of uneven lengths, some empty, all in the same buffer. */
const pieces = (bytes: Uint8Array) => {
  const place = new Uint8Array(300_000)
  return Stream.unfold({ offset: 0, count: 0 }, ({ offset, count }) =>
    Effect.sync(() => {
      if (offset >= bytes.length) return undefined
      const part = bytes.subarray(offset, offset + [0, 1, 1000, 70_000, 300_000][count % 5]!)
      place.set(part)
      return [place.subarray(0, part.length), { offset: offset + part.length, count: count + 1 }] as const
    }),
  )
}

const read = Effect.fnUntraced(function* (key: string, range?: { readonly start?: number; readonly end?: number }) {
  const { get } = yield* BlobStore
  return Buffer.concat(yield* Stream.runCollect(yield* get(key, range)))
})

/** Creates an organization, where blobs need one. */
class Tenants extends Context.Service<Tenants, { readonly create: Effect.Effect<string> }>()("test/Tenants") {}
const organization = Tenants.use(({ create }) => create)
const anyTenants = Layer.succeed(Tenants, { create: Effect.sync(() => makeIdUnsafe("org")) })
const tenants = Layer.effect(
  Tenants,
  Effect.map(Organizations, (organizations) => ({
    create: Effect.map(Effect.orDie(organizations.create({ name: "Acme", plan: UNLIMITED })), ({ id }) => id),
  })),
)

class Broken extends Error {}

const files = Layer.unwrap(Effect.map(temporaryDirectory, (directory) => layerFiles({ directory })))
const onDatabase = (engine: (typeof engines)[number]) =>
  Layer.mergeAll(layerDatabase, Layer.provide(tenants, layerOrganizations)).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
/** A bucket on a server of this machine. */
const s3 = Layer.unwrap(
  Effect.map(s3Server, (endpoint) =>
    layerS3({ endpoint, bucket: BUCKET, prefix: "files", region: "us-east-1", ...CREDENTIALS }),
  ),
)
const stores = [
  { name: "memory", services: Layer.merge(BlobStore.layerMemory, anyTenants) },
  { name: "files", services: Layer.merge(files, anyTenants) },
  { name: "an S3 bucket", services: Layer.merge(s3, anyTenants) },
  ...engines.map((engine) => ({ name: `the database, ${engine.name}`, services: onDatabase(engine) })),
]

for (const { name, services } of stores) {
  describe(`blobs in ${name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("returns the stored bytes, whole and in ranges", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const store = yield* BlobStore
          for (const length of [0, 1, 256 * KIB - 1, 256 * KIB, 256 * KIB + 1, 3 * MIB + 17]) {
            const bytes = bytesOf(length)
            const key = blobKey(org, "documents", `doc_${length}`)
            assert.deepStrictEqual(yield* store.put(key, pieces(bytes)), { size: length, sha256: sha256(bytes) })
            assert.strictEqual(yield* store.size(key), length)
            assert.isTrue((yield* read(key)).equals(bytes), `${length} bytes`)
            for (const [start, end] of [
              [0, 1],
              [length - 1, length],
              [256 * KIB - 1, 256 * KIB + 1],
              [1000, 2 * MIB + 5],
              [MIB, undefined],
              [length, length + 5],
              [length + 5, undefined],
              [7, 3],
            ] as const) {
              const part = yield* read(key, { start: Math.max(0, start), ...(end !== undefined && { end }) })
              const expected = bytes.subarray(Math.max(0, start), Math.max(end ?? length, 0))
              assert.isTrue(part.equals(expected), `${start} to ${end} of ${length}`)
            }
          }
        }),
      )

      it.effect("replaces and removes blobs, and reports an absent one", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const store = yield* BlobStore
          const key = blobKey(org, "documents", "doc_1")
          const missing = Effect.map(Effect.flip(store.size(key)), ({ _tag }) => _tag)
          assert.strictEqual(yield* missing, "BlobNotFound")
          assert.strictEqual((yield* Effect.flip(store.get(key)))._tag, "BlobNotFound")
          yield* store.put(key, Stream.succeed(bytesOf(700 * KIB)))
          const second = bytesOf(300 * KIB)
          yield* store.put(key, Stream.succeed(second))
          assert.isTrue((yield* read(key)).equals(second))
          yield* store.remove(key)
          yield* store.remove(key)
          assert.strictEqual(yield* missing, "BlobNotFound")
        }),
      )

      it.effect("a failed or interrupted put keeps the former blob", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const store = yield* BlobStore
          const key = blobKey(org, "documents", "doc_1")
          const half = Stream.fromIterable(Array.from({ length: 40 }, () => new Uint8Array(64 * KIB)))
          const failing = store.put(key, Stream.concat(half, Stream.fail(new Broken("gone"))))
          const interrupted = interruptPut(key, half)
          assert.instanceOf(yield* Effect.flip(failing), Broken)
          yield* interrupted
          assert.strictEqual((yield* Effect.flip(store.size(key)))._tag, "BlobNotFound")
          yield* store.put(key, Stream.succeed(Uint8Array.of(1, 2, 3)))
          yield* Effect.flip(failing)
          yield* interrupted
          assert.deepStrictEqual([...(yield* read(key))], [1, 2, 3])
        }),
      )

      it.effect("of concurrent puts of one key, one wins as a whole", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const store = yield* BlobStore
          const key = blobKey(org, "documents", "doc_1")
          yield* Effect.forEach(
            [1, 2, 3, 4, 5],
            (value) => store.put(key, Stream.fromIterable([1, 2, 3].map(() => new Uint8Array(400 * KIB).fill(value)))),
            { concurrency: 5 },
          )
          const found = yield* read(key)
          assert.strictEqual(found.length, 1200 * KIB)
          assert.strictEqual(new Set(found).size, 1)
        }),
      )

      it.effect("lists only the organization's blobs, and removes them all", () =>
        Effect.gen(function* () {
          const store = yield* BlobStore
          const [org, other] = [yield* organization, yield* organization]
          const listed = (of: string) =>
            Effect.map(Stream.runCollect(store.list(of)), (all) => all.map(({ key }) => key).toSorted())
          assert.deepStrictEqual(yield* listed(org), [])
          const began = Date.now()
          const keys = ["exports/exp_a-1.csv", "documents/doc_B", "documents/doc_b"].map((name) =>
            blobKey(org, ...name.split("/")),
          )
          for (const key of keys) yield* store.put(key, Stream.succeed(Uint8Array.of(1)))
          yield* store.put(blobKey(other, "documents", "doc_a"), Stream.succeed(Uint8Array.of(1)))
          const found = yield* Stream.runCollect(store.list(org))
          assert.deepStrictEqual(found.map(({ key }) => key).toSorted(), keys.toSorted())
          // Stores may keep whole seconds.
          for (const { storedAt } of found) assert.isTrue(began - 1000 <= storedAt && storedAt <= Date.now())
          yield* store.removeAll(org)
          yield* store.removeAll(org)
          assert.deepStrictEqual(yield* listed(org), [])
          assert.lengthOf(yield* listed(other), 1)
        }),
      )

      // See blobS3.test.ts for S3: the server that replaces it fails at a second page.
      if (name.startsWith("the database")) {
        it.effect("lists more blobs than a page of the store holds", () =>
          Effect.gen(function* () {
            const store = yield* BlobStore
            const org = yield* organization
            const keys = Array.from({ length: 1_005 }, (_, n) => blobKey(org, "documents", `doc_${n}`))
            yield* Effect.forEach(keys, (key) => store.put(key, Stream.empty), { concurrency: 8, discard: true })
            const found = yield* Stream.runCollect(store.list(org))
            assert.deepStrictEqual(new Set(found.map(({ key }) => key)), new Set(keys))
            assert.lengthOf(found, keys.length)
          }),
        )
      }

      it.effect("a key names its organization and cannot lead elsewhere", () =>
        Effect.gen(function* () {
          const store = yield* BlobStore
          for (const org of ["org_3Fk", "../..", "a/b", "Ω%.!*'()", "組織".repeat(32)]) {
            assert.strictEqual(organizationOf(blobKey(org, "documents", "x")), org)
            assert.strictEqual((yield* Effect.flip(store.size(blobKey(org, "x"))))._tag, "BlobNotFound", org)
          }
          for (const key of ["", "/etc/passwd", "a", "../b", "a/../../b", "a/./b", "a//b", "a/.b", "a/b\0", "a\\b/c"]) {
            for (const use of [store.size(key), store.get(key), store.put(key, Stream.empty), store.remove(key)]) {
              const exit = yield* Effect.exit(use as Effect.Effect<unknown, unknown>)
              assert.match(JSON.stringify(exit), /Die/, `'${key}'`)
            }
          }
        }),
      )
    })
  })
}

for (const engine of engines) {
  describe(`blobs in the database, ${engine.name}`, () => {
    layer(onDatabase(engine), { excludeTestServices: true })((it) => {
      const rows = Effect.fnUntraced(function* (org: string) {
        const { scoped, sql } = yield* Database
        const [counts] = yield* scoped<{ blobs: number; parts: number; pending: number }>(
          org,
          sql`select (select count(*)::int from blobs where org_id = scope.org) as blobs,
            (select count(*)::int from blob_parts where org_id = scope.org) as parts,
            (select count(*)::int from blobs where org_id = scope.org and committed_at is null) as pending`,
        )
        return counts
      })

      it.effect("keeps no row of a failed, replaced or removed blob", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const store = yield* BlobStore
          const key = blobKey(org, "documents", "doc_1")
          const large = Stream.succeed(new Uint8Array(3 * MIB))
          yield* Effect.flip(store.put(key, Stream.concat(large, Stream.fail(new Broken("gone")))))
          yield* interruptPut(key, large)
          assert.deepStrictEqual(yield* rows(org), { blobs: 0, parts: 0, pending: 0 })
          yield* store.put(key, large)
          assert.deepStrictEqual(yield* rows(org), { blobs: 1, parts: 12, pending: 0 })
          yield* store.put(key, Stream.succeed(Uint8Array.of(1)))
          assert.deepStrictEqual(yield* rows(org), { blobs: 1, parts: 1, pending: 0 })
          yield* store.remove(key)
          assert.deepStrictEqual(yield* rows(org), { blobs: 0, parts: 0, pending: 0 })
        }),
      )

      it.effect("a put sweeps the rows of a killed process after a day, not before", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const store = yield* BlobStore
          const { transaction, sql } = yield* Database
          yield* transaction(
            org,
            Effect.forEach(["1 hour", "25 hours"], (age) => {
              const version = `blob_${age.length}`
              return Effect.andThen(
                sql`insert into blobs (org_id, version, key, started_at)
                    values (${org}, ${version}, ${`${org}/x`}, now() - ${age}::interval)`,
                sql`insert into blob_parts ${sql.insert({ org_id: org, version, n: 0, bytes: Uint8Array.of(1) })}`,
              )
            }),
          )
          yield* store.put(blobKey(org, "y"), Stream.succeed(Uint8Array.of(1)))
          assert.deepStrictEqual(yield* rows(org), { blobs: 2, parts: 2, pending: 1 })
        }),
      )

      it.effect("reports a missing part, and reads no other organization's in its place", () =>
        Effect.gen(function* () {
          const [mine, theirs] = [yield* organization, yield* organization]
          const store = yield* BlobStore
          const { transaction, scoped, sql } = yield* Database
          const key = blobKey(mine, "documents", "doc_1")
          yield* store.put(key, Stream.succeed(new Uint8Array(MIB).fill(1)))
          yield* store.put(blobKey(theirs, "documents", "doc_1"), Stream.succeed(new Uint8Array(MIB).fill(2)))
          assert.deepStrictEqual([...new Set(yield* read(key))], [1])
          assert.deepStrictEqual(yield* scoped(mine, sql`select n from blob_parts where org_id = ${theirs}`), [])
          yield* transaction(mine, sql`delete from blob_parts where org_id = ${mine} and n = 2`)
          const error = yield* Effect.flip(Stream.runDrain(yield* store.get(key)))
          assert.strictEqual(error.reason, "damaged")
        }),
      )
    })
  })
}
