import * as Context from "effect/Context"

/**
 * Annotates an endpoint that may reply with an event stream. Given an event id (from 1), returns the text of the event
 * that ends an interrupted stream. `StreamedReplies` stores and replays the streams of such endpoints if the request has an
 * `Idempotency-Key`.
 */
export const LastEvent = Context.Reference<((id: number) => string) | undefined>("sightline/access/LastEvent", {
  defaultValue: () => undefined,
})
