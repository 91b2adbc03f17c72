import * as Schema from "effect/Schema"
import { described } from "../../http/values/described.ts"
import { EFFECTS, SIDES } from "../finding.ts"

/** One finding as a model proposes it; the gate decides. */
export const Proposal = Schema.Struct({
  kind: described(
    Schema.Literals(["driver", "feature", "competitor", "quote", "metric", "answer"]),
    "driver: a reason for or against us; quote: a key quote; metric: evidence for a score; answer: to a question of the data",
  ),
  target: described(
    Schema.String,
    "the name, as in the data: of a reason, feature, competitor, topic, metric or question",
  ),
  effect: described(Schema.NullOr(Schema.Literals(EFFECTS)), "for the seller; praise of a competitor is negative"),
  side: described(Schema.Literals(SIDES), "of the speaker of the turns"),
  turns: described(Schema.Array(Schema.Int), "the numbers of the turns that hold the quote"),
  quote: described(Schema.String, "copied letter by letter from these turns"),
})
export type Proposal = typeof Proposal.Type

const Sentence = Schema.Struct({
  text: described(Schema.String, "one sentence"),
  refs: described(Schema.Array(Schema.String), "the refs of the findings that it rests on"),
})
/** A sentence as a model writes it, with the findings that it names. */
export type Written = typeof Sentence.Type

/** The sections that a model writes. Key quotes are findings as they are. */
const WRITTEN_SECTIONS = [
  "executive_summary",
  "deal_overview",
  "decision_drivers",
  "competitive_landscape",
  "lessons_learned",
  "recommendations",
] as const
export type WrittenSection = (typeof WRITTEN_SECTIONS)[number]

/** A wrong entry spoils its finding alone, so the entries are read one by one. */
export const FindingsForm = {
  name: "record_findings",
  description: "Records what the turns say.",
  schema: Schema.Struct({ findings: Schema.Array(Proposal) }),
}

export const SectionsForm = {
  name: "record_sections",
  description: "Records the sections of the deal's story.",
  schema: Schema.Struct(
    Object.fromEntries(WRITTEN_SECTIONS.map((name) => [name, Schema.Array(Sentence)])) as {
      readonly [N in WrittenSection]: Schema.$Array<typeof Sentence>
    },
  ),
}

export const ScoresForm = {
  name: "record_scores",
  description: "Records a score for each metric in the data.",
  schema: Schema.Struct({
    scores: Schema.Array(
      Schema.Struct({
        metric: described(Schema.String, "its name, as in the data"),
        explanation: described(Schema.Array(Sentence), "what the evidence says, before the score"),
        score: described(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 5 })), "1 to 5, by the rubric"),
      }),
    ),
  }),
}

export const AnswersForm = {
  name: "record_answers",
  description: "Records an answer to each question in the data.",
  schema: Schema.Struct({
    answers: Schema.Array(
      Schema.Struct({
        question: described(Schema.String, "its name, as in the data"),
        value: described(Schema.NullOr(Schema.String), "yes or no, or one of the options; otherwise null"),
        sentences: Schema.Array(Sentence),
      }),
    ),
  }),
}
