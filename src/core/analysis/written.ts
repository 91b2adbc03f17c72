import type { SUMMARY_SECTIONS } from "../deals/columns/summary.ts"
import type { Metric } from "../deals/columns/metrics.ts"
import type { DropReason } from "./gate/admit.ts"

/** A sentence that a model wrote, with the ids of the findings that carry it. */
export interface CarriedSentence {
  readonly text: string
  readonly findings: ReadonlyArray<string>
}

export interface WrittenSection {
  readonly name: (typeof SUMMARY_SECTIONS)[number]
  /** Null: too little was found, or no sentence held; `reason` says so. */
  readonly text: string | null
  readonly reason: string | null
  readonly sentences: ReadonlyArray<CarriedSentence>
}

export interface WrittenScore {
  readonly metric: Metric
  readonly score: number | null
  readonly explanation: string | null
  readonly reason: string | null
  /** The scores of the samples, in the order in which they were asked for. */
  readonly samples: ReadonlyArray<number>
  /** The difference of the highest and the lowest sample. */
  readonly spread: number | null
  readonly sentences: ReadonlyArray<CarriedSentence>
}

/** A custom metric's score. */
export interface WrittenMetric extends Omit<WrittenScore, "metric"> {
  readonly id: string
  readonly name: string
}

/** A custom answer. */
export interface WrittenAnswer {
  readonly id: string
  readonly name: string
  /** The answer in the form of its question. Null: not established, or no sentence held; `reason` says so. */
  readonly text: string | null
  /** The choice of the forms `boolean` and `option`. */
  readonly value: string | null
  readonly reason: string | null
  readonly sentences: ReadonlyArray<CarriedSentence>
}

/** A model's stored output for one deal. */
export interface WrittenAnalysis {
  readonly model: string
  readonly sections: ReadonlyArray<WrittenSection>
  readonly scorecard: ReadonlyArray<WrittenScore>
  /** Absent from analyses of earlier versions. */
  readonly metrics?: ReadonlyArray<WrittenMetric>
  readonly answers?: ReadonlyArray<WrittenAnswer>
  /** Proposals that are no findings, sentences that are not carried, and windows that were not read. */
  readonly dropped: Readonly<Partial<Record<DropReason | "sentence" | "window", number>>>
}
