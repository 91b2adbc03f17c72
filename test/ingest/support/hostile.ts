import { UnreadableError } from "../../../src/ingest/UnreadableError.ts"
import { serve } from "../../../src/ingest/sandbox/workerProtocol.ts"

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
    await new Promise((resolve) => setTimeout(resolve, 1))
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
    setTimeout(() => {
      throw new Error("thrown where no one waits")
    })
    return new Promise(() => undefined)
  },
  encrypted: async () => {
    throw new UnreadableError("encrypted", "It asks for a password. Remove it.")
  },
  dying: async () => {
    setTimeout(() => process.exit(3), 50)
    return document("while idle")
  },
  /** Uses half a second of CPU time, however long that takes. */
  working: async () => {
    busy(500)
    return document("worked")
  },
  good: async (bytes) => document(`${bytes.byteLength} bytes`),
})
