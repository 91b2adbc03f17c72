import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { readAssociations } from "../../intelligence/writing.ts"
import { COLUMN_NAMES, type DealRow, LINK_NAMES } from "../dealRows.ts"
import { readStageChanges } from "../StageChanges.ts"
import type { DealChanges } from "../Session.ts"
import { fingerprint } from "./fingerprint.ts"
import type { LoggedDeal } from "./Logged.ts"

const isPlain = (value: unknown) => typeof value !== "object" || value === null

/** The fingerprint of a deal with its lists and the number of its last stage change. Of every created deal, so it must be fast. */
export const markDeal = (row: DealRow, lastStage: number): number => {
  const plain: Array<unknown> = [lastStage]
  const others: Array<unknown> = []
  for (const name of COLUMN_NAMES) {
    const value = row[name]
    if (isPlain(value)) plain.push(value)
    else others.push(name, value)
  }
  for (const link of LINK_NAMES) if (row[link].length > 0) others.push(link, row[link])
  return fingerprint([JSON.stringify(plain), others])
}

/** Logs the deals of a batch, before it deletes any. */
export const logDeals = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  { found, changed, deleted, stages }: DealChanges,
) {
  const before = new Map(found.map((row) => [row.id, row]))
  const had = yield* readHad(sql, org, deleted)
  const made = stages.counts
  return [
    ...changed.map(({ row, isNew }): LoggedDeal => {
      const { id } = row
      const mark = markDeal(row, stages.last(id))
      return isNew ? { id, mark } : { id, mark, before: before.get(id)!, stages: made.get(id) ?? 0 }
    }),
    ...deleted.map((id): LoggedDeal => ({ id, before: before.get(id)!, had: had(id) })),
  ]
})

/** Reads the rows that are deleted with deals. */
const readHad = Effect.fnUntraced(function* (sql: SqlClient, org: string, ids: ReadonlyArray<string>) {
  if (ids.length === 0) return () => ({ stages: [], associations: [], documents: 0 })
  const stages = yield* readStageChanges(sql, org, ids)
  const associations = yield* readAssociations(sql, org, [], ids, "")
  const documents = yield* sql<{ deal_id: string; count: number }>`
    select deal_id, count(*)::int as count from documents where org_id = ${org} and deal_id = any(${[...ids]}::text[]) group by deal_id`
  const stagesOf = Map.groupBy(stages, ({ deal_id }) => deal_id)
  const associationsOf = Map.groupBy(associations, ({ deal_id }) => deal_id)
  const documentsOf = new Map(documents.map(({ deal_id, count }) => [deal_id, count]))
  return (id: string) => ({
    stages: stagesOf.get(id) ?? [],
    associations: associationsOf.get(id) ?? [],
    documents: documentsOf.get(id) ?? 0,
  })
})
