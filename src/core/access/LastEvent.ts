import * as Context from "effect/Context"

/**
 * On an endpoint whose replies may be event streams, numbered from 1: the text of the event that ends a stream that broke
 * off, given its id. With it, streams of requests that carry an `Idempotency-Key` are kept and replayed: see `StreamedReplies`.
 */
export const LastEvent = Context.Reference<((id: number) => string) | undefined>("sightline/access/LastEvent", {
  defaultValue: () => undefined,
})
