import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { BadRequest, NotFound } from "../http/errors/errors.ts"
import { isOrdered } from "../common/zone.ts"
import { badRequest } from "../http/validation/validation.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { readZoneFor } from "../storage/timeZone.ts"
import type { AssociationFilters } from "./contract.ts"
import { type PageRow, selectPage, type Position } from "./sql.ts"

/** Rows per page, which bounds the memory of a request. */
const PAGE = 1000

/** Exports product-feature associations in full. */
export class Intelligence extends Context.Service<
  Intelligence,
  {
    /**
     * Streams the reply's JSON text: `{"data":[…],"meta":{…}}`. Reads the first page before it returns, so that an
     * unreachable database is an error and not half a reply.
     */
    readonly export: (
      org: string,
      filters: AssociationFilters,
    ) => Effect.Effect<Stream.Stream<string, DatabaseUnavailable>, BadRequest | NotFound | DatabaseUnavailable>
  }
>()("sightline/intelligence/Intelligence") {
  static readonly layer = Layer.effect(
    Intelligence,
    Effect.gen(function* () {
      const database = yield* Database
      const page = (org: string, filters: AssociationFilters, zone: string, after?: Position) =>
        Effect.map(
          database.scoped<PageRow>(org, selectPage(database.sql, filters, after, PAGE, zone)),
          ([row]) => row ?? { rows: null, count: 0, last: null },
        )

      return Intelligence.of({
        export: Effect.fn("Intelligence.export")(function* (org: string, filters: AssociationFilters) {
          const { date_from, date_to } = filters
          const zone = yield* Effect.provideService(readZoneFor(org, [date_from, date_to]), Database, database)
          if (date_from !== undefined && date_to !== undefined && !isOrdered(date_from, date_to, zone)) {
            return yield* badRequest({ invalid: [{ field: "date_from", reason: "must not be later than date_to" }] })
          }
          const first = yield* page(org, filters, zone)
          let count = 0
          const rows = Stream.paginate({ page: first } as { page?: PageRow; after?: Position }, (state) =>
            Effect.gen(function* () {
              const current = state.page ?? (yield* page(org, filters, zone, state.after))
              const text = (count > 0 && current.count > 0 ? "," : "") + (current.rows ?? "")
              count += current.count
              const last = current.count === PAGE ? current.last : null
              return [[text], last === null ? Option.none() : Option.some({ after: last })] as const
            }),
          )
          const meta = Stream.suspend(() => Stream.succeed(`],"meta":${JSON.stringify(metaOf(filters, count))}}`))
          return Stream.concat(Stream.concat(Stream.succeed('{"data":['), rows), meta)
        }),
      })
    }).pipe(inOrganization),
  )
}

const metaOf = (filters: AssociationFilters, count: number) => ({
  count,
  sentiment: filters.sentiment ?? null,
  date_from: filters.date_from ?? null,
  date_to: filters.date_to ?? null,
  product: filters.product ?? null,
  product_area: filters.product_area ?? null,
  tags: filters.tags ?? [],
})
