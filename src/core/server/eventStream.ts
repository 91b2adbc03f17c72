import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

const TYPE = "text/event-stream"

/** The interval of the comments that keep an idle connection open. */
const PING_SECONDS = 15
const ping = new TextEncoder().encode(": ping\n\n")

const pings = Stream.fromEffectRepeat(Effect.as(Effect.sleep(`${PING_SECONDS} seconds`), ping))

/** Adds pings to an event stream, and headers against caching, buffering and compression on its way. */
export const asEventStream = (response: HttpServerResponse.HttpServerResponse) => {
  const { body } = response
  if (body._tag !== "Stream" || !body.contentType.startsWith(TYPE)) return response
  const kept = Stream.merge(body.stream, pings, { haltStrategy: "left" })
  return HttpServerResponse.setHeaders(HttpServerResponse.setBody(response, HttpBody.stream(kept, body.contentType)), {
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  })
}
