import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { shorten } from "../../common/shorten.ts"
import { COLUMNS, IMPORTED_NAMES } from "../../deals/columns/columns.ts"
import { METRICS } from "../../deals/columns/metrics.ts"
import type { RecordType } from "../record.ts"
import { showDigest } from "../isSame.ts"
import { Names } from "../names/Names.ts"
import type { Kind } from "../names/kinds.ts"
import type { Store } from "../Session.ts"

/** A record that a dry run would write or delete. */
export interface ImportExample {
  readonly line: number
  readonly result: "created" | "updated" | "deleted"
  /** The fields that the record gives, as the workspace has them. Null for a new row. */
  readonly before: Readonly<Record<string, unknown>> | null
  /** The same fields, as the import would store them. Null for a row that it would delete. */
  readonly after: Readonly<Record<string, unknown>> | null
}

/** Examples of a dry run. */
const MAX_EXAMPLES = 20
/** Entries of a list or map that an example shows. */
const MAX_ENTRIES = 20
const MAX_DEPTH = 4

type Values = Readonly<Record<string, unknown>>

/** A row that a person reads by its name. */
class Ref {
  readonly kind: Kind
  readonly id: string
  constructor(kind: Kind, id: string) {
    this.kind = kind
    this.id = id
  }
}

/** A map whose keys are rows. */
class RefMap {
  readonly entries: ReadonlyArray<readonly [Ref, unknown]>
  constructor(entries: ReadonlyArray<readonly [Ref, unknown]>) {
    this.entries = entries
  }
}

const refTo = (kind: Kind, id: unknown) => (typeof id === "string" ? new Ref(kind, id) : null)

/** Reads fields of a record from the row, where the row has them elsewhere or as ids. `given`: the field of the record. */
type Reader = (row: Values, given: unknown) => unknown

const listOf =
  (column: string, read: (each: Values) => unknown): Reader =>
  (row) =>
    ((row[column] ?? []) as ReadonlyArray<Values>).slice(0, MAX_ENTRIES).map(read)

/** The values of a map by the names of its keys, which are ids. */
const namedBy =
  (column: string, kind: Kind): Reader =>
  (row) => {
    const entries = Object.entries((row[column] ?? {}) as Values).slice(0, MAX_ENTRIES)
    return new RefMap(entries.map(([id, value]) => [new Ref(kind, id), bound(value, 1)]))
  }

const properties: Reader = (row, given) => {
  const stored = (row["crm_properties"] ?? {}) as Values
  return Object.fromEntries(Object.keys((given ?? stored) as Values).map((id) => [id, stored[id] ?? null]))
}

const scorecard: Reader = (row, given) =>
  Object.fromEntries(
    METRICS.filter((metric) => given === null || metric in (given as Values)).map((metric) => [
      metric,
      { score: row[`wl_${metric}_score`], explanation: row[`wl_${metric}_explanation`] },
    ]),
  )

const READERS: Partial<Record<RecordType, Readonly<Record<string, Reader>>>> = {
  deal: {
    ...Object.fromEntries(IMPORTED_NAMES.map((name) => [COLUMNS[name].imported, (row: Values) => row[name]])),
    status: (row) => refTo("stage", row["status_id"]),
    previous_status: (row) => refTo("stage", row["previous_status_id"]),
    owner: (row) => refTo("owner", row["owner_id"]),
    client: (row) => refTo("client", row["client_id"]),
    collaborators: listOf("collaborators", (id) => refTo("owner", id)),
    competitors: listOf("competitors", ({ competitor_id, ...rest }) => ({
      competitor: refTo("competitor", competitor_id),
      ...rest,
    })),
    drivers: listOf("drivers", ({ reason_id, ...rest }) => ({ reason: refTo("reason", reason_id), ...rest })),
    custom_metrics: namedBy("custom_metrics", "metric"),
    custom_answers: namedBy("custom_answers", "answer"),
    crm_properties: properties,
    scorecard,
  },
  client: { crm_properties: properties },
  association: {
    deal: (row) => refTo("deal", row["deal_id"]),
    feature: (row) => refTo("feature", row["feature_id"]),
  },
}

/** The fields that the record gives, as a row has them. `showNames` shows them. */
export const fieldsOf = (record: Values & { readonly type: RecordType }, row: object | undefined) => {
  if (row === undefined) return null
  const readers = READERS[record.type] ?? {}
  return Object.fromEntries(
    Object.entries(record)
      .filter(([field, value]) => field !== "type" && field !== "deleted" && value !== undefined)
      .map(([field, given]) => [
        field,
        bound((readers[field] ?? ((values: Values) => values[field]))(row as Values, given)),
      ]),
  )
}

/** Shortens texts, lists and maps, so that an example takes little memory. */
const bound = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string") return shorten(showDigest(value))
  if (typeof value !== "object" || value === null || value instanceof Ref || value instanceof RefMap) {
    return value ?? null
  }
  if (depth === MAX_DEPTH) return "…"
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((each) => bound(each, depth + 1))
  const entries = Object.entries(value).slice(0, MAX_ENTRIES)
  return Object.fromEntries(entries.map(([key, each]) => [key, bound(each, depth + 1)]))
}

const refsIn = (value: unknown): ReadonlyArray<Ref> => {
  if (value instanceof Ref) return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(refsIn) : []
}

/** Collects the first records that would create, change and delete something. */
export class Examples {
  readonly #of = {
    created: new Array<ImportExample>(),
    updated: new Array<ImportExample>(),
    deleted: new Array<ImportExample>(),
  }

  add(
    line: number,
    record: { readonly type: RecordType },
    before: object | undefined,
    after: object | undefined,
  ): void {
    const result = after === undefined ? "deleted" : before === undefined ? "created" : "updated"
    if (this.#of[result].length === MAX_EXAMPLES) return
    const of = record as Values & { readonly type: RecordType }
    this.#of[result].push({ line, result, before: fieldsOf(of, before), after: fieldsOf(of, after) })
  }

  /** As many of each result as there is place, by line. */
  get #chosen(): ReadonlyArray<ImportExample> {
    const left = Object.values(this.#of).map((each) => [...each])
    const chosen: Array<ImportExample> = []
    while (chosen.length < MAX_EXAMPLES && left.some(({ length }) => length > 0)) {
      for (const each of left) if (chosen.length < MAX_EXAMPLES) chosen.push(...each.splice(0, 1))
    }
    return chosen.sort((a, b) => a.line - b.line)
  }

  list(store: Pick<Store, "names">) {
    return Effect.map(showNames(store, this.#chosen), (shown) => shown as ReadonlyArray<ImportExample>)
  }
}

/** Shows values with names instead of ids. */
export const showNames = (store: Pick<Store, "names">, values: unknown): Effect.Effect<unknown, SqlError> => {
  const names = new Names()
  for (const { kind, id } of refsIn(values)) names.want(kind, "id", id)
  const show = (value: unknown): unknown => {
    if (value instanceof Ref) return names.find(value.kind, "id", value.id)[0]?.written ?? value.id
    if (typeof value !== "object" || value === null) return value
    if (value instanceof RefMap) return Object.fromEntries(value.entries.map(([key, each]) => [show(key), each]))
    if (Array.isArray(value)) return value.map(show)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, show(each)]))
  }
  return Effect.map(store.names(names), () => show(values))
}
