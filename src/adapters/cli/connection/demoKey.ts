import * as Effect from "effect/Effect"
import type { Configuration } from "../../configuration/configuration.ts"
import { keep, readKept } from "../../directory/dataDirectory.ts"

/** What a start of the demo leaves for the next, and for `ask`. */
export interface Kept {
  readonly keyId: string
  readonly key: string
}

const KEPT = "demo.json"

/** Kept only where the data is: a database in memory has no next start. */
export const readDemo = ({ database, dataDirectory }: Configuration) =>
  database.kind === "memory"
    ? Effect.undefined
    : Effect.map(readKept(dataDirectory, KEPT), (text) => (text === undefined ? undefined : parse(text)))

export const keepDemo = ({ database, dataDirectory }: Configuration, kept: Kept) =>
  database.kind === "memory" ? Effect.void : keep(dataDirectory, KEPT, JSON.stringify(kept))

const parse = (text: string): Kept | undefined => {
  try {
    const { keyId, key } = JSON.parse(text) as Partial<Kept>
    return typeof keyId === "string" && typeof key === "string" ? { keyId, key } : undefined
  } catch {
    return undefined
  }
}
