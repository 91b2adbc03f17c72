import type { NamedIds } from "./closedSets.ts"
import type { CrmProperties } from "./crmFilterSql.ts"
import type { Named } from "./dynamicNames.ts"
import type { CanonicalFilters } from "./filters.ts"
import type { Calendar } from "./periods.ts"

/** The part of the workspace that filters refer to. */
export interface FilterContext {
  readonly properties: CrmProperties
  readonly answers: ReadonlyArray<Named>
  /** Each segment's filters, under their canonical names. */
  readonly segments: ReadonlyMap<string, CanonicalFilters>
  /** The rows that the filters name. */
  readonly named: NamedIds
  readonly calendar: Calendar
}
