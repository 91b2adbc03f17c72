import * as Context from "effect/Context"

/**
 * Annotates an endpoint that may reply with an event stream, with the event that ends an interrupted stream.
 * `StreamedReplies` stores and replays the streams of such endpoints if the request has an `Idempotency-Key`.
 */
export const LastEvent = Context.Reference<object | undefined>("sightline/replies/LastEvent", {
  defaultValue: () => undefined,
})
