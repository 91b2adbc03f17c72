import { fingerprint } from "./fingerprint.ts"
import type { Logged } from "./Logged.ts"

/** Logs rows that a batch wrote and deleted, by the rows that it found. */
export const logRows = <Row extends object>(
  found: ReadonlyArray<Row>,
  changed: ReadonlyArray<Row>,
  deletedKeys: ReadonlyArray<string>,
  keyOf: (row: Row) => string,
): ReadonlyArray<Logged<Row>> => {
  const before = new Map(found.map((row) => [keyOf(row), row]))
  const deleted = new Set(deletedKeys)
  return [
    ...changed.map((row) => {
      const key = keyOf(row)
      const old = deleted.has(key) ? undefined : before.get(key)
      return { id: key, mark: fingerprint(row), ...(old !== undefined && { before: old }) }
    }),
    ...deletedKeys.map((id) => ({ id, before: before.get(id)! })),
  ]
}

export const byId = ({ id }: { readonly id: string }): string => id
