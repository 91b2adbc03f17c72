// `npm run client` writes this file from the contract.
import type { DealFilters } from "./filters.ts"
import type { Finding, Analysis } from "./analyses.ts"

export interface AnalysisRun {
  /** GET /runs/{run_id} has its progress. */
  readonly run_id: string
  /** The deals that the run analyzes. */
  readonly deals: number
}

export interface AnalysisSpending {
  /** The calendar month in UTC, such as 2026-03. */
  readonly month: string
  /** Tokens that the model has read and written. */
  readonly tokens: { readonly input: number; readonly output: number }
  /** In US dollars, at the prices of the server's SIGHTLINE_MODEL_PRICES. Null without prices. */
  readonly cost: number | null
  /** `analysis_budget` of the workspace: input and output tokens together. Null: no limit. */
  readonly budget: number | null
  readonly resets_at: string
}

export interface AnalysisEstimate {
  /** The deals that a run would analyze. */
  readonly deals: number
  /** How many of them would cost nothing, because nothing has changed since their analysis. */
  readonly unchanged: number
  /** The documents of the others. */
  readonly documents: number
  /** The parts of these documents that the model would be asked about. */
  readonly windows: number
  readonly method: "extracted" | "model"
  /** At most, unless a deal has much more to find than those before: from the averages of the workspace's stored calls, or of our own if it has none. Calls that were made before cost nothing. Zero without a model. */
  readonly tokens: { readonly input: number; readonly output: number }
  /** In US dollars, at the prices of the server's SIGHTLINE_MODEL_PRICES. Null without prices. */
  readonly cost: number | null
  readonly spending: AnalysisSpending
}

export interface AnalysisProgress {
  readonly run_id: string
  readonly status: "queued" | "running" | "completed" | "failed" | "cancelled"
  /** From 0 to 1. */
  readonly progress: number
  /** Why it failed, or what it waits for. */
  readonly error: string | null
  /** The deals of the run, without those that a later run has taken over. */
  readonly deals: number
  readonly ready: number
  readonly failed: number
  /** The findings of its deals that are ready. */
  readonly findings: number
  /** The first 20 deals that failed. */
  readonly failures: ReadonlyArray<{ readonly deal_id: string; readonly deal_name: string; readonly reason: string }>
  readonly tokens: { readonly input: number; readonly output: number }
  /** In US dollars, at the prices of the server's SIGHTLINE_MODEL_PRICES. Null without prices. */
  readonly cost: number | null
}

export interface AnalysisJudgeInput {
  readonly id: string
  readonly finding_id: string
  readonly state: "accepted" | "rejected"
  /** The right competitor, feature or reason, by id or name. */
  readonly target?: string
  /** The right effect. */
  readonly effect?: "positive" | "negative" | "neutral" | null
}

export interface AwaitedDeal {
  readonly deal_id: string
  readonly deal_name: string
  readonly amount: number | null
  /** The stage's name. */
  readonly deal_status: string | null
  readonly method: string | null
  /** Findings that nobody has judged. */
  readonly proposed: number
  /** How many of them have no known effect or side. */
  readonly doubtful: number
  /** Values of the deal that its documents contradict: `conflicts` of its analysis. */
  readonly conflicts: number
}

export interface AnalysisQueue {
  readonly data: ReadonlyArray<AwaitedDeal>
  readonly next_cursor: string | null
}

export interface FindingPrecision {
  readonly kind: "driver" | "feature" | "competitor" | "quote" | "metric" | "answer"
  readonly by: string
  /** The version of the extractor or prompt. */
  readonly version: string
  readonly proposed: number
  /** Accepted as found. */
  readonly accepted: number
  /** Accepted with another target or effect: not right as found. */
  readonly changed: number
  readonly rejected: number
  /** Accepted as found, of all judged. Null without a judgement. */
  readonly precision: number | null
  /** The lower end of its 95 % interval (Wilson). */
  readonly low: number | null
  readonly high: number | null
}

