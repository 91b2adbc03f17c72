import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeIdUnsafe } from "../../common/ids.ts"

/** The things that records are or refer to: their tables and id prefixes. */
export const TABLES = {
  stage: { table: "stages", prefix: "stg" },
  owner: { table: "owners", prefix: "own" },
  competitor: { table: "competitors", prefix: "cmp" },
  reason: { table: "reasons", prefix: "rsn" },
  client: { table: "clients", prefix: "cli" },
  feature: { table: "features", prefix: "ftr" },
  metric: { table: "metrics", prefix: "met" },
  answer: { table: "answers", prefix: "ans" },
  segment: { table: "segments", prefix: "seg" },
  deal: { table: "deals", prefix: "dea" },
} as const
export type Kind = keyof typeof TABLES

const BY = ["id", "crm_one_id", "crm_two_id", "name"] as const
export type By = (typeof BY)[number]

interface Lookup {
  readonly kind: Kind
  readonly by: By
  readonly values: Set<string>
}

/** Names of metrics and answers ignore case and spaces, names of deals match exactly, all others ignore case. */
const normalizeName = (kind: Kind, name: string) => {
  if (kind === "deal") return name
  return kind === "metric" || kind === "answer" ? name.toLowerCase().replaceAll(/\s+/g, "") : name.toLowerCase()
}

/**
 * Looks up the ids of what a batch of records names: first `want` everything, then `load` it in one statement, then
 * `find`. `put` adds what the batch itself creates.
 */
export class Names {
  readonly #wanted = new Map<string, Lookup>()
  readonly #found = new Map<Kind, Partial<Record<By, Map<string, Set<string>>>>>()
  /** First named by this batch; to be inserted before its records. */
  readonly created: Array<{ readonly kind: Kind; readonly id: string; readonly name: string }> = []

  want(kind: Kind, by: By, value: string | null | undefined): void {
    if (value === null || value === undefined) return
    const key = `${kind} ${by}`
    let wanted = this.#wanted.get(key)
    if (wanted === undefined) this.#wanted.set(key, (wanted = { kind, by, values: new Set() }))
    wanted.values.add(value)
  }

  readonly load = Effect.fnUntraced(function* (this: Names, sql: SqlClient, org: string) {
    const parts = [...this.#wanted.values()].map(({ kind, by, values }) => {
      const { table } = TABLES[kind]
      const list = sql`${[...values]}::text[]`
      return by === "name"
        ? sql`select ${sql.literal(`'${kind}'`)} as kind, 'name' as by, n.given as value, n.id from ids_named(${org}, ${table}, ${list}) n`
        : // One look-up per value: without statistics, the planner would scan the whole organization.
          sql`select ${sql.literal(`'${kind}'`)}, ${sql.literal(`'${by}'`)}, given.value, t.id
            from unnest(${list}) given(value), lateral (select id from ${sql.literal(table)}
              where org_id = ${org} and ${sql.literal(by)} = given.value limit 1) t`
    })
    if (parts.length === 0) return
    const rows = yield* sql<{ kind: Kind; by: By; value: string; id: string }>`
      select kind, by, value, id from (${parts.reduce((all, part) => sql`${all} union all ${part}`)}) found(kind, by, value, id)`
    for (const { kind, by, value, id } of rows) this.put(kind, by, value, id)
  })

  /** Returns the ids with this value. Only a name can have several. */
  find(kind: Kind, by: By, value: string): ReadonlyArray<string> {
    const found = this.#found.get(kind)?.[by]?.get(keyOf(kind, by, value))
    return found === undefined ? [] : [...found]
  }

  put(kind: Kind, by: By, value: string, id: string): void {
    let ofKind = this.#found.get(kind)
    if (ofKind === undefined) this.#found.set(kind, (ofKind = {}))
    const ids = (ofKind[by] ??= new Map())
    const at = keyOf(kind, by, value)
    const found = ids.get(at)
    if (found === undefined) ids.set(at, new Set([id]))
    else found.add(id)
  }

  /** Removes the value from `id`. */
  drop(kind: Kind, by: By, value: string, id: string): void {
    this.#found
      .get(kind)
      ?.[by]?.get(keyOf(kind, by, value))
      ?.delete(id)
  }

  create(kind: Kind, name: string): string {
    const id = makeIdUnsafe(TABLES[kind].prefix)
    this.created.push({ kind, id, name })
    this.put(kind, "id", id, id)
    this.put(kind, "name", name, id)
    return id
  }
}

const keyOf = (kind: Kind, by: By, value: string) => (by === "name" ? normalizeName(kind, value) : value)
