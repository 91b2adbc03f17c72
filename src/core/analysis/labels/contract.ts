import * as Schema from "effect/Schema"
import { METRICS } from "../../deals/columns/metrics.ts"
import { dateTime, described } from "../../http/values/described.ts"
import { EFFECTS, FINDING_KINDS, SIDES } from "../finding.ts"

const text = Schema.NullOr(Schema.String)
const score = Schema.NullOr(Schema.Finite)
const version = described(Schema.String, "The version of the extractor or prompt.")

/** How many findings of a kind people accepted. */
const Precision = Schema.Struct({
  kind: Schema.Literals(FINDING_KINDS),
  by: Schema.String,
  version,
  proposed: Schema.Int,
  accepted: described(Schema.Int, "Accepted as found."),
  changed: described(Schema.Int, "Accepted with another target or effect: not right as found."),
  rejected: Schema.Int,
  precision: described(Schema.NullOr(Schema.Finite), "Accepted as found, of all judged. Null without a judgement."),
  low: described(Schema.NullOr(Schema.Finite), "The lower end of its 95 % interval (Wilson)."),
  high: Schema.NullOr(Schema.Finite),
}).annotate({ identifier: "FindingPrecision" })
export type Precision = typeof Precision.Type

/** How well the scores of a model agree with people's. */
const Agreement = Schema.Struct({
  metric: Schema.Literals(METRICS),
  by: described(Schema.String, "The model."),
  version,
  scores: described(Schema.Int, "Deals with a score of the model and one of a person."),
  same: described(Schema.Int, "How many of them are equal."),
  kappa: described(
    score,
    "Cohen's kappa with quadratic weights: 1 is agreement, 0 that of chance. Null if every score is the same.",
  ),
}).annotate({ identifier: "ScoreAgreement" })
export type Agreement = typeof Agreement.Type

export const Quality = Schema.Struct({
  data: Schema.Array(Precision),
  scores: described(
    Schema.Array(Agreement),
    "A person's score is one that differs from what the analysis wrote, and every score of a verified deal.",
  ),
}).annotate({ identifier: "AnalysisQuality" })
export type Quality = typeof Quality.Type

const Label = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals([...FINDING_KINDS, "score"]),
  state: described(Schema.Literals(["accepted", "rejected"]), "A score is `accepted` if the person's is the same."),
  deal_id: Schema.String,
  deal_name: Schema.String,
  found_target: described(text, "The thing that was found: a competitor, feature, reason, topic or metric."),
  found_effect: Schema.NullOr(Schema.Literals(EFFECTS)),
  found_score: score,
  target: described(text, "The thing, according to the person."),
  effect: Schema.NullOr(Schema.Literals(EFFECTS)),
  score,
  side: Schema.NullOr(Schema.Literals(SIDES)),
  speaker: text,
  quote: text,
  document_id: text,
  document_name: text,
  start: described(Schema.NullOr(Schema.Int), "The offset of the quote in the document's text, in UTF-16 units."),
  end: Schema.NullOr(Schema.Int),
  by: described(Schema.String, "The finder: `extracted`, or the name of a model."),
  version,
  judged_by: described(text, "The key, person or operator. Null for a score."),
  judged_at: Schema.NullOr(dateTime),
}).annotate({ identifier: "AnalysisLabel" })
export type Label = typeof Label.Type

/** The columns of CSV, in order. */
export const LABEL_COLUMNS = Object.keys(Label.fields) as ReadonlyArray<keyof Label>

export const LabelPage = Schema.Struct({
  data: Schema.Array(Label),
  next_cursor: described(text, "Send it as `cursor` for the next page. Null: this is the last page."),
}).annotate({ identifier: "AnalysisLabels" })
export type LabelPage = typeof LabelPage.Type
