// webpack finds the thread below only with this name, without `node:`.
import { Worker } from "worker_threads"
import { LIMITS } from "../document.ts"
import type { MediaPiece, PieceLimits } from "./pieces.ts"
import type { ByteSource } from "./mp3Delay.ts"
import type { FromMedia, ToMedia } from "./protocol.ts"
import { CannotStartThread, crashed, isOutOfMemory, NO_SIGN, tooLarge, tooSlow } from "../sandbox/errors.ts"
import { WATCH_INTERVAL_MS, heapLimits, maxResidentBytes, residentBytes } from "../sandbox/threads.ts"
import { type Allowance, TimeLimit } from "../sandbox/TimeLimit.ts"
import { UnreadableError } from "../UnreadableError.ts"

/** The time limit applies to the work between two pieces; waiting for bytes does not count. */
export interface ThreadOptions extends Allowance {
  readonly heapMegabytes?: number
  /** A module that speaks the protocol of `protocol.ts`; default: ours. */
  readonly worker?: URL | undefined
}

/** Runs `pieces` in its own thread, which ends with the iteration or when a recording exceeds its limits. The calling thread reads the bytes. */
export const piecesInThread = (
  bytes: ByteSource,
  limits: PieceLimits,
  options: ThreadOptions = {},
): AsyncIterable<MediaPiece> => ({
  [Symbol.asyncIterator]: () => {
    const stop = new AbortController()
    const generated = generate(bytes, limits, options, stop.signal)
    return {
      next: () => generated.next(),
      // The generator's own `return` would wait for the piece in progress.
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
  { heapMegabytes = LIMITS.heapMegabytes, worker: url, ...allowance }: ThreadOptions,
  signal: AbortSignal,
): AsyncGenerator<MediaPiece, void, void> {
  const resourceLimits = heapLimits(heapMegabytes)
  const worker =
    url === undefined
      ? // In this form, bundlers find the module and bundle it.
        new Worker(new URL("./mediaWorker.js", import.meta.url), { resourceLimits })
      : new Worker(url, { resourceLimits })
  // As in Sandbox.ts, the thread gets no work before it says that it listens. Until then, its failures are its own.
  let hasStarted = false
  const unlessStarting = (error: UnreadableError, cause = error.cause ?? error) =>
    hasStarted ? error : new CannotStartThread(url ?? "mediaWorker.js", cause)
  const limit = new TimeLimit(worker, allowance)
  const most = maxResidentBytes(heapMegabytes)
  let spent = 0
  let heard: (answer: FromMedia) => void = () => {}
  let failed: (cause: unknown) => void = () => {}
  worker
    .on("message", (answer: FromMedia) => {
      hasStarted = true
      heard(answer)
    })
    .on("error", (cause) => failed(unlessStarting(isOutOfMemory(cause) ? tooLarge() : crashed(cause))))
    .on("exit", (code) => failed(unlessStarting(crashed(`the thread ended with ${code}`))))
  signal.addEventListener("abort", () => failed(signal.reason))
  /** Sends a message, if any, and waits for the thread's next one. */
  const tell = async (message?: ToMedia) => {
    // Many short turns add up, and none lasts until the watch checks.
    if (limit.isOver(spent)) throw tooSlow(limit.cpuSeconds)
    signal.throwIfAborted()
    const began = performance.now()
    const watch = setInterval(() => {
      if (limit.isOver(spent + performance.now() - began)) failed(unlessStarting(tooSlow(limit.cpuSeconds), NO_SIGN))
      else if (residentBytes() > most) failed(tooLarge())
    }, WATCH_INTERVAL_MS)
    try {
      return await new Promise<FromMedia>((resolve, reject) => {
        heard = resolve
        failed = reject
        if (message !== undefined) worker.postMessage(message, [])
      })
    } finally {
      clearInterval(watch)
      spent += performance.now() - began
    }
  }
  try {
    // The thread says that it listens.
    await tell()
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
