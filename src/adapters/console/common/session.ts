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

export const endSession = () => {
  if (signedIn.value !== null) signedIn.value = null
}

/** Pages below the shell are shown only to people who are signed in. */
export const current = (): SignedIn => {
  const value = signedIn.value
  if (value == null) throw new Error("not signed in")
  return value
}
