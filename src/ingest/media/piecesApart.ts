import { Worker } from "node:worker_threads"
import { LIMITS } from "../document.ts"
import type { ByteSource, MediaPiece, PieceLimits } from "./pieces.ts"
import type { FromMedia, ToMedia } from "./protocol.ts"
import { crashed, isOutOfMemory, tooLarge, tooSlow } from "../sandbox/errors.ts"
import { GLANCE, heapLimits, mostResident, moduleBeside, residentBytes } from "../sandbox/threads.ts"
import { type Allowance, TimeLimit } from "../sandbox/TimeLimit.ts"
import { UnreadableError } from "../UnreadableError.ts"

/** The time limit is that of work between two pieces; the time that bytes take to come is not counted. */
export interface ApartOptions extends Allowance {
  readonly heapMegabytes?: number
  /** A module that speaks `mediaProtocol`; ours if not said. */
  readonly worker?: URL
}

/** `pieces` in a thread of its own, which ends with the iteration, and when a recording asks too much of it. Its bytes are read by this one. */
export const piecesApart = (
  bytes: ByteSource,
  limits: PieceLimits,
  options: ApartOptions = {},
): AsyncIterable<MediaPiece> => ({
  [Symbol.asyncIterator]: () => {
    const stop = new AbortController()
    const generated = generate(bytes, limits, options, stop.signal)
    return {
      next: () => generated.next(),
      // The generator's own waits for the piece that is being made.
      return: () => {
        stop.abort()
        return generated.return()
      },
    }
  },
})

async function* generate(
  bytes: ByteSource,
  limits: PieceLimits,
  {
    heapMegabytes = LIMITS.heapMegabytes,
    worker: url = moduleBeside(import.meta.url, "mediaWorker"),
    ...allowance
  }: ApartOptions,
  signal: AbortSignal,
): AsyncGenerator<MediaPiece, void, void> {
  const worker = new Worker(url, { resourceLimits: heapLimits(heapMegabytes) })
  const limit = new TimeLimit(worker, allowance)
  const most = mostResident(heapMegabytes)
  let spent = 0
  let heard: (answer: FromMedia) => void = () => {}
  let failed: (cause: unknown) => void = () => {}
  worker
    .on("message", (answer: FromMedia) => heard(answer))
    .on("error", (cause) => failed(isOutOfMemory(cause) ? tooLarge() : crashed(cause)))
    .on("exit", (code) => failed(crashed(`the thread ended with ${code}`)))
  signal.addEventListener("abort", () => failed(signal.reason))
  const tell = async (message: ToMedia) => {
    // Many short turns are time too; none of them lasts until the watch looks.
    if (limit.isOver(spent)) throw tooSlow(limit.cpuSeconds)
    signal.throwIfAborted()
    const began = performance.now()
    const watch = setInterval(() => {
      if (limit.isOver(spent + performance.now() - began)) failed(tooSlow(limit.cpuSeconds))
      else if (residentBytes() > most) failed(tooLarge())
    }, GLANCE)
    try {
      return await new Promise<FromMedia>((resolve, reject) => {
        heard = resolve
        failed = reject
        worker.postMessage(message, [])
      })
    } finally {
      clearInterval(watch)
      spent += performance.now() - began
    }
  }
  try {
    let said = await tell({ kind: "begin", size: bytes.size, limits })
    for (;;) {
      if (said.kind === "read") {
        said = await tell({ kind: "bytes", bytes: await bytes.read(said.start, said.end, signal) })
      } else if (said.kind === "piece") {
        spent = 0
        limit.restart()
        yield said.piece
        said = await tell({ kind: "next" })
      } else if (said.kind === "unreadable") throw new UnreadableError(said.code, said.reason)
      else if (said.kind === "fault") throw crashed(said.message)
      else return
    }
  } finally {
    await worker.terminate()
  }
}
