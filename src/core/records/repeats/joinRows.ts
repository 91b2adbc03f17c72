import { crmKey } from "../../common/crmKey.ts"
import { fold } from "../../common/fold.ts"
import type { Entry } from "../entry.ts"
import { isSame } from "../isSame.ts"
import type { RecordType } from "../record.ts"

type Values = Readonly<Record<string, unknown>>

/** A value that a row of a thing has and a later row has differently. */
export interface Difference {
  /** The line of the later row. */
  readonly line: number
  readonly field: string
  readonly dropped: unknown
}

/** Rows of one thing, as one record. */
export interface JoinedRows<T extends RecordType = RecordType> {
  /** Has the line of the first row. */
  readonly entry: Entry<T>
  readonly rows: ReadonlyArray<Entry<T>>
  /** Lines that add or change something. */
  readonly telling: ReadonlySet<number>
  readonly differences: ReadonlyArray<Difference>
  /** The first line that adds to a list, by field. */
  readonly added: ReadonlyMap<string, number>
}

/** Exports repeat a deal for each of its products, contacts or competitors: then these lists have the entries of all rows. */
export const LISTS: ReadonlySet<string> = new Set([
  "collaborators",
  "product_labels",
  "competitors",
  "drivers",
  "aliases",
  "tags",
])
const MAPS: ReadonlySet<string> = new Set(["crm_properties", "custom_metrics", "custom_answers", "scorecard"])
const UPDATED_AT = "updated_at"

/** The thing that a row is about, as far as the row alone says so. Deals are never the same by name alone. */
const identityOf = (record: Values): string | undefined => {
  const { type, id, crm_one_id: one, crm_two_id: two, name } = record
  if (typeof id === "string") return `id ${id}`
  if (typeof one === "string") return `one ${crmKey(one.trim())}`
  if (typeof two === "string") return `two ${crmKey(two.trim())}`
  return type === "deal" || type === "association" || typeof name !== "string" ? undefined : `name ${fold(name)}`
}

/** Numbers of the rows of each thing that several rows are about. */
const repeatedIn = (entries: ReadonlyArray<Entry>): ReadonlyArray<ReadonlyArray<number>> => {
  const places = new Map<string, Array<number>>()
  for (const [n, { record, exported }] of entries.entries()) {
    const identity = identityOf(record)
    if (identity === undefined || exported !== undefined || "deleted" in record) continue
    const found = places.get(identity)
    if (found === undefined) places.set(identity, [n])
    else found.push(n)
  }
  return [...places.values()].filter(({ length }) => length > 1)
}

/** The rows of a batch in the order in which they are written. */
export interface Arranged<T extends RecordType> {
  readonly n: number
  readonly entry: Entry<T>
  readonly joined?: JoinedRows<T>
  /** The newest state of the thing in this batch, if its rows are a history. */
  readonly newest?: string
}

/**
 * Joins the rows of one thing, unless the records come from no table. If they are its history, which has values that differ and times of
 * change, puts them into the order of these times. `timeOf`: the time of change of a record.
 */
export const arrangeRows = <T extends RecordType>(
  isTable: boolean,
  entries: ReadonlyArray<Entry<T>>,
  timeOf: (record: Entry<T>["record"]) => string | undefined,
): ReadonlyArray<Arranged<T>> => {
  const arranged: Array<Arranged<T> | undefined> = entries.map((entry, n) => ({ n, entry }))
  for (const places of isTable ? repeatedIn(entries) : []) {
    const rows = places.map((n) => ({ n, entry: entries[n]!, at: timeOf(entries[n]!.record) ?? "" }))
    const ordered = rows.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.n - b.n))
    const joined = joinRows(ordered.map(({ entry }) => entry))
    const newest = ordered.at(-1)!.at
    if (ordered[0]!.at !== newest && joined.differences.length > 0) {
      for (const [index, place] of places.entries()) {
        const { n, entry } = ordered[index]!
        arranged[place] = { n, entry, newest }
      }
      continue
    }
    for (const place of places) arranged[place] = undefined
    arranged[places[0]!] = { n: places[0]!, entry: joined.entry, joined }
  }
  return arranged.filter((each) => each !== undefined)
}

