import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A server-sent event. `data` becomes one line of JSON. */
export interface ServerEvent {
  readonly id?: number
  readonly event?: string
  readonly data: unknown
}

/**
 * Replies with server-sent events. The body holds events, not bytes: the server encodes them last, so that `Idempotency`
 * can store and replay them.
 */
export const eventReply = (
  events: Stream.Stream<ServerEvent, unknown>,
  options: Pick<HttpServerResponse.Options, "status" | "headers"> = {},
) => HttpServerResponse.raw(events, { ...options, contentType: "text/event-stream" })

/** The events of a reply; undefined if it is another reply. */
export const eventsOf = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Raw" && Stream.isStream(body.body) ? (body.body as Stream.Stream<ServerEvent, unknown>) : undefined

/** Numbers events from 1, so that a client can resume after any of them. */
export const numbered = <A, E>(events: Stream.Stream<A, E>): Stream.Stream<ServerEvent, E> =>
  Stream.map(events, (data, index) => ({ id: index + 1, data }))
