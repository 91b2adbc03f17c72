import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as TestClock from "effect/testing/TestClock"
import { asEventStream } from "../../src/core/server/eventStream.ts"

const events = (stream: Stream.Stream<string>, contentType = "text/event-stream") =>
  asEventStream(HttpServerResponse.stream(Stream.encodeText(stream), { contentType }))

const textOf = (response: HttpServerResponse.HttpServerResponse) =>
  response.body._tag === "Stream" ? Stream.mkString(Stream.decodeText(response.body.stream)) : Effect.succeed("")

describe("an event stream", () => {
  it.effect("has a ping every 15 seconds while it is idle, and ends with its last event", () =>
    Effect.gen(function* () {
      const slow = Stream.concat(
        Stream.make("data: 1\n\n"),
        Stream.fromEffect(Effect.as(Effect.sleep("47 seconds"), "data: 2\n\n")),
      )
      const reading = yield* Effect.forkChild(textOf(events(slow)))
      for (let second = 0; second < 50; second++) yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(reading), `data: 1\n\n${": ping\n\n".repeat(3)}data: 2\n\n`)
    }),
  )

  it.effect("has headers against caching and buffering; other types stay unchanged", () =>
    Effect.gen(function* () {
      const { headers } = events(Stream.make("data: 1\n\n"))
      assert.strictEqual(headers["cache-control"], "no-store, no-transform")
      assert.strictEqual(headers["x-accel-buffering"], "no")
      const csv = events(Stream.make("a,b\n"), "text/csv")
      assert.isUndefined(csv.headers["cache-control"])
      assert.strictEqual(yield* textOf(csv), "a,b\n")
    }),
  )
})
