import type { Outcome } from "../words/names.ts"
import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import type { Aggregate, Base, Dimension, Grain, Order } from "../words/lexicon.ts"
import type { Unknown, FoundName } from "../names/foundNames.ts"
import type { Period, Today } from "../words/periods.ts"

export type DateField = "created_at" | "updated_at" | "close_date" | "asked_at" | "stage_changed_at" | "slipped_from"

export interface Rank {
  readonly order: Order
  /** As the question says it. */
  readonly word: string
  readonly limit?: number | undefined
  /** A second ranking that the question asks for, in the other direction. */
  readonly other?: string
}

export interface Having {
  readonly of: "deals" | "rate"
  readonly min?: number
  readonly max?: number
}

/** One of two conditions that a question puts beside each other. */
export interface QuestionSide {
  /** As the answer names it. */
  readonly said: string
  readonly conditions: CanonicalFilters
}

/** A question, slot by slot. A follow-up replaces slots of the question before it. */
export interface Slots {
  /** The measures; the first is the one that the answer says. */
  readonly bases: ReadonlyArray<Base>
  readonly aggregate?: Aggregate | undefined
  /** The question asks "how many". */
  readonly counts: boolean
  /** The things that it counts or lists: deals, or the values of a dimension. */
  readonly head?: "deal" | Dimension | undefined
  /** The head is a singular: "the biggest deal". */
  readonly isSingular: boolean
  /** The question asks to list the head. */
  readonly lists: boolean
  readonly groups: ReadonlyArray<Dimension>
  readonly grain?: Grain | undefined
  readonly rank?: Rank | undefined
  readonly outcomes: ReadonlyArray<Outcome>
  readonly names: ReadonlyArray<FoundName>
  /** Filters that name nothing of the workspace: amounts, scores, states. */
  readonly conditions: CanonicalFilters
  /** A bound on each group, in deals or as a rate: "competitors with at least 5 deals", "reps below 30 %". */
  readonly having?: Having | undefined
  /** Two conditions beside each other, each with a number of its own. */
  readonly sides?: ReadonlyArray<QuestionSide> | undefined
  readonly date?: DateField | undefined
  readonly periods: ReadonlyArray<Period>
  /** The question compares with the period before, with the year before, or what it names. */
  readonly compare?: "previous_period" | "previous_year" | "named" | undefined
  readonly asksWhy: boolean
  /** Which reasons or sentiments: those that spoke for us or against us. */
  readonly side?: "positive" | "negative" | undefined
  /** "What share of X is Y": the slots of X. */
  readonly whole?: Slots | undefined
  /** "What share of …", in deals or in amount. */
  readonly isShare: boolean
  readonly unknown: ReadonlyArray<Unknown>
  /** The day of the question. */
  readonly today: Today
}
