import { signal } from "@preact/signals"
import type { Output } from "../../client/client.ts"

export type Workspace = Output<"workspace", "get">
type Session = Output<"sessions", "list">["data"][number]

interface SignedIn {
  readonly session: Session
  readonly workspace: Workspace
}

/** Undefined: not known yet. Null: signed out. */
export const signedIn = signal<SignedIn | null | undefined>(undefined)

let wasSignedIn = false

export const endSession = () => {
  if (signedIn.value != null) wasSignedIn = true
  if (signedIn.value !== null) signedIn.value = null
}

/** Whether this page still has replies, questions and uploads of a session that ended. */
export const isUsed = (): boolean => wasSignedIn

/** Pages below the shell are shown only to people who are signed in. */
export const current = (): SignedIn => {
  const value = signedIn.value
  if (value == null) throw new Error("not signed in")
  return value
}