export interface ScoreAgreement {
  readonly metric:
    | "product_fit"
    | "sales_execution"
    | "relationship"
    | "price_sensitivity"
    | "competitive_intensity"
    | "customer_fit"
    | "messaging_fit"
    | "messaging_accuracy"
  /** The model. */
  readonly by: string
  /** The version of the extractor or prompt. */
  readonly version: string
  /** Deals with a score of the model and one of a person. */
  readonly scores: number
  /** How many of them are equal. */
  readonly same: number
  /** Cohen's kappa with quadratic weights: 1 is agreement, 0 that of chance. Null if every score is the same. */
  readonly kappa: number | null
}

export interface AnalysisQuality {
  readonly data: ReadonlyArray<FindingPrecision>
  /** A person's score is one that differs from what the analysis wrote, and every score of a verified deal. */
  readonly scores: ReadonlyArray<ScoreAgreement>
}

export interface AnalysisLabel {
  readonly id: string
  readonly kind: "driver" | "feature" | "competitor" | "quote" | "metric" | "answer" | "score"
  /** A score is `accepted` if the person's is the same. */
  readonly state: "accepted" | "rejected"
  readonly deal_id: string
  readonly deal_name: string
  /** The thing that was found: a competitor, feature, reason, topic or metric. */
  readonly found_target: string | null
  readonly found_effect: "positive" | "negative" | "neutral" | null
  readonly found_score: number | null
  /** The thing, according to the person. */
  readonly target: string | null
  readonly effect: "positive" | "negative" | "neutral" | null
  readonly score: number | null
  readonly side: "buyer" | "seller" | "unknown" | null
  readonly speaker: string | null
  readonly quote: string | null
  readonly document_id: string | null
  readonly document_name: string | null
  /** The offset of the quote in the document's text, in UTF-16 units. */
  readonly start: number | null
  readonly end: number | null
  /** The finder: `extracted`, or the name of a model. */
  readonly by: string
  /** The version of the extractor or prompt. */
  readonly version: string
  /** The key, person or operator. Null for a score. */
  readonly judged_by: string | null
  readonly judged_at: string | null
}

export interface AnalysisLabels {
  readonly data: ReadonlyArray<AnalysisLabel>
  /** Send it as `cursor` for the next page. Null: this is the last page. */
  readonly next_cursor: string | null
}

export interface AnalysisEndpoints {
  /** Analyze a deal's documents. */
  readonly run: { readonly input: { readonly id: string }; readonly output: AnalysisRun }
  /** Analyze the documents of several deals. */
  readonly runMany: { readonly input: { readonly filters?: DealFilters | undefined }; readonly output: AnalysisRun }
  /** Estimate what an analysis would cost. */
  readonly estimate: {
    readonly input: { readonly filters?: DealFilters | undefined }
    readonly output: AnalysisEstimate
  }
  /** Read how far a run is and what it has cost. */
  readonly progress: { readonly input: { readonly id: string }; readonly output: AnalysisProgress }
  /** Read what the analyses of this month have cost. */
  readonly spending: { readonly input: {}; readonly output: AnalysisSpending }
  /** Read what a deal's documents say. */
  readonly get: { readonly input: { readonly id: string }; readonly output: Analysis }
  /** Accept, change or reject a finding. */
  readonly judge: { readonly input: AnalysisJudgeInput; readonly output: Finding }
  /** Verify a deal's analysis. */
  readonly verify: { readonly input: { readonly id: string }; readonly output: Analysis }
  /** List the deals whose findings await a person. */
  readonly queue: {
    readonly input: {
      /** Deals per page; 50 by default. */
      readonly page_size?: number | undefined
      /** The `next_cursor` of the previous page. */
      readonly cursor?: string | undefined
    }
    readonly output: AnalysisQueue
  }
  /** Read how right findings and scores were. */
  readonly quality: { readonly input: {}; readonly output: AnalysisQuality }
  /** List what people said of findings and scores. */
  readonly labels: {
    readonly input: {
      /** The `next_cursor` of the previous page. */
      readonly cursor?: string | undefined
    }
    readonly output: AnalysisLabels
  }
}
