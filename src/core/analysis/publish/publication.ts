import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeId } from "../../common/ids.ts"
import { RecordEdits } from "../../deals/edits/RecordEdits.ts"
import type { FindingRow } from "../sql.ts"
import { savePublished } from "../writing.ts"
import type { Competitor, Driver } from "./published.ts"

/** An accepted finding. Its document's text proves it; the deal's columns repeat it. */
type Accepted = Pick<FindingRow, "deal_id" | "kind" | "target_id" | "effect" | "quote" | "speaker">

type Summary = Readonly<Record<string, unknown>>

const SENTIMENT = { positive: true, negative: false, neutral: null } as const

const readCompetitors = (sql: SqlClient, org: string, deal: string) =>
  sql<Competitor>`select competitor_id, is_primary, is_incumbent from deal_competitors
    where org_id = ${org} and deal_id = ${deal} order by competitor_id`

const readDrivers = (sql: SqlClient, org: string, deal: string) =>
  sql<Driver>`select reason_id, positive, summary from deal_drivers where org_id = ${org} and deal_id = ${deal} order by position`

const asCompetitors = (rows: ReadonlyArray<Competitor>) =>
  rows.map(({ competitor_id, ...flags }) => ({ competitor: { id: competitor_id }, ...flags }))

const asDrivers = (rows: ReadonlyArray<Driver>) =>
  rows.map(({ reason_id, ...rest }) => ({ reason: { id: reason_id }, ...rest }))

/** The parts of a summary; undefined for an older one, which is plain text. */
const readSummary = Effect.fnUntraced(function* (sql: SqlClient, org: string, deal: string) {
  const [row] = yield* sql<{ summary: unknown }>`select summary from deals where org_id = ${org} and id = ${deal}`
  if (row?.summary === null) return {}
  return typeof row?.summary === "object" ? (row.summary as Summary) : undefined
})

const quotesIn = ({ key_quotes }: Summary): ReadonlyArray<unknown> => (Array.isArray(key_quotes) ? key_quotes : [])

/** Whether an entry of a summary's key quotes is this one. */
const isQuote = (entry: unknown, { quote, speaker }: Accepted) =>
  typeof entry === "object" &&
  entry !== null &&
  "quote" in entry &&
  entry.quote === quote &&
  ("speaker" in entry ? entry.speaker : null) === speaker

/**
 * Writes an accepted finding to its deal by the rules of an import, and returns what `withdraw` needs to take it back; null if the
 * deal had it already, which stays as it is. Runs in the caller's transaction.
 */
export const publish = Effect.fnUntraced(function* (sql: SqlClient, org: string, finding: Accepted) {
  const edits = yield* RecordEdits
  const { deal_id: deal, kind, target_id: target, effect, quote, speaker } = finding
  const sentiment = effect === null ? null : SENTIMENT[effect]
  switch (kind) {
    case "competitor": {
      const rows = yield* readCompetitors(sql, org, deal)
      if (target === null || rows.some(({ competitor_id }) => competitor_id === target)) return null
      const added = { competitor_id: target, is_primary: false, is_incumbent: false }
      yield* edits.updateDeal(org, deal, { competitors: asCompetitors([...rows, added]) })
      return target
    }
    case "driver": {
      const rows = yield* readDrivers(sql, org, deal)
      if (target === null || rows.some(({ reason_id }) => reason_id === target)) return null
      const added = { reason_id: target, positive: sentiment, summary: quote }
      yield* edits.updateDeal(org, deal, { drivers: asDrivers([...rows, added]) })
      return target
    }
    case "feature": {
      if (target === null) return null
      const [present] = yield* sql`select id from associations
        where org_id = ${org} and deal_id = ${deal} and feature_id = ${target} limit 1`
      if (present !== undefined) return null
      const id = yield* makeId("asc")
      yield* edits.addAssociation(org, { id, deal, feature: target, influence_summary: quote, sentiment })
      return id
    }
    case "quote": {
      const summary = yield* readSummary(sql, org, deal)
      if (summary === undefined || quotesIn(summary).some((entry) => isQuote(entry, finding))) return null
      yield* edits.updateDeal(org, deal, {
        summary: { ...summary, key_quotes: [...quotesIn(summary), { speaker, quote }] },
      })
      return "key_quotes"
    }
    default:
      return null
  }
})

/**
 * Takes back what the acceptance of a finding wrote, unless a person has changed it since. Another accepted finding of the same target
 * or quote is published in its place.
 */
export const withdraw = Effect.fnUntraced(function* (sql: SqlClient, org: string, finding: FindingRow) {
  if (finding.published === null) return
  yield* takeBack(sql, org, finding)
  const [next] = yield* sql<Accepted & { readonly id: string }>`
    select id, deal_id, kind, target_id, effect, quote, speaker from findings
    where org_id = ${org} and deal_id = ${finding.deal_id} and kind = ${finding.kind} and state = 'accepted' and id <> ${finding.id}
      and (target_id = ${finding.target_id}::text or (target_id is null and quote = ${finding.quote}
        and speaker is not distinct from ${finding.speaker}::text))
    order by id limit 1`
  if (next === undefined) return
  yield* savePublished(sql, org, next.id, yield* publish(sql, org, next))
})

const takeBack = Effect.fnUntraced(function* (sql: SqlClient, org: string, finding: FindingRow) {
  const { deal_id: deal, kind, published, quote } = finding
  if (published === null) return
  const edits = yield* RecordEdits
  switch (kind) {
    case "competitor": {
      const rows = yield* readCompetitors(sql, org, deal)
      const isOurs = (row: Competitor) => row.competitor_id === published && !row.is_primary && !row.is_incumbent
      if (!rows.some(isOurs)) return
      return yield* edits.updateDeal(org, deal, { competitors: asCompetitors(rows.filter((row) => !isOurs(row))) })
    }
    case "driver": {
      const rows = yield* readDrivers(sql, org, deal)
      const isOurs = (row: Driver) => row.reason_id === published && row.summary === quote
      if (!rows.some(isOurs)) return
      return yield* edits.updateDeal(org, deal, { drivers: asDrivers(rows.filter((row) => !isOurs(row))) })
    }
    case "feature": {
      const [ours] = yield* sql`select id from associations
        where org_id = ${org} and id = ${published} and influence_summary = ${quote}`
      if (ours !== undefined) yield* edits.remove(org, "association", published)
      return
    }
    case "quote": {
      const summary = yield* readSummary(sql, org, deal)
      if (summary === undefined) return
      const kept = quotesIn(summary).filter((entry) => !isQuote(entry, finding))
      const { key_quotes: _, ...rest } = summary
      const after = kept.length === 0 ? rest : { ...summary, key_quotes: kept }
      yield* edits.updateDeal(org, deal, { summary: Object.keys(after).length === 0 ? null : after })
    }
  }
})
