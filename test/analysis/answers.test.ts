import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readSaid } from "../../src/core/answers/said/question.ts"
import { engines } from "../support/engines.ts"
import { layerWeb } from "../support/web.ts"
import { analyzed, CALL, send, upload, workspace } from "./workspace.ts"

const ask = (question: string, key: string) =>
  Effect.map(
    send("POST", "/responses", key, { messages: [{ role: "user", content: question }] }),
    (reply) =>
      reply.json.message as { content: string; citations: ReadonlyArray<{ excerpt: string; deal_id: string }> },
  )

for (const engine of engines) {
  describe(`questions about what was said, on ${engine.name}`, () => {
    layer(Layer.unwrap(Effect.sync(() => layerWeb(engine.database))), { excludeTestServices: true })((it) => {
      it.effect("are answered with the quotes of that side, and never with those of the other", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          yield* upload("d1", "Second call.vtt", CALL, key)
          yield* analyzed("d1", key)
          const excerpts = (message: { citations: ReadonlyArray<{ excerpt: string }> }) =>
            message.citations.map(({ excerpt }) => excerpt)
          const price = yield* ask("What did the buyer say about price in the Hartwell deal?", key)
          assert.deepStrictEqual(excerpts(price), [
            "Yes, Orvanta is cheaper than you.",
            "The price is too high for what we would use.",
          ])
          assert.include(price.content, "Dana Reyes (Hartwell)")
          const sso = yield* ask("What did the customer say about SSO in the Hartwell deal?", key)
          assert.deepStrictEqual(excerpts(sso), ["We love single sign on, it works great."])
          const rival = yield* ask("What did the seller say about Orvanta in the Hartwell deal?", key)
          assert.deepStrictEqual(excerpts(rival), ["Have you looked at Orvanta as well?"])
          const nothing = yield* ask("What did the buyer say about dashboards in the Hartwell deal?", key)
          assert.deepStrictEqual(excerpts(nothing), [])
          assert.include(nothing.content, "no finding in its documents has the buyer speak about dashboards")
        }),
      )

      it.effect("omit rejected findings, and search the texts of a deal that was not analyzed", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          yield* upload("d1", "Second call.vtt", CALL, key)
          const question = "What did the buyer say about Single sign-on in the Hartwell deal?"
          assert.notInclude((yield* ask(question, key)).content, "what the buyer said about")
          const { analysis } = yield* analyzed("d1", key)
          assert.include((yield* ask(question, key)).content, "We love single sign on")
          const found = analysis.findings.find((each: any) => each.kind === "feature")
          yield* send("PATCH", `/deals/d1/analysis/findings/${found.id}`, key, { state: "rejected" })
          assert.notInclude((yield* ask(question, key)).content, "We love single sign on")
        }),
      )
    })
  })
}

describe("a question about what was said", () => {
  layer(Layer.empty)((it) => {
    it("has a side, a topic and a deal", () => {
      assert.deepStrictEqual(readSaid("What did the buyer say about price in the Harbor deal?"), {
        side: "buyer",
        topic: "price",
        deal: "Harbor",
      })
      assert.deepStrictEqual(readSaid("what did we tell about the audit trail on the Hartwell Logistics calls"), {
        side: "seller",
        topic: "audit trail",
        deal: "Hartwell Logistics",
      })
      assert.deepStrictEqual(
        readSaid("What has anyone said about Orvanta in Hartwell – Platform renewal?")?.side,
        undefined,
      )
    })

    it("is none of other questions", () => {
      for (const question of [
        "How many deals did we lose on price?",
        "What does Orvanta charge per seat?",
        "What did we lose in the Hartwell deal?",
        "Why did we lose the Hartwell deal?",
      ])
        assert.isUndefined(readSaid(question), question)
    })
  })
})
