import type { Unreadable } from "../document.ts"
import type { MediaPiece, PieceLimits } from "./pieces.ts"

/** What the thread is told. `bytes` answers the one `read` that is open; `next` asks for the piece after the last. */
export type ToMedia =
  | { readonly kind: "begin"; readonly size: number; readonly limits: PieceLimits }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "next" }

/** What it says: it never says more before it is answered. */
export type FromMedia =
  | { readonly kind: "read"; readonly start: number; readonly end: number }
  | { readonly kind: "piece"; readonly piece: MediaPiece }
  | { readonly kind: "end" }
  | { readonly kind: "unreadable"; readonly code: Unreadable["code"]; readonly reason: string }
  | { readonly kind: "fault"; readonly message: string }
