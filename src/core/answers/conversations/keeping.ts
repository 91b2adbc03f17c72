import * as Effect from "effect/Effect"
import { keyHolder } from "../../access/keyHolder.ts"
import { badRequest } from "../../http/validation/validation.ts"
import type { Message } from "../Answerer.ts"
import type { CitationStyle, Response } from "../events.ts"
import type { Conversations } from "./Conversations.ts"

/** The messages of a question in its conversation, and what keeps the answer. An answer that cannot be kept is sent all the same. */
export const keeping = Effect.fnUntraced(function* (
  { before, keep }: Conversations["Service"],
  conversation: string,
  messages: ReadonlyArray<Message>,
  style: CitationStyle = "links",
) {
  const caller = yield* keyHolder("conversations")
  const instructions = messages.filter(({ role }) => role === "system")
  const [question, ...more] = messages.filter(({ role }) => role !== "system")
  if (question === undefined || more.length > 0) return yield* NOT_ALONE
  return {
    messages: [...instructions, ...(yield* before(caller, conversation)), question],
    keep: <A extends Response>(answer: A) =>
      keep(caller, conversation, question.content, answer.message, style).pipe(
        Effect.catch((cause) =>
          Effect.as(Effect.logWarning("an answer was not kept in its conversation", cause), null),
        ),
        Effect.map((id): A => ({ ...answer, conversation_id: id })),
      ),
  }
})

const NOT_ALONE = badRequest({
  invalid: [
    { field: "messages", reason: "must have the next question alone: the conversation has the messages before it" },
  ],
})
