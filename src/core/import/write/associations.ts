import * as Effect from "effect/Effect"
import { makeIdUnsafe } from "../../common/ids.ts"
import type { AssociationRow } from "../../intelligence/writing.ts"
import { isSame } from "./isSame.ts"
import type { Entry } from "../entry.ts"
import { toInstant } from "./instant.ts"
import type { DealReference, Reference } from "../../deals/record.ts"
import { Checking, wantReference } from "./references.ts"
import { type Base, insertCreated, openSession, type Outcome } from "./Session.ts"

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
  const rows = new Map(found.map((row) => [row.id, row]))
  const pairs = new Map<string, Set<string>>()
  const pair = (deal: string, feature: string) => {
    const key = `${deal} ${feature}`
    if (!pairs.has(key)) pairs.set(key, new Set())
    return pairs.get(key)!
  }
  for (const row of found) pair(row.deal_id, row.feature_id).add(row.id)

  /** Finds associations by deal and feature and, if given, by time. */
  const findSimilar = (deal: string | undefined, feature: string | undefined, at: string | undefined) =>
    deal === undefined || feature === undefined
      ? []
      : [...pair(deal, feature)].filter((id) => at === undefined || rows.get(id)!.created_at === at)
  const reportAmbiguous = (line: number, count: number): Outcome => ({
    line,
    problems: [{ field: "id", reason: `is required: ${count} associations have this deal and feature` }],
  })

  const changed = new Map<string, AssociationRow>()
  const stored = new Set(found.map(({ id }) => id))
  const deleted = new Set<string>()
  const outcomes = checked.map(({ line, record, checking, deal, feature }): Outcome => {
    const at = toInstant(record.created_at, zone)
    let before = record.id === undefined ? undefined : rows.get(record.id)
    if (record.deleted === true) {
      if (record.id === undefined && (deal === undefined || feature === undefined)) {
        checking.problem("id", "is required, or deal and feature")
      }
      if (checking.problems.length > 0) return { line, problems: checking.problems }
      const same = record.id === undefined ? findSimilar(deal?.(), feature?.(), at) : [record.id]
      if (same.length > 1) return reportAmbiguous(line, same.length)
      before = rows.get(same[0] ?? "")
      if (before === undefined) return { line, result: "absent" }
      pair(before.deal_id, before.feature_id).delete(before.id)
      rows.delete(before.id)
      changed.delete(before.id)
      if (stored.delete(before.id)) deleted.add(before.id)
      store.show?.(line, record, before, undefined)
      return { line, result: "deleted" }
    }
    if (before === undefined && record.deal === undefined)
      checking.problem("deal", "must be given for a new association")
    if (before === undefined && record.feature === undefined) {
      checking.problem("feature", "must be given for a new association")
    }
    if (checking.problems.length > 0) return { line, problems: checking.problems }
    const deal_id = deal?.() ?? before!.deal_id
    const feature_id = feature?.() ?? before!.feature_id
    if (record.id === undefined) {
      const same = findSimilar(deal_id, feature_id, at)
      if (same.length > 1) return reportAmbiguous(line, same.length)
      before = rows.get(same[0] ?? "")
    }
    const after: AssociationRow = {
      id: record.id ?? before?.id ?? makeIdUnsafe("asc"),
      deal_id,
      feature_id,
      created_at: at ?? before?.created_at ?? now,
      influence_summary:
        record.influence_summary === undefined ? (before?.influence_summary ?? null) : record.influence_summary,
      sentiment: record.sentiment === undefined ? (before?.sentiment ?? null) : record.sentiment,
      tags:
        record.tags === undefined ? (before?.tags ?? []) : [...new Set((record.tags ?? []).map((tag) => tag.trim()))],
    }
    if (before !== undefined) session.batch.match(record.id === undefined ? "deal_and_feature" : "id")
    if (before !== undefined && isSame(before, after)) return { line, result: "unchanged" }
    if (before !== undefined) pair(before.deal_id, before.feature_id).delete(before.id)
    pair(deal_id, feature_id).add(after.id)
    rows.set(after.id, after)
    changed.set(after.id, after)
    store.show?.(line, record, before, after)
    return { line, result: before === undefined ? "created" : "updated" }
  })
  yield* insertCreated(session)
  yield* store.putAssociations(session, { found, changed: [...changed.values()], deleted: [...deleted] })
  return outcomes
})
