import { assert, describe, it as test } from "vitest"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { readAcross } from "../../src/core/answers/across/question.ts"
import { takeNames } from "../../src/core/answers/questions/names/foundNames.ts"
import { QuestionReader } from "../../src/core/answers/QuestionReader.ts"
import { asksForWords, readSpoken } from "../../src/core/answers/said/spokenQuestion.ts"
import { Import } from "../../src/core/import/Import.ts"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { upload, workspace } from "../analysis/workspace.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { layerWeb, Web } from "../support/web.ts"
import { ask, quotes } from "./askByHttp.ts"
import { NAMES } from "./dealNames.ts"
import { addDocument } from "./workspace.ts"

const CALLS = [
  `WEBVTT

00:00:01.000 --> 00:00:06.000
<v Ines Okafor (Hartwell)>Can we see the dashboards before we sign? Orvanta is cheaper than you.

00:00:07.000 --> 00:00:16.000
<v Ines Okafor (Hartwell)>The single sign-on is what our team liked best. To be honest, we are leaning towards Orvanta.
`,
  `WEBVTT

00:00:01.000 --> 00:00:06.000
<v Dana Reyes (Hartwell)>We tried the dashboards, and they were slow and confusing. Summit is cheaper than you.

00:00:07.000 --> 00:00:16.000
<v Dana Reyes (Hartwell)>Have you compared Orvanta with the others?
`,
]

const CARD = `# Pricewell battlecard

## Price and terms

Pricewell charges $40 per seat per month.

## What it does well

Pricewell is live within a week. It is certified to SOC 2 Type I.

## Where it is weak

Pricewell has no offline mode.
`

const NOTICE = `# Pricewell announces new list prices

Pricewell told its customers that the list price rises by $4 to $44 per seat per month from January 2027. Contracts that are signed before then keep the old price for two years.
`

const OTHER = `# Tallow battlecard

## Price and terms

Tallow charges $50 per seat per month.

## Where it is weak

Tallow loses data.
`

const INTERVIEW = `# Loss interview: Harbor Mills

The buyer talked with us for 40 minutes. They went with Pricewell.

## What decided it

- Trust spoke against us: the audit report was old.

## In their words

"We compared both for 15 weeks."

## What they would have liked

Harbor Mills would have liked a named contact.
`

const RECORDS = [
  { type: "stage", id: "open", name: "Proposal", category: "open", position: 1 },
  { type: "stage", id: "lost", name: "Closed Lost", category: "lost", position: 2 },
  { type: "competitor", id: "pricewell", name: "Pricewell" },
  { type: "competitor", id: "tallow", name: "Tallow" },
  { type: "feature", id: "app", name: "Mobile app" },
  { type: "client", id: "harbor", name: "Harbor Mills" },
  {
    type: "deal",
    id: "d1",
    name: "Harbor Mills renewal",
    status: "lost",
    client: "harbor",
    drivers: [{ reason: "Trust", positive: false, summary: "the audit report was old." }],
    summary: { lessons_learned: ["Raise mobile app in the first call."] },
  },
  {
    type: "deal",
    id: "d2",
    name: "Harbor Mills expansion",
    status: "lost",
    client: "harbor",
    drivers: [{ reason: "Budget", positive: false, summary: "the budget was cut." }],
  },
]

