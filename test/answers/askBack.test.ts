import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Message } from "../../src/core/answers/Answerer.ts"
import { layerDealQuestions } from "../../src/core/answers/questions/layerDealQuestions.ts"
import { DealQuestions } from "../../src/core/answers/DealQuestions.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { offersIn, readAskedBack } from "../../src/core/answers/offers.ts"
import { engines } from "../support/engines.ts"
import { atTime } from "../support/fixedClock.ts"
import { layerWeb, Web } from "../support/web.ts"
import { records } from "./dealQuestions.ts"

const NOW = "2026-05-20T12:00:00Z"
const QUESTION = "How many deals were created in Q1 2026?"
const [FISCAL, CALENDAR] = ["from 2025-02-01 to 2025-04-30", "from 2026-01-01 to 2026-03-31"]

const harness = Layer.unwrap(
  Effect.sync(() => layerDealQuestions.pipe(Layer.provideMerge(layerWeb(engines[0]!.database)))),
)

describe("a question with several readings", () => {
  layer(harness, { excludeTestServices: true })((it) => {
    const workspace = Effect.gen(function* () {
      const { org } = yield* (yield* Web).tenant()
      const namesake = { type: "owner", id: "dana_ilves", name: "Dana Ilves" }
      const report = yield* (yield* Import).records(org, Stream.fromIterable([...records(), namesake]))
      assert.strictEqual(report.failed, 0)
      yield* (yield* Organizations).change(org, { fiscal_start: 2 })
      return org
    })
    const say = (org: string, ...contents: ReadonlyArray<string>) => {
      const messages = contents.map((content, n): Message => ({ role: n % 2 === 0 ? "user" : "assistant", content }))
      return DealQuestions.use((questions) => questions.answer(org, messages)).pipe(
        atTime(NOW),
        Effect.map((found) =>
          Option.getOrThrow(found)
            .events.map((event) => (event.type === "content_delta" ? event.content : ""))
            .join(""),
        ),
      )
    }
    const valueOf = (content: string) => /^\*\*[^*]+\*\*/.exec(content)?.[0]

    it.effect("is asked back although a name in it is misspelt", () =>
      Effect.gen(function* () {
        const content = yield* say(yield* workspace, "How many deals did we lose to Orvantta in Q1 2026?")
        assert.include(content, "by fiscal quarter")
        assert.deepStrictEqual(
          offersIn(content),
          [FISCAL, CALENDAR].map((days) => `How many deals did we lose to Orvanta ${days}?`),
        )
      }),
    )

    it.effect("is not one about a person whose surname alone is misspelt", () =>
      Effect.gen(function* () {
        const content = yield* say(yield* workspace, "How many deals did Bastian Ilvez lose?")
        assert.include(content, "Filter: owner Bastian Ilves, outcome lost.")
        assert.include(content, "I read “Bastian Ilvez” as Bastian Ilves.")
      }),
    )

    it.effect("says a bound on a rate as it was asked", () =>
      Effect.gen(function* () {
        const org = yield* workspace
        assert.include(yield* say(org, "owners with a win rate below 95%"), "those with less than 95 % win rate")
        assert.include(yield* say(org, "owners with a win rate of at least 5%"), "those with at least 5 % win rate")
      }),
    )

    it.effect("is asked back with both results, and each offered question has the result shown", () =>
      Effect.gen(function* () {
        const org = yield* workspace
        const content = yield* say(org, QUESTION)
        const [, fiscal, calendar] =
          /^(\*\*.+?\*\*) by fiscal quarter \[show as table\]\(\S+\), (\*\*.+?\*\*) by calendar quarter \[show as table\]\(\S+\): which do you mean\?/.exec(
            content,
          ) ?? []
        assert.notStrictEqual(fiscal, calendar, content)
        const offers = offersIn(content)
        assert.deepStrictEqual(
          offers,
          [FISCAL, CALENDAR].map((days) => `How many deals were created ${days}?`),
        )
        assert.deepStrictEqual(readAskedBack(content), {
          said: `${fiscal} by fiscal quarter, ${calendar} by calendar quarter: which do you mean?`.replaceAll("**", ""),
          questions: offers,
        })
        const answered = yield* say(org, offers[0]!)
        assert.isUndefined(readAskedBack(answered))
        assert.strictEqual(valueOf(answered), fiscal)
        assert.strictEqual(valueOf(yield* say(org, offers[1]!)), calendar)
        for (const choice of [
          "calendar",
          "The one by calendar quarter, please.",
          "the second",
          "2",
          "the calendar year",
        ]) {
          const chosen = yield* say(org, QUESTION, content, choice)
          assert.strictEqual(valueOf(chosen), calendar, choice)
          assert.include(chosen, `created at ${CALENDAR}`, choice)
        }
        for (const choice of ["fiscal", "by fiscal quarter", "the first one", "1."])
          assert.strictEqual(valueOf(yield* say(org, QUESTION, content, choice)), fiscal, choice)
        const more = yield* say(org, QUESTION, content, "calendar", "…", "and by region?")
        assert.include(more, `created at ${CALENDAR}`)
        assert.include(more, "| Region |")
      }),
    )

    it.effect("is not asked back if all readings have one result, or the question says which year", () =>
      Effect.gen(function* () {
        const org = yield* workspace
        assert.match(
          yield* say(org, "How many deals were created in Q1 2009?"),
          /^\*\*No deal\*\* matches[^]*\nBy fiscal quarter and by calendar quarter, the answer is the same\.\n$/,
        )
        assert.include(yield* say(org, "How many deals were created in calendar Q1 2026?"), `created at ${CALENDAR}`)
        assert.include(yield* say(org, "How many deals were created in fiscal Q1 2026?"), `created at ${FISCAL}`)
        assert.notInclude(yield* say(org, "How many deals were created last quarter?"), "do you mean")
      }),
    )

    it.effect("compares the people whom a name can mean", () =>
      Effect.gen(function* () {
        const org = yield* workspace
        const content = yield* say(org, "How many deals did Ilves win?")
        assert.match(
          content,
          /^\*\*\d+ won deals\*\* for Bastian Ilves .+, \*\*No deal\*\* for Dana Ilves.*: which do you mean\?/,
        )
        assert.deepStrictEqual(
          offersIn(content),
          ["Bastian", "Dana"].map((name) => `How many deals did ${name} Ilves win?`),
        )
        assert.include(yield* say(org, "How many deals did Ilves win?", content, "Bastian"), "owner Bastian Ilves")
      }),
    )

    it.effect("takes a word as a choice only behind an answer that asked", () =>
      Effect.gen(function* () {
        const org = yield* workspace
        assert.notInclude(yield* say(org, QUESTION, "They are 12.", "the second"), CALENDAR)
      }),
    )
  })
})

