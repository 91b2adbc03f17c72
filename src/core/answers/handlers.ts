import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { apiOf } from "../http/apiOf.ts"
import { eventReply, numbered } from "../http/eventReply.ts"
import { badRequest } from "../http/validation.ts"
import { Responses } from "./Responses.ts"
import { AnswersGroup, INTERRUPTED } from "./contract.ts"

export const layerAnswersHandlers = HttpApiBuilder.group(
  apiOf(AnswersGroup.middleware(Access)),
  "answers",
  Effect.fnUntraced(function* (handlers) {
    const responses = yield* Responses
    return handlers.handle(
      "create",
      Effect.fnUntraced(function* ({ payload: { messages, stream, stream_options, citations } }) {
        const asker = yield* Principal
        if (stream !== true) return yield* responses.reply(asker, messages, citations)
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
        return eventReply(numbered(events), { interrupted: INTERRUPTED })
      }),
    )
  }),
)
