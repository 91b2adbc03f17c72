import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerFiles } from "../../../src/adapters/blobs/files.ts"
import { blobKey, BlobStore } from "../../../src/core/ports/BlobStore.ts"
import { interruptPut } from "./interruptPut.ts"

const MIB = 1024 * 1024

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-blobs-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
)

/** Every file below a directory, by its path in it. */
const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort()

describe("blobs in files", () => {
  layer(Layer.empty, { excludeTestServices: true })((it) => {
    it.effect("only this user reads them, no file system confuses their names, and a failed put leaves no file", () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const put = Effect.flatMap(BlobStore, (store) =>
          Effect.gen(function* () {
            yield* store.put(blobKey("org_A", "documents", "doc_x"), Stream.succeed(Uint8Array.of(1)))
            yield* store.put(blobKey("org_a", "documents", "doc_x"), Stream.succeed(Uint8Array.of(2)))
            const long = blobKey("組織".repeat(32), "x")
            assert.strictEqual((yield* store.put(long, Stream.empty)).size, 0)
            yield* store.remove(long)
            const broken = Stream.concat(Stream.succeed(new Uint8Array(MIB)), Stream.fail("gone"))
            yield* Effect.flip(store.put(blobKey("org_a", "documents", "doc_y"), broken))
            yield* interruptPut(blobKey("org_a", "documents", "doc_z"), Stream.succeed(new Uint8Array(MIB)))
          }),
        )
        yield* Effect.provide(put, layerFiles({ directory }))
        assert.deepStrictEqual(filesIn(directory), ["org_a/documents/doc_x", "org_~a/documents/doc_x"])
        assert.strictEqual(statSync(join(directory, "org_a/documents/doc_x")).mode & 0o777, 0o600)
        assert.strictEqual(statSync(join(directory, "org_a")).mode & 0o777, 0o700)
      }),
    )

    it.effect("an error about the directory names the option and the setting", () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        writeFileSync(join(directory, "taken"), "a file")
        const start = Effect.provide(BlobStore, layerFiles({ directory: join(directory, "taken") }))
        assert.match(
          (yield* Effect.flip(start)).message,
          /^`directory` \(SIGHTLINE_BLOBS\) must be a writable directory/,
        )
      }),
    )

    it.effect("sweeps the files of a killed process after a day, not before", () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const start = Effect.provide(BlobStore, layerFiles({ directory }))
        yield* start
        for (const name of ["old", "new"]) writeFileSync(join(directory, ".incoming", name), "half")
        const yesterday = Date.now() / 1000 - 86_500
        utimesSync(join(directory, ".incoming", "old"), yesterday, yesterday)
        yield* start
        assert.deepStrictEqual(filesIn(directory), [".incoming/new"])
      }),
    )

    it.effect("reports a disk that is nearly full before it writes", () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const store = yield* Effect.provide(BlobStore, layerFiles({ directory, reserve: 2 ** 60 }))
        const error = yield* Effect.flip(store.put(blobKey("org", "x"), Stream.die("read")))
        assert.isTrue(error._tag === "BlobStoreError" && error.reason === "no_space")
        assert.deepStrictEqual(filesIn(directory), [])
      }),
    )

    it.effect("puts succeed while other blobs of the organization are removed", () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const store = yield* Effect.provide(BlobStore, layerFiles({ directory, reserve: 0 }))
        const putAndRemove = (n: number) => {
          const key = blobKey("org", "documents", `doc_${n}`)
          return Effect.andThen(store.put(key, Stream.succeed(Uint8Array.of(n))), store.remove(key))
        }
        yield* Effect.forEach(
          Array.from({ length: 1_500 }, (_, n) => n),
          putAndRemove,
          { concurrency: 64, discard: true },
        )
        assert.deepStrictEqual(filesIn(directory), [])
      }),
    )

    it.effect("reports a truncated file and returns no wrong bytes", () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const store = yield* Effect.provide(BlobStore, layerFiles({ directory }))
        yield* store.put(blobKey("org", "x"), Stream.succeed(new Uint8Array(1000)))
        const bytes = yield* store.get(blobKey("org", "x"))
        writeFileSync(join(directory, "org/x"), "short")
        const error = yield* Effect.flip(Stream.runDrain(bytes))
        assert.strictEqual(error.reason, "damaged")
        rmSync(join(directory, "org/x"))
        assert.strictEqual((yield* Effect.flip(Stream.runDrain(bytes))).reason, "out_of_reach")
      }),
    )
  })
})
