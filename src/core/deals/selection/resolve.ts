import * as Effect from "effect/Effect"
import { suggestion } from "../../common/nearest.ts"
import { isOrdered } from "../../common/zone.ts"
import { decodeInput } from "../../http/validation/decodeInput.ts"
import { badRequest, type Invalid } from "../../http/validation/validation.ts"
import { Database } from "../../storage/Database.ts"
import { canonicalize } from "../filters/canonical.ts"
import { unknownNames } from "../names/closedSets.ts"
import { loadContext } from "./context.ts"
import { crmProblems } from "../names/properties.ts"
import { findByIdOrName, type Named } from "../names/dynamic.ts"
import { type CanonicalFilters, DATE_FILTERS, DealFilters, notOrdered, partsOf } from "../filters/filters.ts"
import { conditions } from "../conditions/conditions.ts"
import { select } from "./select.ts"
import { isDynamic } from "../columns/selectors.ts"

const decodeFilters = decodeInput(DealFilters, "filters")

/**
 * Reads filters with the part of the workspace that they name; with `isWhole`, all of it. Lists their problems. Fails for filters that
 * HTTP refuses: a host in JavaScript may misspell one, which would widen the result.
 */
export const readFilters = Effect.fnUntraced(function* (org: string, given: DealFilters, isWhole = false) {
  const { filters, invalid } = canonicalize(yield* decodeFilters(given))
  const context = yield* loadContext(org, filters, isWhole || namesDynamic(filters))
  const unknown = yield* unknownNames(org, filters, context.named)
  return {
    filters,
    context,
    invalid: [
      ...invalid,
      ...unknown,
      ...unorderedDates(filters, context.calendar.timezone),
      ...crmProblems(filters, context.properties),
      ...answerProblems(filters, context.answers),
    ],
  }
})

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
  const { filters, context, invalid } = yield* readFilters(org, given, columns.some(isDynamic))
  const chosen = select(sql, columns, context)
  const wrong = [
    ...invalid.map((problem) => ({ ...problem, field: within + problem.field })),
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

/** Ranges from a day to an instant, or the reverse, that are empty in the workspace's time zone. */
const unorderedDates = (filters: CanonicalFilters, zone: string): ReadonlyArray<Invalid> =>
  partsOf(filters).flatMap(([part, prefix]) =>
    DATE_FILTERS.flatMap((name): ReadonlyArray<Invalid> => {
      const { from, to } = part[name] ?? {}
      return from === undefined || to === undefined || isOrdered(from, to, zone)
        ? []
        : [{ field: prefix + name, reason: notOrdered("from", "to") }]
    }),
  )

/** Filters that need the workspace's CRM properties, answers or segments. */
const DYNAMIC = [
  "crm_filters",
  "crm_account_filters",
  "custom_answers",
  "segment_ids",
  "segment_ids_filter_type",
] as const satisfies ReadonlyArray<keyof CanonicalFilters>

const namesDynamic = (filters: CanonicalFilters): boolean =>
  partsOf(filters).some(([part]) => DYNAMIC.some((name) => part[name] !== undefined))

const answerProblems = (filters: CanonicalFilters, answers: ReadonlyArray<Named>): ReadonlyArray<Invalid> =>
  partsOf(filters).flatMap(([part, prefix]) =>
    Object.keys(part.custom_answers ?? {}).flatMap((name): ReadonlyArray<Invalid> => {
      if (findByIdOrName(answers, name) !== undefined) return []
      const candidates = answers.flatMap((each) => [each.name, each.id])
      const reason = `must name custom answers of this workspace; '${name.slice(0, 100)}' is not one`
      return [{ field: `${prefix}custom_answers`, reason, ...suggestion(name, candidates) }]
    }),
  )
