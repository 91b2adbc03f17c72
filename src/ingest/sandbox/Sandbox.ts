// webpack finds the thread below only with this name, without `node:`.
import { Worker } from "worker_threads"
import { type Attachment, LIMITS, type PagePicture, type ReadAndCut, type Recognition } from "../document.ts"
import { assembleDocument, type Part } from "../part.ts"
import type { DocumentFormat } from "../readers.ts"
import { CannotStartThread, crashed, isOutOfMemory, NO_SIGN, tooLarge, tooSlow } from "./errors.ts"
import { WATCH_INTERVAL_MS, heapLimits, maxResidentBytes, NEXT_PART, ON_BUN, residentBytes } from "./threads.ts"
import { type Allowance, TimeLimit } from "./TimeLimit.ts"
import { UnreadableError } from "../UnreadableError.ts"
import type { SheetChoice } from "../importFiles/sheetReader.ts"
import type { SheetPart } from "../importFiles/sheetPart.ts"
import type { Answer, Job, Work } from "./workerProtocol.ts"

export interface SandboxOptions extends Allowance {
  /** Documents read at the same time, one thread each; the threads share the memory limit. Default 1. */
  readonly size?: number
  readonly heapMegabytes?: number
  /** The nursery of a thread's heap; see `YOUNG_MEGABYTES`. */
  readonly youngMegabytes?: number
  /** A module that calls `serve`; default: our readers. */
  readonly worker?: URL | undefined
}

interface Task {
  readonly work: Work
  readonly bytes: Uint8Array
  readonly signal: AbortSignal | undefined
  /** Takes a part of a sheet. The thread waits until it resolves. */
  readonly onPart: ((part: SheetPart) => Promise<void>) | undefined
  /** Leaves the queue. */
  readonly forget: () => void
  readonly resolve: (result: ReadAndCut | PagePicture | undefined) => void
  readonly reject: (cause: unknown) => void
}

/** Callbacks for a thread's answers while it reads. */
interface Watcher {
  readonly started: () => void
  readonly answered: (answer: Exclude<Answer, { readonly outcome: "started" }>) => void
  readonly failed: (error: UnreadableError | CannotStartThread) => void
}

interface Thread {
  readonly worker: Worker
  /**
   * Whether the thread has said that it listens. Until then it gets no file, and its failures are its own. An error can overtake a message
   * that the thread sent before, so a file sent any earlier could crash the thread while this is still false.
   */
  hasStarted: boolean
  files: number
  watcher: Watcher | undefined
}

/** On Bun a thread's heap has no limit and does not shrink. */
const MAX_FILES_PER_THREAD = ON_BUN ? 50 : Number.POSITIVE_INFINITY
const MAX_RESIDENT_BYTES = 1024 ** 3

const sharedBytes = (bytes: Uint8Array) => {
  const shared = new SharedArrayBuffer(bytes.byteLength)
  new Uint8Array(shared).set(bytes)
  return shared
}

/** Decoders of text and stores refuse shared memory. */
const unshare = (attachment: Attachment): Attachment => ({ ...attachment, bytes: attachment.bytes.slice() })

/**
 * Reads each document in its own thread, and terminates threads that exceed their time or memory, crash, or are aborted. V8 enforces the heap limit;
 * for everything else (Bun's heap, array buffers) the sandbox watches how far the whole process grows.
 */
export class Sandbox {
  private readonly idle: Array<Thread> = []
  private readonly waiting: Array<Task> = []
  private readonly running = new Set<Thread>()
  private readonly size: number
  private readonly allowance: Allowance
  private readonly heapMegabytes: number
  private readonly youngMegabytes: number | undefined
  private readonly worker: URL | undefined

  constructor(options: SandboxOptions = {}) {
    this.size = options.size ?? 1
    this.allowance = options
    this.heapMegabytes = options.heapMegabytes ?? LIMITS.heapMegabytes
    this.youngMegabytes = options.youngMegabytes
    this.worker = options.worker
  }

  /** Reads a document and its chunks. Rejects with `UnreadableError`, `CannotStartThread` or the signal's reason. */
  read(
    bytes: Uint8Array,
    format: DocumentFormat,
    { signal, recognition }: { readonly signal?: AbortSignal; readonly recognition?: Recognition } = {},
  ): Promise<ReadAndCut> {
    return this.queue({ format, recognition }, bytes, signal) as Promise<ReadAndCut>
  }

  /** Draws a page, counted from 1. Rejects as `read` does. */
  draw(
    bytes: Uint8Array,
    format: DocumentFormat,
    page: number,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<PagePicture> {
    return this.queue({ format, page }, bytes, signal) as Promise<PagePicture>
  }

  /** Reads a sheet part by part. Each is handed over when the one before is taken, which is no time of the thread. Rejects as `read` does. */
  readSheet(
    bytes: Uint8Array,
    sheet: SheetChoice,
    onPart: (part: SheetPart) => Promise<void>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    return this.queue({ format: sheet.container, sheet }, bytes, signal, onPart) as Promise<void>
  }

  /** Terminates all threads and rejects queued documents. */
  async close(): Promise<void> {
    for (const task of this.waiting.splice(0)) task.reject(new Error("the sandbox was closed"))
    const threads = [...this.idle.splice(0), ...this.running]
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  private queue(work: Work, bytes: Uint8Array, signal: AbortSignal | undefined, onPart?: Task["onPart"]) {
    return new Promise<ReadAndCut | PagePicture | undefined>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const task: Task = { work, bytes, signal, onPart, resolve, reject, forget: () => this.forget(task) }
      signal?.addEventListener("abort", task.forget)
      this.waiting.push(task)
      this.next()
    })
  }

