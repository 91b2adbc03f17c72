import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { eventReply, numbered } from "../http/replies/events.ts"
import { badRequest } from "../http/validation/validation.ts"
import { Conversations } from "./conversations/Conversations.ts"
import type { ResponseEvent } from "./events.ts"
import { keeping } from "./conversations/keeping.ts"
import { Responses } from "./Responses.ts"
import { AnswersGroup, INTERRUPTED } from "./contract.ts"

export const layerAnswersHandlers = HttpApiBuilder.group(
  makeApi(AnswersGroup.middleware(Access)),
  "answers",
  Effect.fnUntraced(function* (handlers) {
    const responses = yield* Responses
    const conversations = yield* Conversations
    return handlers.handle(
      "create",
      Effect.fnUntraced(function* ({ payload: { messages: given, stream, stream_options, citations, conversation } }) {
        const asker = yield* Principal
        const kept =
          conversation === undefined ? undefined : yield* keeping(conversations, conversation, given, citations)
        const messages = kept?.messages ?? given
        if (stream !== true) {
          const answer = yield* responses.reply(asker, messages, citations)
          return kept === undefined ? answer : yield* kept.keep(answer)
        }
        const { headers } = yield* HttpServerRequest
        if (headers["last-event-id"] !== undefined && headers["idempotency-key"] === undefined) {
          return yield* badRequest({
            invalid: [
              {
                field: "Last-Event-ID",
                reason: "must come with the Idempotency-Key of the request that began the stream",
              },
            ],
          })
        }
        const events = yield* responses.stream(asker, messages, stream_options?.include ?? [], citations)
        const sent =
          kept === undefined
            ? events
            : Stream.mapEffect(events, (event): Effect.Effect<ResponseEvent> =>
                event.type === "done" ? kept.keep(event) : Effect.succeed(event),
              )
        return eventReply(numbered(sent), { interrupted: INTERRUPTED })
      }),
    )
  }),
)
