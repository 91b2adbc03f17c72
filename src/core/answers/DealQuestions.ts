import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AnswerEvent, AnswerFailed, Message } from "./Answerer.ts"

/** Answers questions that count or list deals. Returns none for any other question. */
export class DealQuestions extends Context.Service<
  DealQuestions,
  {
    readonly answer: (
      org: string,
      messages: ReadonlyArray<Message>,
    ) => Effect.Effect<Option.Option<ReadonlyArray<AnswerEvent>>, AnswerFailed>
  }
>()("sightline/answers/DealQuestions") {
  /** Answers no question, so that all are answered from texts. */
  static readonly layerNone = Layer.succeed(DealQuestions, { answer: () => Effect.succeed(Option.none()) })
}
