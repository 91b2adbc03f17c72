import type { Unreadable } from "./document.ts"

/** The error of a document that cannot be read. Any other error of a reader is a bug. */
export class UnreadableError extends Error implements Unreadable {
  override readonly name = "UnreadableError"
  readonly code: Unreadable["code"]
  readonly reason: string

  constructor(code: Unreadable["code"], reason: string) {
    super(reason)
    this.code = code
    this.reason = reason
  }
}
