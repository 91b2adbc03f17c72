import { late } from "../../support/until.ts"
import { assert, describe, it } from "@effect/vitest"
import { CannotStartThread } from "../../../src/ingest/sandbox/errors.ts"
import type { ByteSource } from "../../../src/ingest/media/mp3Delay.ts"
import { type ThreadOptions, piecesInThread } from "../../../src/ingest/media/piecesInThread.ts"
import { silentMp3, silentMp4 } from "../../support/silence.ts"
import { codeOf } from "../support/codeOf.ts"

const LIMITS = { maxBytes: 40_000, maxSeconds: 1200 }
const hostile = new URL("../support/hostileMedia.ts", import.meta.url)

const collect = async (source: ByteSource, options?: ThreadOptions) => {
  const found = []
  for await (const piece of piecesInThread(source, LIMITS, options)) found.push(piece)
  return found
}
const sourceOf = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: async (start, end) => bytes.slice(start, end),
})

/** The header of a WAV with 8 bits, 8 kHz and one channel. */
const wavHeader = (size: number) => {
  const view = new DataView(new ArrayBuffer(44))
  const text = (at: number, letters: string) => [...letters].forEach((c, n) => view.setUint8(at + n, c.charCodeAt(0)))
  text(0, "RIFF")
  view.setUint32(4, 36 + size, true)
  text(8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, 8000, true)
  view.setUint32(28, 8000, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  text(36, "data")
  view.setUint32(40, size, true)
  return new Uint8Array(view.buffer)
}

describe("splitting recordings in a thread of their own", () => {
  it("yields pieces without a gap", async () => {
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

  it("ends a thread that exceeds its time or memory or crashes, and this thread survives", async () => {
    for (const [size, code] of ["too-slow", "too-large", "damaged", "damaged", "too-slow"].entries()) {
      const read = async () => new Uint8Array(1)
      const [cpuSeconds, wallSeconds] = code === "too-slow" ? [1, 600] : [600, 600]
      const options = { worker: hostile, cpuSeconds, wallSeconds, heapMegabytes: 64 }
      const error = await codeOf(collect({ size, read }, options))
      assert.strictEqual(error.code, code, String(size))
    }
  })

  for (const [what, worker, reason, wallSeconds] of [
    ["has no module", new URL("../support/absent.js", import.meta.url), "Cannot find module", 600],
    ["gives no sign", new URL("data:text/javascript,setInterval(()=>{},1000)"), "it gives no sign", 1],
  ] as const) {
    it(`does not blame the recording for a thread that ${what}`, async () => {
      const failed = collect({ size: 1, read: async () => new Uint8Array(1) }, { worker, wallSeconds })
      const error = await failed.catch((cause: unknown) => cause)
      assert.instanceOf(error, CannotStartThread)
      assert.include(error.message, reason)
      assert.strictEqual(error.isTransient, wallSeconds === 1)
    })
  }

  it("ends the thread at once when the caller stops reading", async () => {
    const iterator = piecesInThread({ size: 0, read: async () => new Uint8Array(1) }, LIMITS, { worker: hostile })[
      Symbol.asyncIterator
    ]()
    const next = iterator.next().catch(() => "ended")
    await late(300)
    await iterator.return?.()
    assert.strictEqual(await next, "ended")
  })

  it("refuses recordings that are too long to transcribe", async () => {
    const hours = (count: number): ByteSource => {
      const header = wavHeader(count * 3600 * 8000)
      return {
        size: header.length + count * 3600 * 8000,
        read: async (start, end) => {
          const bytes = new Uint8Array(end - start)
          bytes.set(header.subarray(start, end))
          return bytes
        },
      }
    }
    const error = await codeOf(collect(hours(5)))
    assert.strictEqual(error.code, "too-large")
    assert.match(error.reason, /longer than 4 hours/)
  })

  it("passes on errors of the store", async () => {
    const gone = new Error("the file is gone")
    const read = () => Promise.reject(gone)
    const said = await collect({ size: 1000, read }).catch((cause: unknown) => cause)
    assert.strictEqual(said, gone)
  })
})
