// `npm run client` writes this file from the contract.

export interface Finding {
  readonly id: string
  readonly kind: "driver" | "feature" | "competitor" | "quote" | "metric" | "answer"
  /** The competitor, feature or reason, or the topic of a quote. */
  readonly target: {
    /** Null for the topic of a quote. */
    readonly id: string | null
    readonly name: string
  }
  /** For you: praise of a competitor is negative. Null: not known. */
  readonly effect: "positive" | "negative" | "neutral" | null
  /** For a driver: it is mentioned as a reason; whether it decided is not known. */
  readonly claim: "mentioned" | null
  /** Who says it, by the label of the speaker or sender: see `our_names` and `our_domains` of the workspace. */
  readonly side: "buyer" | "seller" | "unknown"
  /** The label of the speaker or sender, as written. */
  readonly speaker: string | null
  /** Occurs verbatim in the document. */
  readonly quote: string
  readonly document_name: string
  readonly document_id: string
  /** The offset of its beginning in the document's text, in UTF-16 units. */
  readonly start: number
  /** The offset of its end. */
  readonly end: number
  /** Opens the document at the quote, without a key. Null if the key may not read documents. */
  readonly url: string | null
  /** In a recording or transcript with times. */
  readonly start_second?: number
  readonly state: "proposed" | "accepted" | "rejected"
  /** The finder: `extracted`, or the name of a model. */
  readonly by: string
  /** The key, person or operator that accepted or rejected it. */
  readonly judged_by: string | null
  readonly judged_at: string | null
}

export interface Talk {
  readonly document_id: string
  readonly document_name: string
  /** Words that each side speaks. */
  readonly words: { readonly buyer: number; readonly seller: number; readonly unknown: number }
  /** The buyer's share of the words of both sides, 0 to 1. */
  readonly buyer_share: number | null
  /** Questions that each side asks. */
  readonly questions: { readonly buyer: number; readonly seller: number; readonly unknown: number }
  readonly longest_monologue: {
    readonly speaker: string | null
    /** Who says it, by the label of the speaker or sender: see `our_names` and `our_domains` of the workspace. */
    readonly side: "buyer" | "seller" | "unknown"
    readonly words: number
    /** Null without times. */
    readonly seconds: number | null
    /** The offset of its beginning in the document's text, in UTF-16 units. */
    readonly start: number
    /** The offset of its end. */
    readonly end: number
    /** Opens the document at the quote, without a key. Null if the key may not read documents. */
    readonly url: string | null
  } | null
}

export interface NextStep {
  /** Who says it, by the label of the speaker or sender: see `our_names` and `our_domains` of the workspace. */
  readonly side: "buyer" | "seller" | "unknown"
  readonly speaker: string | null
  readonly quote: string
  /** The same side takes it back later in the document. */
  readonly withdrawn: boolean
  readonly document_id: string
  /** The offset of its beginning in the document's text, in UTF-16 units. */
  readonly start: number
  /** The offset of its end. */
  readonly end: number
  /** Opens the document at the quote, without a key. Null if the key may not read documents. */
  readonly url: string | null
}

export interface AnalysisSection {
  readonly name:
    | "executive_summary"
    | "deal_overview"
    | "decision_drivers"
    | "competitive_landscape"
    | "key_quotes"
    | "lessons_learned"
    | "recommendations"
  /** Null: it would rest on fewer than two findings, or no sentence held. */
  readonly text: string | null
  /** Why it is null. */
  readonly reason: string | null
  /** The sentences of the text, each with its findings. */
  readonly sentences: ReadonlyArray<{
    readonly text: string
    /** The ids of the findings that carry the sentence. */
    readonly findings: ReadonlyArray<string>
  }>
}

export interface AnalysisScore {
  readonly metric:
    | "product_fit"
    | "sales_execution"
    | "relationship"
    | "price_sensitivity"
    | "competitive_intensity"
    | "customer_fit"
    | "messaging_fit"
    | "messaging_accuracy"
  /** 1 to 5: the median of the samples. */
  readonly score: number | null
  readonly explanation: string | null
  /** Why it is null. */
  readonly reason: string | null
  /** The scores of the same evidence in another order. */
  readonly samples: ReadonlyArray<number>
  /** The difference of the highest and the lowest sample. */
  readonly spread: number | null
  /** The sentences of the text, each with its findings. */
  readonly sentences: ReadonlyArray<{
    readonly text: string
    /** The ids of the findings that carry the sentence. */
    readonly findings: ReadonlyArray<string>
  }>
}

