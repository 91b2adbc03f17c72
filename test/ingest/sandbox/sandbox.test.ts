import type { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { sheetOf } from "../../../bench/support/sheet.ts"
import { type DocumentFormat, READERS } from "../../../src/ingest/readers.ts"
import { chunk } from "../../../src/ingest/chunk.ts"
import { CannotStartThread } from "../../../src/ingest/sandbox/errors.ts"
import { Sandbox } from "../../../src/ingest/sandbox/Sandbox.ts"
import { codeOf } from "../support/codeOf.ts"
import { corpus, refused } from "../support/corpus.ts"
import { pagesOf } from "../support/pdf.ts"
import { HOSTILE_OUTCOMES, runHostileProgram } from "../support/runtimes.ts"
import { needs } from "../../support/needs.ts"
import { late } from "../../support/until.ts"

const worker = new URL("../support/hostile.ts", import.meta.url)
const ask = (sandbox: Sandbox, how: string, signal?: AbortSignal) =>
  sandbox.read(new Uint8Array(10), how as DocumentFormat, signal === undefined ? {} : { signal })
const well = async (sandbox: Sandbox) => assert.strictEqual((await ask(sandbox, "good")).text, "10 bytes")

describe("the sandbox", () => {
  for (const [how, code] of Object.entries({
    forever: "too-slow",
    async: "too-slow",
    hog: "too-large",
    buffers: "too-large",
    exit: "damaged",
    fault: "damaged",
    uncaught: "damaged",
    encrypted: "encrypted",
  })) {
    it(`answers ${code} to a reader of the kind "${how}", and reads the next file`, async () => {
      const cpuSeconds = how === "forever" ? 2 : 600
      const wallSeconds = how === "async" ? 5 : 600
      const sandbox = new Sandbox({ cpuSeconds, wallSeconds, heapMegabytes: 96, worker })
      await well(sandbox)
      const [error] = await Promise.all([codeOf(ask(sandbox, how)), well(sandbox)])
      assert.strictEqual(error.code, code)
      assert.match(error.reason, /^[A-Z].*\. .*\.$|^It asks/)
      await well(sandbox)
      await sandbox.close()
    })
  }

  for (const [what, url] of Object.entries({
    "has no module": new URL("support/absent.js", import.meta.url),
    "fails to load": new URL("data:text/javascript,throw new Error('no such export')"),
    "ends at once": new URL("data:text/javascript,process.exit(3)"),
  })) {
    it(`does not blame the file for a thread that ${what}, and reads the next file with a new thread`, async () => {
      const sandbox = new Sandbox({ worker: url })
      for (let attempt = 0; attempt < 2; attempt++) {
        const error = await ask(sandbox, "good").catch((cause: unknown) => cause)
        assert.instanceOf(error, CannotStartThread)
        assert.include(error.message, url.href)
        assert.isFalse(error.isTransient)
      }
      await sandbox.close()
    })
  }

  it("blames the file that crashes a new thread at once", async () => {
    for (const how of ["uncaught", "exit"]) {
      const sandbox = new Sandbox({ worker })
      assert.strictEqual((await codeOf(ask(sandbox, how))).code, "damaged", how)
      await sandbox.close()
    }
  })

  it("replaces a thread that ended while idle", async () => {
    const sandbox = new Sandbox({ worker })
    const ended = new Promise((resolve) => process.once("worker", (thread: Worker) => thread.once("exit", resolve)))
    await ask(sandbox, "dying")
    await ended
    await well(sandbox)
    await sandbox.close()
  })

  it("ends at once when its caller aborts, while reading and while queued", async () => {
    const sandbox = new Sandbox({ worker })
    await well(sandbox)
    const stop = new AbortController()
    const outcomes = [ask(sandbox, "forever", stop.signal), ask(sandbox, "good", stop.signal)].map((reading) =>
      reading.catch((cause: unknown) => cause),
    )
    const last = well(sandbox)
    const reason = new Error("the caller hung up")
    await late(50)
    stop.abort(reason)
    assert.deepStrictEqual(await Promise.all(outcomes), [reason, reason])
    await last
    await sandbox.close()
  })

  it("keeps the caller's event loop free while a document spins", async () => {
    const sandbox = new Sandbox({ cpuSeconds: 2, worker })
    await well(sandbox)
    let beats = 0
    const ended = new AbortController()
    const beat = async () => {
      for (; !ended.signal.aborted; beats++) await late(5)
    }
    await Promise.all([beat(), codeOf(ask(sandbox, "forever")).finally(() => ended.abort())])
    // It spins for at least two seconds of CPU time: a blocked loop would beat at most once.
    assert.isAbove(beats, 10)
    await sandbox.close()
  })

  it("hands a large sheet over in parts, complete and in order", async () => {
    const bytes = sheetOf(2_000_000)
    const sandbox = new Sandbox()
    const document = await sandbox.read(bytes, "xlsx")
    await sandbox.close()
    const { elements, warnings } = await READERS.xlsx(bytes)
    assert.isAbove(elements.length, 3000)
    const whole = chunk({ elements, warnings })
    assert.deepStrictEqual(
      [...document.elements].map(({ start: _, ...element }) => element),
      elements,
    )
    assert.deepStrictEqual([...document.chunks], [...whole.chunks])
    assert.deepStrictEqual([document.text, document.warnings], [whole.text, warnings])
  })

  it("reads real documents, and copies bytes that are a view of a larger buffer", async () => {
    const pdf = pagesOf([[{ text: "In a thread", y: 700 }]])
    const larger = new Uint8Array(pdf.length + 8)
    larger.set(pdf, 4)
    const sandbox = new Sandbox()
    const document = await sandbox.read(larger.subarray(4, -4), "pdf")
    assert.strictEqual(document.text, "In a thread")
    assert.strictEqual(larger.length, pdf.length + 8)
    const text = await sandbox.read(new TextEncoder().encode("plain"), "txt")
    assert.strictEqual(text.text, "plain")
    await sandbox.close()
  })

  it("holds in a process of its own, which then ends by itself", async () => {
    const outcomes = await runHostileProgram("node")
    assert.deepStrictEqual(outcomes.slice(0, 12), HOSTILE_OUTCOMES)
    for (const again of [outcomes[12], outcomes[14]]) assert.oneOf(again, ["too-large", "too-slow"])
    assert.deepStrictEqual(outcomes.slice(15), ["3 bytes", "In a thread"])
  })

  it(
    "fails with a typed error for each file that must fail",
    needs("shared/data/documents", corpus.length > 0),
    async () => {
      const sandbox = new Sandbox()
      for (const { file, format, bytes } of refused) {
        const error = await codeOf(sandbox.read(bytes(), format)).catch((cause) => {
          throw new Error(`${file}: ${cause}`)
        })
        assert.match(error.reason, /\. \S/, file)
      }
      await sandbox.close()
    },
  )
})
