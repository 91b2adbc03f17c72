import { type ChildProcess, spawn } from "node:child_process"
import { connect } from "node:net"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { until } from "../support/until.ts"
import { cite, eventsOf, link, question, type Step, text } from "./double.ts"

const SERVER = fileURLToPath(new URL("./server.ts", import.meta.url))
const RUNTIMES = {
  Node: [process.execPath, SERVER],
  Bun: ["bun", SERVER],
  Deno: ["deno", "run", "-A", "--quiet", SERVER],
} as const

const MINUTES_MS = 600_000

const lines = (output: string): ReadonlyArray<any> =>
  output
    .slice(0, output.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

for (const [runtime, [command, ...args]] of Object.entries(RUNTIMES)) {
  describe(`streams over sockets on ${runtime}`, () => {
    let child: ChildProcess
    let output = ""
    let url = ""
    let key = ""

    beforeAll(async () => {
      child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
      child.stdout!.setEncoding("utf8").on("data", (text: string) => (output += text))
      await until("the server listens", () => output.includes("\n"))
      ;({ url, key } = lines(output)[0])
    })
    afterAll(() => void child.kill("SIGKILL"))

    const ask = (steps: ReadonlyArray<Step>, init: { signal?: AbortSignal; headers?: Record<string, string> } = {}) =>
      fetch(`${url}/api/v1/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers },
        body: JSON.stringify(question(steps, { stream: true })),
        signal: init.signal ?? null,
      })
    const endings = () => lines(output).filter((line) => "ended" in line)
    const starts = () => lines(output).filter((line) => "started" in line).length

    it("sends its events in order", async () => {
      const before = endings().length
      const reply = await ask([text("one "), { wait: 100 }, cite(1), text(`two ${link(1)}`), { wait: 100 }, text(".")])
      assert.strictEqual(reply.status, 200)
      assert.match(reply.headers.get("content-type") ?? "", /^text\/event-stream/)
      const events = eventsOf(await reply.text()).map(({ data }) => data)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["content_delta", "citation", "content_delta", "content_delta", "done"],
      )
      assert.strictEqual(events.at(-1).message.content, `one two ${link(1)}.`)
      // The model call may end after the stream, and the next test counts from here.
      await until("the model call ends", () => endings().length > before)
    })

    it("sends an event minutes before the next is there, and stops when the caller hangs up", async () => {
      const before = endings().length
      const abort = new AbortController()
      const reply = await ask([text("one"), { wait: MINUTES_MS }], { signal: abort.signal })
      const { value } = await reply.body!.getReader().read()
      assert.include(new TextDecoder().decode(value), '"one"')
      abort.abort()
      await until("the model call ends", () => endings().length > before)
      assert.strictEqual(endings().at(-1).ended, "interrupted")
    })

    it("stops the answer if the caller disconnects before the first event", async () => {
      const [before, started] = [endings().length, starts()]
      const abort = new AbortController()
      const reply = ask([{ wait: MINUTES_MS }, text("never")], { signal: abort.signal }).catch(() => "gone")
      await until("the model call starts", () => starts() > started)
      abort.abort()
      assert.strictEqual(await reply, "gone")
      await until("the model call ends", () => endings().length > before)
      assert.strictEqual(endings().at(-1).ended, "interrupted")
    })

    it("finishes an answer with an Idempotency-Key, and sends the rest to a caller who returns", async () => {
      const steps: ReadonlyArray<Step> = [text("start "), { repeat: 10, every: 60, content: "x " }]
      const headers = { "idempotency-key": `back-${runtime}` }
      const abort = new AbortController()
      const reply = await ask(steps, { signal: abort.signal, headers })
      await reply.body!.getReader().read()
      abort.abort()
      const again = await ask(steps, { headers: { ...headers, "last-event-id": "1" } })
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      const events = eventsOf(await again.text())
      assert.deepStrictEqual(
        events.map(({ id }) => id),
        events.map((_, n) => n + 2),
      )
      assert.strictEqual(
        events.at(-1)!.data.message.content,
        `start ${Array.from({ length: 10 }, (_, n) => `${n + 1} x `).join("")}`,
      )
    })

    it("pauses the answer for a slow reader instead of buffering it", async () => {
      const steps: ReadonlyArray<Step> = [{ repeat: 600, every: 0, content: "y".repeat(20_000) }]
      const before = endings().length
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      const body = JSON.stringify(question(steps, { stream: true }))
      socket.write(
        `POST /api/v1/responses HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
          `content-length: ${body.length}\r\n\r\n${body}`,
      )
      await new Promise((resolve) => socket.once("readable", resolve))
      socket.pause()
      // Two later answers of the same size reach readers who read.
      for (const _ of [1, 2]) assert.isAbove((await (await ask(steps)).text()).length, 12_000_000)
      await until("both answers end", () => endings().length >= before + 2)
      assert.strictEqual(endings().length, before + 2, "12 MB were made for a reader who reads nothing")
      socket.destroy()
      await until("the first answer ends", () => endings().length > before + 2)
      assert.strictEqual(endings().at(-1).ended, "interrupted")
    })
  })
}
