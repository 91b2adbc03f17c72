import { assert, describe, it as test } from "vitest"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { statesFact } from "../../src/core/answers/quotes/statesFact.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { layerWeb, Web } from "../support/web.ts"
import { NAMES, TODAY } from "./dealNames.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { addDocument } from "./workspace.ts"

const isForeign = (question: string) => parse(question, NAMES, TODAY).unknown.some(({ as }) => as === "foreign")

describe("what belongs to a competitor", () => {
  for (const question of [
    "What is the revenue of Nimbrel?",
    "Nimbrel's revenue",
    "How many reps does Orvanta have?",
    "How many employees has Orvanta?",
    "What is Orvanta's win rate?",
    "What is the win rate of Orvanta?",
    "average deal size of Orvanta",
    "What are the features of Orvanta?",
    "How much is Orvanta?",
    "How big is Nimbrel?",
  ])
    test(`is its own: ${question}`, () => assert.isTrue(isForeign(question)))
  for (const question of [
    "our win rate against Orvanta",
    "Orvanta win rate",
    "Orvanta deals",
    "revenue lost to Nimbrel",
    "pipeline of Nimbrel deals",
    "our revenue with customers of Orvanta",
    "win rate of Orvanta and Nimbrel",
    "How many deals has Orvanta won?",
    "How much did we lose to Orvanta?",
    "How much is the Orvanta pipeline?",
    "Orvanta's share of our lost deals",
  ])
    test(`is not what this asks for: ${question}`, () => assert.isFalse(isForeign(question)))
})

test("a sentence states how many only with the number before the thing", () => {
  const states = statesFact("How many customers does Orvanta have?", ["customers"])
  assert.isTrue(states("Orvanta serves 1,400 paying customers."))
  assert.isFalse(states("Its 12 offices serve customers in Europe."))
})

const RECORDS = [
  { type: "stage", id: "won", name: "Closed Won", category: "won", position: 1 },
  { type: "competitor", id: "orvanta", name: "Orvanta" },
  { type: "competitor", id: "nimbrel", name: "Nimbrel" },
  { type: "competitor", id: "vexmar", name: "Vexmar" },
  ...["orvanta", "nimbrel", "vexmar"].map((competitor, n) => ({
    type: "deal",
    id: `deal_${n}`,
    name: `Harbor ${n}`,
    amount: 1000 * (n + 1),
    status: "won",
    competitors: [{ competitor, is_primary: true, is_incumbent: false }],
  })),
]

const BULLETS = `# Battlecard

## Pricing

- Starter: $31 per seat
- Business: $71 per seat
- Enterprise: on request

## Company

Orvanta has 420 employees and serves 900 customers.`

const TABLE = `# Nimbrel plans

## Prices

| Plan | Price | Seats |
|---|---|---|
| Team | $12 per seat | 5 |
| Business | $52 per seat | 10 |`

for (const engine of engines.slice(-1))
  describe(`questions about a competitor's own business, on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("are answered by its documents or refused, never by our deals", () =>
        Effect.gen(function* () {
          const { request, tenant } = yield* Web
          const { org, key } = yield* tenant({ plan: UNLIMITED })
          yield* (yield* Import).records(org, Stream.fromIterable(RECORDS))
          yield* addDocument(org, "card.md", BULLETS, { competitor: "orvanta" })
          yield* addDocument(org, "plans.md", TABLE, { competitor: "nimbrel" })
          const ask = Effect.fnUntraced(function* (content: string) {
            const body = JSON.stringify({ messages: [{ role: "user", content }] })
            const headers = { "content-type": "application/json" }
            const reply = yield* request("/api/v1/responses", key, { method: "POST", body, headers })
            const { content: said, citations } = reply.json.message as {
              content: string
              citations: ReadonlyArray<{ excerpt: string }>
            }
            return { content: said, excerpts: citations.map(({ excerpt }) => excerpt) }
          })
          for (const [question, ...expected] of [
            ["What does Orvanta charge for Business?", "Business: $71 per seat"],
            ["How much is the Starter plan of Orvanta?", "Starter: $31 per seat"],
            ["What does Nimbrel charge for Business?", "Business\t$52 per seat\t10"],
            ["What is the lowest price of Orvanta?", "Starter: $31 per seat"],
            ["What is the cheapest plan of Nimbrel?", "Team\t$12 per seat\t5"],
            ["How much is Orvanta?", "Starter: $31 per seat", "Business: $71 per seat", "Enterprise: on request"],
            ["How many employees has Orvanta?", "Orvanta has 420 employees and serves 900 customers."],
            ["How many customers does Orvanta have?", "Orvanta has 420 employees and serves 900 customers."],
          ] as const)
            assert.deepStrictEqual((yield* ask(question)).excerpts, expected, question)
          assert.include(
            (yield* ask("What does Nimbrel charge for Business?")).content,
            "“Plan: Business; Price: $52 per seat; Seats: 10”",
          )
          for (const question of [
            "How much is Vexmar?",
            "How many customers does Nimbrel have?",
            "What is the revenue of Orvanta?",
            "What does Orvanta charge for training?",
            "What is the lowest price of Vexmar?",
          ]) {
            const { content, excerpts } = yield* ask(question)
            assert.deepStrictEqual(excerpts, [], question)
            assert.notMatch(content, /\*\*/, question)
          }
          assert.match((yield* ask("Orvanta deals")).content, /^\*\*1 deal\*\* matches/)
        }),
      )
    })
  })
