import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeId } from "../../common/ids.ts"
import { type Metric, METRICS } from "../../deals/columns/metrics.ts"
import { RecordEdits } from "../../deals/edits/RecordEdits.ts"
import type { Evidence } from "../model/evidence.ts"
import { saveWritten } from "../writing.ts"
import type { WrittenAnalysis } from "../written.ts"
import { asFields, mergeList, mergeScores, mergeSummary, mergeValues } from "./merge.ts"
import { proposeAssociations, proposeCompetitors, proposeDrivers, chooseKeyQuotes } from "./proposals.ts"
import type { Association, Competitor, Driver, Published, Score } from "./published.ts"
import { NOTHING } from "./published.ts"

/** The tag of associations that nobody has verified. */
const UNVERIFIED = "unverified"

type CurrentAssociation = Association & { readonly tags: ReadonlyArray<string> }

interface Current {
  readonly summary: unknown
  readonly scores: Readonly<Record<Metric, Score>>
  readonly custom_metrics: Readonly<Partial<Record<string, Score>>>
  readonly custom_answers: Readonly<Partial<Record<string, string>>>
  readonly drivers: ReadonlyArray<Driver>
  readonly competitors: ReadonlyArray<Competitor>
  readonly associations: ReadonlyArray<CurrentAssociation>
  readonly is_verified: boolean
  readonly published: Published | null
}

const SCORES = METRICS.map(
  (metric) =>
    `'${metric}', json_build_object('score', d.wl_${metric}_score, 'explanation', d.wl_${metric}_explanation)`,
).join(", ")

const selectRows = (table: string, columns: ReadonlyArray<string>, order: string) =>
  `(select coalesce(json_agg(json_build_object(${columns.map((name) => `'${name}', l.${name}`).join(", ")}) order by l.${order}), '[]')
    from ${table} l where l.org_id = d.org_id and l.deal_id = d.id)`

const CURRENT = `d.summary, d.custom_metrics, d.custom_answers, json_build_object(${SCORES}) as scores,
  ${selectRows("deal_drivers", ["reason_id", "positive", "summary"], "position")} as drivers,
  ${selectRows("deal_competitors", ["competitor_id", "is_primary", "is_incumbent"], "competitor_id")} as competitors,
  ${selectRows("associations", ["id", "feature_id", "influence_summary", "sentiment", "tags"], "id")} as associations,
  d.analysis_verified as is_verified`

const readCurrent = (sql: SqlClient, org: string, deal: string) =>
  sql<Current>`select ${sql.literal(CURRENT)}, a.published from deals d
    join deal_analyses a on a.org_id = d.org_id and a.deal_id = d.id
    where d.org_id = ${org} and d.id = ${deal} for no key update of d`

/**
 * Writes what a model found to the deal's columns by the rules of an import, in the caller's transaction. What a person or the CRM wrote
 * stays, and a verified deal stays as it is: once it is no longer verified, the next run writes what is held.
 */
export const publishWritten = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  deal: string,
  written: WrittenAnalysis,
  evidence: ReadonlyArray<Evidence>,
) {
  const [current] = yield* readCurrent(sql, org, deal)
  if (current === undefined) return
  const before = current.published ?? NOTHING
  if (current.is_verified) return yield* saveWritten(sql, org, deal, written, { ...before, isHeld: true })
  const edits = yield* RecordEdits
  const summary = mergeSummary(current.summary, before, written.sections, chooseKeyQuotes(evidence))
  const scores = mergeScores(current.scores, before.scores, written.scorecard)
  const customMetrics = mergeScores(
    current.custom_metrics,
    before.customMetrics ?? {},
    (written.metrics ?? []).map(({ id, ...score }) => ({ ...score, metric: id })),
  )
  const customAnswers = mergeValues({
    current: current.custom_answers,
    before: before.customAnswers ?? {},
    proposed: Object.fromEntries(
      (written.answers ?? []).flatMap(({ id, text }) => (text === null ? [] : [[id, text]])),
    ),
    isSame: (a, b) => a === b,
  })
  const drivers = mergeList({
    current: current.drivers,
    before: before.drivers,
    proposed: proposeDrivers(evidence),
    keyOf: ({ reason_id }) => reason_id,
    isSame: (a, b) => a.positive === b.positive && a.summary === b.summary,
  })
  const competitors = mergeList({
    current: current.competitors,
    before: before.competitors,
    proposed: proposeCompetitors(evidence),
    keyOf: ({ competitor_id }) => competitor_id,
    isSame: (a, b) => a.is_primary === b.is_primary && a.is_incumbent === b.is_incumbent,
  })
  yield* edits.updateDeal(org, deal, {
    deal_analyzed: true,
    ...(summary.summary !== undefined && { summary: summary.summary }),
    scorecard: asFields(scores.next),
    custom_metrics: nullable(customMetrics.next),
    custom_answers: nullable(customAnswers.next),
    drivers: drivers.next.map(({ reason_id, ...rest }) => ({ reason: { id: reason_id }, ...rest })),
    competitors: competitors.next.map(({ competitor_id, ...flags }) => ({
      competitor: { id: competitor_id },
      ...flags,
    })),
  })
  const associations = yield* publishAssociations(org, deal, current.associations, before.associations, evidence)
  const published = {
    ...summary.ours,
    scores: scores.ours,
    customMetrics: customMetrics.ours,
    customAnswers: customAnswers.ours,
    drivers: drivers.ours,
    competitors: competitors.ours,
    associations,
  }
  yield* saveWritten(sql, org, deal, written, published)
})

