import * as Effect from "effect/Effect"
import type { Configuration } from "../../configuration/configuration.ts"
import { keep, readStored } from "../../directory/dataDirectory.ts"

/** The demo's key, stored for its next start and for `ask`. */
export interface DemoKey {
  readonly keyId: string
  readonly key: string
}

const FILE_NAME = "demo.json"

/** Stored only beside stored data: a database in memory has no next start. */
export const readDemo = ({ database, dataDirectory }: Configuration) =>
  database.kind === "memory"
    ? Effect.undefined
    : Effect.map(readStored(dataDirectory, FILE_NAME), (text) => (text === undefined ? undefined : parse(text)))

export const storeDemo = ({ database, dataDirectory }: Configuration, kept: DemoKey) =>
  database.kind === "memory" ? Effect.void : keep(dataDirectory, FILE_NAME, JSON.stringify(kept))

const parse = (text: string): DemoKey | undefined => {
  try {
    const { keyId, key } = JSON.parse(text) as Partial<DemoKey>
    return typeof keyId === "string" && typeof key === "string" ? { keyId, key } : undefined
  } catch {
    return undefined
  }
}
