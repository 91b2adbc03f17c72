import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { formatAmount } from "../../src/core/answers/questions/words/numbers.ts"
import { DealQuestions } from "../../src/core/answers/DealQuestions.ts"
import { layerDealQuestions } from "../../src/core/answers/questions/layerDealQuestions.ts"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { atTime } from "../support/fixedClock.ts"
import { layerWeb, Web } from "../support/web.ts"
import { type Case, COMPETITORS, deals, generated, NOW, OWNERS, records } from "./dealQuestions.ts"
import { markedIn } from "../support/viewerLink.ts"
import { answerTurns, contentOf } from "./turns.ts"

for (const engine of engines) {
  const harness = Layer.unwrap(
    Effect.sync(() => layerDealQuestions.pipe(Layer.provideMerge(layerWeb(engine.database)))),
  )
  describe(`deal questions on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      const workspace = Effect.gen(function* () {
        const { org, key } = yield* (yield* Web).tenant()
        const report = yield* (yield* Import).records(org, Stream.fromIterable(records()))
        assert.strictEqual(report.failed, 0, JSON.stringify(report.errors[0]))
        return { org, key }
      })
      const ask = (org: string, content: string) =>
        DealQuestions.use((questions) => questions.answer(org, [{ role: "user", content }])).pipe(
          atTime(NOW.toISOString()),
        )

      it.effect(
        "counts, sums and lists the same as a scan of all deals, describes the filter, and cites verbatim",
        () =>
          Effect.gen(function* () {
            const { org, key } = yield* workspace
            const web = yield* Web
            let cited = 0
            for (const { question, holds } of generated(40)) {
              const { certainty, events } = Option.getOrThrow(yield* ask(org, question))
              assert.notStrictEqual(certainty, "refused", question)
              const content = contentOf(events)
              const expected = deals.filter(holds)
              assert.match(
                content,
                expected.length === 0
                  ? /^\*\*No deal\*\* matches/
                  : new RegExp(`^\\*\\*${expected.length}( open| won| lost)? deals?\\*\\*(,| match)`),
                `${question}\n${content}`,
              )
              const call = events.find((event) => event.type === "tool_call")
              const given = call?.type === "tool_call" ? (call.arguments as { filters?: object }) : {}
              const query = new URLSearchParams({ count: "true" })
              for (const [name, value] of Object.entries(given.filters ?? given))
                query.set(name, typeof value === "string" ? value : JSON.stringify(value))
              const same = yield* web.request(`/api/v1/deals?${query}`, key)
              assert.deepStrictEqual(same.json, { count: expected.length }, `${question} ${query}`)
              const citations = events.flatMap((event) => (event.type === "citation" ? [event.citation] : []))
              const isList = content.includes("\n- [")
              assert.lengthOf(
                citations,
                isList
                  ? Math.min(expected.length, 10) + (expected.length > 10 ? 1 : 0)
                  : expected.length === 0
                    ? citations.length
                    : 1,
              )
              for (const { deal_id, url, excerpt } of citations) {
                assert.include(content, `](${url})`)
                if (deal_id === null) continue
                assert.isTrue(expected.some(({ id }) => id === deal_id))
                const record = yield* (yield* DealRecords).text(org, deal_id!)
                assert.strictEqual(markedIn(url, record!.text), excerpt)
                cited++
              }
            }
            assert.isAbove(cited, 50)
          }),
      )

      it.effect("an unknown word is never ignored, wherever it is", () =>
        Effect.gen(function* () {
          const { org } = yield* workspace
          for (const [n, { question }] of generated(24).entries()) {
            const words = question.split(" ")
            words.splice(1 + ((n * 7) % words.length), 0, "zorbland")
            const found = yield* ask(org, words.join(" "))
            const told = contentOf(Option.isSome(found) ? found.value.events : [])
            assert.notMatch(told, /^\*\*|^Of \*\*/, words.join(" "))
          }
        }),
      )

      it.effect("win rates, sums, averages and reasons match the deals", () =>
        Effect.gen(function* () {
          const { org } = yield* workspace
          const [rival] = COMPETITORS
          const against = deals.filter(({ competitors }) => competitors.includes(rival!))
          const of = (outcome: Case["outcome"]) => against.filter((deal) => deal.outcome === outcome)
          const [won, lost] = [of("won").length, of("lost").length]
          const told = (question: string) =>
            Effect.map(ask(org, question), (found) => contentOf(Option.getOrThrow(found).events))
          assert.include(
            yield* told(`What is our win rate against ${rival}?`),
            `**${((won / (won + lost)) * 100).toFixed(1)} %** win rate: ${won} won and ${lost} lost of ${won + lost} decided deals`,
          )
          const amounts = of("lost").flatMap(({ amount }) => amount ?? [])
          const sum = amounts.reduce((all, amount) => all + amount, 0)
          const spoken = (amount: number) => formatAmount(amount, undefined)
          assert.include(
            yield* told(`What is the total amount of deals lost to ${rival}?`),
            `**${spoken(sum)}** lost, from ${of("lost").length} lost deals`,
          )
          assert.include(
            yield* told(`What is the average amount of deals we lost to ${rival}?`),
            `**${spoken(sum / amounts.length)}** average deal size`,
          )
          const price = of("lost").filter(({ drivers }) => drivers.includes("Price")).length
          const why = yield* told(`How many deals did we lose to ${rival}, and why?`)
          assert.match(why, new RegExp(`\\| Price \\[\\d+\\]\\(\\S+\\) \\| ${price} \\|`))
        }),
      )

      it.effect("resolves what a follow-up refers to by the rows of the answer before, or asks back", () =>
        Effect.gen(function* () {
          const { org } = yield* workspace
          const told = (...turns: ReadonlyArray<string>) => answerTurns(org, ...turns)
          const lostTo = (name: string) =>
            deals.filter(({ outcome, competitors }) => outcome === "lost" && competitors.includes(name)).length
          const [first, second] = COMPETITORS.toSorted((a, b) => lostTo(b) - lostTo(a))
          const which = "Which competitor do we lose to most?"
          assert.include(yield* told(which, "why do we lose to them?"), `competitor ${first}, outcome lost`)
          assert.include(yield* told(which, "why?"), `competitor ${first}, outcome lost`)
          const named = yield* told(which, "and the second one?")
          assert.include(named, `**${second}**: lost deals ${lostTo(second!)}`)
          assert.include(named, "[show as table](")
          assert.include(yield* told(which, "and second worst?"), `**${second}**: lost deals ${lostTo(second!)}`)
          const rate = yield* told(which, "and the second one?", "what is our win rate against them?")
          assert.include(rate, `Filter: competitor ${second}.`)
          const largest = deals
            .filter(({ outcome, amount }) => outcome === "open" && amount !== null)
            .toSorted((a, b) => b.amount! - a.amount!)
          const biggest = "What are our 3 biggest open deals?"
          assert.include(yield* told(biggest, "who owns the first one?"), largest[0]!.owner)
          assert.include(yield* told(biggest, "why might we lose them?"), "makes no forecast")
          assert.include(
            yield* told(biggest, "what happened in the first one?"),
            `happened in Deal ${largest[0]!.id} [`,
          )
          // A list shows the newest; the largest of all may not be among them.
          const line = `Deal ${largest[0]!.id} `
          assert.include(yield* told("Which deals are open?", "who owns the biggest one?"), line)
          const one = ["Which deals are open?", "which of them is the biggest?"]
          const shown = yield* told(...one)
          assert.deepStrictEqual([shown.split("\n- ").length, shown.includes(line)], [2, true])
          for (const fact of ["who is on it?", "when does it close?", "who owns it?"])
            assert.include(yield* told(...one, fact), line, fact)
          assert.include(yield* told("What is our win rate?", "why do we lose to them?"), "Which one do you mean?")
          assert.include(yield* told("What is our win rate?", "and the second one?"), "Which one do you mean?")
          assert.include(yield* told(which, "and the ninth one?"), "Which one do you mean?")
        }),
      )

      it.effect("reveals nothing of another organization with the same ids", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const [mine, theirs] = [yield* web.tenant(), yield* web.tenant()]
          const imports = yield* Import
          const of = (tenant: string, amount: number) => [
            { type: "stage", id: "lost", name: "Lost", category: "lost", position: 1 },
            { type: "competitor", id: "k", name: `Rival of ${tenant}` },
            { type: "owner", id: "o", name: `Owner ${tenant}` },
            {
              type: "deal",
              id: "d_same",
              name: `Deal of ${tenant}`,
              amount,
              status: "lost",
              owner: "o",
              region: `Region ${tenant}`,
              competitors: [{ competitor: "k", is_primary: true, is_incumbent: false }],
              drivers: [{ reason: `Reason ${tenant}`, positive: false, summary: `because of ${tenant}` }],
            },
          ]
          yield* imports.records(mine.org, Stream.fromIterable(of("alfa", 1_000)))
          yield* imports.records(
            theirs.org,
            Stream.fromIterable([
              ...of("bravo", 2_000),
              { type: "deal", id: "d_more", name: "More of bravo", status: "lost" },
            ]),
          )
          for (const question of [
            "How many deals did we lose, and why?",
            "How many deals did we lose to Rival of bravo?",
            "How many deals are there in Region bravo?",
            "How many deals does Owner bravo own?",
            "Which deals did we lose because of Reason bravo?",
          ]) {
            const found = yield* ask(mine.org, question)
            const told = JSON.stringify(Option.isSome(found) ? found.value.events : [])
            const foreign = told.replaceAll(/Rival of bravo|Region bravo|Owner bravo|Reason bravo|bravo”/g, "")
            assert.notInclude(foreign, "bravo", question)
            assert.notInclude(told, theirs.org)
          }
          assert.match(
            contentOf(Option.getOrThrow(yield* ask(mine.org, "How many deals did we lose?")).events),
            /^\*\*1 lost deal\*\*/,
          )
        }),
      )

      it.effect("answers despite missing stages, contradicting filters and hostile names", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const report = yield* (yield* Import).records(
            org,
            Stream.fromIterable([
              { type: "stage", id: "open", name: "Evaluation", category: "open", position: 1 },
              { type: "owner", id: "o", name: "[Renew](https://evil.test)" },
              { type: "competitor", id: "k", name: "||||" },
              { type: "competitor", id: "g", name: "Globex" },
              ...Array.from({ length: 12 }, (_, n) => ({
                type: "deal",
                id: `d${n}`,
                name: `Deal ${n}`,
                amount: n,
                status: "open",
                owner: "o",
                drivers: [{ reason: "![Pixel](https://evil.test/p)", positive: false, summary: "no" }],
              })),
            ]),
          )
          assert.strictEqual(report.failed, 0, JSON.stringify(report.errors[0]))
          const told = (question: string) =>
            Effect.map(ask(org, question), (found) => contentOf(Option.getOrThrow(found).events))
          assert.match(yield* told("How many deals did we lose?"), /^\*\*No deal\*\* matches\./)
          assert.match(yield* told("What is our win rate?"), /^There is no win rate/)
          assert.match(yield* told("How many uncontested deals against Globex?"), /^“without competitors” contradicts/)
          assert.match(yield* told("How many uncontested deals against Globx?"), /^“without competitors” contradicts/)
          const top = yield* told("Show the top 50 deals, and why")
          assert.match(top, /^Of \*\*12 deals\*\* that match, the largest 12:/)
          assert.include(top, "| \\!\\[Pixel\\]")
          assert.notInclude(top, "evil.test")
        }),
      )

      it.effect("accepts a slightly misspelt competitor, and names an unknown one", () =>
        Effect.gen(function* () {
          const { org } = yield* workspace
          const misspelt = yield* ask(org, "How many deals did we lose to Brixen Suit?")
          const count = deals.filter(
            ({ outcome, competitors }) => outcome === "lost" && competitors.includes("Brixen Suite"),
          ).length
          assert.match(contentOf(Option.getOrThrow(misspelt).events), new RegExp(`^\\*\\*${count} lost deals`))
          assert.match(contentOf(Option.getOrThrow(misspelt).events), /I read “Suit” as Brixen Suite\./)
          const one = yield* ask(org, "How many deals not against Orvanta but against Brixen Suit?")
          const oneAlone = deals.filter(
            ({ competitors }) => competitors.includes("Brixen Suite") && !competitors.includes("Orvanta"),
          ).length
          assert.match(contentOf(Option.getOrThrow(one).events), new RegExp(`^\\*\\*${oneAlone} deals`))
          for (const question of [
            "How many deals did we lose to Foobarsoft?",
            "Which deals did we lose to Foobarsoft last year?",
          ]) {
            const { events } = Option.getOrThrow(yield* ask(org, question))
            assert.match(contentOf(events), /no competitor “Foobarsoft”/)
            assert.isFalse(events.some(({ type }) => type === "citation"))
          }
          const stranger = yield* ask(org, "How many deals did Enery Ilves win?")
          assert.notMatch(contentOf(Option.getOrThrow(stranger).events), /I read|Filter/)
          const ofTexts = Option.getOrThrow(yield* ask(org, "What does Brixen Suite charge per seat?"))
          assert.strictEqual(ofTexts.certainty, "unclear")
          assert.match(
            contentOf(Option.getOrThrow(yield* ask(org, `How many open deals does ${OWNERS[0]} own?`)).events),
            /^\*\*/,
          )
        }),
      )
    })
  })
}
