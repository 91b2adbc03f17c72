import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { inInstants } from "./inInstants.ts"
import { selectKeywords } from "./keywords.ts"
import { type Passage, type QueryTerm, SearchIndex, type SearchResult } from "./SearchIndex.ts"
import { type FoundRow, search } from "./sql.ts"

/** The result of the statement `search`. */
export interface ResultRow {
  readonly passages: ReadonlyArray<FoundRow>
  readonly terms: ReadonlyArray<QueryTerm>
}

/** Searches by words: BM25 over the full-text indexes of PostgreSQL, with equal results on PostgreSQL and PGlite. */
export const layerLexical = Layer.effect(
  SearchIndex,
  Effect.gen(function* () {
    const database = yield* Database
    return SearchIndex.of({
      search: Effect.fn("SearchIndex.search")(function* (org, query) {
        const within = yield* Effect.provideService(inInstants(org, query), Database, database)
        const [row] = yield* database.scoped<ResultRow>(
          org,
          search(database.sql, { ...within, text: selectKeywords(query.text) }),
        )
        return resultOf(row)
      }),
    })
  }).pipe(inOrganization),
)

export const resultOf = (row: ResultRow | undefined): SearchResult => ({
  passages: (row?.passages ?? []).map(passageOf),
  terms: row?.terms ?? [],
})

const passageOf = (row: FoundRow): Passage => {
  const common = {
    source: row.source,
    id: row.id,
    name: row.name,
    dealId: row.deal_id,
    dealName: row.deal_name,
    competitorId: row.competitor_id,
    createdAt: row.created_at,
    n: row.n,
    score: row.score,
  }
  if (row.source === "document") {
    const places = row.places ?? []
    return {
      ...common,
      start: row.start_at ?? 0,
      end: row.end_at ?? 0,
      text: row.body,
      headings: row.headings ?? [],
      place: places[0]?.place ?? { kind: "text" },
      places,
      tables: row.tables ?? [],
    }
  }
  const { start, end, headings } = row.chunks?.[row.n] ?? { start: 0, end: 0, headings: [] }
  const place = { kind: "text" } as const
  const text = row.body.slice(start, end)
  return { ...common, start, end, text, headings, place, places: [{ start, end, place }], tables: [] }
}
