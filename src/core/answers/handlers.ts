import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Principal } from "../access/Access.ts"
import { Api } from "../api.ts"
import { badRequest } from "../http/validation.ts"
import type { ResponseEvent } from "./events.ts"
import { Responses } from "./Responses.ts"

/** Written here rather than by the endpoint's schema: events are JSON as they are, and a stream lasts, so that what it holds counts. */
const inLines = (events: Stream.Stream<ResponseEvent>) =>
  Stream.suspend(() => {
    const encoder = new TextEncoder()
    let id = 0
    return Stream.map(events, (event) => encoder.encode(`id: ${++id}\ndata: ${JSON.stringify(event)}\n\n`))
  })

export const layerAnswersHandlers = HttpApiBuilder.group(
  Api,
  "answers",
  Effect.fnUntraced(function* (handlers) {
    const responses = yield* Responses
    return handlers.handle(
      "create",
      Effect.fnUntraced(function* ({ payload: { messages, stream, stream_options } }) {
        const asker = yield* Principal
        if (stream !== true) return yield* responses.reply(asker, messages)
        const { headers } = yield* HttpServerRequest
        if (headers["last-event-id"] !== undefined && headers["idempotency-key"] === undefined) {
          return yield* badRequest({
            invalid: [{ field: "Last-Event-ID", reason: "must come with the Idempotency-Key that began the stream" }],
          })
        }
        const events = yield* responses.stream(asker, messages, stream_options?.include ?? [])
        return HttpServerResponse.stream(inLines(events), { contentType: "text/event-stream" })
      }),
    )
  }),
)
