import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerFiles } from "../../../src/adapters/blobs/files.ts"
import { layerS3 } from "../../../src/adapters/blobs/s3.ts"
import { blobKey, BlobStore } from "../../../src/core/ports/BlobStore.ts"
import { BUCKET, CREDENTIALS, s3Server } from "../../support/s3.ts"

const MIB = 1024 * 1024
const SIZE_MIB = 300

/** Collects garbage, so that the remaining memory is in use. */
const collector = () => {
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc") as () => void
}

const files = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-blobs-"))),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
    ),
    (directory) => layerFiles({ directory }),
  ),
)
const s3 = Layer.unwrap(
  Effect.map(s3Server, (endpoint) => layerS3({ endpoint, bucket: BUCKET, region: "us-east-1", ...CREDENTIALS })),
)

describe("a blob of 300 MiB", () => {
  for (const [name, store] of [
    ["files", files],
    ["an S3 bucket", s3],
  ] as const) {
    it.live(`is written to ${name} and read in flat memory`, () =>
      Effect.gen(function* () {
        const { put, get } = yield* BlobStore
        const collect = collector()
        const inUse = () => (collect(), process.memoryUsage().arrayBuffers)
        const before = inUse()
        let [passed, most] = [0, 0]
        const watch = (chunk: Uint8Array) =>
          Effect.sync(() => {
            passed += chunk.length
            if (passed % (10 * MIB) < chunk.length) most = Math.max(most, inUse())
          })
        // One chunk at a time: a source that held them all would hide other holders.
        const source = Stream.range(1, SIZE_MIB).pipe(
          Stream.rechunk(1),
          Stream.map((value) => new Uint8Array(MIB).fill(value)),
          Stream.tap(watch),
        )
        const key = blobKey("org_a", "documents", "large")
        assert.strictEqual((yield* put(key, source)).size, SIZE_MIB * MIB)
        yield* Stream.runForEach(yield* get(key), watch)
        assert.isBelow((most - before) / MIB, SIZE_MIB / 3, "MiB more than before")
      }).pipe(Effect.provide(store)),
    )
  }
})
