import { type CreatedName, type Kind, TABLES } from "./kinds.ts"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { crmKey } from "../../common/crmKey.ts"
import { fold, foldWithoutSpaces } from "../../common/fold.ts"
import { makeIdUnsafe } from "../../common/ids.ts"

/** How a value finds rows: the column of the key, and the column that has the value as written. */
const COLUMNS = {
  id: { key: "id", written: "id" },
  crm_one_id: { key: "crm_one_key", written: "crm_one_id" },
  crm_two_id: { key: "crm_two_key", written: "crm_two_id" },
  email: { key: "folded_email", written: "email" },
  name: { key: "folded", written: "name" },
} as const
export type By = keyof typeof COLUMNS

interface Lookup {
  readonly kind: Kind
  readonly by: By
  readonly keys: Set<string>
}

/** A row that a value may mean. */
export interface Match {
  readonly id: string
  /** The row's value as stored. */
  readonly written: string
}

/** A look-up that may find what a reference means. */
export interface Choice {
  readonly by: By
  readonly value: string
  readonly key: string
}

/** Rows that the database does not know: what a dry run would write. */
export interface NamesOver {
  /** Whether the stored row is no longer as the database has it. */
  readonly hides: (kind: Kind, id: string) => boolean
  /** Learns that the file names a row of the database. */
  readonly use: (kind: Kind, by: By, match: Match) => void
  /** The rows of a key, and their order among all rows: seconds since 1970. */
  readonly find: (kind: Kind, by: By, key: string) => ReadonlyArray<Match & { readonly age: number }>
}

/** The look-ups of a reference, in their order, and the row that it creates if none finds one. */
export interface Choices {
  readonly choices: ReadonlyArray<Choice>
  readonly create?: { readonly name: string; readonly id?: string; readonly email?: string }
}

const NONE: ReadonlyArray<Match> = []

/** Rows of one key that a look-up returns, the oldest first. */
const MAX_ALIKE = 10

/** Folds a name; spaces do not count in names of metrics and answers. */
export const foldName = (kind: Kind, name: string) =>
  kind === "metric" || kind === "answer" ? foldWithoutSpaces(name) : fold(name)

export const keyOf = (kind: Kind, by: By, value: string) =>
  by === "id" ? value : by === "name" ? foldName(kind, value) : by === "email" ? fold(value) : crmKey(value)

/**
 * Looks up the ids of what a batch of records names: first `want` everything, then `load` it in one statement, then
 * `find`. `put` adds what the batch itself creates.
 */
export class Names {
  readonly #wanted = new Map<string, Lookup>()
  readonly #texts = new Map<Kind, Map<string, Choices>>()
  readonly #found = new Map<Kind, Partial<Record<By, Map<string, Array<Match>>>>>()
  /** First named by this batch; to be inserted before its records. */
  readonly created: Array<CreatedName>

  /** New names of owners, by id. */
  readonly renamed = new Map<string, string>()

  constructor(created: Array<CreatedName> = []) {
    this.created = created
  }

  want(kind: Kind, by: By, value: string | null | undefined): void {
    if (value !== null && value !== undefined) this.wantKey(kind, by, keyOf(kind, by, value))
  }

  wantKey(kind: Kind, by: By, key: string): void {
    const lookup = `${kind} ${by}`
    let wanted = this.#wanted.get(lookup)
    if (wanted === undefined) this.#wanted.set(lookup, (wanted = { kind, by, keys: new Set() }))
    wanted.keys.add(key)
  }

