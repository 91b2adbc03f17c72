import { assert, describe, it } from "@effect/vitest"
import type { ByteSource } from "../../src/ingest/media.ts"
import { type ApartOptions, piecesApart } from "../../src/ingest/mediaApart.ts"
import { silentMp3, silentMp4 } from "../support/silence.ts"
import { codeOf } from "./support/codeOf.ts"

const LIMITS = { maxBytes: 40_000, maxSeconds: 1200 }
const hostile = new URL("support/hostileMedia.ts", import.meta.url)

const collect = async (source: ByteSource, options?: ApartOptions) => {
  const found = []
  for await (const piece of piecesApart(source, LIMITS, options)) found.push(piece)
  return found
}
const sourceOf = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: async (start, end) => bytes.slice(start, end),
})

describe("recordings are taken apart in a thread of their own", () => {
  it("piece by piece, without a gap", { timeout: 60_000 }, async () => {
    for (const bytes of [silentMp3(60), await silentMp4(60)]) {
      const pieces = await collect(sourceOf(bytes))
      assert.isAbove(pieces.length, 2)
      for (const [index, { from, bytes }] of pieces.entries()) {
        assert.isAtMost(bytes.length, LIMITS.maxBytes)
        assert.closeTo(from, pieces[index - 1]?.end ?? 0, 0.001)
      }
      assert.closeTo(pieces.at(-1)!.end, 60, 0.05)
    }
  })

  it(
    "which ends when it takes too long, too much, or dies, and leaves this one alive",
    { timeout: 120_000 },
    async () => {
      for (const [size, code] of ["too-slow", "too-large", "damaged", "damaged", "too-slow"].entries()) {
        const read = async () => new Uint8Array(1)
        const seconds = code === "too-slow" ? 2 : 60
        const error = await codeOf(collect({ size, read }, { worker: hostile, seconds, heapMegabytes: 64 }))
        assert.strictEqual(error.code, code, String(size))
      }
    },
  )

  it("and passes on what their store says", async () => {
    const gone = new Error("the file is gone")
    const read = () => Promise.reject(gone)
    const said = await collect({ size: 1000, read }).catch((cause: unknown) => cause)
    assert.strictEqual(said, gone)
  })
})
