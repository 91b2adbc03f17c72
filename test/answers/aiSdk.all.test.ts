import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type AiSdkModel, answererOf } from "../../src/adapters/models/aiSdk.ts"
import { installPackages } from "../../build/installPackages.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"
import { compileFolder } from "../support/compileFolder.ts"
import { layerLibrary } from "../support/web.ts"
import { answersWithTools } from "./aiSdkScript.ts"
import { asked, cited, FACT, readAnswer } from "./asking.ts"
import { results } from "./modelServer.ts"
import { makeWorkspace } from "./workspace.ts"

const FOLDER = "test/answers/aiSdk"
await installPackages(FOLDER)
// By a computed name: `npm run types` does not see the packages.
const sdk = (await import(join(import.meta.dirname, "aiSdk/models.ts"))) as {
  readonly compatible: (url: string) => AiSdkModel
  readonly mocks: Readonly<Record<"v3" | "v4", (doStream: any) => AiSdkModel>>
}

const compatible = (url: string, silence = 30) => answererOf(sdk.compatible(url), { pause: 0.01, tries: 2, silence })

it("the models of the AI SDK have the type that Sightline takes", () => compileFolder(FOLDER))

const services = Sightline.layer({ database: Layer.orDie(engines[1].database), library: layerLibrary() })
describe("a model of the AI SDK itself", () => {
  layer(services, { excludeTestServices: true })((it) => {
    for (const version of ["v3", "v4"] as const) {
      it.effect(`of specification ${version} calls tools and answers`, () =>
        answersWithTools(version, sdk.mocks[version]),
      )
    }

    it.effect("of a real provider cites, calls tools, honours Retry-After, and fails like ours", () =>
      Effect.gen(function* () {
        const { org, battlecard } = yield* makeWorkspace()
        const by = (url: string) => compatible(url)
        const reply = yield* readAnswer(org, cited, { by })
        assert.isUndefined(reply.failure)
        assert.strictEqual(reply.citations[0]?.document_id, battlecard)
        assert.isTrue(reply.text.startsWith(`${FACT} [Zenith battlecard.md](`))
        assert.deepStrictEqual(reply.events.at(-1), { type: "usage", input_tokens: 100, output_tokens: 10 })
        const used = yield* readAnswer(
          org,
          (request, nth) =>
            nth === 0
              ? [{ call: "count_deals", args: {} }]
              : [{ text: `There are [[${results(request).at(-1).ref}.count]] deals.` }],
          { by },
        )
        assert.match(used.text, /^There are \[12\]\(\S+\) deals\.$/)
        const busy = yield* readAnswer(
          org,
          (request, nth) => (nth === 0 ? [{ status: 429, headers: { "retry-after": "1" } }] : cited(request)),
          { by },
        )
        assert.lengthOf(busy.citations, 1)
        assert.isAtLeast(busy.server.requests[1]!.at - busy.server.requests[0]!.at, 990)
        for (const acts of [
          [{ status: 500 }],
          [{ status: 401 }],
          [{ hang: true }],
          [{ raw: "data: {nonsense\n\n" }],
        ] as const) {
          const isHanging = "hang" in acts[0]
          const { failure } = yield* readAnswer(org, () => acts, { by: isHanging ? (url) => compatible(url, 0.5) : by })
          assert.strictEqual(failure?.reason, "unavailable", JSON.stringify(acts))
        }
      }),
    )

    it.effect("is stopped when the caller leaves, with ten minutes to go", () =>
      Effect.gen(function* () {
        const { org } = yield* makeWorkspace()
        const drip = Array.from({ length: 30_000 }, () => [{ text: "On and on. " }, { wait: 20 }] as const).flat()
        const { server, stream } = yield* asked(org, () => drip, { by: (url) => compatible(url) })
        const begun = yield* Latch.make()
        const fiber = yield* Effect.forkChild(
          Stream.runForEach(stream, ({ type }) => (type === "content_delta" ? begun.open : Effect.void)),
        )
        yield* begun.await
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => server.abort)
      }),
    )
  })
})
