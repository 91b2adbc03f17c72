import * as Stream from "effect/Stream"
import type { ResponseEvent } from "./events.ts"

/** Written here rather than by the endpoint's schema: events are JSON as they are, and a stream lasts, so that what it holds counts. */
export const inLines = <E>(events: Stream.Stream<ResponseEvent, E>) =>
  Stream.suspend(() => {
    const encoder = new TextEncoder()
    let id = 0
    return Stream.map(events, (event) => encoder.encode(`id: ${++id}\ndata: ${JSON.stringify(event)}\n\n`))
  })
