import * as Effect from "effect/Effect"
import { shorten } from "../../common/shorten.ts"
import { byText, type DealRow, LINK_NAMES } from "../dealRows.ts"
import { fieldsOf, showNames } from "../dryRun/Examples.ts"
import { isSame } from "../isSame.ts"
import type { RecordType } from "../record.ts"
import type { RecordOutcome, Result, Session } from "../Session.ts"
import { type Arranged, type Difference, type JoinedRows, LISTS } from "./joinRows.ts"

type Values = Readonly<Record<string, unknown>>
type Of = Values & { readonly type: RecordType }

/** How a row of a deal counts that an earlier row of the file is about: `skip` not at all, `join` with its lists added. */
export type Turn = "replace" | "skip" | "join"

/** A row of a deal that other rows of the file are about too. */
export interface Repeated {
  readonly before: DealRow
  /** When the row says that the deal changed, in UTC. */
  readonly at: string | undefined
  /** Whether the row leaves the deal as it is but for lists and its time. */
  readonly isOnlyLists: boolean
}

/** A difference with the value that counts. */
interface Shown extends Difference {
  readonly kept: unknown
}

/** Fields that rows of one thing are not compared by: the name has a warning of its own. */
const UNCOMPARED: ReadonlySet<string> = new Set(["id", "crm_one_id", "crm_two_id", "name", "updated_at", ...LISTS])

/** Says which rows of a file are about the same thing, and what counts of them. */
export class Repeats {
  readonly #session: Session
  /** Values of rows that differ, whose names are looked up at the end of the batch. */
  readonly #compared: Array<{ readonly line: number; readonly record: Of; readonly before: Values; after: Values }> = []

  constructor(session: Session) {
    this.#session = session
  }

  /** Says what was joined of the rows of one thing. */
  noticeJoined(joined: JoinedRows | undefined): void {
    if (joined === undefined) return
    const { entry, differences, added } = joined
    const record: Of = entry.record
    for (const { line, field, dropped } of differences) {
      const kept = valueAt(record, field)
      if (isSame(kept, dropped)) continue
      if (field === "name") this.#noticeNames(record, { line, field, kept, dropped })
      else this.#noticeLast(record, { line, field, kept, dropped })
    }
    for (const [field, line] of added) this.noticeLists(line, record, field)
  }

  /** Says that the newest of several rows counts. `at`: the time of this one; `other`: of the newest one, or of those before. */
  noticeNewest(line: number, record: Of, at: string | undefined, other: string | undefined): void {
    if (at === undefined || other === undefined || at === other) return
    const [newest, older] = at > other ? [at, other] : [other, at]
    const values = `${newest}, not ${older}`
    this.#notice(line, record, "updated_at", values, (thing) => {
      return `several rows are ${thing}: the one with the newest 'updated_at' counts, whatever their order (${values})`
    })
  }

  noticeLists(line: number, record: Of, field: string): void {
    this.#notice(line, record, field, undefined, (thing) => `several rows are ${thing}: it has the ${field} of all`)
  }

  /** Says which lists of a deal have entries of several rows. */
  noticeGrown(line: number, record: Of, before: DealRow, after: DealRow): void {
    for (const link of LINK_NAMES) {
      if (before[link].length > 0 && after[link].length > before[link].length) this.noticeLists(line, record, link)
    }
  }

  /** Compares a thing before and after a row, if an earlier row was about it. */
  compareRow(isRepeated: boolean, line: number, record: Of, before: object, after: object): void {
    if (!isRepeated) return
    const [old, now] = [fieldsOf(record, before)!, fieldsOf(record, after)!]
    const fields = Object.keys(old).filter(
      (field) => !UNCOMPARED.has(field) && old[field] !== null && !isSame(old[field], now[field]),
    )
    if (fields.length === 0) return
    const only = (values: Values) => Object.fromEntries(fields.map((field) => [field, values[field]]))
    this.#compared.push({ line, record, before: only(old), after: only(now) })
  }

  /** Says which values of the compared rows differ. */
  readonly end = Effect.fnUntraced(function* (this: Repeats) {
    if (this.#compared.length === 0) return
    const shown = yield* showNames(
      this.#session.store,
      this.#compared.map(({ before, after }) => ({ before, after })),
    )
    for (const [n, { before, after }] of (shown as ReadonlyArray<{ before: Values; after: Values }>).entries()) {
      const { line, record } = this.#compared[n]!
      for (const [field, dropped] of Object.entries(before)) {
        this.#noticeLast(record, { line, field, kept: after[field], dropped })
      }
    }
  })

  #noticeLast(record: Of, { line, field, kept, dropped }: Shown): void {
    const values = `${textOf(kept)}, not ${textOf(dropped)}`
    this.#notice(line, record, field, values, (thing) => {
      return `several rows are ${thing}, and differ in ${field}: the last one counts (${values})`
    })
  }

  #noticeNames({ type, ...record }: Of, { line, kept, dropped }: Shown): void {
    const { field, id } = idOf(record)
    this.#session.batch.notice("same_id_other_name", {
      field,
      line,
      example: id,
      message: `the ${type} ${shorten(id)} is “${textOf(dropped)}”, but this record names it “${textOf(kept)}”`,
    })
  }

  #notice(
    line: number,
    record: Of,
    field: string,
    values: string | undefined,
    messageOf: (thing: string) => string,
  ): void {
    const { id } = idOf(record)
    this.#session.batch.notice("id_repeated", {
      field,
      line,
      example: values === undefined ? id : `${id}: ${values}`,
      message: messageOf(`the ${record.type} '${shorten(id)}'`),
    })
  }
}

