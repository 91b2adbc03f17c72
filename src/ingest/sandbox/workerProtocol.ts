import { parentPort } from "node:worker_threads"
import { setImmediate } from "node:timers/promises"
import { Cutter } from "../chunk.ts"
import type { Element, ReadDocument, Unreadable, Warning } from "../document.ts"
import type { Emit } from "../elements.ts"
import type { Part } from "../part.ts"
import type { Reader } from "../readers.ts"
import { UnreadableError } from "../UnreadableError.ts"

/** The bytes are shared: a thread of Deno that a buffer was transferred to takes three times the memory from then on. */
export interface Job {
  readonly format: string
  readonly bytes: SharedArrayBuffer
}

/** `part`: of what is being handed over, in order. `fault`: what a reader threw that is no `UnreadableError`. */
export type Answer =
  | { readonly outcome: "part"; readonly part: Part }
  | { readonly outcome: "read"; readonly warnings: ReadonlyArray<Warning> }
  | { readonly outcome: "unreadable"; readonly code: Unreadable["code"]; readonly reason: string }
  | { readonly outcome: "fault"; readonly message: string }

const PART = 1000

/** In parts, each let go of at once, or a large sheet would stand in memory many times over and stop the other thread while it is copied. */
const handOver = async (document: ReadDocument, emit: Emit) => {
  const elements = document.elements as Array<Element>
  while (elements.length > 0) {
    emit(elements.splice(0, PART))
    await setImmediate()
  }
}

const answer = async (
  readers: Readonly<Record<string, Reader>>,
  format: string,
  bytes: Uint8Array,
  post: (answer: Answer) => void,
): Promise<Answer> => {
  try {
    const reader = readers[format]
    if (reader === undefined) return { outcome: "fault", message: `no reader for ${format}` }
    const cutter = new Cutter()
    const emit: Emit = (elements) => post({ outcome: "part", part: cutter.take(elements) })
    const document = await reader(bytes, emit)
    await handOver(document, emit)
    post({ outcome: "part", part: cutter.end() })
    return { outcome: "read", warnings: document.warnings }
  } catch (cause) {
    if (cause instanceof UnreadableError) return { outcome: "unreadable", code: cause.code, reason: cause.reason }
    return { outcome: "fault", message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause) }
  }
}

/** A worker's whole life: one job in, its parts and one last answer out. */
export const serve = (readers: Readonly<Record<string, Reader>>) => {
  const port = parentPort
  if (port === null) throw new Error("serve runs in a worker thread")
  port.on("message", ({ format, bytes }: Job) => {
    const post = (message: Answer) => port.postMessage(message)
    void answer(readers, format, new Uint8Array(bytes), post).then(post)
  })
}