for (const engine of engines) {
  describe(`texts and calls that strangers ask for, on ${engine.name}`, () => {
    layer(Layer.unwrap(Effect.sync(() => layerWeb(engine.database))), { excludeTestServices: true })((it) => {
      const calls = Effect.gen(function* () {
        const made = yield* workspace
        yield* upload("d1", "First call.vtt", CALLS[0]!, made.key)
        yield* upload("d2", "Second call.vtt", CALLS[1]!, made.key)
        return made.key
      })
      const library = Effect.gen(function* () {
        const { org, key } = yield* (yield* Web).tenant({ plan: UNLIMITED })
        const report = yield* (yield* Import).records(org, Stream.fromIterable(RECORDS))
        assert.strictEqual(report.failed, 0, JSON.stringify(report.errors[0]))
        yield* addDocument(org, "pricewell.md", CARD, { competitor: "pricewell" })
        yield* addDocument(org, "notice.md", NOTICE, { competitor: "pricewell" })
        yield* addDocument(org, "tallow.md", OTHER, { competitor: "tallow" })
        yield* addDocument(org, "interview.md", INTERVIEW, { deal: "d1" })
        yield* (yield* DealRecords).refresh(org)
        return key
      })

      it.effect("quotes questions of buyers about a thing too, and counts the calls that say it", () =>
        Effect.gen(function* () {
          const key = yield* calls
          const about = yield* ask("What did people say about the dashboards?", key)
          assert.deepStrictEqual(quotes(about).sort(), [
            "Can we see the dashboards before we sign?",
            "We tried the dashboards, and they were slow and confusing.",
          ])
          const called = yield* ask("How often were the dashboards called slow and confusing?", key)
          assert.include(called.content, "**1 sentence** of buyers in 1 call with “dashboards slow and confusing”")
          const leaning = yield* ask("In how many calls do buyers say they are leaning towards Orvanta?", key)
          assert.include(leaning.content, "**1 sentence** of buyers in 1 call")
          const negative = yield* ask("Show me negative comments about the dashboards", key)
          assert.deepStrictEqual(quotes(negative), ["We tried the dashboards, and they were slow and confusing."])
          const objections = yield* ask("What are the most common objections in calls?", key)
          assert.include(objections.content, "**3 sentences** of buyers in 2 calls, recognized as an objection")
          assert.include(objections.content, "By topic: price 2")
          const german = yield* ask("Was sagen Kunden über die Dashboards?", key)
          assert.deepStrictEqual(quotes(german).sort(), quotes(about).sort())
          const liked = yield* ask("What do people like about single sign-on?", key)
          assert.deepStrictEqual(quotes(liked), ["The single sign-on is what our team liked best."])
        }),
      )

      it.effect("finds calls by words of one sentence, unless several things are sought", () =>
        Effect.gen(function* () {
          const key = yield* calls
          const cheaper = yield* ask("Which calls mention Orvanta being cheaper?", key)
          assert.deepStrictEqual(quotes(cheaper), ["Orvanta is cheaper than you."])
          const both = yield* ask("Which calls mention Orvanta and the dashboards?", key)
          assert.strictEqual(both.citations.length, 2)
          const nobody = yield* ask("Which customers told us that Orvanta is dearer?", key)
          assert.include(nobody.content, "No buyer says “Orvanta is dearer” in a text about a deal.")
        }),
      )

      it.effect("quotes what competitors lack, how their prices change, and what they are certified to", () =>
        Effect.gen(function* () {
          const key = yield* library
          assert.deepStrictEqual(quotes(yield* ask("What does Pricewell not have?", key)), [
            "Pricewell has no offline mode.",
          ])
          assert.deepStrictEqual(quotes(yield* ask("What does Pricewell do better than us?", key)), [
            "Pricewell is live within a week. It is certified to SOC 2 Type I.",
          ])
          for (const question of ["What can Pricewell not do?", "Are we better than Pricewell?"])
            assert.include(quotes(yield* ask(question, key)), "Pricewell has no offline mode.", question)
          const rise =
            "Pricewell told its customers that the list price rises by $4 to $44 per seat per month from January 2027."
          assert.deepStrictEqual(quotes(yield* ask("Does Pricewell raise its prices next year?", key)), [rise])
          const none = yield* ask("Does Tallow raise its prices next year?", key)
          assert.include(none.content, "No text about Tallow says “raise its prices” of “next year”.")
          const compared = yield* ask("Compare Pricewell and Tallow on price", key)
          assert.deepStrictEqual(quotes(compared), [
            "Pricewell charges $40 per seat per month.",
            rise,
            "Tallow charges $50 per seat per month.",
          ])
          for (const question of ["What certifications does Pricewell have?", "Pricewell soc2?"])
            assert.deepStrictEqual(quotes(yield* ask(question, key)), ["It is certified to SOC 2 Type I."], question)
          const iso = yield* ask("Is Pricewell ISO 27001 certified?", key)
          assert.include(iso.content, "No text about Pricewell says “iso 27001”.")
          const foreign = yield* ask("How many employees does Pricewell have?", key)
          assert.include(foreign.content, "No text about Pricewell says “employees”.")
        }),
      )

      it.effect("quotes competitors for questions in other languages", () =>
        Effect.gen(function* () {
          const key = yield* library
          for (const [question, quote] of [
            ["Was kostet Tallow pro Platz und Monat?", "Tallow charges $50 per seat per month."],
            ["¿Cuánto cobra Tallow por usuario?", "Tallow charges $50 per seat per month."],
            ["Was ist die Schwäche von Tallow?", "Tallow loses data."],
            ["Quel est le point faible de Tallow ?", "Tallow loses data."],
          ] as const)
            assert.deepStrictEqual(quotes(yield* ask(question, key)), [quote], question)
        }),
      )

      it.effect("quotes what a client told us from its own interview", () =>
        Effect.gen(function* () {
          const key = yield* library
          const told = yield* ask("What did Harbor Mills tell us after they decided?", key)
          assert.deepStrictEqual([...new Set(told.citations.map((each) => each.document_name))], ["interview.md"])
          assert.include(quotes(told), "Harbor Mills would have liked a named contact.")
        }),
      )

      it.effect("says nothing of a roadmap that no text has", () =>
        Effect.gen(function* () {
          const key = yield* library
          assert.deepStrictEqual(quotes(yield* ask("What is on the roadmap for the mobile app?", key)), [])
        }),
      )
    })
  })
}

