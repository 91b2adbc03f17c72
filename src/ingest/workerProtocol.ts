import { parentPort } from "node:worker_threads"
import type { ReadDocument, Unreadable } from "./document.ts"
import type { Reader } from "./readers.ts"
import { UnreadableError } from "./UnreadableError.ts"

export interface Job {
  readonly format: string
  readonly bytes: Uint8Array
}

/** `fault`: what a reader threw that is no `UnreadableError`. */
export type Answer =
  | { readonly outcome: "read"; readonly document: ReadDocument }
  | { readonly outcome: "unreadable"; readonly code: Unreadable["code"]; readonly reason: string }
  | { readonly outcome: "fault"; readonly message: string }

const answer = async (readers: Readonly<Record<string, Reader>>, { format, bytes }: Job): Promise<Answer> => {
  try {
    const reader = readers[format]
    if (reader === undefined) return { outcome: "fault", message: `no reader for ${format}` }
    return { outcome: "read", document: await reader(bytes) }
  } catch (cause) {
    if (cause instanceof UnreadableError) return { outcome: "unreadable", code: cause.code, reason: cause.reason }
    return { outcome: "fault", message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause) }
  }
}

/** A worker's whole life: one job in, one answer out. */
export const serve = (readers: Readonly<Record<string, Reader>>) => {
  const port = parentPort
  if (port === null) throw new Error("serve runs in a worker thread")
  port.on("message", (job: Job) => {
    void answer(readers, job).then((message) => port.postMessage(message))
  })
}
