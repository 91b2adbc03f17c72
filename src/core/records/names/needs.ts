import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type By, type Match, Names } from "./Names.ts"
import type { Kind } from "./kinds.ts"

/** A stored row that the file names: how, and by what value. */
export interface Need extends Match {
  readonly kind: Kind
  readonly by: By
}

/** Needs of one kind, and the characters of all. Files name few stages, owners and reasons; of many clients, the first suffice. */
const MAX_OF_KIND = 200
const MAX_CHARACTERS = 65_536

/** Collects the stored rows that a file names, within the limits. */
export class Needs {
  readonly #of = new Map<Kind, Map<string, Need>>()
  #characters = 0

  add(kind: Kind, by: By, { id, written }: Match): void {
    if (kind === "deal") return
    let ofKind = this.#of.get(kind)
    if (ofKind === undefined) this.#of.set(kind, (ofKind = new Map()))
    const key = `${by} ${id}`
    if (ofKind.size >= MAX_OF_KIND || ofKind.has(key) || this.#characters > MAX_CHARACTERS) return
    this.#characters += id.length + written.length
    ofKind.set(key, { kind, by, id, written })
  }

  /** All needs but those of a kind. */
  without(kind: string): ReadonlyArray<Need> {
    return [...this.#of].flatMap(([each, needs]) => (each === kind ? [] : [...needs.values()]))
  }
}

/** Those of the rows that are no longer found as they were. */
export const findGone = Effect.fnUntraced(function* (sql: SqlClient, org: string, needs: ReadonlyArray<Need>) {
  const names = new Names()
  const valueOf = ({ by, id, written }: Need) => (by === "id" ? id : written)
  for (const need of needs) names.want(need.kind, need.by, valueOf(need))
  yield* names.load(sql, org)
  return needs.filter((need) => !names.find(need.kind, need.by, valueOf(need)).some(({ id }) => id === need.id))
})
