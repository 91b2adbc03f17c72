import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { unrestricted } from "../../src/core/answers/Asker.ts"
import { DEADLINE_SECONDS, Responses } from "../../src/core/answers/Responses.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { layerDouble, question, type Step, text } from "./double.ts"

const asked = (steps: ReadonlyArray<Step>) => question(steps).messages as Parameters<Responses["Service"]["reply"]>[1]

/** The clock goes on a second at a time. */
const pass = (seconds: number) =>
  Effect.forEach(Array.from({ length: seconds }), () => TestClock.adjust("1 second"), { discard: true })

const endings: Array<string> = []
/** Has every organization. */
const database = Layer.mock(Database)({ sql: (() => "") as never, scoped: () => Effect.succeed([{} as never]) })
const withDouble = Effect.provide(
  Responses.layer.pipe(Layer.provide([layerDouble((how) => endings.push(how)), database])),
)

describe("a slow answer", () => {
  it.effect("begins its stream before the first event, and ends in an error at the deadline", () =>
    Effect.gen(function* () {
      const responses = yield* Responses
      const beginning = yield* Effect.forkChild(
        responses.stream(unrestricted("org"), asked([{ wait: 10_000_000 }]), []),
      )
      yield* pass(9)
      assert.isUndefined(beginning.pollUnsafe())
      yield* pass(2)
      const events = yield* Fiber.join(beginning)
      const reading = yield* Effect.forkChild(Stream.runCollect(events))
      yield* pass(DEADLINE_SECONDS)
      const [only, ...more] = yield* Fiber.join(reading)
      assert.lengthOf(more, 0)
      assert.strictEqual(only?.type === "error" && only.error.code, "service_unavailable")
      assert.strictEqual(endings.at(-1), "interrupted")
    }).pipe(Effect.scoped, withDouble),
  )

  it.effect("fails as unavailable without streaming", () =>
    Effect.gen(function* () {
      const responses = yield* Responses
      const whole = yield* Effect.forkChild(
        Effect.flip(responses.reply(unrestricted("org"), asked([text("a"), { wait: 10_000_000 }]))),
      )
      yield* pass(DEADLINE_SECONDS + 1)
      assert.strictEqual((yield* Fiber.join(whole))._tag, "DatabaseUnavailable")
    }).pipe(withDouble),
  )

  it.effect("continues while slow events arrive", () =>
    Effect.gen(function* () {
      const responses = yield* Responses
      const steps: ReadonlyArray<Step> = [{ repeat: 8, every: 14_000, content: "a" }]
      const whole = yield* Effect.forkChild(responses.reply(unrestricted("org"), asked(steps)))
      yield* pass(DEADLINE_SECONDS - 1)
      assert.match((yield* Fiber.join(whole)).message.content, /^1 a2 a.*8 a$/)
    }).pipe(withDouble),
  )
})
