import { LIMITS } from "../document.ts"
import { UnreadableError } from "../UnreadableError.ts"

export const tooSlow = (seconds: number) =>
  new UnreadableError("too-slow", `Reading this file took more than ${seconds} seconds. Split it into smaller files.`)

export const tooLarge = () =>
  new UnreadableError(
    "too-large",
    "Reading this file took more memory than a file may take. Split it into smaller files.",
  )

export const tooLong = () =>
  new UnreadableError(
    "too-large",
    `This recording is longer than ${LIMITS.recordingSeconds / 3600} hours. Split it and upload the parts.`,
  )

/** `cause` is the thread's last message, for the log. */
export const crashed = (cause: unknown) =>
  Object.assign(
    new UnreadableError(
      "damaged",
      "Reading this file failed. Open it in the program that made it, save it again, and upload the new file.",
    ),
    { cause },
  )

/** A reader thread does not start: a fault of the server, not of the file. */
export class CannotStartThread extends Error {
  override readonly name = "CannotStartThread"
  /** Whether a later attempt may succeed: the machine is busy, or has no memory. A missing or faulty program stays so. */
  readonly isTransient: boolean

  constructor(url: URL | string, cause: unknown) {
    super(
      `the reader thread ${String(url)
        .replace(/;base64,.*/s, "")
        .slice(0, 200)} does not start: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
    this.cause = cause
    this.isTransient =
      cause === NO_SIGN || isOutOfMemory(cause) || TRANSIENT.has((cause as NodeJS.ErrnoException)?.code)
  }
}

/** The cause of a `CannotStartThread` for a thread that did not start in time. */
export const NO_SIGN = "it gives no sign"

/** Codes of errors of a machine that has no room for a thread. */
const TRANSIENT = new Set<unknown>(["ERR_WORKER_INIT_FAILED", "EAGAIN", "ENOMEM", "EMFILE"])

/** Whether V8 ended a thread at its heap's limit. */
export const isOutOfMemory = (cause: unknown) =>
  cause instanceof Error &&
  ((cause as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY" || /memory|heap/i.test(cause.message))
