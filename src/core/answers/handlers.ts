import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Principal } from "../access/Access.ts"
import { Api } from "../api.ts"
import { badRequest } from "../http/validation.ts"
import { Responses } from "./Responses.ts"

export const layerAnswersHandlers = HttpApiBuilder.group(
  Api,
  "answers",
  Effect.fnUntraced(function* (handlers) {
    const responses = yield* Responses
    return handlers.handle(
      "create",
      Effect.fnUntraced(function* ({ payload: { messages, stream, stream_options } }) {
        const { organizationId } = yield* Principal
        if (stream !== true) return yield* responses.reply(organizationId, messages)
        const { headers } = yield* HttpServerRequest
        if (headers["last-event-id"] !== undefined && headers["idempotency-key"] === undefined) {
          return yield* badRequest({
            invalid: [{ field: "Last-Event-ID", reason: "must come with the Idempotency-Key that began the stream" }],
          })
        }
        const events = yield* responses.stream(organizationId, messages, stream_options?.include ?? [])
        return Stream.zipWithIndex(events).pipe(
          Stream.map(([data, index]) => ({ id: String(index + 1), event: "message", data })),
        )
      }),
    )
  }),
)
