import * as Effect from "effect/Effect"
import type { DealFilters } from "../deals/filters/filters.ts"
import { Deals } from "../deals/Deals.ts"
import { Conflict } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { Database } from "../storage/Database.ts"

/** Deals that one run analyzes. */
const MAX_DEALS_PER_RUN = 10_000

/** Makes the function that returns the ids of the matching deals that have a document that was read. */
export const makeDealChooser = Effect.gen(function* () {
  const database = yield* Database
  const { sql } = database
  const deals = yield* Deals

  return Effect.fnUntraced(function* (org: string, filters: DealFilters) {
    const ids = yield* deals.ids(org, filters, MAX_DEALS_PER_RUN + 1)
    if (ids.length > MAX_DEALS_PER_RUN) {
      const reason = `match more than ${MAX_DEALS_PER_RUN.toLocaleString("en")} deals: narrow them`
      return yield* badRequest({ invalid: [{ field: "filters", reason }] })
    }
    const withTexts = yield* database.scoped<{ id: string }>(
      org,
      sql`select x.id from json_array_elements_text(${JSON.stringify(ids)}::json) x(id)
        where exists (select from documents t join document_texts b on b.org_id = scope.org and b.document_id = t.id
          where t.org_id = scope.org and t.deal_id = x.id)`,
    )
    if (withTexts.length > 0) return withTexts.map(({ id }) => id)
    return yield* new Conflict({ message: "none of these deals has a document that was read; upload one first" })
  })
})
