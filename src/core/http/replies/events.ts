import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A server-sent event. `data` becomes one line of JSON. */
export interface ServerEvent {
  readonly id?: number
  readonly event?: string
  readonly data: unknown
}

/** The body of a reply that is a stream of events. */
class EventBody {
  readonly events: Stream.Stream<ServerEvent, unknown>
  /** The data of the event that ends the stream if the service closes meanwhile. */
  readonly interrupted: object | undefined
  constructor(events: Stream.Stream<ServerEvent, unknown>, interrupted: object | undefined) {
    this.events = events
    this.interrupted = interrupted
  }
}

/**
 * Replies with server-sent events. The body holds events, not bytes: the server encodes them last, so that `Idempotency`
 * can store and replay them. `interrupted` is the data of the last event if the service closes meanwhile.
 */
export const eventReply = (
  events: Stream.Stream<ServerEvent, unknown>,
  {
    interrupted,
    ...options
  }: Pick<HttpServerResponse.Options, "status" | "headers"> & { readonly interrupted?: object | undefined } = {},
) => HttpServerResponse.raw(new EventBody(events, interrupted), { ...options, contentType: "text/event-stream" })

/** The body of a reply of events; undefined if it is another reply. */
export const makeEventBody = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Raw" && body.body instanceof EventBody ? body.body : undefined

/** The events of a reply; undefined if it is another reply. */
export const readEvents = (response: HttpServerResponse.HttpServerResponse) => makeEventBody(response)?.events

/** Numbers events from 1, so that a client can resume after any of them. */
export const numbered = <A, E>(events: Stream.Stream<A, E>): Stream.Stream<ServerEvent, E> =>
  Stream.map(events, (data, index) => ({ id: index + 1, data }))
