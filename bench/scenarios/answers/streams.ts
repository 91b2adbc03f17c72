import { KEYS } from "../../peers/streaming.ts"
import { median } from "../../support/contest.ts"
import { memoryOf } from "../../support/cpu.ts"
import { heading, judge, table } from "../../support/report.ts"
import { type Runtime, RUNTIMES, startProgram } from "../../support/servers.ts"

const STREAMS = 200

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

let asked = 0
const ask = (port: number, content: string, stream: boolean) =>
  fetch(`http://127.0.0.1:${port}/api/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEYS[asked++ % KEYS.length]}`, "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ role: "user", content }], stream }),
  })

/** Reads a stream to its end. Returns the ms to its first event. */
const listen = async (port: number, milliseconds: number) => {
  const began = performance.now()
  const reply = await ask(port, String(milliseconds), true)
  if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`)
  let first = 0
  let last = ""
  for await (const text of reply.body!.pipeThrough(new TextDecoderStream())) {
    first ||= performance.now() - began
    last = (last + text).slice(-1000)
  }
  if (!last.includes('"type":"done"')) throw new Error(`a stream ended with ${last.slice(-200)}`)
  return first
}

/** Bytes in use on the server after a garbage collection; less than its resident memory. */
const inUse = async (port: number) => {
  const reply = await ask(port, "memory", false)
  return Number(((await reply.json()) as { message: { content: string } }).message.content)
}

const EXPOSED: Record<Runtime, ReadonlyArray<string>> = {
  node: ["--expose-gc"],
  bun: [],
  deno: ["--v8-flags=--expose-gc"],
}

/** Measures the memory of the server per open stream: in use, and the peak of resident memory. */
export const streams = async () => {
  heading(`Streams: ${STREAMS} at once, a word every 100 ms each`)
  const rows: Array<ReadonlyArray<string>> = []
  for (const runtime of Object.keys(RUNTIMES) as ReadonlyArray<Runtime>) {
    const program = { runtime, script: "bench/peers/streaming.ts", runtimeArgs: EXPOSED[runtime] }
    const server = await startProgram(program, { path: "/health/ready" })
    try {
      await Promise.all(Array.from({ length: STREAMS }, () => listen(server.port, 1_000)))
      await pause(1_000)
      const before = await inUse(server.port)
      const resident = memoryOf(server.pid).now
      const listening = Promise.all(Array.from({ length: STREAMS }, () => listen(server.port, 10_000)))
      await pause(5_000)
      const each = ((await inUse(server.port)) - before) / 1024 / STREAMS
      const grown = ((memoryOf(server.pid).now - resident) * 1024) / STREAMS
      const first = median(await listening)
      rows.push([runtime, each.toFixed(0), grown.toFixed(0), first.toFixed(0)])
      judge(`${STREAMS} streams on ${runtime}, memory each`, each, 64, "KiB")
    } finally {
      await server.stop()
    }
  }
  table(["server", "KiB in use each", "KiB resident each", `first event ms, ${STREAMS} asked at once`], rows)
}
