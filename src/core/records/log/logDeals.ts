import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { readAssociations } from "../../intelligence/writing.ts"
import { COLUMN_NAMES, type DealRow, LINK_NAMES } from "../dealRows.ts"
import { byKind, type History, KIND_NAMES, readChanges } from "../History.ts"
import type { DealChanges } from "../Session.ts"
import { fingerprint } from "./fingerprint.ts"
import type { LoggedDeal } from "./Logged.ts"

const isPlain = (value: unknown) => typeof value !== "object" || value === null

/** The fingerprint of a deal with its lists and the numbers of its last changes. Of every created deal, so it must be fast. */
export const markDeal = (row: DealRow, history: History): number => {
  const plain: Array<unknown> = [history.last("stages", row.id)]
  const lastCloseDate = history.last("closeDates", row.id)
  // Logs of earlier versions have no such number.
  const others: Array<unknown> = lastCloseDate === 0 ? [] : ["closeDates", lastCloseDate]
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
  { found, changed, deleted, history }: DealChanges,
) {
  const before = new Map(found.map((row) => [row.id, row]))
  const had = yield* readHad(sql, org, deleted)
  const made = byKind((kind) => history.counts(kind))
  return [
    ...changed.map(({ row, isNew }): LoggedDeal => {
      const { id } = row
      const mark = markDeal(row, history)
      return isNew ? { id, mark } : { id, mark, before: before.get(id)!, ...byKind((kind) => made[kind].get(id) ?? 0) }
    }),
    ...deleted.map((id): LoggedDeal => ({ id, before: before.get(id)!, had: had(id) })),
  ]
})

/** Reads the rows that are deleted with deals. */
const readHad = Effect.fnUntraced(function* (sql: SqlClient, org: string, ids: ReadonlyArray<string>) {
  if (ids.length === 0) return () => ({ associations: [], documents: 0 })
  const changes = yield* Effect.forEach(KIND_NAMES, (kind) =>
    Effect.map(
      readChanges(sql, org, kind, ids),
      (rows) => [kind, Map.groupBy(rows, ({ deal_id }) => deal_id)] as const,
    ),
  )
  const associations = yield* readAssociations(sql, org, [], ids, "")
  const documents = yield* sql<{ deal_id: string; count: number }>`
    select deal_id, count(*)::int as count from documents where org_id = ${org} and deal_id = any(${[...ids]}::text[]) group by deal_id`
  const associationsOf = Map.groupBy(associations, ({ deal_id }) => deal_id)
  const documentsOf = new Map(documents.map(({ deal_id, count }) => [deal_id, count]))
  return (id: string) => ({
    ...Object.fromEntries(changes.map(([kind, rowsOf]) => [kind, rowsOf.get(id) ?? []])),
    associations: associationsOf.get(id) ?? [],
    documents: documentsOf.get(id) ?? 0,
  })
})
