import { assert, describe, layer } from "@effect/vitest"
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type { StreamPartEncoded } from "effect/ai/Response"
import * as Tool from "effect/ai/Tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Sightline from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary } from "../support/web.ts"
import { readAnswer } from "./asking.ts"
import { makeWorkspace } from "./workspace.ts"

type StreamText = (asked: LanguageModel.ProviderOptions) => Stream.Stream<StreamPartEncoded, AiError.AiError, never>

/** A provider as any package for Effect writes one. */
const providerOf = (streamText: StreamText) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({ streamText, generateText: () => Effect.die("the agent streams") }),
  )

const by = (streamText: StreamText) => () => Layer.provide(Sightline.layerAgent, providerOf(streamText))

const services = Sightline.layer({ database: Layer.orDie(engines[0].database), library: layerLibrary() })
describe("any provider of effect/ai", () => {
  layer(services, { excludeTestServices: true })((it) => {
    it.effect("calls our tools, and its answer is cited", () =>
      Effect.gen(function* () {
        const { org } = yield* makeWorkspace()
        const offered: Array<ReadonlyArray<string>> = []
        let declared = ""
        const reply = yield* readAnswer(org, () => [], {
          by: by(({ prompt, tools }) => {
            offered.push(tools.map(({ name }) => name))
            declared = JSON.stringify(tools.map((tool) => Tool.getJsonSchema(tool)))
            const said = JSON.stringify(prompt)
            if (offered.length === 1)
              return Stream.make({
                type: "tool-call",
                id: "c1",
                name: "count_deals",
                params: { filters: { status: ["lost"] } },
              })
            const ref = /"ref":"([^"]+)"[^}]*\$48/.exec(said.replaceAll("\\", ""))?.[1]
            return Stream.make(
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: "Some deals were lost. Zenith Cloud charges $48 per seat " },
              { type: "text-delta", id: "1", delta: `and month [[${ref}]].` },
              { type: "text-end", id: "1" },
            )
          }),
        })
        assert.isUndefined(reply.failure)
        assert.deepStrictEqual(reply.calls, ["search_knowledge_base", "count_deals"])
        assert.include(offered[0]!, "count_deals")
        assert.notInclude(offered[0]!, "fetch")
        assert.isAtMost(declared.length / 4, 3500)
        assert.match(reply.text, /^Some deals were lost\. .*\$48 per seat and month .*\[.+\]\(.+\)/)
        assert.strictEqual(reply.citations[0]?.excerpt.includes("$48"), true)
        const usage = reply.events.at(-1)
        assert.isTrue(usage?.type === "usage" && usage.input_tokens > 0 && usage.output_tokens > 0)
      }),
    )

    const failures: Readonly<Record<string, StreamText>> = {
      fails: () =>
        Stream.fail(
          AiError.make({
            module: "Other",
            method: "streamText",
            reason: new AiError.InvalidOutputError({ description: "no" }),
          }),
        ),
      "sends an error in its stream": () =>
        Stream.make({ type: "error", error: { code: "overloaded", secret: "sk-1" } }),
    }
    for (const [how, streamText] of Object.entries(failures)) {
      it.effect(`that ${how} ends the answer as unavailable, without the cause`, () =>
        Effect.gen(function* () {
          const { org } = yield* makeWorkspace()
          const reply = yield* readAnswer(org, () => [], { by: by(streamText) })
          assert.deepInclude(reply.failure, {
            _tag: "AnswerFailed",
            reason: "unavailable",
            message: "the language model is unreachable; try again",
          })
        }),
      )
    }
  })
})
