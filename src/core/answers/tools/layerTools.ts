import * as Effect from "effect/Effect"
import { NotFound } from "../../http/errors.ts"
import { Deals, dealsIn } from "../../deals/Deals.ts"
import type { DealFilters } from "../../deals/filters.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { type Passage, SearchIndex, type SearchScope } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import { Reports } from "../../reports/Reports.ts"
import { describePassage, MAX_FOUND, ToolRefused, TOOLS } from "./contract.ts"
import { describeWorkspace } from "./describeWorkspace.ts"
import { readDocument } from "./readDocument.ts"
import { runReport } from "./runReport.ts"
import {
  type AssetRow,
  type CompetitorRow,
  firstPlaceOf,
  selectAssets,
  selectCompetitorIds,
  selectCompetitors,
} from "./sql.ts"
import { ToolCaller } from "./ToolCaller.ts"

const DEFAULT_LIMIT = 8

/** Deals whose text one call searches. */
const MAX_DEALS = 200

/** Deals with a similar name that a refusal lists. */
const MAX_SIMILAR = 5

/** In UTF-16 units. */
const MAX_RECORD_LENGTH = 8000

/** The columns of a deal in a list. */
const COLUMNS = [
  "name",
  "deal_status",
  "amount",
  "close_date",
  "created_at",
  "owner_name",
  "client_name",
  "region",
  "type",
  "product_labels",
  "competitors",
]

type DealRow = { readonly id: string; readonly name: string; readonly [column: string]: unknown }

const organization = Effect.map(ToolCaller, ({ asker }) => asker.organizationId)