/** Null clears a value. */
const nullable = <T>(next: Readonly<Record<string, T | undefined>>) =>
  Object.fromEntries(Object.entries(next).map(([key, each]) => [key, each ?? null]))

const isSame = (a: Association, b: Association) =>
  a.feature_id === b.feature_id && a.influence_summary === b.influence_summary && a.sentiment === b.sentiment

/** Adds, changes and removes the associations of the analysis; returns what to remember. Skips features that have an association by somebody else. */
const publishAssociations = Effect.fnUntraced(function* (
  org: string,
  deal: string,
  current: ReadonlyArray<CurrentAssociation>,
  before: ReadonlyArray<Association>,
  evidence: ReadonlyArray<Evidence>,
) {
  const edits = yield* RecordEdits
  const written = new Map(before.map((each) => [each.id, each]))
  const isOurs = (each: CurrentAssociation) => {
    const last = written.get(each.id)
    return last !== undefined && isSame(last, each) && each.tags.every((tag) => tag === UNVERIFIED)
  }
  const taken = new Set(current.filter((each) => !isOurs(each)).map(({ feature_id }) => feature_id))
  const present = new Map(current.filter(isOurs).map((each) => [each.feature_id, each]))
  const remembered = new Map(before.map((each) => [each.feature_id, each]))
  const ours: Array<Association> = []
  for (const proposed of proposeAssociations(evidence)) {
    const own = present.get(proposed.feature_id)
    const last = remembered.get(proposed.feature_id)
    // A person has edited, moved or removed it.
    if (own === undefined && last !== undefined) ours.push(last)
    if (own === undefined && (last !== undefined || taken.has(proposed.feature_id))) continue
    present.delete(proposed.feature_id)
    const next = { ...proposed, id: own?.id ?? (yield* makeId("asc")) }
    ours.push(next)
    if (own !== undefined && isSame(own, next)) continue
    const { id, feature_id: feature, sentiment, influence_summary } = next
    yield* edits.addAssociation(org, {
      id,
      deal,
      feature,
      sentiment,
      influence_summary: influence_summary ?? "",
      tags: [UNVERIFIED],
    })
  }
  for (const { id } of present.values()) yield* edits.remove(org, "association", id)
  return ours
})

/** Takes the mark from the associations that an analysis wrote, once a person has verified the deal. */
export const markVerified = Effect.fnUntraced(function* (sql: SqlClient, org: string, deal: string) {
  const edits = yield* RecordEdits
  const rows = yield* sql<Association & { tags: ReadonlyArray<string> }>`
    select s.id, s.feature_id, s.influence_summary, s.sentiment, s.tags from associations s
    where s.org_id = ${org} and s.deal_id = ${deal} and ${UNVERIFIED} = any(s.tags) order by s.id`
  for (const { id, feature_id: feature, influence_summary, sentiment, tags } of rows) {
    const rest = tags.filter((tag) => tag !== UNVERIFIED)
    const fields = { id, deal, feature, sentiment, influence_summary: influence_summary ?? "" }
    yield* edits.addAssociation(org, { ...fields, tags: rest })
  }
})
