import * as Effect from "effect/Effect"
import { badRequest, type Invalid } from "../http/validation.ts"
import { Database } from "../storage/Database.ts"
import { canonicalize } from "./canonical.ts"
import { unknownNames } from "./closedSets.ts"
import { loadContext } from "./context.ts"
import { crmFilterProblem } from "./crmFilterSql.ts"
import type { CanonicalFilters, DealFilters } from "./filters.ts"
import { conditions } from "./filterSql.ts"
import { select, type SelectorContext } from "./select.ts"
import { isDynamic } from "./selectors.ts"

/**
 * Resolves filters and columns against the workspace. Fails with all their problems, and those in `also`, in one error.
 * `within` is the prefix of the filters' field names in the request.
 */
export const resolve = Effect.fnUntraced(function* (
  org: string,
  given: DealFilters,
  columns: ReadonlyArray<string>,
  { also = [], within = "" }: { readonly also?: ReadonlyArray<Invalid>; readonly within?: string | undefined } = {},
) {
  const { sql } = yield* Database
  const { filters, invalid } = canonicalize(given)
  const isWhole =
    columns.some(isDynamic) ||
    filters.crm_filters !== undefined ||
    filters.crm_account_filters !== undefined ||
    filters.segment_ids !== undefined
  const context = yield* loadContext(org, filters, isWhole)
  const chosen = select(sql, columns, context)
  const unknown = yield* unknownNames(org, filters, context.named)
  const wrong = [
    ...[...invalid, ...unknown, ...crmProblems(filters, context)].map((problem) => ({
      ...problem,
      field: within + problem.field,
    })),
    ...chosen.invalid,
    ...also,
  ]
  if (wrong.length > 0) return yield* badRequest({ invalid: wrong })
  return {
    searchQuery: filters.searchQuery,
    conditions: conditions(sql, filters, context),
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