describe("a question for more than an answer has", () => {
  layer(harness, { excludeTestServices: true })((it) => {
    it.effect("lists as many deals as it names, and says how many are left beyond 50", () =>
      Effect.gen(function* () {
        const { org } = yield* (yield* Web).tenant()
        yield* (yield* Import).records(org, Stream.fromIterable(records()))
        const answer = (content: string) =>
          DealQuestions.use((questions) => questions.answer(org, [{ role: "user", content }])).pipe(
            atTime(NOW),
            Effect.map((found) => Option.getOrThrow(found).events),
          )
        const linesOf = (events: Effect.Success<ReturnType<typeof answer>>) => {
          const content = events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")
          return { content, listed: content.match(/^- \[/gm)?.length ?? 0 }
        }
        const some = linesOf(yield* answer("top 25 deals"))
        assert.strictEqual(some.listed, 25)
        assert.notInclude(some.content, "more:")
        const many = linesOf(yield* answer("top 80 deals"))
        assert.strictEqual(many.listed, 50)
        assert.match(many.content, /and 30 more: \[show as table\]\(\S+\)\./)
        for (const question of ["how many deals by ARR", "how many deals by ECR"])
          assert.notMatch(linesOf(yield* answer(question)).content, /^\*\*/, question)
      }),
    )
  })
})