test("reads which questions words of all calls answer rather than numbers", () => {
  assert.isTrue(asksForWords("What do people like about single sign-on?"))
  assert.isTrue(asksForWords("In how many calls do buyers say that the price is too high?"))
  for (const question of ["What do customers say about price?", "Who complained about price?", "Why do we lose?"])
    assert.isFalse(asksForWords(question), question)
})

test("reads initials of features in lower case", () => {
  const features = [{ kind: "feature", value: "f", name: "Single sign-on" }] as const
  const taken = takeNames(new QuestionReader("sso objections"), { ...NAMES, names: features })
  assert.deepStrictEqual(
    taken.map(({ name }) => name),
    ["Single sign-on"],
  )
  const regions = [{ kind: "region", value: "r", name: "South south-east" }] as const
  assert.deepStrictEqual(takeNames(new QuestionReader("sse objections"), { ...NAMES, names: regions }), [])
})

test("reads the name of a call behind the words, and questions without words", () => {
  const said = readSpoken("What did they say about the price in the call with Corvane Capital?")
  assert.deepInclude(said, { name: "Corvane Capital", words: "the price" })
  const bare = readSpoken("What do customers complain about in calls?")
  assert.deepInclude(bare, { words: undefined, attitude: "negative", isOfCalls: true })
  const every = readSpoken("What are the most common complaints on calls with Brannock Hotels?")
  assert.deepInclude(every, { name: "Brannock Hotels", words: undefined, attitude: "negative" })
})

test("reads a thing that is mentioned as no claim", () => {
  assert.isFalse(readSpoken("Who mentioned the dashboards?")?.isClaim)
  assert.isTrue(readSpoken("Who said that Orvanta is cheaper?")?.isClaim)
})

test("reads prices after “on” as prices", () =>
  assert.deepStrictEqual(readAcross("Compare Orvanta and Nimbrel on price", ["Orvanta", "Nimbrel"]), {
    query: "charges price per seat",
    compares: "money",
  }))
