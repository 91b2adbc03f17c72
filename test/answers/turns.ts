import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AnswerEvent } from "../../src/core/answers/Answerer.ts"
import { DealQuestions } from "../../src/core/answers/DealQuestions.ts"

export const contentOf = (events: ReadonlyArray<AnswerEvent>): string =>
  events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")

/** The answer to the last of the questions of a conversation: the question that its texts are asked, and the content. */
export const answerTurns = Effect.fnUntraced(function* (org: string, ...turns: ReadonlyArray<string>) {
  const messages = turns.map((content) => ({ role: "user" as const, content }))
  const found = yield* (yield* DealQuestions).answer(org, messages)
  return Option.match(found, {
    onNone: () => "",
    onSome: ({ events, question = "" }) => `${question}\n${contentOf(events)}`,
  })
})