const joinRows = <T extends RecordType>(rows: ReadonlyArray<Entry<T>>): JoinedRows<T> => {
  const line = Math.min(...rows.map((each) => each.line))
  const found: Found = { telling: new Set(), differences: [], added: new Map() }
  const record: Record<string, unknown> = { ...rows[0]!.record }
  for (const { line: at, record: next } of rows.slice(1)) {
    for (const [field, value] of Object.entries(next)) joinField(record, field, value, at, found)
  }
  if (found.telling.size > 0) found.telling.add(rows[0]!.line)
  const weight = rows.reduce((sum, each) => sum + each.weight, 0)
  const { newName } = rows[0]!
  const entry = {
    line,
    weight,
    record: record as unknown as Entry<T>["record"],
    ...(newName !== undefined && { newName }),
  }
  return { entry, rows, ...found }
}

interface Found {
  readonly telling: Set<number>
  readonly differences: Array<Difference>
  readonly added: Map<string, number>
}

/** Puts a value of a later row into the record of the rows before it. An empty one never counts. */
const joinField = (
  record: Record<string, unknown>,
  field: string,
  value: unknown,
  line: number,
  found: Found,
): void => {
  const old = record[field]
  if (value == null || isAlike(field, old, value)) return
  if (old == null) record[field] = value
  else if (LISTS.has(field)) {
    const list = joinLists(old as ReadonlyArray<unknown>, value as ReadonlyArray<unknown>)
    if (list === undefined) return
    record[field] = list
    if (!found.added.has(field)) found.added.set(field, line)
  } else if (MAPS.has(field)) {
    record[field] = { ...(old as Values), ...definedOf(value as Values) }
    found.differences.push(...findDifferences(line, old as Values, value as Values, `${field}.`))
  } else {
    record[field] = value
    found.differences.push(...findDifferences(line, { [field]: old }, { [field]: value }))
  }
  found.telling.add(line)
}

const definedOf = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value != null))

/** Whether two values say the same. The first spelling is kept. */
const isAlike = (field: string, a: unknown, b: unknown): boolean =>
  typeof a === "string" && typeof b === "string"
    ? /^crm_\w+_id$/.test(field)
      ? crmKey(a.trim()) === crmKey(b.trim())
      : fold(a) === fold(b)
    : isSame(a, b)

const findDifferences = (line: number, old: Values, next: Values, prefix = ""): ReadonlyArray<Difference> =>
  Object.entries(next).flatMap(([name, kept]) => {
    const dropped = old[name]
    return kept == null || dropped == null || name === UPDATED_AT || isAlike(name, dropped, kept)
      ? []
      : [{ line, field: `${prefix}${name}`, dropped }]
  })

/** Two entries of one key say the same. The name of a competitor or reason is folded. */
const keyOf = (value: unknown): string => {
  if (typeof value === "string") return fold(value)
  const { competitor, reason, ...rest } = value as Values
  const name = competitor ?? reason
  return typeof name === "string" ? `${fold(name)}\n${JSON.stringify(rest)}` : JSON.stringify(value)
}

/** Undefined if the first list has all entries. */
const joinLists = (list: ReadonlyArray<unknown>, more: ReadonlyArray<unknown>): ReadonlyArray<unknown> | undefined => {
  const known = new Set(list.map(keyOf))
  const added = more.filter((each) => !known.has(keyOf(each)))
  return added.length === 0 ? undefined : [...list, ...added]
}

/** Cuts rows after at most `at` of them where no two neighbours of one thing come apart; after `at` if there is no such place. */
export const cutBefore = (entries: ReadonlyArray<Entry>, at: number): number => {
  const identity = at < entries.length ? identityOf(entries[at]!.record) : undefined
  if (identity === undefined) return at
  const last = entries.slice(0, at).findLastIndex(({ record }) => identityOf(record) !== identity)
  return last === -1 ? at : last + 1
}
