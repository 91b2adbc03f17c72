import * as Context from "effect/Context"
import * as Latch from "effect/Latch"

/** Opens shortly before the service closes, so that streams of events can end with their last one. */
export const Closing = Context.Reference<Latch.Latch>("sightline/server/Closing", {
  defaultValue: () => Latch.makeUnsafe(false),
})
