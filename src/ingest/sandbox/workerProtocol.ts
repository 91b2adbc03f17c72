import { parentPort } from "node:worker_threads"
import { setImmediate } from "node:timers/promises"
import { PackageMissing } from "../../core/common/optionalPackage.ts"
import { Cutter } from "../chunk.ts"
import type { Element, ReadDocument, Unreadable, Warning } from "../document.ts"
import type { Emit } from "../elements.ts"
import type { Part } from "../part.ts"
import type { Reader } from "../readers.ts"
import { UnreadableError } from "../UnreadableError.ts"

/** Shared bytes: a Deno thread that received a transferred buffer takes three times the memory from then on. */
export interface Job {
  readonly format: string
  readonly bytes: SharedArrayBuffer
}

/** `started`: the thread listens. `part`: the next part of the document, in order. `fault`: a reader's error other than `UnreadableError`. */
export type Answer =
  | { readonly outcome: "started" }
  | { readonly outcome: "part"; readonly part: Part }
  | { readonly outcome: "read"; readonly warnings: ReadonlyArray<Warning> }
  | { readonly outcome: "unreadable"; readonly code: Unreadable["code"]; readonly reason: string }
  | { readonly outcome: "fault"; readonly message: string }

const PART_ELEMENTS = 1000

/** Sends parts and frees each at once: otherwise a large sheet would exist in memory several times and block the other thread while it is copied. */
const sendParts = async (document: ReadDocument, emit: Emit) => {
  const elements = document.elements as Array<Element>
  while (elements.length > 0) {
    emit(elements.splice(0, PART_ELEMENTS))
    await setImmediate()
  }
}

/** Reads a document, posts its parts, and returns the last answer. */
export const answer = async (
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
    await sendParts(document, emit)
    post({ outcome: "part", part: cutter.end() })
    return { outcome: "read", warnings: document.warnings }
  } catch (cause) {
    if (cause instanceof UnreadableError) return { outcome: "unreadable", code: cause.code, reason: cause.reason }
    if (cause instanceof PackageMissing) return { outcome: "unreadable", code: "unsupported", reason: cause.message }
    return { outcome: "fault", message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause) }
  }
}

/** Serves one job at a time: a document in, its parts and a final answer out. */
export const serve = (readers: Readonly<Record<string, Reader>>) => {
  const port = parentPort
  if (port === null) throw new Error("serve runs in a worker thread")
  const post = (message: Answer) => port.postMessage(message)
  port.on("message", ({ format, bytes }: Job) => {
    void answer(readers, format, new Uint8Array(bytes), post).then(post)
  })
  post({ outcome: "started" })
}
