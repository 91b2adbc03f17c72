import type { Metric } from "../../deals/columns/metrics.ts"
import type { SUMMARY_SECTIONS } from "../../deals/columns/summary.ts"

export interface Score {
  readonly score: number | null
  readonly explanation: string | null
}

export interface Driver {
  readonly reason_id: string
  readonly positive: boolean | null
  readonly summary: string | null
}

export interface Competitor {
  readonly competitor_id: string
  readonly is_primary: boolean
  readonly is_incumbent: boolean
}

export interface Association {
  readonly id: string
  readonly feature_id: string
  readonly influence_summary: string | null
  readonly sentiment: boolean | null
}

export interface KeyQuote {
  readonly speaker: string | null
  readonly quote: string
}

type Section = Exclude<(typeof SUMMARY_SECTIONS)[number], "key_quotes">

/**
 * The values that an analysis wrote to the columns of a deal. Where a column has something else, a person or the CRM wrote it; where it has
 * nothing, they removed it. Both stay.
 */
export interface Published {
  readonly sections: Readonly<Partial<Record<Section, string>>>
  readonly keyQuotes: ReadonlyArray<KeyQuote>
  readonly scores: Readonly<Partial<Record<Metric, Score>>>
  /** Custom metrics and answers by id. Absent from analyses of earlier versions. */
  readonly customMetrics?: Readonly<Record<string, Score>>
  readonly customAnswers?: Readonly<Record<string, string>>
  readonly drivers: ReadonlyArray<Driver>
  readonly competitors: ReadonlyArray<Competitor>
  readonly associations: ReadonlyArray<Association>
  /** The deal was verified at the last analysis, which therefore wrote nothing. */
  readonly isHeld?: true
}

export const NOTHING: Published = {
  sections: {},
  keyQuotes: [],
  scores: {},
  drivers: [],
  competitors: [],
  associations: [],
}
