import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { loadContext } from "../deals/selection/context.ts"
import { inSegment, readsDealsAlone } from "../deals/conditions/conditions.ts"
import { asHeavy } from "../storage/CurrentClass.ts"
import { Database } from "../storage/Database.ts"
import { unlimitedIfEmbedded } from "../storage/EmbeddedEngine.ts"
import type { Overview } from "./Catalogue.ts"
import { selectDuplicates } from "./duplicatesSql.ts"
import type { Kind } from "./kinds.ts"
import { KINDS } from "./kinds.ts"
import { countSegments, isOfValues, selectPage, type EntryRow, SHARED_KEYS } from "./pagesSql.ts"
import { SETTINGS, type WorkspaceSettings } from "./settings.ts"

/** Counting the deals of a larger workspace takes too long for each request, so its counts are cached. */
const MAX_DEALS_COUNTED_LIVE = 5000
const COUNTS_TTL = "1 minute"
/** Cached at once. Each takes up to half a megabyte. */
const MAX_WORKSPACES = 100

type Pages = Record<Kind, ReadonlyArray<EntryRow>>

/** Adds the number of deals to each segment. */
export const countDealsOfSegments = Effect.fnUntraced(function* (org: string, rows: ReadonlyArray<EntryRow>) {
  if (rows.length === 0) return rows
  const { sql, scoped } = yield* Database
  const context = yield* loadContext(org)
  const segments = rows.map(({ entry }) => {
    const id = String(entry["id"])
    return {
      id,
      holds: inSegment(sql, id, context),
      isOwn: readsDealsAlone(context.segments.get(id) ?? {}),
    }
  })
  const found = yield* scoped<{ id: string; deals: number }>(org, countSegments(sql, segments))
  const counts = new Map(found.map(({ id, deals }) => [id, deals]))
  return rows.map((row) => ({ ...row, entry: { ...row.entry, deals: counts.get(String(row.entry["id"])) ?? 0 } }))
})

/**
 * Makes a function that reads the settings of a workspace and the first page of each kind. Entries are always current.
 * In a workspace with more than `MAX_DEALS_COUNTED_LIVE` deals, their counts are up to `COUNTS_TTL` old.
 */
export const makeOverviewReader = Effect.gen(function* () {
  const database = yield* Database
  const { sql } = database
  const settings = sql.literal(SETTINGS)

  const duplicates = sql`(select coalesce(json_agg(f), '[]') from (${selectDuplicates(sql, sql`scope.org`)}) f)`

  const read = Effect.fnUntraced(function* (org: string, counts: boolean) {
    const pages = KINDS.map(
      (kind) => sql`${selectPage(sql, kind, { sharesKeys: true, counts })} as ${sql.literal(kind)}`,
    )
    const [row] = yield* database.scoped<Pages & WorkspaceSettings & { readonly duplicates: Overview["duplicates"] }>(
      org,
      sql`with ${sql.literal(SHARED_KEYS)} select ${settings}, ${sql.csv(pages)}, ${counts ? duplicates : sql`'[]'::json`} as duplicates from organizations where id = scope.org`,
    )
    if (row === undefined) return yield* Effect.die("the organization is gone")
    return counts
      ? { ...row, segments: yield* Effect.provideService(countDealsOfSegments(org, row.segments), Database, database) }
      : row
  })

  const counted = yield* Cache.makeWith((org: string) => unlimitedIfEmbedded(read(org, true)), {
    capacity: MAX_WORKSPACES,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? COUNTS_TTL : 0),
  })

  const hasManyDeals = (org: string) =>
    database.scoped<{ many: boolean }>(
      org,
      sql`select exists (
        select from deals d where d.org_id = scope.org offset ${MAX_DEALS_COUNTED_LIVE}::int) as many`,
    )

  return Effect.fnUntraced(function* (org: string) {
    const [found] = yield* hasManyDeals(org)
    if (found?.many !== true) return yield* read(org, true)
    const [row, then] = yield* Effect.all([read(org, false), Cache.get(counted, org)])
    const pages = KINDS.map((kind) => [kind, isOfValues(kind) ? then[kind] : withCounts(row[kind], then[kind])])
    return { ...row, ...(Object.fromEntries(pages) as Pages), duplicates: then.duplicates }
  }, asHeavy)
})

/** Adds cached counts. An entry that is newer than the counts gets 0. */
const withCounts = (rows: ReadonlyArray<EntryRow>, counted: ReadonlyArray<EntryRow>) => {
  const deals = new Map(counted.map(({ tie, entry }) => [tie, entry["deals"]]))
  return rows.map((row) => ({ ...row, entry: { ...row.entry, deals: deals.get(row.tie) ?? 0 } }))
}