  private forget(task: Task) {
    this.waiting.splice(this.waiting.indexOf(task), 1)
    task.signal?.removeEventListener("abort", task.forget)
    task.reject(task.signal?.reason)
  }

  private next() {
    if (this.running.size >= this.size) return
    const task = this.waiting.shift()
    if (task === undefined) return
    task.signal?.removeEventListener("abort", task.forget)
    try {
      const thread = this.idle.pop() ?? this.start()
      this.running.add(thread)
      this.run(thread, task)
    } catch (cause) {
      task.reject(new CannotStartThread(this.worker ?? "worker.js", cause))
      queueMicrotask(() => this.next())
    }
  }

  private start(): Thread {
    const resourceLimits = heapLimits(this.heapMegabytes, this.youngMegabytes)
    const worker =
      this.worker === undefined
        ? // In this form, bundlers find the module and bundle it.
          new Worker(new URL("./worker.js", import.meta.url), { resourceLimits })
        : new Worker(this.worker, { resourceLimits })
    const thread: Thread = { worker, hasStarted: false, files: 0, watcher: undefined }
    const failed = (error: UnreadableError) =>
      thread.watcher?.failed(
        thread.hasStarted ? error : new CannotStartThread(this.worker ?? "worker.js", error.cause ?? error),
      )
    thread.worker
      .on("message", (answer: Answer) => {
        if (answer.outcome === "started") {
          thread.hasStarted = true
          thread.watcher?.started()
        } else thread.watcher?.answered(answer)
      })
      .on("error", (cause) => failed(isOutOfMemory(cause) ? tooLarge() : crashed(cause)))
      .on("messageerror", (cause) => failed(crashed(cause)))
      .on("exit", (code) => {
        // An idle thread may end by itself.
        const at = this.idle.indexOf(thread)
        if (at >= 0) this.idle.splice(at, 1)
        failed(crashed(`the thread ended with ${code}`))
      })
    return thread
  }

  private run(thread: Thread, task: Task) {
    const { worker } = thread
    let began = performance.now()
    const limit = new TimeLimit(worker, this.allowance)
    let most = maxResidentBytes(this.heapMegabytes, this.running.size)
    /** When the thread began to wait for its part to be taken. */
    let pausedAt: number | undefined
    let over = false
    const finish = (settle: () => void, keep: boolean) => {
      if (over) return
      over = true
      clearInterval(watch)
      task.signal?.removeEventListener("abort", abort)
      thread.watcher = undefined
      void this.release(thread, keep).then(() => {
        settle()
        this.next()
      })
    }
    const fail = (cause: unknown) => finish(() => task.reject(cause), false)
    const abort = () => fail(task.signal?.reason)
    const takePart = async (part: SheetPart) => {
      pausedAt = performance.now()
      await task.onPart?.(part)
      began += performance.now() - pausedAt
      pausedAt = undefined
      // Others have used memory meanwhile.
      most = Math.max(most, maxResidentBytes(this.heapMegabytes, this.running.size))
      if (!over) worker.postMessage(NEXT_PART, [])
    }
    const watch = setInterval(() => {
      if (pausedAt !== undefined) return
      if (limit.isOver(performance.now() - began))
        fail(thread.hasStarted ? tooSlow(limit.cpuSeconds) : new CannotStartThread(this.worker ?? "worker.js", NO_SIGN))
      else if (residentBytes() > most) fail(tooLarge())
    }, WATCH_INTERVAL_MS)
    task.signal?.addEventListener("abort", abort, { once: true })
    const parts: Array<Part> = []
    const attachments: Array<Attachment> = []
    const answered: Watcher["answered"] = (answer) => {
      if (answer.outcome === "part") parts.push(answer.part)
      else if (answer.outcome === "attachment") attachments.push(unshare(answer.attachment))
      else if (answer.outcome === "sheetPart") takePart(answer.part).catch(fail)
      else if (answer.outcome === "sheetRead") finish(() => task.resolve(undefined), true)
      else if (answer.outcome === "read") {
        const document = assembleDocument(parts, answer.warnings, attachments)
        finish(() => task.resolve(document), true)
      } else if (answer.outcome === "drawn") finish(() => task.resolve(answer.picture), true)
      else if (answer.outcome === "fault") fail(crashed(answer.message))
      else finish(() => task.reject(new UnreadableError(answer.code, answer.reason)), true)
    }
    const job: Job = { ...task.work, bytes: sharedBytes(task.bytes) }
    const started = () => worker.postMessage(job, [])
    thread.watcher = { started, answered, failed: fail }
    worker.ref()
    if (thread.hasStarted) started()
  }

  /** Returns the thread to the pool or terminates it. */
  private async release(thread: Thread, keep: boolean) {
    thread.files++
    this.running.delete(thread)
    if (keep && thread.files < MAX_FILES_PER_THREAD && (!ON_BUN || residentBytes() < MAX_RESIDENT_BYTES)) {
      thread.worker.unref()
      this.idle.push(thread)
    } else {
      await thread.worker.terminate()
    }
  }
}
