export const COMPARISONS = ["previous_period", "previous_year"] as const
export type Comparison = (typeof COMPARISONS)[number]

export const MAX_MEASURES = 8
export const MAX_DIMENSIONS = 3
/** Groups of a reply. */
export const MAX_LIMIT = 1000
export const DEFAULT_LIMIT = 100
/** Filters in `and` of a report. A row's filters may add one for each dimension, one for associations and one for a measure. */
export const MAX_CONDITIONS = 20
