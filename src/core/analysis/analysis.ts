import * as Schema from "effect/Schema"
import { METRICS } from "../deals/columns/metrics.ts"
import { SUMMARY_SECTIONS } from "../deals/columns/summary.ts"
import { dateTime, described } from "../http/values/described.ts"
import { Uri } from "../http/values/parameters.ts"
import { EFFECTS, FINDING_KINDS, SIDES } from "./finding.ts"

const text = Schema.NullOr(Schema.String)
const place = {
  document_id: Schema.String,
  start: described(Schema.Int, "The offset of its beginning in the document's text, in UTF-16 units."),
  end: described(Schema.Int, "The offset of its end."),
  url: described(
    Schema.NullOr(Uri),
    "Opens the document at the quote, without a key. Null if the key may not read documents.",
  ),
}
const side = described(
  Schema.Literals(SIDES),
  "Who says it, by the label of the speaker or sender: see `our_names` and `our_domains` of the workspace.",
)

const FINDING_STATES = ["proposed", "accepted", "rejected"] as const

const findingFields = {
  id: Schema.String,
  kind: Schema.Literals(FINDING_KINDS),
  target: described(
    Schema.Struct({ id: described(text, "Null for the topic of a quote."), name: Schema.String }),
    "The competitor, feature or reason, or the topic of a quote.",
  ),
  effect: described(
    Schema.NullOr(Schema.Literals(EFFECTS)),
    "For you: praise of a competitor is negative. Null: not known.",
  ),
  claim: described(
    Schema.NullOr(Schema.Literal("mentioned")),
    "For a driver: it is mentioned as a reason; whether it decided is not known.",
  ),
  side,
  speaker: described(text, "The label of the speaker or sender, as written."),
  quote: described(Schema.String, "Occurs verbatim in the document."),
  document_name: Schema.String,
  ...place,
  start_second: Schema.optionalKey(described(Schema.Finite, "In a recording or transcript with times.")),
  state: Schema.Literals(FINDING_STATES),
  by: described(Schema.String, "The finder: `extracted`, or the name of a model."),
  judged_by: described(text, "The key, person or operator that accepted or rejected it."),
  judged_at: Schema.NullOr(dateTime),
}
export interface FindingSchema extends Schema.Struct<typeof findingFields> {}
export const Finding: FindingSchema = Schema.Struct(findingFields).annotate({ identifier: "Finding" })
export type Finding = typeof Finding.Type

const counts = Schema.Struct({ buyer: Schema.Int, seller: Schema.Int, unknown: Schema.Int })

const TalkOf = Schema.Struct({
  document_id: Schema.String,
  document_name: Schema.String,
  words: described(counts, "Words that each side speaks."),
  buyer_share: described(Schema.NullOr(Schema.Finite), "The buyer's share of the words of both sides, 0 to 1."),
  questions: described(counts, "Questions that each side asks."),
  longest_monologue: Schema.NullOr(
    Schema.Struct({
      speaker: text,
      side,
      words: Schema.Int,
      seconds: described(Schema.NullOr(Schema.Finite), "Null without times."),
      start: place.start,
      end: place.end,
      url: place.url,
    }),
  ),
}).annotate({ identifier: "Talk" })

const NextStep = Schema.Struct({
  side,
  speaker: text,
  quote: Schema.String,
  withdrawn: described(Schema.Boolean, "The same side takes it back later in the document."),
  ...place,
}).annotate({ identifier: "NextStep" })

const AnalysisConflict = Schema.Struct({
  field: described(
    Schema.Literals(["drivers", "features", "scorecard", "custom_metrics", "custom_answers"]),
    "The part of the deal that its documents contradict.",
  ),
  target: Schema.Struct({ id: Schema.String, name: Schema.String }),
  recorded: described(
    Schema.Union([Schema.String, Schema.Finite]),
    "The value in the deal: `positive` or `negative`; of a metric, its score; of an answer, its text.",
  ),
  proposed: Schema.optionalKey(
    described(
      Schema.Union([Schema.String, Schema.Finite]),
      "The score of the analysis, which differs by two or more, or its answer, whose choice is another.",
    ),
  ),
  findings: described(Schema.Array(Schema.String), "The ids of the findings that say otherwise."),
}).annotate({ identifier: "AnalysisConflict" })

