import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as TestClock from "effect/testing/TestClock"
import { eventReply, numbered } from "../../src/core/http/replies/events.ts"
import { encodeEvents } from "../../src/core/server/eventStream.ts"

const closing = Latch.makeUnsafe(false)
const events = (stream: Stream.Stream<unknown>) => encodeEvents(eventReply(numbered(stream)), closing)

const textOf = (response: HttpServerResponse.HttpServerResponse) =>
  response.body._tag === "Stream" ? Stream.mkString(Stream.decodeText(response.body.stream)) : Effect.succeed("")

describe("an event stream", () => {
  it.effect("has a ping every 15 seconds while it is idle, and ends with its last event", () =>
    Effect.gen(function* () {
      const slow = Stream.concat(
        Stream.make("a\nb"),
        Stream.fromEffect(Effect.as(Effect.sleep("47 seconds"), { type: "done" })), // virtual time
      )
      const reading = yield* Effect.forkChild(textOf(events(slow)))
      for (let second = 0; second < 50; second++) yield* TestClock.adjust("1 second")
      assert.strictEqual(
        yield* Fiber.join(reading),
        `id: 1\ndata: "a\\nb"\n\n${": ping\n\n".repeat(3)}id: 2\ndata: {"type":"done"}\n\n`,
      )
    }),
  )

  it.effect("has headers against caching and buffering; other types stay unchanged", () =>
    Effect.gen(function* () {
      const { headers } = events(Stream.make(1))
      assert.strictEqual(headers["content-type"], "text/event-stream")
      assert.strictEqual(headers["cache-control"], "no-store, no-transform")
      assert.strictEqual(headers["x-accel-buffering"], "no")
      const csv = HttpServerResponse.stream(Stream.encodeText(Stream.make("a,b\n")), { contentType: "text/csv" })
      assert.strictEqual(encodeEvents(csv, closing), csv)
      assert.strictEqual(
        yield* textOf(encodeEvents(eventReply(Stream.make({ event: "message", data: {} })), closing)),
        "event: message\ndata: {}\n\n",
      )
    }),
  )
})
