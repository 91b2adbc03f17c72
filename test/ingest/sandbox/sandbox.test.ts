import { execFile, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { sheetOf } from "../../../bench/support/sheet.ts"
import { type DocumentFormat, READERS } from "../../../src/ingest/readers.ts"
import { chunk } from "../../../src/ingest/chunk.ts"
import { CannotStartThread } from "../../../src/ingest/sandbox/errors.ts"
import { Sandbox } from "../../../src/ingest/sandbox/Sandbox.ts"
import { codeOf } from "../support/codeOf.ts"
import { corpus } from "../support/corpus.ts"
import { pagesOf } from "../support/pdf.ts"
import { needs } from "../../support/needs.ts"

const RUNTIMES = { node: [], bun: [], deno: ["run", "-A", "--quiet"] }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const worker = new URL("../support/hostile.ts", import.meta.url)
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
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
      const seconds = code === "too-slow" ? 2 : 30
      const sandbox = new Sandbox({ cpuSeconds: seconds, wallSeconds: seconds * 2, heapMegabytes: 96, worker })
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
      }
      await sandbox.close()
    })
  }

  it("replaces a thread that ended while idle", async () => {
    const sandbox = new Sandbox({ cpuSeconds: 5, worker })
    await ask(sandbox, "dying")
    await new Promise((resolve) => setTimeout(resolve, 500))
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
    setTimeout(() => stop.abort(reason), 50)
    assert.deepStrictEqual(await Promise.all(outcomes), [reason, reason])
    await last
    await sandbox.close()
  })

  it("keeps the caller's event loop free while a document spins", async () => {
    const sandbox = new Sandbox({ cpuSeconds: 2, worker })
    await well(sandbox)
    let beats = 0
    const beat = setInterval(() => beats++, 5)
    await codeOf(ask(sandbox, "forever"))
    clearInterval(beat)
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

  for (const [runtime, args] of Object.entries(RUNTIMES)) {
    it(`does not fail a file on ${runtime} because the machine gives its thread no time`, async () => {
      const child = spawn(path(`../../../node_modules/.bin/${runtime}`), [
        ...args,
        path("../support/starvedProgram.ts"),
      ])
      let said = ""
      for await (const piece of child.stdout) {
        const began = said === ""
        said += piece
        if (!began) continue
        // Longer than the limit of CPU time, while the whole process gets no CPU.
        await pause(100)
        child.kill("SIGSTOP")
        await pause(2500)
        child.kill("SIGCONT")
      }
      const { worked, workedMs, forever } = JSON.parse(said.split("\n")[1]!)
      assert.isAbove(workedMs, 2500)
      assert.deepStrictEqual([worked, forever], ["worked", "too-slow"])
    })
  }

  for (const [runtime, args] of Object.entries(RUNTIMES)) {
    it(`holds on ${runtime} in a process of its own, which then ends by itself`, async () => {
      const { stdout } = await promisify(execFile)(path(`../../../node_modules/.bin/${runtime}`), [
        ...args,
        path("../support/hostileProgram.ts"),
      ])
      const codes = ["too-slow", "too-large", "too-large", "damaged", "damaged", "encrypted"]
      const outcomes: ReadonlyArray<string> = JSON.parse(stdout)
      assert.deepStrictEqual(
        outcomes.slice(0, 12),
        codes.flatMap((code) => [code, "3 bytes"]),
      )
      // If earlier threads left free memory, excess shows late, and Deno's threads end at the time limit.
      for (const again of [outcomes[12], outcomes[14]]) assert.oneOf(again, ["too-large", "too-slow"])
      assert.deepStrictEqual(outcomes.slice(15), ["3 bytes", "bounded", "In a thread"])
    })
  }

  it(
    "fails with a typed error for each file that must fail",
    needs("shared/data/documents", corpus.length > 0),
    async () => {
      const sandbox = new Sandbox()
      for (const { file, format, bytes } of corpus.filter(({ reference }) => reference === "")) {
        const error = await codeOf(sandbox.read(bytes(), format)).catch((cause) => {
          throw new Error(`${file}: ${cause}`)
        })
        assert.match(error.reason, /\. \S/, file)
      }
      await sandbox.close()
    },
  )
})