export interface AnalysisMetric {
  readonly id: string
  readonly name: string
  /** 1 to 5: the median of the samples. */
  readonly score: number | null
  readonly explanation: string | null
  /** Why it is null. */
  readonly reason: string | null
  /** The scores of the same evidence in another order. */
  readonly samples: ReadonlyArray<number>
  /** The difference of the highest and the lowest sample. */
  readonly spread: number | null
  /** The sentences of the text, each with its findings. */
  readonly sentences: ReadonlyArray<{
    readonly text: string
    /** The ids of the findings that carry the sentence. */
    readonly findings: ReadonlyArray<string>
  }>
}

export interface AnalysisAnswer {
  readonly id: string
  readonly name: string
  /** The answer, in the form that the workspace asks for. */
  readonly text: string | null
  /** The choice, if the form is `boolean` or `option`. */
  readonly value: string | null
  /** Why it is null: `not established` if no quote answers the question. */
  readonly reason: string | null
  /** The sentences of the text, each with its findings. */
  readonly sentences: ReadonlyArray<{
    readonly text: string
    /** The ids of the findings that carry the sentence. */
    readonly findings: ReadonlyArray<string>
  }>
}

export interface AnalysisConflict {
  /** The part of the deal that its documents contradict. */
  readonly field: "drivers" | "features" | "scorecard" | "custom_metrics" | "custom_answers"
  readonly target: { readonly id: string; readonly name: string }
  /** The value in the deal: `positive` or `negative`; of a metric, its score; of an answer, its text. */
  readonly recorded: string | number
  /** The score of the analysis, which differs by two or more, or its answer, whose choice is another. */
  readonly proposed?: string | number
  /** The ids of the findings that say otherwise. */
  readonly findings: ReadonlyArray<string>
}

export interface Analysis {
  readonly deal_id: string
  /** `none`: it was never analyzed. */
  readonly state: "none" | "queued" | "running" | "ready" | "failed"
  /** The documents, the catalogue or the names of the sides have changed since. Run it again. */
  readonly stale: boolean
  /** `extracted`: found by names and word lists, without a model. It changes no column of the deal until a person accepts a finding. `model`: found and written by a language model, and published to the deal's columns. */
  readonly method: "extracted" | "model" | null
  /** The model that wrote it. */
  readonly model: string | null
  /** The last run: GET /runs/{run_id}. */
  readonly run_id: string | null
  /** Why the last run failed, or what it waits for. */
  readonly error: string | null
  readonly finished_at: string | null
  /** When a person verified it. */
  readonly verified_at: string | null
  readonly findings: ReadonlyArray<Finding>
  /** Findings beyond the first 1,000, which are not kept. */
  readonly omitted: number
  /** Who talked how much, for each document with speakers. */
  readonly talk: ReadonlyArray<Talk>
  readonly next_steps: ReadonlyArray<NextStep>
  /** The sections of `summary`. Null without a model. */
  readonly sections: ReadonlyArray<AnalysisSection> | null
  /** The scores of each metric. Null without a model. */
  readonly scorecard: ReadonlyArray<AnalysisScore> | null
  /** The custom metrics whose question is asked of the deal. Null without a model. */
  readonly custom_metrics: ReadonlyArray<AnalysisMetric> | null
  /** The custom answers whose question is asked of the deal. Null without a model. */
  readonly custom_answers: ReadonlyArray<AnalysisAnswer> | null
  /** How much of the model's text the checks refused, by reason: `quote` (not in the document), `side` (another side says it), `target` (no such name), `form`, `repeated`, `sentence` (not carried by its findings); `window`: text beyond the limit, which was not read. */
  readonly dropped: { readonly [key: string]: number }
  /** Tokens that the model has read and written for this deal, in all runs. */
  readonly tokens: { readonly input: number; readonly output: number }
  /** Where the buyer's words contradict the deal's recorded drivers or features, or the analysis a recorded score. */
  readonly conflicts: ReadonlyArray<AnalysisConflict>
}