/** Implements `TOOLS`, each call in the workspace of its `ToolCaller`. */
export const layerTools = TOOLS.toLayer(
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database
    const deals = yield* Deals
    const index = yield* SearchIndex
    const records = yield* DealRecords
    const context = yield* Effect.context<Database | Reports>()

    const describe = Effect.fnUntraced(function* (passage: Passage) {
      const { point } = yield* ToolCaller
      return { ...(yield* point(passage)), ...describePassage(passage) }
    })

    const search = Effect.fnUntraced(function* (text: string, limit = DEFAULT_LIMIT, scope: SearchScope) {
      const org = yield* organization
      const { passages } = yield* existing(index.search(org, { text, limit, scope }))
      return { found: passages.length, passages: yield* Effect.forEach(passages, describe) }
    })

    const findCompetitors = Effect.fnUntraced(function* (competitor: string | undefined) {
      if (competitor === undefined) return undefined
      const org = yield* organization
      const rows = yield* database.scoped<{ id: string }>(org, selectCompetitorIds(sql, competitor))
      if (rows.length > 0) return rows.map(({ id }) => id)
      return yield* new ToolRefused({
        message: `no competitor has the name or id '${competitor}'; search_competitors lists all competitors`,
      })
    })

    const listDeals = Effect.fnUntraced(function* (query: Parameters<typeof deals.list>[1]) {
      const org = yield* organization
      const page = yield* existing(Effect.catchTag(deals.list(org, query), "BadRequest", refuse))
      return dealsIn(page) as ReadonlyArray<DealRow>
    })

    const countDeals = Effect.fnUntraced(function* (filters: DealFilters = {}) {
      const org = yield* organization
      return yield* existing(Effect.catchTag(deals.count(org, filters), "BadRequest", refuse))
    })

    const recordOf = Effect.fnUntraced(function* ({ id, name, created_at }: DealRow) {
      const org = yield* organization
      const text = (yield* records.text(org, id))?.text.slice(0, MAX_RECORD_LENGTH) ?? name
      return recordPassage({ id, name, createdAt: String(created_at ?? ""), text })
    })

    const describeDeal = Effect.fnUntraced(function* (row: DealRow) {
      const { point } = yield* ToolCaller
      return { ...row, ...(yield* point(yield* recordOf(row))) }
    })

    return TOOLS.of({
      search_knowledge_base: Effect.fnUntraced(function* ({ query, competitor, document_type, from, to, limit }) {
        return yield* search(query, limit, {
          within: "library",
          competitorIds: yield* findCompetitors(competitor),
          documentTypes: document_type === undefined ? undefined : [document_type],
          from,
          to,
        })
      }),
      search_deal_documents: ({ query, deal_id, from, to, limit }) =>
        search(query, limit, { within: "deals", dealIds: deal_id === undefined ? undefined : [deal_id], from, to }),
      search_across_deals: Effect.fnUntraced(function* ({ query, filters, limit }) {
        if (filters === undefined) {
          return { ...(yield* search(query, limit, { within: "deals" })), deals: yield* countDeals() }
        }
        const total = yield* countDeals(filters)
        const ids: Array<string> = []
        for (let page = 0; page * 100 < Math.min(total, MAX_DEALS); page++) {
          const rows = yield* listDeals({ filters, columns: [], pageSize: 100, pageIndex: page })
          ids.push(...rows.map(({ id }) => id))
        }
        if (ids.length === 0) return { found: 0, passages: [], deals: 0 }
        return { ...(yield* search(query, limit, { within: "deals", dealIds: ids })), deals: total }
      }),
      search_deals: Effect.fnUntraced(function* ({ filters = {}, sort, sort_order, limit = DEFAULT_LIMIT }) {
        const rows = yield* listDeals({ filters, columns: COLUMNS, sort, sortOrder: sort_order, pageSize: limit })
        const total = rows.length < limit ? rows.length : yield* countDeals(filters)
        return { found: rows.length, total, deals: yield* Effect.forEach(rows, describeDeal) }
      }),
      select_deal: Effect.fnUntraced(function* ({ deal_id, name }) {
        if ((deal_id === undefined) === (name === undefined)) {
          return yield* new ToolRefused({ message: "give either deal_id or name" })
        }
        const filters = deal_id === undefined ? { searchQuery: name } : { deal_ids: [deal_id] }
        const found = yield* listDeals({ filters, columns: ["*"], pageSize: MAX_SIMILAR })
        const equal = found.filter((deal) => deal.name.trim().toLowerCase() === name?.trim().toLowerCase())
        const [row, ...others] = equal.length > 0 ? equal : found
        if (row === undefined) return yield* new ToolRefused({ message: "no such deal; search_deals lists deals" })
        if (others.length > 0)
          return yield* new ToolRefused({
            message: `several deals match; give the deal_id of one: ${[row, ...others].map((deal) => `${deal.id} (${deal.name})`).join(", ")}`,
          })
        const record = yield* recordOf(row)
        const { point } = yield* ToolCaller
        return { found: 1, deal: { ...row, ...(yield* point(record)) }, record: record.text }
      }),
      search_competitors: Effect.fnUntraced(function* ({ name, limit = MAX_FOUND }) {
        const org = yield* organization
        const competitors = yield* database.scoped<CompetitorRow>(org, selectCompetitors(sql, name, limit))
        return { found: competitors.length, competitors }
      }),
      get_assets: Effect.fnUntraced(function* ({ competitor, document_type, name, limit = DEFAULT_LIMIT }) {
        const org = yield* organization
        const competitors = yield* findCompetitors(competitor)
        const rows = yield* database.scoped<AssetRow>(
          org,
          selectAssets(sql, { competitors, type: document_type, name, limit }),
        )
        const found = yield* Effect.forEach(rows, (row) =>
          Effect.map(describe(openingOf(row)), (opening) => ({
            ...opening,
            type: row.type,
            competitor_name: row.competitor_name,
          })),
        )
        return { found: found.length, assets: found }
      }),
      count_deals: Effect.fnUntraced(function* ({ filters }) {
        const count = yield* countDeals(filters)
        return { found: count, count }
      }),
      report_deals: (query) =>
        Effect.provide(existing(Effect.catchTag(runReport("deals", query), "BadRequest", refuse)), context),
      report_features: (query) =>
        Effect.provide(existing(Effect.catchTag(runReport("associations", query), "BadRequest", refuse)), context),
      describe_workspace: ({ kind }) => Effect.provide(describeWorkspace(kind), context),
      read_document: Effect.fnUntraced(function* ({ document_id, start = 0 }) {
        const { passage, length } = yield* Effect.provide(readDocument(document_id, start), context)
        return {
          found: 1,
          document: yield* describe(passage),
          length,
          next: passage.end < length ? passage.end : null,
        }
      }),
    })
  }),
)

/** The callers of tools have found the organization. */
const existing = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, NotFound>, R> =>
  Effect.catch(effect, (error) =>
    error instanceof NotFound ? Effect.die(error) : Effect.fail(error as Exclude<E, NotFound>),
  )

const refuse = ({ message }: { readonly message: string }) => Effect.fail(new ToolRefused({ message }))

/** A deal's record as one passage. */
const recordPassage = (deal: {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly text: string
}): Passage => ({
  source: "deal",
  id: deal.id,
  name: deal.name,
  dealId: deal.id,
  dealName: deal.name,
  competitorId: null,
  createdAt: deal.createdAt,
  n: 0,
  start: 0,
  end: deal.text.length,
  text: deal.text,
  headings: [],
  place: { kind: "text" },
  places: [],
  tables: [],
  score: 0,
})

const openingOf = (row: AssetRow): Passage => ({
  source: "document",
  id: row.id,
  name: row.file_name,
  dealId: null,
  dealName: null,
  competitorId: row.competitor_id,
  createdAt: row.created_at,
  n: 0,
  start: row.start_at,
  end: row.end_at,
  text: row.body,
  headings: row.headings,
  place: firstPlaceOf(row),
  places: row.places,
  tables: row.tables,
  score: 0,
})