  readonly load = Effect.fnUntraced(function* (this: Names, sql: SqlClient, org: string, over?: NamesOver) {
    const parts = [...this.#wanted.values()].map(({ kind, by, keys }) => {
      const { key, written } = COLUMNS[by]
      // Only the name of an id's row is of interest: a reference may say another one.
      const shown = by === "id" ? "name" : written
      // One look-up per value: without statistics, the planner would scan the whole organization.
      return sql`select ${sql.literal(`'${kind}'`)} as kind, ${sql.literal(`'${by}'`)} as by, given.value, t.id, t.written, t.age
        from unnest(${[...keys]}::text[]) given(value), lateral (
          select id, ${sql.literal(shown)} as written, ${sql.literal(by === "id" ? "0::float8" : "extract(epoch from created_at)::float8")} as age
          from ${sql.literal(TABLES[kind].table)} where org_id = ${org} and ${sql.literal(key)} = given.value
          ${sql.literal(by === "id" ? "limit 1" : `order by created_at, id limit ${MAX_ALIKE}`)}) t`
    })
    if (parts.length === 0) return
    const rows = yield* sql<Match & { kind: Kind; by: By; value: string; age: number }>`
      select kind, by, value, id, written, age from (${parts.reduce((all, part) => sql`${all} union all ${part}`)})
        found(kind, by, value, id, written, age) order by age, id`
    if (over === undefined) {
      for (const { kind, by, value, id, written } of rows) this.#add(kind, by, value, { id, written })
      return
    }
    const found = rows.filter(({ kind, id }) => !over.hides(kind, id))
    for (const { kind, by, id, written } of found) over.use(kind, by, { id, written })
    for (const { kind, by, keys } of this.#wanted.values()) {
      for (const value of keys) for (const row of over.find(kind, by, value)) found.push({ kind, by, value, ...row })
    }
    found.sort((a, b) => a.age - b.age || (a.id < b.id ? -1 : 1))
    for (const { kind, by, value, id, written } of found) {
      if (this.findKey(kind, by, value).length < MAX_ALIKE) this.#add(kind, by, value, { id, written })
    }
  })

  /** Returns the rows with this value, the oldest first. */
  find(kind: Kind, by: By, value: string): ReadonlyArray<Match> {
    return this.findKey(kind, by, keyOf(kind, by, value))
  }

  findKey(kind: Kind, by: By, key: string): ReadonlyArray<Match> {
    return this.#found.get(kind)?.[by]?.get(key) ?? NONE
  }

  /** The choices of the references of a kind, by their text: records of a batch name the same few things. */
  textsOf(kind: Kind): Map<string, Choices> {
    let texts = this.#texts.get(kind)
    if (texts === undefined) this.#texts.set(kind, (texts = new Map()))
    return texts
  }

  /** Returns the id of the row that has the CRM id: of two that share a key, the one with exactly this id. */
  findCrm(kind: Kind, by: "crm_one_id" | "crm_two_id", value: string): string | undefined {
    const found = this.find(kind, by, value)
    return (found.find(({ written }) => written === value) ?? found[0])?.id
  }

  put(kind: Kind, by: By, value: string, id: string, written = value): void {
    this.#add(kind, by, keyOf(kind, by, value), { id, written })
  }

  #add(kind: Kind, by: By, key: string, match: Match): void {
    let ofKind = this.#found.get(kind)
    if (ofKind === undefined) this.#found.set(kind, (ofKind = {}))
    const byKey = (ofKind[by] ??= new Map())
    const found = byKey.get(key)
    if (found === undefined) byKey.set(key, [match])
    else if (!found.some(({ id }) => id === match.id)) found.push(match)
  }

  /** Removes the value from `id`. */
  drop(kind: Kind, by: By, value: string, id: string): void {
    const found = this.#found.get(kind)?.[by]?.get(keyOf(kind, by, value))
    const at = found?.findIndex((each) => each.id === id) ?? -1
    if (at !== -1) found!.splice(at, 1)
  }

  /** Gives an owner who is called like an e-mail address a name. */
  rename(id: string, email: string, name: string): void {
    const at = this.created.findIndex((each) => each.id === id)
    if (at === -1) this.renamed.set(id, name)
    else this.created[at] = { ...this.created[at]!, name }
    this.drop("owner", "name", email, id)
    this.put("owner", "name", name, id)
  }

  create(created: Omit<CreatedName, "id"> & { readonly id?: string | undefined }): string {
    const { kind, name, email, id = makeIdUnsafe(TABLES[kind].prefix) } = created
    this.created.push({ ...created, id })
    this.put(kind, "id", id, id, name)
    this.put(kind, "name", name, id)
    if (email !== undefined) this.put(kind, "email", email, id)
    return id
  }
}
