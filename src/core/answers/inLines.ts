import * as Stream from "effect/Stream"
import type { ResponseEvent } from "./events.ts"

/** Encodes events as server-sent events. The endpoint's schema could too, but keeps more memory per open stream. */
export const inLines = <E>(events: Stream.Stream<ResponseEvent, E>) =>
  Stream.suspend(() => {
    const encoder = new TextEncoder()
    let id = 0
    return Stream.map(events, (event) => encoder.encode(`id: ${++id}\ndata: ${JSON.stringify(event)}\n\n`))
  })
