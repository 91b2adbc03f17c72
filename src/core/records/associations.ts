import * as Effect from "effect/Effect"
import { makeIdUnsafe } from "../common/ids.ts"
import type { AssociationRow } from "../intelligence/writing.ts"
import { isSame } from "./isSame.ts"
import type { Entry } from "./entry.ts"
import { toInstant } from "./values/instant.ts"
import type { DealReference, Reference } from "../deals/edits/record.ts"
import { Checking, wantReference } from "./names/references.ts"
import { type Base, insertCreated, openSession, type RecordOutcome } from "./Session.ts"

/**
 * Writes a batch of associations. A record without an id matches by deal and feature and, if given, by time. A record that
 * matches several is refused.
 */
export const writeAssociations = Effect.fnUntraced(function* (
  base: Base,
  entries: ReadonlyArray<Entry<"association">>,
) {
  const session = yield* openSession(base, entries, (names, record) => {
    wantReference(names, "deal", record.deal)
    wantReference(names, "feature", record.feature)
  })
  const { now, zone, store } = session
  const checked = entries.map(({ line, record }) => {
    const checking = new Checking(session, line)
    /** A deleting record creates nothing, and needs no references if it has an id. */
    const reference = (field: "deal" | "feature", given: Reference | DealReference | undefined) => {
      if (given === undefined) return undefined
      if (record.deleted !== true) return checking.reference(field, field, given)
      if (record.id !== undefined) return undefined
      const known = checking.known(field, field, given)
      return () => known
    }
    return {
      line,
      record,
      checking,
      deal: reference("deal", record.deal),
      feature: reference("feature", record.feature),
    }
  })
  const good = checked.filter(({ checking }) => checking.problems.length === 0)
  const ids = good.flatMap(({ record }) => record.id ?? [])
  const deals = good.flatMap(({ record, deal }) => (record.id === undefined ? (deal?.() ?? []) : []))
  const found = yield* store.associations(ids, [...new Set(deals)])
  const batch = new Associations(found)

  const remove = ({ line, record, checking, deal, feature }: (typeof checked)[number]): RecordOutcome => {
    if (record.id === undefined && (deal === undefined || feature === undefined)) {
      checking.problem("id", "is required, or deal and feature")
    }
    if (checking.problems.length > 0) return { line, problems: checking.problems }
    const at = toInstant(record.created_at, zone)
    const same = record.id === undefined ? batch.findSimilar(deal?.(), feature?.(), at) : [record.id]
    if (same.length > 1) return reportAmbiguous(line, same.length)
    const before = batch.rows.get(same[0] ?? "")
    if (before === undefined) return { line, result: "absent" }
    batch.remove(before)
    store.show?.(line, record, before, undefined)
    return { line, result: "deleted" }
  }

  const write = ({ line, record, checking, deal, feature }: (typeof checked)[number]): RecordOutcome => {
    const at = toInstant(record.created_at, zone)
    const known = record.id === undefined ? undefined : batch.rows.get(record.id)
    for (const field of ["deal", "feature"] as const) {
      if (known === undefined && record[field] === undefined)
        checking.problem(field, "must be given for a new association")
    }
    if (checking.problems.length > 0) return { line, problems: checking.problems }
    const deal_id = deal?.() ?? known!.deal_id
    const feature_id = feature?.() ?? known!.feature_id
    const same = record.id === undefined ? batch.findSimilar(deal_id, feature_id, at) : []
    if (same.length > 1) return reportAmbiguous(line, same.length)
    const before = record.id === undefined ? batch.rows.get(same[0] ?? "") : known
    const after = merge(record, before, { deal_id, feature_id }, at, now)
    if (before !== undefined) session.batch.match(record.id === undefined ? "deal_and_feature" : "id")
    if (before !== undefined && isSame(before, after)) return { line, result: "unchanged" }
    batch.put(before, after)
    store.show?.(line, record, before, after)
    return { line, result: before === undefined ? "created" : "updated" }
  }

  const outcomes = checked.map((each) => (each.record.deleted === true ? remove(each) : write(each)))
  yield* insertCreated(session)
  yield* store.putAssociations(session, {
    found,
    changed: [...batch.changed.values()],
    deleted: [...batch.deleted],
  })
  return outcomes
})

const reportAmbiguous = (line: number, count: number): RecordOutcome => ({
  line,
  problems: [{ field: "id", reason: `is required: ${count} associations have this deal and feature` }],
})

/** The row that a record leaves. */
const merge = (
  { id, influence_summary, sentiment, tags }: Entry<"association">["record"],
  before: AssociationRow | undefined,
  pair: Pick<AssociationRow, "deal_id" | "feature_id">,
  at: string | undefined,
  now: string,
): AssociationRow => ({
  id: id ?? before?.id ?? makeIdUnsafe("asc"),
  ...pair,
  created_at: at ?? before?.created_at ?? now,
  influence_summary: influence_summary === undefined ? (before?.influence_summary ?? null) : influence_summary,
  sentiment: sentiment === undefined ? (before?.sentiment ?? null) : sentiment,
  tags: tags === undefined ? (before?.tags ?? []) : [...new Set((tags ?? []).map((tag) => tag.trim()))],
})

/** The associations that a batch names, as its records leave them, and the changes for the store. */
class Associations {
  readonly rows: Map<string, AssociationRow>
  readonly changed = new Map<string, AssociationRow>()
  readonly deleted = new Set<string>()
  readonly #stored: Set<string>
  readonly #idsOf = new Map<string, Set<string>>()

  constructor(found: ReadonlyArray<AssociationRow>) {
    this.rows = new Map(found.map((row) => [row.id, row]))
    this.#stored = new Set(this.rows.keys())
    for (const { deal_id, feature_id, id } of found) this.#pair(deal_id, feature_id).add(id)
  }

  /** Finds associations by deal and feature and, if given, by time. */
  findSimilar(deal: string | undefined, feature: string | undefined, at: string | undefined): ReadonlyArray<string> {
    if (deal === undefined || feature === undefined) return []
    return [...this.#pair(deal, feature)].filter((id) => at === undefined || this.rows.get(id)!.created_at === at)
  }

  remove({ id, deal_id, feature_id }: AssociationRow): void {
    this.#pair(deal_id, feature_id).delete(id)
    this.rows.delete(id)
    this.changed.delete(id)
    if (this.#stored.delete(id)) this.deleted.add(id)
  }

  put(before: AssociationRow | undefined, after: AssociationRow): void {
    if (before !== undefined) this.#pair(before.deal_id, before.feature_id).delete(before.id)
    this.#pair(after.deal_id, after.feature_id).add(after.id)
    this.rows.set(after.id, after)
    this.changed.set(after.id, after)
  }

  #pair(deal: string, feature: string): Set<string> {
    const key = `${deal} ${feature}`
    const ids = this.#idsOf.get(key) ?? new Set()
    this.#idsOf.set(key, ids)
    return ids
  }
}
