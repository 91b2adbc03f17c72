import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { eventsOf, type ServerEvent } from "../http/eventReply.ts"

/** The interval of the comments that keep an idle connection open. */
const PING_SECONDS = 15
const encoder = new TextEncoder()
const ping = encoder.encode(": ping\n\n")

const pings = Stream.fromEffectRepeat(Effect.as(Effect.sleep(`${PING_SECONDS} seconds`), ping))

const encode = ({ id, event, data }: ServerEvent) =>
  encoder.encode(
    `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
  )

/** Encodes a reply of events. Adds pings, and headers against caching, buffering and compression on its way. */
export const encodeEvents = (response: HttpServerResponse.HttpServerResponse) => {
  const events = eventsOf(response)
  if (events === undefined) return response
  const bytes = Stream.merge(Stream.map(events, encode), pings, { haltStrategy: "left" })
  return HttpServerResponse.setHeaders(
    HttpServerResponse.setBody(response, HttpBody.stream(bytes, "text/event-stream")),
    { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" },
  )
}
