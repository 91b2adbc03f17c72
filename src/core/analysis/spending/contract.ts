import * as Schema from "effect/Schema"
import { dateTime, described } from "../../http/values/described.ts"

const text = Schema.NullOr(Schema.String)
const tokens = Schema.Struct({ input: Schema.Int, output: Schema.Int })
const cost = described(
  Schema.NullOr(Schema.Finite),
  "In US dollars, at the prices of the server's SIGHTLINE_MODEL_PRICES. Null without prices.",
)

/** The costs of this month's analyses. */
export const Spending = Schema.Struct({
  month: described(Schema.String, "The calendar month in UTC, such as 2026-03."),
  tokens: described(tokens, "Tokens that the model has read and written."),
  cost,
  budget: described(
    Schema.NullOr(Schema.Int),
    "`analysis_budget` of the workspace: input and output tokens together. Null: no limit.",
  ),
  resets_at: dateTime,
}).annotate({ identifier: "AnalysisSpending" })
export type Spending = typeof Spending.Type

export const Estimate = Schema.Struct({
  deals: described(Schema.Int, "The deals that a run would analyze."),
  unchanged: described(
    Schema.Int,
    "How many of them would cost nothing, because nothing has changed since their analysis.",
  ),
  documents: described(Schema.Int, "The documents of the others."),
  windows: described(Schema.Int, "The parts of these documents that the model would be asked about."),
  method: Schema.Literals(["extracted", "model"]),
  tokens: described(
    tokens,
    "At most, unless a deal has much more to find than those before: from the averages of the workspace's stored calls, or of our own if it has none. Calls that were made before cost nothing. Zero without a model.",
  ),
  cost,
  spending: Spending,
}).annotate({ identifier: "AnalysisEstimate" })
export type Estimate = typeof Estimate.Type

/** How far a run is, and what it has cost. */
export const AnalysisRun = Schema.Struct({
  run_id: Schema.String,
  status: Schema.Literals(["queued", "running", "completed", "failed", "cancelled"]),
  progress: described(Schema.Finite, "From 0 to 1."),
  error: described(text, "Why it failed, or what it waits for."),
  deals: described(Schema.Int, "The deals of the run, without those that a later run has taken over."),
  ready: Schema.Int,
  failed: Schema.Int,
  findings: described(Schema.Int, "The findings of its deals that are ready."),
  failures: described(
    Schema.Array(Schema.Struct({ deal_id: Schema.String, deal_name: Schema.String, reason: Schema.String })),
    "The first 20 deals that failed.",
  ),
  tokens,
  cost,
}).annotate({ identifier: "AnalysisProgress" })
export type AnalysisRun = typeof AnalysisRun.Type
