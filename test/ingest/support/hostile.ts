import { setImmediate as turn } from "node:timers/promises"
import { UnreadableError } from "../../../src/ingest/UnreadableError.ts"
import { serve } from "../../../src/ingest/sandbox/workerProtocol.ts"
import { refuseEarlyWork } from "./early.ts"

const forever = (): never => {
  for (;;) Math.random()
}

const hog = async () => {
  const kept: Array<unknown> = []
  for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })))
}

const buffers = async () => {
  const kept: Array<Uint8Array> = []
  for (;;) {
    kept.push(new Uint8Array(16 * 1024 * 1024).fill(1))
    await turn()
  }
}

const document = (text: string) => ({
  elements: [{ kind: "paragraph", text, place: { kind: "text" } } as const],
  warnings: [],
})

const busy = (cpuMs: number) => {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const end = used() + cpuMs
  while (used() < end) Math.random()
}

refuseEarlyWork()

/** Readers that misbehave as libraries do. */
serve({
  forever,
  hog,
  buffers,
  exit: async () => process.exit(3),
  fault: async () => {
    throw new TypeError("a bug of ours")
  },
  async: () => new Promise(() => undefined),
  uncaught: () => {
    setImmediate(() => {
      throw new Error("thrown where no one waits")
    })
    return new Promise(() => undefined)
  },
  encrypted: async () => {
    throw new UnreadableError("encrypted", "It asks for a password. Remove it.")
  },
  dying: async () => {
    void (async () => {
      // The reply leaves first.
      for (let turns = 0; turns < 100; turns++) await turn()
      process.exit(3)
    })()
    return document("while idle")
  },
  /** Uses half a second of CPU time, however long that takes. */
  working: async () => {
    busy(500)
    return document("worked")
  },
  good: async (bytes) => document(`${bytes.byteLength} bytes`),
})
