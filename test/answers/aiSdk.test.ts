import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AiSdkModel, answererOf } from "../../src/adapters/models/aiSdk.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary } from "../support/web.ts"
import { answersWithTools } from "./aiSdkScript.ts"
import { readAnswer } from "./asking.ts"
import { makeWorkspace } from "./workspace.ts"

const services = Sightline.layer({ database: Layer.orDie(engines[1].database), library: layerLibrary() })
describe("a model of the AI SDK", () => {
  layer(services, { excludeTestServices: true })((it) => {
    for (const specificationVersion of ["v2", "v3", "v4"] as const) {
      it.effect(`of specification ${specificationVersion} calls tools and answers`, () =>
        answersWithTools(specificationVersion, (doStream) => ({
          specificationVersion,
          provider: "double",
          modelId: "tiny",
          doStream,
        })),
      )
    }

    it.effect("that hangs is aborted at the timeout, and one without a key is called once", () =>
      Effect.gen(function* () {
        const { org } = yield* makeWorkspace()
        const signals: Array<AbortSignal> = []
        const by = (doStream: AiSdkModel["doStream"], silence?: number) => () =>
          answererOf(
            { specificationVersion: "v4", provider: "double", modelId: "tiny", doStream },
            { tries: 2, pause: 0.01, silence },
          )
        const hanging = yield* readAnswer(org, () => [], {
          by: by(({ abortSignal }) => {
            assert.isTrue(signals.every(({ aborted }) => aborted))
            signals.push(abortSignal)
            return new Promise(() => {})
          }, 0.2),
        })
        assert.strictEqual(hanging.failure?.reason, "unavailable")
        assert.lengthOf(signals, 2)
        let asked = 0
        const keyless = yield* readAnswer(org, () => [], {
          by: by(() => {
            asked++
            return Promise.reject(new Error("the key is missing"))
          }),
        })
        assert.strictEqual(keyless.failure?.reason, "unavailable")
        assert.strictEqual(asked, 1)
      }),
    )

    it.effect("that is busy is asked again if its error says so", () =>
      Effect.gen(function* () {
        const { org } = yield* makeWorkspace()
        for (const [isRetryable, calls] of [
          [true, 2],
          [false, 1],
        ] as const) {
          let asked = 0
          const doStream = () => {
            asked++
            return Promise.reject({ isRetryable, statusCode: 429, responseHeaders: { "retry-after": "0" } })
          }
          const model = { specificationVersion: "v4", provider: "double", modelId: "tiny", doStream }
          const { failure } = yield* readAnswer(org, () => [], {
            by: () => answererOf(model, { tries: 2, pause: 0.01 }),
          })
          assert.isDefined(failure)
          assert.strictEqual(asked, calls)
        }
      }),
    )
  })
})
