import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeEventBody, type ServerEvent } from "../http/replies/events.ts"

/** The interval of the comments that keep an idle connection open. */
const PING_SECONDS = 15
const encoder = new TextEncoder()
const ping = encoder.encode(": ping\n\n")

const pings = Stream.fromEffectRepeat(Effect.as(Effect.sleep(`${PING_SECONDS} seconds`), ping))

const encode = ({ id, event, data }: ServerEvent) =>
  encoder.encode(
    `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
  )

/** Ends with an event of `data` if the service closes before the events end by themselves. */
const untilClosing = <E>(events: Stream.Stream<ServerEvent, E>, closing: Latch.Latch, data: object) =>
  Stream.suspend(() => {
    let isCut = false
    let id = 0
    const counted = Stream.tap(events, (event) =>
      Effect.sync(() => {
        id = event.id ?? id
      }),
    )
    const cut = Effect.andThen(
      closing.await,
      Effect.sync(() => {
        isCut = true
      }),
    )
    const last = Stream.suspend(() => (isCut ? Stream.succeed<ServerEvent>({ id: id + 1, data }) : Stream.empty))
    return Stream.concat(Stream.interruptWhen(counted, cut), last)
  })

/** Encodes a reply of events. Adds pings, a last event if the service closes, and headers against caching, buffering and compression. */
export const encodeEvents = (response: HttpServerResponse.HttpServerResponse, closing: Latch.Latch) => {
  const body = makeEventBody(response)
  if (body === undefined) return response
  const events = body.interrupted === undefined ? body.events : untilClosing(body.events, closing, body.interrupted)
  const bytes = Stream.merge(Stream.map(events, encode), pings, { haltStrategy: "left" })
  return HttpServerResponse.setHeaders(
    HttpServerResponse.setBody(response, HttpBody.stream(bytes, "text/event-stream")),
    { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" },
  )
}
