import { parentPort } from "node:worker_threads"
import { PackageMissing } from "../../core/common/optionalPackage.ts"
import type { FromMedia, ToMedia } from "./protocol.ts"
import { UnreadableError } from "../UnreadableError.ts"

const port = parentPort
if (port === null) throw new Error("this runs in a worker thread")

let saying: Promise<unknown> = Promise.resolve()
/** Sends a message after every earlier one is answered, and resolves with the reply. */
const ask = (message: FromMedia): Promise<ToMedia> => {
  const answered = saying.then(
    () =>
      new Promise<ToMedia>((resolve) => {
        port.once("message", resolve)
        port.postMessage(message, [])
      }),
  )
  saying = answered
  return answered
}

const read = async (start: number, end: number): Promise<Uint8Array> => {
  const answer = await ask({ kind: "read", start, end })
  return answer.kind === "bytes" ? answer.bytes : new Uint8Array()
}

const work = async ({ size, limits }: ToMedia & { readonly kind: "begin" }): Promise<FromMedia> => {
  try {
    const { pieces } = await import("./pieces.ts")
    for await (const piece of pieces({ size, read }, limits)) await ask({ kind: "piece", piece })
    return { kind: "end" }
  } catch (cause) {
    if (cause instanceof UnreadableError) return { kind: "unreadable", code: cause.code, reason: cause.reason }
    if (cause instanceof PackageMissing) return { kind: "unreadable", code: "unsupported", reason: cause.message }
    return { kind: "fault", message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause) }
  }
}

port.once("message", (begin: ToMedia & { readonly kind: "begin" }) => {
  void work(begin).then((last) => saying.then(() => port.postMessage(last, [])))
})
port.postMessage({ kind: "started" } satisfies FromMedia, [])