const Sentences = described(
  Schema.Array(
    Schema.Struct({
      text: Schema.String,
      findings: described(Schema.Array(Schema.String), "The ids of the findings that carry the sentence."),
    }),
  ),
  "The sentences of the text, each with its findings.",
)
const reason = described(text, "Why it is null.")

const AnalysisSection = Schema.Struct({
  name: Schema.Literals(SUMMARY_SECTIONS),
  text: described(text, "Null: it would rest on fewer than two findings, or no sentence held."),
  reason,
  sentences: Sentences,
}).annotate({ identifier: "AnalysisSection" })

const scoreFields = {
  score: described(Schema.NullOr(Schema.Finite), "1 to 5: the median of the samples."),
  explanation: text,
  reason,
  samples: described(Schema.Array(Schema.Finite), "The scores of the same evidence in another order."),
  spread: described(Schema.NullOr(Schema.Finite), "The difference of the highest and the lowest sample."),
  sentences: Sentences,
}
const AnalysisScore = Schema.Struct({ metric: Schema.Literals(METRICS), ...scoreFields }).annotate({
  identifier: "AnalysisScore",
})
const AnalysisMetric = Schema.Struct({ id: Schema.String, name: Schema.String, ...scoreFields }).annotate({
  identifier: "AnalysisMetric",
})

const AnalysisAnswer = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  text: described(text, "The answer, in the form that the workspace asks for."),
  value: described(text, "The choice, if the form is `boolean` or `option`."),
  reason: described(text, "Why it is null: `not established` if no quote answers the question."),
  sentences: Sentences,
}).annotate({ identifier: "AnalysisAnswer" })

const analysisFields = {
  deal_id: Schema.String,
  state: described(Schema.Literals(["none", "queued", "running", "ready", "failed"]), "`none`: it was never analyzed."),
  stale: described(
    Schema.Boolean,
    "The documents, the catalogue or the names of the sides have changed since. Run it again.",
  ),
  method: described(
    Schema.NullOr(Schema.Literals(["extracted", "model"])),
    "`extracted`: found by names and word lists, without a model. It changes no column of the deal until a person accepts a finding. `model`: found and written by a language model, and published to the deal's columns.",
  ),
  model: described(text, "The model that wrote it."),
  run_id: described(text, "The last run: GET /runs/{run_id}."),
  error: described(text, "Why the last run failed, or what it waits for."),
  finished_at: Schema.NullOr(dateTime),
  verified_at: described(Schema.NullOr(dateTime), "When a person verified it."),
  findings: Schema.Array(Finding),
  omitted: described(Schema.Int, "Findings beyond the first 1,000, which are not kept."),
  talk: described(Schema.Array(TalkOf), "Who talked how much, for each document with speakers."),
  next_steps: Schema.Array(NextStep),
  sections: described(Schema.NullOr(Schema.Array(AnalysisSection)), "The sections of `summary`. Null without a model."),
  scorecard: described(Schema.NullOr(Schema.Array(AnalysisScore)), "The scores of each metric. Null without a model."),
  custom_metrics: described(
    Schema.NullOr(Schema.Array(AnalysisMetric)),
    "The custom metrics whose question is asked of the deal. Null without a model.",
  ),
  custom_answers: described(
    Schema.NullOr(Schema.Array(AnalysisAnswer)),
    "The custom answers whose question is asked of the deal. Null without a model.",
  ),
  dropped: described(
    Schema.Record(Schema.String, Schema.Int),
    "How much of the model's text the checks refused, by reason: `quote` (not in the document), `side` (another side says it), `target` (no such name), `form`, `repeated`, `sentence` (not carried by its findings); `window`: text beyond the limit, which was not read.",
  ),
  tokens: described(
    Schema.Struct({ input: Schema.Int, output: Schema.Int }),
    "Tokens that the model has read and written for this deal, in all runs.",
  ),
  conflicts: described(
    Schema.Array(AnalysisConflict),
    "Where the buyer's words contradict the deal's recorded drivers or features, or the analysis a recorded score.",
  ),
}
export interface AnalysisSchema extends Schema.Struct<typeof analysisFields> {}
export const Analysis: AnalysisSchema = Schema.Struct(analysisFields).annotate({ identifier: "Analysis" })
export type Analysis = typeof Analysis.Type
