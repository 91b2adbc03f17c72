import { assert, describe, it as test } from "vitest"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { numberIn } from "../../src/core/answers/across/compare.ts"
import { excludesNamed, readAcross, topicOfComparison } from "../../src/core/answers/across/question.ts"
import type { AnswerEvent } from "../../src/core/answers/Answerer.ts"
import { Answerer } from "../../src/core/answers/Answerer.ts"
import { unrestricted } from "../../src/core/answers/Asker.ts"
import { DealQuestions } from "../../src/core/answers/DealQuestions.ts"
import { layerExtractive } from "../../src/core/answers/quotes/layerExtractive.ts"
import { ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { layerLexical } from "../../src/core/search/layerLexical.ts"
import { layerLinks } from "../../src/core/signing/Links.ts"
import { Import } from "../../src/core/import/Import.ts"
import { addDocuments } from "../support/addDocuments.ts"
import { engines } from "../support/engines.ts"
import { layerSettings } from "../support/settings.ts"
import { newOrganization, services } from "../catalogue/support.ts"

const CARDS = [
  [
    "orvanta",
    "Orvanta charges $48 per seat per month. Its setup fee is $1,900, paid once.\n\nOrvanta is certified to ISO 27001. Support answers within 26 hours.\n\nContracts of Orvanta have a notice period of 90 days.",
  ],
  [
    "nimbrel",
    "Nimbrel charges $31 per seat per month, with a minimum of ten seats.\n\nNimbrel is certified to SOC 2 Type II. Support answers within 4 hours.\n\nContracts of Nimbrel have a notice period of 90 days.",
  ],
  ["vexmar", "Vexmar sells through partners. Its founders left last year."],
] as const

const contentOf = (events: ReadonlyArray<AnswerEvent>) =>
  events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")

test("reads which questions every competitor's documents must be asked", () => {
  assert.deepStrictEqual(readAcross("Which competitor is the cheapest?", []), {
    query: "charges price per seat",
    order: "lowest",
    compares: "money",
    superlative: "cheapest",
  })
  assert.deepStrictEqual(readAcross("who is certified to SOC 2?", []), { query: "certified to SOC 2" })
  assert.strictEqual(
    readAcross("Compare Orvanta and Nimbrel on setup fees", ["Orvanta", "Nimbrel"])?.query,
    "on setup fees",
  )
  for (const question of ["Which competitors do we lose to?", "Who owns the Harbor deal?", "What does Orvanta charge?"])
    assert.isUndefined(readAcross(question, question.includes("Orvanta") ? ["Orvanta"] : []), question)
})

test("reads the topic of a comparison", () => {
  const both = ["Orvanta", "Nimbrel"]
  assert.strictEqual(topicOfComparison("Compare Orvanta and Nimbrel on onboarding", both), "onboarding")
  assert.isUndefined(topicOfComparison("Do Orvanta and Nimbrel charge for onboarding?", both))
  assert.deepStrictEqual(readAcross("Compare Orvanta and Nimbrel on security", both), { query: "certified" })
})

test("asks the others only if a question excludes those that it names", () => {
  assert.isTrue(excludesNamed("Is anybody other than Orvanta certified?", ["Orvanta"]))
  assert.isFalse(excludesNamed("Other than price, how do Orvanta and Nimbrel differ?", ["Orvanta", "Nimbrel"]))
})

test("reads amounts with their units", () => {
  assert.deepStrictEqual(numberIn("It charges $1,900 per seat per month.", "money"), {
    value: 1900,
    text: "$1,900 per seat per month",
    unit: "$ / seat / month",
  })
  assert.deepStrictEqual(numberIn("Support answers within 26 hours.", "number"), {
    value: 26,
    text: "26 hours",
    unit: "hour",
  })
  assert.isUndefined(numberIn("It has no price.", "money"))
})

for (const engine of engines) {
  const all = layerExtractive.pipe(
    Layer.provide(DealQuestions.layerNone),
    Layer.provideMerge(
      Layer.mergeAll(
        layerLexical,
        DealRecords.layer,
        ViewerLinks.layer.pipe(Layer.provide(layerLinks), Layer.provide(layerSettings())),
      ),
    ),
    Layer.provideMerge(services(engine)),
  )
  describe(`questions to the documents of several competitors, on ${engine.name}`, () => {
    layer(all, { excludeTestServices: true })((it) => {
      it.effect("compares what they say, cites it, and names those that do not say it", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* (yield* Import).records(
            org,
            Stream.fromIterable(
              CARDS.map(([id]) => ({ type: "competitor", id, name: id.charAt(0).toUpperCase() + id.slice(1) })),
            ),
          )
          yield* addDocuments(
            org,
            CARDS.map(([competitor, body]) => ({
              name: `${competitor}.md`,
              chunks: body.split("\n\n"),
              competitorId: competitor,
            })),
          )
          const ask = Effect.fnUntraced(function* (content: string) {
            const answerer = yield* Answerer
            return yield* Stream.runCollect(answerer.answer(unrestricted(org), [{ role: "user", content }]))
          })
          const cheapest = yield* ask("Which competitor is the cheapest?")
          assert.match(contentOf(cheapest), /^\*\*Nimbrel\*\* is cheapest: \$31 per seat per month, of 2 competitors/)
          assert.match(contentOf(cheapest), /The documents about Vexmar do not say it\./)
          const excerpts = cheapest.flatMap((event) => (event.type === "citation" ? [event.citation.excerpt] : []))
          assert.strictEqual(excerpts[0], "Nimbrel charges $31 per seat per month, with a minimum of ten seats.")
          assert.match(
            contentOf(yield* ask("Which competitor is most expensive?")),
            /^\*\*Orvanta\*\* is most expensive: \$48/,
          )
          const certified = contentOf(yield* ask("Who is certified?"))
          assert.match(certified, /Orvanta\*\*: “Orvanta is certified to ISO 27001/)
          assert.match(certified, /Nimbrel\*\*: “Nimbrel is certified to SOC 2/)
          assert.match(certified, /Vexmar do not say it/)
          assert.match(
            contentOf(yield* ask("Which competitor has the longest notice period?")),
            /^\*\*\w+\*\* and \*\*\w+\*\*: 90 days, of 2 competitors/,
          )
          const others = contentOf(yield* ask("Is anybody other than Orvanta certified?"))
          assert.include(others, "Nimbrel is certified to SOC 2")
          assert.notInclude(others, "Orvanta")
          const prices = contentOf(yield* ask("compare list prices of orvanta and nimbrel"))
          for (const price of ["$48", "$31"]) assert.include(prices, price)
          assert.match(contentOf(yield* ask("Who is cheaper, Orvanta or Nimbrel?")), /^\*\*Nimbrel\*\* is cheapest/)
        }),
      )
    })
  })
}
