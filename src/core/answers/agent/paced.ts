import * as Stream from "effect/Stream"

const TICK = { type: "tick" } as const

/** Adds a tick each second to what a model streams. It is handled between two parts, never at the same time. */
export const paced = <A, E, R>(parts: Stream.Stream<A, E, R>): Stream.Stream<A | typeof TICK, E, R> =>
  Stream.merge(parts, Stream.as(Stream.drop(Stream.tick("1 second"), 1), TICK), { haltStrategy: "left" })
