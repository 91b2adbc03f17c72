import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

const TYPE = "text/event-stream"

/** Seconds between the comments that keep a silent connection open. */
const PING_SECONDS = 15
const ping = new TextEncoder().encode(": ping\n\n")

const pings = Stream.fromEffectRepeat(Effect.as(Effect.sleep(`${PING_SECONDS} seconds`), ping))

/** An event stream as it should travel: with pings, and neither stored, buffered nor compressed on its way. */
export const asEventStream = (response: HttpServerResponse.HttpServerResponse) => {
  const { body } = response
  if (body._tag !== "Stream" || !body.contentType.startsWith(TYPE)) return response
  const kept = Stream.merge(body.stream, pings, { haltStrategy: "left" })
  return HttpServerResponse.setHeaders(HttpServerResponse.setBody(response, HttpBody.stream(kept, body.contentType)), {
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  })
}
