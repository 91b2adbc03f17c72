import * as Effect from "effect/Effect"
import { NotFound } from "../../http/errors/errors.ts"
import { reasonWithSuggestion } from "../../http/validation/validation.ts"
import { findNamed } from "../../deals/names/closedSets.ts"
import type { Subject } from "../../reports/measures.ts"
import { Deals, dealsIn } from "../../deals/Deals.ts"
import type { DealFilters } from "../../deals/filters/filters.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { type Passage, SearchIndex, type SearchScope } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import { Reports } from "../../reports/Reports.ts"
import { describePassage, MAX_FOUND, ToolRefused, TOOLS } from "./contract.ts"
import { rowsOfCompetitors } from "./competitorRows.ts"
import { describeWorkspace } from "./describeWorkspace.ts"
import { type GivenFilters, mergeFilters } from "./filters.ts"
import { listing, unknownValues } from "./knownValues.ts"
import { namesFor } from "./parameters.ts"
import { refusal } from "./readArguments.ts"
import { readDocument } from "./readDocument.ts"
import { type ReportArguments, runReport } from "./runReport.ts"
import { type AssetRow, type CompetitorRow, findFirstPlace, selectAssets, selectCompetitors } from "./sql.ts"
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
      const reference = { field: "competitor", set: "competitors", value: competitor } as const
      return yield* Effect.catchTag(findNamed(org, reference, listing), "BadRequest", refuse)
    }, Effect.provide(context))

    /** The filters of a call. Refuses values that the workspace does not have. */
    const readFilters = Effect.fnUntraced(function* (given: GivenFilters) {
      const { filters, twice } = mergeFilters(given)
      const invalid = [
        ...twice.map((name) => `${name} has one value in filters and another in more: give it once`),
        ...(yield* unknownValues(yield* organization, filters)).map(
          (problem) => `${problem.field} ${reasonWithSuggestion(problem)}`,
        ),
      ]
      return invalid.length === 0 ? filters : yield* new ToolRefused({ message: refusal(invalid) })
    }, Effect.provide(context))

    const listDeals = Effect.fnUntraced(function* (query: Parameters<typeof deals.list>[1]) {
      const org = yield* organization
      const page = yield* existing(Effect.catchTag(deals.list(org, query), "BadRequest", refuse))
      return dealsIn(page) as ReadonlyArray<DealRow>
    })

    const countDeals = Effect.fnUntraced(function* (filters: DealFilters = {}) {
      const org = yield* organization
      return yield* existing(Effect.catchTag(deals.count(org, filters), "BadRequest", refuse))
    })

    /** The number of deals with the pointer to its report, by which a model inserts it. */
    const countByReport = Effect.fnUntraced(function* (filters: DealFilters | undefined) {
      const report = runReport("deals", { measures: ["deals"], ...(filters && { filters }) })
      const { values, text: _, ...pointer } = (yield* existing(Effect.catchTag(report, "BadRequest", refuse))).totals
      return { count: values["deals"] ?? 0, pointer }
    }, Effect.provide(context))

    const readRecord = Effect.fnUntraced(function* ({ id, name, created_at }: DealRow) {
      const org = yield* organization
      const text = (yield* records.text(org, id))?.text.slice(0, MAX_RECORD_LENGTH) ?? name
      return recordPassage({ id, name, createdAt: String(created_at ?? ""), text })
    })

    const describeDeal = Effect.fnUntraced(function* (row: DealRow) {
      const { point } = yield* ToolCaller
      return { ...row, ...(yield* point(yield* readRecord(row))) }
    })

    const report = Effect.fnUntraced(function* (subject: Subject, given: ReportArguments & GivenFilters) {
      const { more: _, ...query } = given
      const filters = yield* readFilters(given)
      return yield* existing(
        Effect.catchTag(runReport(subject, { ...query, filters }), "BadRequest", ({ message, details = {} }) =>
          refuse({ message: `${message}${namesFor(subject, details)}` }),
        ),
      )
    }, Effect.provide(context))

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
      search_deal_documents: Effect.fnUntraced(function* ({ query, deal_id, from, to, limit }) {
        const { deal_ids: dealIds } = yield* Effect.mapError(
          readFilters(deal_id === undefined ? {} : { filters: { deal_ids: [deal_id] } }),
          (error) =>
            error._tag === "ToolRefused"
              ? new ToolRefused({ message: error.message.replace("deal_ids", "deal_id") })
              : error,
        )
        return yield* search(query, limit, { within: "deals", dealIds, from, to })
      }),
      search_across_deals: Effect.fnUntraced(function* ({ query, limit, ...given }) {
        const filters = yield* readFilters(given)
        if (Object.keys(filters).length === 0) {
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
      search_deals: Effect.fnUntraced(function* ({ sort, sort_order, limit = DEFAULT_LIMIT, ...given }) {
        const filters = yield* readFilters(given)
        const rows = yield* listDeals({ filters, columns: COLUMNS, sort, sortOrder: sort_order, pageSize: limit })
        const { count: total, pointer } = yield* countByReport(filters)
        return { found: rows.length, total, ...pointer, deals: yield* Effect.forEach(rows, describeDeal) }
      }),
      select_deal: Effect.fnUntraced(function* ({ deal_id, name }) {
        if ((deal_id === undefined) === (name === undefined)) {
          return yield* new ToolRefused({ message: "give either deal_id or name" })
        }
        const filters = deal_id === undefined ? { searchQuery: name } : { deal_ids: [deal_id] }
        const found = yield* listDeals({ filters, columns: ["*"], pageSize: MAX_SIMILAR })
        const equal = found.filter((deal) => deal.name.trim().toLowerCase() === name?.trim().toLowerCase())
        const [row, ...others] = equal.length > 0 ? equal : found
        if (row === undefined) {
          const said =
            deal_id === undefined ? `name or a similar one: '${name}'` : `id '${deal_id}'; give its name as name`
          return yield* new ToolRefused({ message: `no deal has this ${said}; search_deals lists deals` })
        }
        if (others.length > 0)
          return yield* new ToolRefused({
            message: `several deals match; give the deal_id of one: ${[row, ...others].map((deal) => `${deal.id} (${deal.name})`).join(", ")}`,
          })
        const record = yield* readRecord(row)
        const { point } = yield* ToolCaller
        return { found: 1, deal: { ...row, ...(yield* point(record)) }, record: record.text }
      }),
      search_competitors: Effect.fnUntraced(function* ({ name, limit = MAX_FOUND }) {
        const org = yield* organization
        const competitors = yield* database.scoped<CompetitorRow>(org, selectCompetitors(sql, name, limit))
        const { pointToRow } = yield* ToolCaller
        const report = rowsOfCompetitors(competitors)
        return {
          found: competitors.length,
          competitors: yield* Effect.forEach(competitors, (competitor, row) =>
            Effect.map(pointToRow(report, row), (pointer) => ({ ...competitor, ...pointer })),
          ),
        }
      }),
      get_assets: Effect.fnUntraced(function* ({ competitor, document_type, name, limit = DEFAULT_LIMIT }) {
        const org = yield* organization
        const competitors = yield* findCompetitors(competitor)
        const rows = yield* database.scoped<AssetRow>(
          org,
          selectAssets(sql, { competitors, type: document_type, name, limit }),
        )
        const found = yield* Effect.forEach(rows, (row) =>
          Effect.map(describe(makeOpening(row)), (opening) => ({
            ...opening,
            type: row.type,
            competitor_name: row.competitor_name,
          })),
        )
        return { found: found.length, assets: found }
      }),
      count_deals: Effect.fnUntraced(function* (given) {
        const { count, pointer } = yield* countByReport(yield* readFilters(given))
        return { found: count, count, ...pointer }
      }),
      report_deals: (query) => report("deals", query),
      report_features: (query) => report("associations", query),
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

const refuse = ({ message }: { readonly message: string }) =>
  Effect.fail(new ToolRefused({ message: refusal([message.replace(/^Invalid request: /, "")]) }))

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

const makeOpening = (row: AssetRow): Passage => ({
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
  place: findFirstPlace(row),
  places: row.places,
  tables: row.tables,
  score: 0,
})
