import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Answerer } from "../../src/core/answers/Answerer.ts"
import { unrestricted } from "../../src/core/answers/Asker.ts"
import { callTool } from "../../src/core/answers/tools/callTool.ts"
import { layerTools } from "../../src/core/answers/tools/layerTools.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary } from "../support/web.ts"
import { readAnswer } from "./asking.ts"
import { makeWorkspace } from "./workspace.ts"

/** Questions with the tools that answer them without a model; several answer a question about texts. */
const QUESTIONS: ReadonlyArray<readonly [question: string, tools?: ReadonlyArray<string>]> = [
  ["How many deals did we lose?", ["report_deals"]],
  ["What is our win rate by competitor?", ["report_deals"]],
  ["Which competitors are in most deals, compared with last year?", ["report_deals"]],
  ["List the deals that we lost in EMEA", ["count_deals", "search_deals"]],
  ["What percentage of won deals had Orbit?", ["report_deals", "report_deals"]],
  ["Win rate in 2024 versus 2025", ["report_deals", "report_deals"]],
  ["Why do we lose?", ["report_deals"]],
  ["What does Zenith Cloud charge?"],
  ["Which competitor has the lowest setup fee?"],
  ["Tell me about Zenith Cloud"],
  ["What is the status of Harbor Freight 3?"],
  ["What did the buyer say about the audit log in Harbor Freight 3?"],
]

describe("calls that are announced without a model", () => {
  const services = Sightline.layer({ database: Layer.orDie(engines[0].database), library: layerLibrary() })
  layer(services, { excludeTestServices: true })((it) => {
    it.effect("name the tool that ran, with arguments that it accepts and the number that it finds", () =>
      Effect.gen(function* () {
        const { org } = yield* makeWorkspace()
        const asker = unrestricted(org)
        const point = () => Effect.succeed({})
        for (const [content, tools] of QUESTIONS) {
          const events = yield* Stream.runCollect((yield* Answerer).answer(asker, [{ role: "user", content }]))
          const calls = events.flatMap((event) => (event.type === "tool_call" ? [event] : []))
          const names = calls.map(({ name }) => name)
          if (tools === undefined) assert.isNotEmpty(names, content)
          else assert.deepStrictEqual(names, tools, content)
          for (const { id, name, arguments: args } of calls) {
            const result = yield* callTool({ asker, point, pointToRow: point }, name, args)
            const found = events.find((event) => event.type === "tool_result" && event.id === id)
            if (tools !== undefined)
              assert.deepInclude(found, { name, found: result.found }, `${content} ${JSON.stringify(args)}`)
          }
        }
      }).pipe(Effect.provide(layerTools)),
    )

    it.effect(
      "no greeting and no certain question of numbers is searched for, and a greeting comes without tools",
      () =>
        Effect.gen(function* () {
          const { org } = yield* makeWorkspace()
          for (const [content, tools, most] of [
            ["hi", [], 700],
            ["Thanks!", [], 700],
            ["what can you do", [], 4300],
            ["What is our win rate by competitor?", ["report_deals"], 4500],
            ["What does Zenith Cloud charge?", ["search_knowledge_base"], 4700],
          ] as const) {
            const { server, calls } = yield* readAnswer(org, () => [{ text: "Hello." }], {
              messages: [{ role: "user", content }],
            })
            assert.deepStrictEqual(calls, [...tools], content)
            const [{ messages, tools: offered = [] }] = server.requests as unknown as [(typeof server.requests)[number]]
            const tokens = Math.ceil((JSON.stringify(messages).length + JSON.stringify(offered).length) / 4)
            console.log(`${content}: ${tokens} tokens`)
            assert.isAtMost(tokens, most, content)
          }
          const { server, text } = yield* readAnswer(org, () => [], { messages: [{ role: "user", content: "hi" }] })
          assert.lengthOf(server.requests[0]?.tools ?? [], 0)
          assert.match(text, /^Hello\. This workspace holds 12 deals/)
        }),
    )
  })
})
