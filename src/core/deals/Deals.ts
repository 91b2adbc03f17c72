import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type BadRequest, NotFound } from "../http/errors.ts"
import { badRequest } from "../http/validation.ts"
import { Database, type DatabaseUnavailable } from "../storage/Database.ts"
import { canonical, type Invalid } from "./canonical.ts"
import { EMPTY_CONTEXT, loadContext } from "./context.ts"
import { crmFilterProblem } from "./crmFilterSql.ts"
import { decodeCursor, encodeCursor } from "./cursor.ts"
import type { CanonicalFilters, DealFilters } from "./filters.ts"
import { conditions } from "./filterSql.ts"
import { isDynamic, select, selectDefault, type Selected, type SelectorContext } from "./selectors.ts"
import { bySimilarity, type Sort, type Sorting, sortingBy, type SortOrder } from "./sorting.ts"
import { countOf, oneOf, type PageRow, pageOf, storedPageOf } from "./sql.ts"
import type { RowsQuery } from "./rowsSql.ts"

export interface ListQuery {
  readonly filters: DealFilters
  readonly sort?: Sort | undefined
  readonly sortOrder?: SortOrder | undefined
  readonly columns?: ReadonlyArray<string> | undefined
  readonly pageSize: number
  readonly pageIndex?: number | undefined
  readonly cursor?: string | undefined
}

export interface Page {
  /** A JSON array of deals, as PostgreSQL built it. */
  readonly body: string
  /** Opens the next page; undefined on the last. */
  readonly next: string | undefined
}

/** Deals as the API answers them: filtered, sorted, paged, with the columns asked for. */
export class Deals extends Context.Service<
  Deals,
  {
    readonly list: (org: string, query: ListQuery) => Effect.Effect<Page, BadRequest | DatabaseUnavailable>
    readonly count: (org: string, filters: DealFilters) => Effect.Effect<number, BadRequest | DatabaseUnavailable>
    /** One deal with every standard column, or those asked for, as JSON text. */
    readonly get: (
      org: string,
      id: string,
      columns: ReadonlyArray<string> | undefined,
    ) => Effect.Effect<string, BadRequest | NotFound | DatabaseUnavailable>
  }
>()("sightline/deals/Deals") {
  static readonly layer = Layer.effect(
    Deals,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database

      const contextFor = (org: string, filters: CanonicalFilters, columns: ReadonlyArray<string>) =>
        columns.some(isDynamic) || filters.crm_filters || filters.crm_account_filters || filters.segment_ids
          ? loadContext(database, org)
          : Effect.succeed(EMPTY_CONTEXT)

      const page = (org: string, rows: RowsQuery, selected: ReadonlyArray<Selected>) =>
        Effect.map(database.scoped<PageRow>(org, pageOf(sql, rows, selected)), ([row]) => row)

      const defaultPage = Effect.fnUntraced(function* (org: string, rows: RowsQuery) {
        const [row] = yield* database.scoped<PageRow & { readonly stale: boolean }>(org, storedPageOf(sql, rows))
        return row?.stale ? yield* page(org, rows, selectDefault(sql)) : row
      })

      return Deals.of({
        list: Effect.fn("Deals.list")(function* (org: string, query: ListQuery) {
          const { filters, invalid } = canonical(query.filters)
          const sorting = sortingOf(query)
          const after = query.cursor === undefined ? undefined : decodeCursor(sorting, query.cursor)
          const context = yield* contextFor(org, filters, query.columns ?? [])
          const chosen = query.columns === undefined ? undefined : select(sql, query.columns, context)
          yield* refuse([
            ...invalid,
            ...crmProblems(filters, context),
            ...(chosen?.invalid ?? []),
            ...(query.cursor !== undefined && after === undefined
              ? [{ field: "cursor", reason: "must be one that a Link header gave for the same sort and sort_order" }]
              : []),
            ...(query.cursor !== undefined && query.pageIndex !== undefined
              ? [{ field: "page_index", reason: "must be left out when cursor is given" }]
              : []),
          ])
          const rows = {
            conditions: conditions(sql, filters, context),
            searchQuery: filters.searchQuery,
            sorting,
            size: query.pageSize,
            offset: (query.pageIndex ?? 0) * query.pageSize,
            after,
          }
          const row = yield* chosen === undefined ? defaultPage(org, rows) : page(org, rows, chosen.selected)
          return {
            body: row?.body ?? "[]",
            next:
              row?.has_more && row.last_id !== null
                ? encodeCursor(sorting, { value: row.last_value, id: row.last_id })
                : undefined,
          }
        }),

        count: Effect.fn("Deals.count")(function* (org: string, given: DealFilters) {
          const { filters, invalid } = canonical(given)
          const context = yield* contextFor(org, filters, [])
          yield* refuse([...invalid, ...crmProblems(filters, context)])
          const [row] = yield* database.scoped<{ count: number }>(
            org,
            countOf(sql, conditions(sql, filters, context), filters.searchQuery),
          )
          return row?.count ?? 0
        }),

        get: Effect.fn("Deals.get")(function* (org: string, id: string, columns: ReadonlyArray<string> = ["*"]) {
          const context = yield* contextFor(org, {}, columns)
          const { selected, invalid } = select(sql, columns, context)
          yield* refuse(invalid)
          const [row] = yield* database.scoped<{ body: string }>(org, oneOf(sql, id, selected))
          if (row === undefined) return yield* new NotFound({ message: "no deal has this id" })
          return row.body
        }),
      })
    }),
  )
}

const sortingOf = ({ sort, sortOrder = "desc", filters }: ListQuery): Sorting =>
  sort === undefined && filters.searchQuery !== undefined ? bySimilarity : sortingBy(sort ?? "created_at", sortOrder)

const refuse = (invalid: ReadonlyArray<Invalid>) =>
  invalid.length === 0 ? Effect.void : Effect.fail(badRequest({ invalid }))

const crmProblems = (filters: CanonicalFilters, { properties }: SelectorContext): ReadonlyArray<Invalid> =>
  (["crm_filters", "crm_account_filters"] as const).flatMap((name) =>
    (filters[name] ?? []).flatMap((filter, index) => {
      const problem = crmFilterProblem(
        name === "crm_filters" ? "deal" : "account",
        filter,
        properties,
        `${name}[${index}]`,
      )
      return problem === undefined ? [] : [problem]
    }),
  )
