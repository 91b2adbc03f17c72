import type { Unreadable } from "../document.ts"
import type { MediaPiece, PieceLimits } from "./pieces.ts"

/** Messages to the thread. `bytes` answers the pending `read`; `next` asks for the next piece. */
export type ToMedia =
  | { readonly kind: "begin"; readonly size: number; readonly limits: PieceLimits }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "next" }

/** Messages from the thread, which waits for an answer after each but `started`. */
export type FromMedia =
  | { readonly kind: "started" }
  | { readonly kind: "read"; readonly start: number; readonly end: number }
  | { readonly kind: "piece"; readonly piece: MediaPiece }
  | { readonly kind: "end" }
  | { readonly kind: "unreadable"; readonly code: Unreadable["code"]; readonly reason: string }
  | { readonly kind: "fault"; readonly message: string }
