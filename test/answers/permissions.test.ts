import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Permission } from "../../src/core/access/permissions.ts"
import { Answerer } from "../../src/core/answers/Answerer.ts"
import type { Asker } from "../../src/core/answers/Asker.ts"
import { answererOf } from "../../src/adapters/models/openai.ts"
import * as Redacted from "effect/Redacted"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { layerWeb, Web } from "../support/web.ts"
import { FACT } from "./asking.ts"
import { modelServer, results } from "./modelServer.ts"
import { makeWorkspace } from "./workspace.ts"

const QUESTIONS = [
  "What does Zenith Cloud charge per seat?",
  "Tell me about Zenith Cloud",
  "Why did we lose Harbor Freight 3?",
  "Tell me about the deal Harbor Freight 3",
  "How many deals did we lose?",
  "Which deals did we win in EMEA?",
  "When must the rollout end?",
  "What reason was told for support?",
]

/** A word that only one kind of thing contains. */
const DOCUMENTS = /\$48|\$1,900|offline|14 October|audit log|battlecard|Call\.md/i
const DEALS = /Harbor Freight \d.{0,80}(?:Closed|lost|won|10,0|Price)|10,00\d|Reason \d|was told|\b(?:4|8|12) deals/i

const NARROWED: ReadonlyArray<readonly [ReadonlyArray<Permission>, ReadonlyArray<RegExp>]> = [
  [["answers.create"], [DOCUMENTS, DEALS]],
  [["answers.create", "deals.read"], [DOCUMENTS]],
  [["answers.create", "documents.read"], [DEALS]],
]

for (const engine of engines) {
  describe(`the permissions of who asks on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const workspace = Effect.gen(function* () {
        const made = yield* makeWorkspace()
        const records = yield* DealRecords
        yield* untilEffect("the record of deal_11", records.text(made.org, "deal_11"))
        return made
      })
      const post = (path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
        Effect.flatMap(Web, (web) =>
          web.request(path, key, {
            method: "POST",
            body: JSON.stringify(body),
            headers: { "content-type": "application/json", ...headers },
          }),
        )
      const asked = (question: string, more: object = {}) => ({
        messages: [{ role: "user", content: question }],
        ...more,
      })
      const streamed = { stream: true, stream_options: { include: ["tool_call", "tool_result"] } }

      it.effect("limit JSON replies, streams and MCP alike", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          const wide = yield* key("viewer")
          const all = yield* Effect.forEach(QUESTIONS, (question) =>
            Effect.map(post("/api/v1/responses", wide, asked(question)), ({ text }) => text),
          )
          // An unrestricted key learns both: the patterns can match.
          assert.match(all.join("\n"), DOCUMENTS)
          assert.match(all.join("\n"), DEALS)
          for (const [permissions, hidden] of NARROWED) {
            const narrow = yield* key("viewer", { permissions })
            for (const question of QUESTIONS) {
              const replies = [
                yield* post("/api/v1/responses", narrow, asked(question)),
                yield* post("/api/v1/responses", narrow, asked(question, streamed)),
                yield* post("/mcp", narrow, {
                  jsonrpc: "2.0",
                  id: 1,
                  method: "tools/call",
                  params: { name: "ask", arguments: { question } },
                }),
              ]
              for (const { status, text } of replies) {
                assert.strictEqual(status, 200, text)
                const said = text.replaceAll(question, "").replaceAll(JSON.stringify(question).slice(1, -1), "")
                for (const kind of hidden) assert.notMatch(said, kind, `${permissions.join()}: ${question}`)
              }
            }
          }
        }),
      )

      it.effect("let a key read what it is allowed to read", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          const deals = yield* key("viewer", { permissions: ["answers.create", "deals.read"] })
          const counted = yield* post("/api/v1/responses", deals, asked("How many deals did we lose?"))
          assert.match(counted.json.message.content, /\b4\b/)
          assert.include(counted.json.tool_calls, "report_deals")
          const documents = yield* key("viewer", { permissions: ["answers.create", "documents.read"] })
          const quoted = yield* post("/api/v1/responses", documents, asked("What does Zenith Cloud charge per seat?"))
          assert.include(quoted.json.message.content, "$48")
        }),
      )

      it.effect("are named by an answer that needs missing ones", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          const none = yield* key("viewer", { permissions: ["answers.create"] })
          const reply = yield* post("/api/v1/responses", none, asked("How many deals did we lose?"))
          assert.deepStrictEqual(reply.json, {
            message: {
              role: "assistant",
              content:
                "This key cannot read deals or documents: it lacks `deals.read` and `documents.read`. Ask an administrator for a key that has at least one of them.",
              citations: [],
            },
            tool_calls: [],
          })
          const documents = yield* key("viewer", { permissions: ["answers.create", "documents.read"] })
          const some = yield* post("/api/v1/responses", documents, asked("How many deals did we lose?"))
          assert.include(some.json.message.content, "This key cannot read deals: it lacks `deals.read`.")
        }),
      )

      it.effect("keep a narrower key from replaying a wider key's answer", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          const wide = yield* key("viewer")
          const narrow = yield* key("viewer", { permissions: ["answers.create"] })
          for (const more of [{}, streamed]) {
            const headers = { "idempotency-key": `same ${JSON.stringify(more)}` }
            const body = asked("What does Zenith Cloud charge per seat?", more)
            assert.include((yield* post("/api/v1/responses", wide, body, headers)).text, "$48")
            const replay = yield* post("/api/v1/responses", narrow, body, headers)
            assert.strictEqual(replay.status, 409)
            assert.notMatch(replay.text, DOCUMENTS)
          }
        }),
      )

      it.effect("decide which tools a model sees and can call", () =>
        Effect.gen(function* () {
          const { org } = yield* workspace
          const asker: Asker = {
            organizationId: org,
            role: "viewer",
            permissions: ["answers.create", "documents.read"],
          }
          const server = yield* modelServer((_, nth) =>
            nth === 0
              ? [
                  { call: "count_deals", args: {} },
                  { call: "select_deal", args: { name: "Harbor Freight 3" }, id: "c2" },
                  { call: "search_deal_documents", args: { query: "rollout" }, id: "c3" },
                ]
              : [{ text: "I may not." }],
          )
          const own = { url: server.url, model: "tiny", key: Redacted.make("sk-test") }
          const answerer = yield* Effect.provide(Answerer, yield* Layer.build(answererOf(own)))
          const messages = [{ role: "user", content: "What does Zenith Cloud charge?" }] as const
          yield* Stream.runDrain(answerer.answer(asker, messages))
          const [first, second] = server.requests
          assert.sameMembers(
            (first?.tools ?? []).map((tool) => tool.function.name),
            ["search_knowledge_base", "get_assets", "read_document"],
          )
          assert.include(first?.messages[0]?.content ?? "", "`deals.read`")
          assert.notInclude(first?.messages[0]?.content ?? "", "Closed Lost")
          const answers = results(second!).slice(1)
          assert.lengthOf(answers, 3)
          for (const answer of answers) assert.deepStrictEqual(answer, { error: "no such tool" })
          assert.notMatch(JSON.stringify(server.requests.map((request) => request.messages)), DEALS)
          assert.include(JSON.stringify(first?.messages), FACT)
        }).pipe(Effect.scoped),
      )
    })
  })
}