const idOf = (record: Values): { readonly field: string; readonly id: string } => {
  const field = ["id", "crm_one_id", "crm_two_id", "name"].find((each) => typeof record[each] === "string") ?? "name"
  return { field, id: String(record[field] ?? "").trim() }
}

/** The value of a field, which may be an entry of a map. */
const valueAt = (record: Values, field: string): unknown => {
  if (Object.hasOwn(record, field)) return record[field]
  const at = field.indexOf(".")
  return (record[field.slice(0, at)] as Values | undefined)?.[field.slice(at + 1)]
}

const textOf = (value: unknown): string => {
  if (typeof value === "object" && value !== null && "name" in value) return shorten(String(value.name))
  return shorten(typeof value === "string" ? value : JSON.stringify(value))
}

/** The rows one by one, if they cannot be written together. Rows with an id are never found by name, so their numbers do not count. */
export const rowsAlone = <T extends RecordType>({ rows }: JoinedRows<T>): ReadonlyArray<Arranged<T>> =>
  rows.map((entry) => ({ n: -1, entry }))

export const nameResult = (before: object | undefined, after: object) =>
  before === undefined ? "created" : isSame(before, after) ? "unchanged" : "updated"

/** Results of the rows that were joined, but for the first. */
export const outcomesOfRows = (
  joined: JoinedRows | undefined,
  first: number,
  result: Result,
): ReadonlyArray<RecordOutcome> =>
  (joined?.rows ?? [])
    .filter(({ line }) => line !== first)
    .map(({ line }) => ({
      line,
      result: result !== "unchanged" && joined!.telling.has(line) ? "updated" : "unchanged",
    }))

/**
 * Decides how a row of a deal counts that other rows of the file are about. Rows that differ in lists only repeat the deal. Of others, the
 * newest counts; rows of one time, or without one, count in their order.
 */
export const findTurn = ({ before, at, isOnlyLists }: Repeated, isDated: boolean): Turn => {
  if (isOnlyLists || at === undefined || !isDated || at === before.updated_at) return "join"
  return at < before.updated_at ? "skip" : "replace"
}

/** Adds the lists that a deal had from earlier rows. */
export const withLists = (before: DealRow, after: DealRow): DealRow => {
  const texts = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) => [...new Set([...a, ...b])].sort(byText)
  return {
    ...after,
    updated_at: before.updated_at > after.updated_at ? before.updated_at : after.updated_at,
    collaborators: texts(before.collaborators, after.collaborators),
    product_labels: texts(before.product_labels, after.product_labels),
    competitors: [
      ...after.competitors,
      ...before.competitors.filter(
        ({ competitor_id: id }) => !after.competitors.some((each) => each.competitor_id === id),
      ),
    ].sort((a, b) => byText(a.competitor_id, b.competitor_id)),
    drivers: [
      ...before.drivers,
      ...after.drivers.filter(({ reason_id: id }) => !before.drivers.some((each) => each.reason_id === id)),
    ],
  }
}
