/** The kinds of findings. Only a model writes findings of kinds `metric` and `answer`. */
export const FINDING_KINDS = ["driver", "feature", "competitor", "quote", "metric", "answer"] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** For us: `positive` speaks for the seller. */
export const EFFECTS = ["positive", "negative", "neutral"] as const
export type Effect = (typeof EFFECTS)[number]

export const SIDES = ["buyer", "seller", "unknown"] as const
export type Side = (typeof SIDES)[number]

/** A name of the catalogue. A quote's topic has no row there: its id is null. */
export interface Target {
  readonly id: string | null
  readonly name: string
}

/** A finding before it is stored. Offsets are in UTF-16 units of the document's text. */
export interface Found {
  readonly kind: FindingKind
  readonly target: Target
  /** Null: not known. */
  readonly effect: Effect | null
  readonly side: Side
  readonly speaker: string | null
  /** `text.slice(start, end)` of the document. */
  readonly quote: string
  readonly start: number
  readonly end: number
  /** Seconds into a recording. */
  readonly startSecond: number | null
}
