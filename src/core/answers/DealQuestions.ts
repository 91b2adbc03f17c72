import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { BriefSubject } from "./questions/reply/brief.ts"
import type { AnswerEvent, AnswerFailed, Message } from "./Answerer.ts"

export interface DealAnswer {
  /**
   * `certain`: only a report answers the question. `understood`: a text about the question's subject may answer it better.
   * `refused`: the question was not understood, so any text may answer it better. `unclear`: it does not seem to ask for a number.
   * `foreign`: it asks about a competitor's own business, which only a text about that competitor answers.
   */
  readonly certainty: "certain" | "understood" | "refused" | "unclear" | "foreign"
  readonly events: ReadonlyArray<AnswerEvent>
  /** The question with names in the place of the words that refer to the answer before, for a search in texts. */
  readonly question?: string
}

/** Answers questions about numbers and lists of deals. Returns none for any other question. */
export class DealQuestions extends Context.Service<
  DealQuestions,
  {
    readonly answer: (
      org: string,
      messages: ReadonlyArray<Message>,
    ) => Effect.Effect<Option.Option<DealAnswer>, AnswerFailed>
    /** The numbers of a brief: record, quarters, deals and reasons, each with its citation. */
    readonly brief: (org: string, subject: BriefSubject) => Effect.Effect<ReadonlyArray<AnswerEvent>, AnswerFailed>
  }
>()("sightline/answers/DealQuestions") {
  /** Answers no question, so that all are answered from texts. */
  static readonly layerNone = Layer.succeed(DealQuestions, {
    answer: () => Effect.succeed(Option.none()),
    brief: () => Effect.succeed([]),
  })
}
