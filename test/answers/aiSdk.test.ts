import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { assert, describe, layer } from "@effect/vitest"
import { MockLanguageModelV3, MockLanguageModelV4 } from "ai/test"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type AiSdkModel, answererOf } from "../../src/adapters/models/aiSdk.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary } from "../support/web.ts"
import { asked, cited, FACT, told } from "./asking.ts"
import { results } from "./modelServer.ts"
import { makeWorkspace } from "./workspace.ts"

/** A model of the SDK's own provider for endpoints like OpenAI's. */
const compatible = (url: string, silence = 30) =>
  answererOf(createOpenAICompatible({ name: "double", baseURL: url, apiKey: "sk-test", includeUsage: true })("tiny"), {
    pause: 0.01,
    tries: 2,
    silence,
  })

const streamOf = (parts: ReadonlyArray<object>) =>
  new ReadableStream<any>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

const SIGNED = { google: { thoughtSignature: "abc" } }

/** Calls a tool, then tells what it said. `usage` and `finishReason` are those of the specification's version. */
const scripted = (usage: object, finishReason: (reason: string) => unknown) => {
  const prompts: Array<any> = []
  const doStream = async ({ prompt }: { prompt: Array<any> }) => {
    prompts.push(prompt)
    const said = prompt.at(-1)
    const parts =
      prompts.length === 1
        ? [
            {
              type: "tool-call",
              toolCallId: "c1",
              toolName: "count_deals",
              input: '{"filters":{"status":["lost"]}}',
              providerMetadata: SIGNED,
            },
          ]
        : [
            { type: "text-start", id: "1" },
            { type: "text-delta", id: "1", delta: `[[${said.content[0].output.value.ref}.count]] were lost.` },
            { type: "text-end", id: "1" },
          ]
    const reason = finishReason(prompts.length === 1 ? "tool-calls" : "stop")
    return {
      stream: streamOf([
        { type: "stream-start", warnings: [] },
        ...parts,
        { type: "finish", usage, finishReason: reason },
      ]),
    }
  }
  return { prompts, doStream }
}

const counted = { inputTokens: { total: 7 }, outputTokens: { total: 2 } }
const unified = (reason: string) => ({ unified: reason, raw: undefined })

const versions: ReadonlyArray<readonly [string, ReturnType<typeof scripted>, (doStream: any) => AiSdkModel]> = [
  [
    "v2",
    scripted({ inputTokens: 7, outputTokens: 2 }, (reason) => reason),
    (doStream) => ({ specificationVersion: "v2", provider: "double", modelId: "tiny", doStream }),
  ],
  ["v3", scripted(counted, unified), (doStream) => new MockLanguageModelV3({ doStream })],
  ["v4", scripted(counted, unified), (doStream) => new MockLanguageModelV4({ doStream })],
]

const services = Sightline.layer({ database: Layer.orDie(engines[1].database), library: layerLibrary() })
describe("a model of the AI SDK", () => {
  layer(services, { excludeTestServices: true })((it) => {
    for (const [version, script, model] of versions) {
      it.effect(`of specification ${version} calls tools and answers`, () =>
        Effect.gen(function* () {
          const { org } = yield* makeWorkspace()
          const reply = yield* told(org, () => [], { by: () => answererOf(model(script.doStream)) })
          assert.isUndefined(reply.failure)
          assert.match(reply.text, /^\[4\]\(\S+\) were lost\.$/)
          assert.deepStrictEqual(reply.calls, ["search_knowledge_base", "count_deals"])
          assert.deepStrictEqual(reply.events.at(-1), { type: "usage", input_tokens: 14, output_tokens: 4 })
          assert.deepStrictEqual(
            script.prompts[1].map(({ role }: { role: string }) => role),
            ["system", "user", "assistant", "tool", "assistant", "tool"],
          )
          assert.deepStrictEqual(script.prompts[1].at(-2).content[0].providerOptions, SIGNED)
        }),
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
        const hanging = yield* told(org, () => [], {
          by: by(({ abortSignal }) => {
            assert.isTrue(signals.every(({ aborted }) => aborted))
            signals.push(abortSignal)
            return new Promise(() => {})
          }, 0.2),
        })
        assert.strictEqual(hanging.failure?.reason, "unavailable")
        assert.lengthOf(signals, 2)
        let asked = 0
        const keyless = yield* told(org, () => [], {
          by: by(() => {
            asked++
            return Promise.reject(new Error("the key is missing"))
          }),
        })
        assert.strictEqual(keyless.failure?.reason, "unavailable")
        assert.strictEqual(asked, 1)
      }),
    )

    it.effect("of a real provider cites, calls tools, honours Retry-After, and fails like ours", () =>
      Effect.gen(function* () {
        const { org, battlecard } = yield* makeWorkspace()
        const by = (url: string) => compatible(url)
        const reply = yield* told(org, cited, { by })
        assert.isUndefined(reply.failure)
        assert.strictEqual(reply.citations[0]?.document_id, battlecard)
        assert.isTrue(reply.text.startsWith(`${FACT} [Zenith battlecard.md](`))
        assert.deepStrictEqual(reply.events.at(-1), { type: "usage", input_tokens: 100, output_tokens: 10 })
        const used = yield* told(
          org,
          (request, nth) =>
            nth === 0
              ? [{ call: "count_deals", args: {} }]
              : [{ text: `There are [[${results(request).at(-1).ref}.count]] deals.` }],
          { by },
        )
        assert.match(used.text, /^There are \[12\]\(\S+\) deals\.$/)
        const busy = yield* told(
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
          const { failure } = yield* told(org, () => acts, { by: isHanging ? (url) => compatible(url, 0.5) : by })
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
