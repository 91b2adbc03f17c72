import * as Effect from "effect/Effect"
import { badRequest, type Invalid } from "../http/validation.ts"
import type { Database } from "../storage/Database.ts"
import { canonical } from "./canonical.ts"
import { EMPTY_CONTEXT, loadContext } from "./context.ts"
import { crmFilterProblem } from "./crmFilterSql.ts"
import type { CanonicalFilters, DealFilters } from "./filters.ts"
import { conditions } from "./filterSql.ts"
import { isDynamic, select, type SelectorContext } from "./selectors.ts"

/**
 * Filters and columns as the workspace understands them. What is wrong with them, and what the caller found wrong
 * besides (`also`), is refused in one answer.
 */
export const resolve = Effect.fnUntraced(function* (
  database: Database["Service"],
  org: string,
  given: DealFilters,
  columns: ReadonlyArray<string>,
  also: ReadonlyArray<Invalid> = [],
) {
  const { filters, invalid } = canonical(given)
  const context =
    columns.some(isDynamic) || filters.crm_filters || filters.crm_account_filters || filters.segment_ids
      ? yield* loadContext(database, org)
      : EMPTY_CONTEXT
  const chosen = select(database.sql, columns, context)
  const wrong = [...invalid, ...crmProblems(filters, context), ...chosen.invalid, ...also]
  if (wrong.length > 0) return yield* badRequest({ invalid: wrong })
  return {
    searchQuery: filters.searchQuery,
    conditions: conditions(database.sql, filters, context),
    selected: chosen.selected,
  }
})

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
