import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { BadRequest, NotFound } from "../http/errors.ts"
import { badRequest } from "../http/validation.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import type { AssociationFilters } from "./contract.ts"
import { type PageRow, pageOf, type Position } from "./sql.ts"

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
      const page = (org: string, filters: AssociationFilters, after?: Position) =>
        Effect.map(
          database.scoped<PageRow>(org, pageOf(database.sql, filters, after, PAGE)),
          ([row]) => row ?? { rows: null, count: 0, last: null },
        )

      return Intelligence.of({
        export: Effect.fn("Intelligence.export")(function* (org: string, filters: AssociationFilters) {
          if (isAfter(filters.date_from, filters.date_to)) {
            return yield* badRequest({ invalid: [{ field: "date_from", reason: "must not be later than date_to" }] })
          }
          const first = yield* page(org, filters)
          let count = 0
          const rows = Stream.paginate({ page: first } as { page?: PageRow; after?: Position }, (state) =>
            Effect.gen(function* () {
              const current = state.page ?? (yield* page(org, filters, state.after))
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

/** A range that ends with a day includes the whole day. */
const isAfter = (from: string | undefined, to: string | undefined): boolean =>
  from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to) + (to.length === 10 ? 86_400_000 : 1)

const metaOf = (filters: AssociationFilters, count: number) => ({
  count,
  sentiment: filters.sentiment ?? null,
  date_from: filters.date_from ?? null,
  date_to: filters.date_to ?? null,
  product: filters.product ?? null,
  product_area: filters.product_area ?? null,
  tags: filters.tags ?? [],
})
