import type { Unreadable } from "./document.ts"

/** Thrown by a reader; everything else it throws is a fault of ours. */
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
