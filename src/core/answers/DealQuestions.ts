import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AnswerEvent, AnswerFailed, Message } from "./Answerer.ts"

/** Answers questions that count or list deals, by the deals' own filters; none for any other question. */
export class DealQuestions extends Context.Service<
  DealQuestions,
  {
    readonly answer: (
      org: string,
      messages: ReadonlyArray<Message>,
    ) => Effect.Effect<Option.Option<ReadonlyArray<AnswerEvent>>, AnswerFailed>
  }
>()("sightline/answers/DealQuestions") {
  /** Knows no deals: every question is left to the text. */
  static readonly layerNone = Layer.succeed(DealQuestions, { answer: () => Effect.succeed(Option.none()) })
}
