import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { AssociationRow } from "../../intelligence/writing.ts"
import { type By, keyOf } from "../names/Names.ts"
import { type EntityType, type Kind, TABLES } from "../names/kinds.ts"
import { copyOf } from "./Rows.ts"
import type { EntityRow } from "../Session.ts"

/** How records find rows but by id, which the rows themselves are found by. A deal's name is not among them. */
const BY = ["name", "email", "crm_one_id", "crm_two_id"] as const

/** Rows of the file are younger than all stored ones. */
const YOUNGEST = 1e12

/** Finds the rows that a dry run would write by their names, e-mails and CRM ids. */
export class OverlayIndex {
  /** The ids of the rows of a key. Most keys have one row. */
  readonly #keys = new Map<string, Map<string, string | ReadonlyArray<string>>>()
  readonly #associations = new Map<string, Set<string>>()
  /** When rows were created, in seconds: those that the database has, and then those of the file in their order. */
  readonly #ages = new Map<string, number>()
  #made = 0

  find(kind: Kind, by: By, key: string): ReadonlyArray<{ readonly id: string; readonly age: number }> {
    const found = this.#keys.get(`${kind} ${by}`)?.get(key) ?? []
    return [found].flat().map((id) => ({ id, age: this.#ages.get(`${kind} ${id}`) ?? 0 }))
  }

  put(kind: Kind, before: EntityRow | undefined, row: EntityRow): void {
    this.remove(kind, before)
    if (kind !== "deal" && !this.#ages.has(`${kind} ${row.id}`)) {
      this.#ages.set(copyOf(`${kind} ${row.id}`), YOUNGEST + this.#made++)
    }
    for (const { by, value } of listValues(kind, row)) {
      const keys = this.#keysOf(kind, by)
      const key = keyOf(kind, by, value)
      const found = keys.get(key)
      if (found === undefined) keys.set(copyOf(key), copyOf(row.id))
      else keys.set(key, [found, copyOf(row.id)].flat())
    }
  }

  remove(kind: Kind, row: EntityRow | undefined): void {
    if (row === undefined) return
    for (const { by, value } of listValues(kind, row)) {
      const keys = this.#keysOf(kind, by)
      const key = keyOf(kind, by, value)
      const left = [keys.get(key) ?? []].flat().filter((id) => id !== row.id)
      if (left.length === 0) keys.delete(key)
      else keys.set(key, left)
    }
  }

  /** Learns the ages of stored rows that the batch may change. */
  readAges(sql: SqlClient, org: string, type: EntityType, ids: ReadonlyArray<string>) {
    const unknown = ids.filter((id) => !this.#ages.has(`${type} ${id}`))
    if (unknown.length === 0) return Effect.void
    return Effect.map(
      sql<{ id: string; age: number }>`select id, extract(epoch from created_at)::float8 as age
        from ${sql.literal(TABLES[type].table)} where org_id = ${org} and id = any(${unknown}::text[])`,
      (rows) => rows.forEach(({ id, age }) => this.#ages.set(`${type} ${id}`, age)),
    )
  }

  /** The associations that the file gives a deal, or gave it before it gave them to another. */
  associationsOf(deal: string): Iterable<string> {
    return this.#associations.get(deal) ?? []
  }

  putAssociation({ id, deal_id }: AssociationRow): void {
    const found = this.#associations.get(deal_id)
    if (found === undefined) this.#associations.set(copyOf(deal_id), new Set([copyOf(id)]))
    else found.add(copyOf(id))
  }

  #keysOf(kind: Kind, by: By) {
    const name = `${kind} ${by}`
    let keys = this.#keys.get(name)
    if (keys === undefined) this.#keys.set(name, (keys = new Map()))
    return keys
  }
}

const listValues = (kind: Kind, row: EntityRow): ReadonlyArray<{ readonly by: By; readonly value: string }> =>
  BY.flatMap((by) => {
    const value = kind === "deal" && by === "name" ? null : row[by]
    return value == null ? [] : [{ by, value }]
  })
