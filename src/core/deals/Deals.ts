import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import { type BadRequest, NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { asHeavy } from "../storage/CurrentClass.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { decodeCursor, encodeCursor } from "./rows/cursor.ts"
import type { DefaultName } from "./columns/values.ts"
import type { DealFilters } from "./filters/filters.ts"
import { decodeRowQuery, decodeRowsQuery } from "./rows/query.ts"
import { resolve as resolveSelection } from "./selection/resolve.ts"
import { selectDefault, type Selected } from "./selection/select.ts"
import type { RowOf, Selector } from "./columns/row.ts"
import { withId } from "./columns/selectors.ts"
import { bySimilarity, type Sort, type Sorting, sortingBy, type SortOrder } from "./columns/sorting.ts"
import { selectCount, selectIds, selectDrivers, selectOne, selectStageChanges, selectTotals } from "./sql.ts"
import { type PageRow, selectPage, selectStoredPage } from "./rows/page.ts"
import type { PageQuery } from "./rows/rows.ts"

export interface ListQuery {
  readonly filters: DealFilters
  readonly sort?: Sort | undefined
  readonly sortOrder?: SortOrder | undefined
  readonly columns?: ReadonlyArray<string> | undefined
  readonly pageSize: number
  readonly pageIndex?: number | undefined
  readonly cursor?: string | undefined
}

export interface DealBytes {
  /** A JSON array of deals in UTF-8, as PostgreSQL built it. */
  readonly body: Uint8Array
  /** Opens the next page; undefined on the last. */
  readonly next: string | undefined
}

export interface Totals {
  readonly count: number
  /** The number of deals that have an amount; `amount` is their sum. Null: it is too large for a number. */
  readonly valued: number
  readonly amount: number | null
}

/** How often a reason is among the drivers of the deals. */
export interface DriverCount {
  readonly id: string
  readonly name: string
  readonly deals: number
  readonly helped: number
  readonly hurt: number
}

/** Columns, filters, order and page of `rows`. */
export interface RowsQuery<C extends ReadonlyArray<Selector>> {
  /** `id` is always returned. By default, the common fields and the eight scores. */
  readonly columns?: C | undefined
  /** By default, every deal. */
  readonly filters?: DealFilters | undefined
  /** By default, the newest first; with `filters.searchQuery`, the best match first. */
  readonly sort?: Sort | undefined
  /** `desc` by default. */
  readonly sortOrder?: SortOrder | undefined
  /** 1 to 1,000; 50 by default. */
  readonly pageSize?: number | undefined
  /** `next_cursor` of the page before, of the same `sort` and `sortOrder`. */
  readonly cursor?: string | undefined
}

/** A page of deals. `next_cursor` is null on the last. */
export interface RowsPage<R> {
  readonly data: ReadonlyArray<R>
  readonly next_cursor: string | null
}

/** Reads deals: filtered, sorted and paged, with the requested columns. */
export class Deals extends Context.Service<
  Deals,
  {
    /** A page of deals, whose type follows from the columns. Fails with BadRequest for a column that the workspace does not have. */
    readonly rows: <const C extends ReadonlyArray<Selector> = ReadonlyArray<DefaultName>>(
      org: string,
      query?: RowsQuery<C>,
    ) => Effect.Effect<RowsPage<RowOf<C>>, BadRequest | NotFound | DatabaseUnavailable>
    /** One deal, with the requested columns; by default every standard one. */
    readonly row: <const C extends ReadonlyArray<Selector> = readonly ["*"]>(
      org: string,
      id: string,
      query?: { readonly columns?: C | undefined },
    ) => Effect.Effect<RowOf<C>, BadRequest | NotFound | DatabaseUnavailable>
    /** The page of `rows` as bytes, for HTTP. */
    readonly list: (
      org: string,
      query: ListQuery,
    ) => Effect.Effect<DealBytes, BadRequest | NotFound | DatabaseUnavailable>
    readonly count: (
      org: string,
      filters: DealFilters,
    ) => Effect.Effect<number, BadRequest | NotFound | DatabaseUnavailable>
    readonly totals: (
      org: string,
      filters: DealFilters,
    ) => Effect.Effect<Totals, BadRequest | NotFound | DatabaseUnavailable>
    /** The reasons among the deals' drivers, the most frequent first. */
    readonly drivers: (
      org: string,
      filters: DealFilters,
    ) => Effect.Effect<ReadonlyArray<DriverCount>, BadRequest | NotFound | DatabaseUnavailable>
    /** The ids of the deals that match, at most `limit`, in order. */
    readonly ids: (
      org: string,
      filters: DealFilters,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<string>, BadRequest | NotFound | DatabaseUnavailable>
    /** The deal of `row` as JSON text, for HTTP. */
    readonly get: (
      org: string,
      id: string,
      columns: ReadonlyArray<string> | undefined,
    ) => Effect.Effect<string, BadRequest | NotFound | DatabaseUnavailable>
    /** Every change of a deal's stage, oldest first: `{"data":[…]}` as JSON text. */
    readonly stages: (org: string, id: string) => Effect.Effect<string, NotFound | DatabaseUnavailable>
  }
>()("sightline/deals/Deals") {
  static readonly layer = Layer.effect(
    Deals,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const resolve = (...args: Parameters<typeof resolveSelection>) =>
        Effect.provideService(resolveSelection(...args), Database, database)

      const page = (org: string, rows: PageQuery, selected: ReadonlyArray<Selected>) =>
        Effect.map(database.scoped<PageRow>(org, selectPage(sql, rows, selected)), ([row]) => row)

      const defaultPage = Effect.fnUntraced(function* (org: string, rows: PageQuery) {
        const [row] = yield* database.scoped<PageRow & { readonly stale: boolean }>(org, selectStoredPage(sql, rows))
        return row?.stale ? yield* page(org, rows, selectDefault(sql)) : row
      })

      const inClass = ({ searchQuery }: DealFilters) => (searchQuery === undefined ? identity : asHeavy)

      /** Runs a statement over every deal that matches the filters. */
      const queryMatching = Effect.fnUntraced(function* <Row extends object>(
        org: string,
        filters: DealFilters,
        statement: typeof selectCount,
      ) {
        const { conditions, searchQuery } = yield* resolve(org, filters, [])
        return yield* inClass(filters)(database.scoped<Row>(org, statement(sql, conditions, searchQuery)))
      })

      const list = Effect.fn("Deals.list")(function* (org: string, query: ListQuery) {
        const sorting = chooseSorting(query)
        const after = query.cursor === undefined ? undefined : decodeCursor(sorting, query.cursor)
        const { selected, conditions, searchQuery } = yield* resolve(
          org,
          query.filters,
          query.columns === undefined ? [] : withId(query.columns),
          {
            also: [
              ...(query.cursor !== undefined && after === undefined
                ? [
                    {
                      field: "cursor",
                      reason: "must be the cursor of a Link header for the same sort and sort_order",
                    },
                  ]
                : []),
              ...(query.cursor !== undefined && query.pageIndex !== undefined
                ? [{ field: "page_index", reason: "must be omitted when cursor is given" }]
                : []),
            ],
          },
        )
        const rows = {
          conditions,
          searchQuery,
          sorting,
          size: query.pageSize,
          offset: (query.pageIndex ?? 0) * query.pageSize,
          after,
        }
        const reading = query.columns === undefined ? defaultPage(org, rows) : page(org, rows, selected)
        const row = yield* inClass(query.filters)(reading)
        return {
          body: row?.body ?? EMPTY_ARRAY,
          next:
            row?.has_more && row.last_id !== null
              ? encodeCursor(sorting, { value: row.last_value, id: row.last_id })
              : undefined,
        }
      })

      const get = Effect.fn("Deals.get")(function* (org: string, id: string, columns: ReadonlyArray<string> = ["*"]) {
        const { selected } = yield* resolve(org, {}, withId(columns))
        const [row] = yield* database.scoped<{ body: string }>(org, selectOne(sql, id, selected))
        if (row === undefined) return yield* new NotFound({ message: "no deal has this id" })
        return row.body
      })

      return Deals.of({
        rows: Effect.fn("Deals.rows")(function* <const C extends ReadonlyArray<Selector>>(
          org: string,
          given: RowsQuery<C> = {},
        ) {
          const { pageSize = 50, ...query } = yield* decodeRowsQuery(given)
          const page = yield* list(org, { ...query, filters: given.filters ?? {}, pageSize })
          return { data: dealsIn(page) as ReadonlyArray<RowOf<C>>, next_cursor: page.next ?? null }
        }),
        row: Effect.fn("Deals.row")(function* <const C extends ReadonlyArray<Selector>>(
          org: string,
          id: string,
          query: { readonly columns?: C | undefined } = {},
        ) {
          const { columns } = yield* decodeRowQuery(query)
          return JSON.parse(yield* get(org, id, columns)) as RowOf<C>
        }),
        list,
        get,

        count: Effect.fn("Deals.count")(function* (org, filters) {
          const [row] = yield* queryMatching<{ count: number }>(org, filters, selectCount)
          return row?.count ?? 0
        }),

        totals: Effect.fn("Deals.totals")(function* (org, filters) {
          const [row] = yield* queryMatching<Totals>(org, filters, selectTotals)
          return row ?? { count: 0, valued: 0, amount: 0 }
        }),

        drivers: Effect.fn("Deals.drivers")(function* (org, filters) {
          return yield* queryMatching<DriverCount>(org, filters, selectDrivers)
        }),

        ids: Effect.fn("Deals.ids")(function* (org, filters, limit) {
          const rows = yield* queryMatching<{ id: string }>(org, filters, selectIds(limit))
          return rows.map(({ id }) => id)
        }),

        stages: Effect.fn("Deals.stages")(function* (org, id) {
          const [row] = yield* database.scoped<{ body: string }>(org, selectStageChanges(sql, id))
          if (row === undefined) return yield* new NotFound({ message: "no deal has this id" })
          return `{"data":${row.body}}`
        }),
      })
    }).pipe(inOrganization),
  )
}

/** Parses the deals of a page. */
export const dealsIn = ({ body }: DealBytes) => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<unknown>

const EMPTY_ARRAY = new TextEncoder().encode("[]")

const chooseSorting = ({ sort, sortOrder = "desc", filters }: ListQuery): Sorting =>
  sort === undefined && filters.searchQuery !== undefined ? bySimilarity : sortingBy(sort ?? "created_at", sortOrder)
