import type { NamedIds } from "../names/closedSets.ts"
import type { CrmProperties } from "../names/properties.ts"
import type { Named } from "../names/dynamic.ts"
import type { CanonicalFilters } from "../filters/filters.ts"
import type { Calendar } from "../filters/periods.ts"

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
