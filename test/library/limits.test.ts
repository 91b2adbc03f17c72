import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Ends } from "../../src/core/library/Ends.ts"
import { MAX_BYTES, Originals } from "../../src/core/library/Originals.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { silentMp3 } from "../support/silence.ts"
import { layerLibrary } from "../support/web.ts"

const MIB = 1024 * 1024
const uploads = Originals.layer.pipe(Layer.provide(layerLibrary()))

describe("an upload", () => {
  it.effect("is cut off at the limit of its actual type, not of its stated type", () =>
    Effect.gen(function* () {
      const { keep } = yield* Originals
      const sent = Effect.fnUntraced(function* (contentType: string, head: Uint8Array) {
        let taken = 0
        const rest = new Uint8Array(MIB).fill(32)
        const bytes = Stream.concat(Stream.succeed(head), Stream.take(Stream.forever(Stream.succeed(rest)), 60))
        const counted = Stream.tap(bytes, ({ length }) => Effect.sync(() => (taken += length)))
        return { exit: yield* Effect.result(keep("org_a", contentType, counted)), taken }
      })
      for (const type of ["text/plain", "video/mp4"]) {
        const { exit, taken } = yield* sent(type, new TextEncoder().encode("Notes"))
        assert.match(exit._tag === "Failure" ? exit.failure.message : "", /larger than 52,428,800 bytes \(50 MiB\)/)
        assert.isAtMost(taken, MAX_BYTES.document + 2 * MIB)
      }
      assert.strictEqual((yield* sent("audio/mpeg", silentMp3(2))).exit._tag, "Success")
    }).pipe(Effect.provide(uploads)),
  )

  it("keeps its first and last bytes, for any chunk sizes", () => {
    const random = makeRandom(seedOfRun("ends"))
    for (let round = 0; round < 200; round++) {
      const all = Uint8Array.from({ length: random.below(300_000) }, (_, at) => at * 7 + (at >> 8))
      const ends = new Ends()
      for (let at = 0; at < all.length;) {
        const next = at + 1 + random.below(random.chance(0.2) ? 150_000 : 5000)
        ends.add(all.subarray(at, next))
        at = next
      }
      assert.strictEqual(ends.size, all.length)
      assert.isTrue(Buffer.from(ends.head).equals(all.subarray(0, 65_536)))
      assert.isTrue(Buffer.from(ends.tail).equals(all.subarray(-65_536)))
    }
  })
})
