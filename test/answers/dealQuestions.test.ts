import { assert, describe, it as plain, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { AnswerEvent } from "../../src/core/answers/Answerer.ts"
import { DealQuestions } from "../../src/core/answers/DealQuestions.ts"
import { layerDealQuestions } from "../../src/core/answers/deals/layerDealQuestions.ts"
import type { Names } from "../../src/core/answers/deals/names.ts"
import { parse } from "../../src/core/answers/deals/parse.ts"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { Import } from "../../src/core/workspace/Import.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { type Case, COMPETITORS, deals, generated, OWNERS, records } from "./dealQuestions.ts"

const NOW = new Date("2026-11-21T15:00:00Z")

const NAMES: Names = {
  stages: [
    { id: "s1", name: "Discovery", category: "open" },
    { id: "s2", name: "Negotiation", category: "open" },
    { id: "s3", name: "Closed Won", category: "won" },
    { id: "s4", name: "Closed Lost", category: "lost" },
    { id: "s5", name: "Disqualified", category: "lost" },
  ],
  named: [
    ...["Discovery", "Negotiation", "Closed Won", "Closed Lost", "Disqualified"].map((name, n) => ({
      kind: "stage" as const,
      value: `s${n + 1}`,
      name,
    })),
    { kind: "competitor", value: "k1", name: "Orvanta" },
    { kind: "competitor", value: "k2", name: "Calyptus One" },
    { kind: "owner", value: "o1", name: "Anna Moreau" },
    { kind: "owner", value: "o2", name: "Lars Ilves" },
    { kind: "owner", value: "o3", name: "Lars Tanaka" },
    { kind: "region", value: "EMEA", name: "EMEA" },
    { kind: "region", value: "US", name: "US" },
    { kind: "industry", value: "Retail", name: "Retail" },
    { kind: "product", value: "Quellaria Flow", name: "Quellaria Flow" },
    { kind: "deal_type", value: "Renewal", name: "Renewal" },
    { kind: "reason", value: "r1", name: "Total cost" },
    { kind: "feature", value: "f1", name: "Offline mode" },
    { kind: "client", value: "c1", name: "Abelund Logistics" },
  ],
}

const read = (question: string) => parse(question, NAMES, NOW)

describe("a question about deals", () => {
  const lost = ["Closed Lost", "Disqualified"]
  for (const [question, intent, filters, why = false] of [
    [
      "How many deals did we lose to Orvanta last quarter, and why?",
      "count",
      { status: lost, competitors: ["Orvanta"], close_date: { from: "2026-07-01", to: "2026-09-30" } },
      true,
    ],
    [
      "Which open deals above 50k does Anna own?",
      "list",
      { status: ["Discovery", "Negotiation"], owner_ids: ["o1"], amount: { min: 50_000.01 } },
    ],
    ["List lost deals in EMEA", "list", { status: lost, region: ["EMEA"] }],
    ["What is the total amount of open deals?", "sum", { status: ["Discovery", "Negotiation"] }],
    [
      "average deal size of renewals won this year",
      "average",
      { status: ["Closed Won"], deal_type: ["Renewal"], close_date: { from: "2026-01-01", to: "2026-12-31" } },
    ],
    ["What is our win rate against orvanta?", "win_rate", { competitors: ["Orvanta"] }],
    ["how many deals were created since March", "count", { created_at: { from: "2026-03-01" } }],
    [
      "How many deals did we win in Q3 2026 in retail?",
      "count",
      { status: ["Closed Won"], industry: ["Retail"], close_date: { from: "2026-07-01", to: "2026-09-30" } },
    ],
    [
      "how many deals closed in the last 30 days",
      "count",
      { status: ["Closed Won", ...lost], close_date: { from: "2026-10-22", to: "2026-11-21" } },
    ],
    [
      "show me deals between €20,000 and 40k with Calyptus One or Orvanta",
      "list",
      { amount: { min: 20_000, max: 40_000 }, competitors: ["Calyptus One", "Orvanta"] },
    ],
    [
      "how many deals against Calyptus One and Orvanta",
      "count",
      { competitors: ["Calyptus One", "Orvanta"], competitors_filter_type: "is all of" },
    ],
    [
      "How many opportunities are in Negotiation outside EMEA?",
      "count",
      { status: ["Negotiation"], region: ["EMEA"], region_filter_type: "is not" },
    ],
    [
      "top 3 deals of Abelund Logistics",
      "list",
      { crm_account_filters: [{ property: { map_to: "name" }, operator: "is", value: "Abelund Logistics" }] },
    ],
    ["Why do we lose deals to Orvanta?", "why", { status: lost, competitors: ["Orvanta"] }, true],
    ["how many deals did we lose because of total cost", "count", { status: lost, driver_ids: ["r1"] }],
    ["which deals asked for offline mode?", "list", { feature_ids: ["f1"] }],
    ["Lost deals in EMEA", "list", { status: lost, region: ["EMEA"] }],
    [
      "deals lost to Orvanta since June",
      "list",
      { status: lost, competitors: ["Orvanta"], close_date: { from: "2026-06-01" } },
    ],
    ["Do we have any open deals in EMEA?", "list", { status: ["Discovery", "Negotiation"], region: ["EMEA"] }],
    ["What are the top reasons for lost deals in EMEA?", "list", { status: lost, region: ["EMEA"] }, true],
    ["How often do we lose to Orvanta?", "win_rate", { competitors: ["Orvanta"] }],
    ["What's the average deal size in retail?", "average", { industry: ["Retail"] }],
    ["List the five biggest open deals", "list", { status: ["Discovery", "Negotiation"] }],
    ["How many deals mention offline mode?", "count", { feature_ids: ["f1"] }],
    ["Which lost deals were analyzed but not verified?", "list", { status: lost, analyzed: true, verified: false }],
    ["Which competitors do we lose to most?", undefined, {}],
    ["how many deals with product fit below 3", "count", { wl_product_fit_score: { max: 2.9 } }],
    ["how many deals are worth at least $1.5m", "count", { amount: { min: 1_500_000 } }],
    [
      "how much did we win between January 2026 and March 2026",
      "sum",
      { status: ["Closed Won"], close_date: { from: "2026-01-01", to: "2026-03-31" } },
    ],
    [
      "How many deals did we lose to Orvanta before 2026-02-01?",
      "count",
      { status: lost, competitors: ["Orvanta"], close_date: { to: "2026-01-31" } },
    ],
    ["How many deals in the US did they choose us?", "count", undefined],
    ["How many days does it take to close a deal?", undefined, {}],
    ["What does Orvanta charge per seat?", undefined, {}],
    ["Why did Abelund Logistics choose us over Orvanta?", undefined, {}],
    ["What is the SLA of Quellaria Flow?", undefined, {}],
    ["Which deals mention SOC 2 in calls?", undefined, {}],
  ] as ReadonlyArray<readonly [string, string | undefined, object | undefined, boolean?]>) {
    plain(question, () => {
      const found = read(question)
      assert.strictEqual(found?.intent, intent)
      if (found === undefined || filters === undefined) return
      assert.deepStrictEqual(found.filters, filters as never)
      assert.strictEqual(found.why, why)
      assert.deepStrictEqual(found.unknown, [])
    })
  }

  plain("is not narrowed or widened by what it names and nobody knows", () => {
    const unknown = (question: string) => read(question)?.unknown.map(({ said, as }) => [said, as])
    assert.deepStrictEqual(unknown("How many deals did we lose to Foobarsoft last quarter?"), [
      ["Foobarsoft", "competitor"],
    ])
    assert.deepStrictEqual(unknown("How many open deals does Zed own?"), [["Zed", "owner"]])
    assert.deepStrictEqual(unknown("How many deals did we lose on Mars?"), [["Mars", "other"]])
    assert.deepStrictEqual(unknown("How many deals by region?"), [])
    assert.deepStrictEqual(unknown("How many new deals?"), [["new", "other"]])
    assert.deepStrictEqual(unknown("How many deals does Lars own?"), [["Lars Ilves", "owner"]])
    assert.deepStrictEqual(unknown("How many deals that are not lost?"), [["not", "other"]])
    assert.deepStrictEqual(unknown("How many deals did we lose to our biggest competitor?"), [["biggest", "other"]])
    assert.deepStrictEqual(unknown("How many deals did we lose to Orvanta vs Calyptus One?"), [
      ["versus Calyptus One", "other"],
    ])
  })
})

const contentOf = (events: ReadonlyArray<AnswerEvent>) =>
  events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")

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
        Effect.flatMap(DealQuestions, (questions) => questions.answer(org, [{ role: "user", content }]))

      it.effect("counts, sums and lists what a plain look at every deal does, says the filter, cites verbatim", () =>
        Effect.gen(function* () {
          const { org, key } = yield* workspace
          const web = yield* Web
          let cited = 0
          for (const { question, holds } of generated(new Date(), 40)) {
            const events = Option.getOrThrow(yield* ask(org, question))
            const content = contentOf(events)
            const expected = deals.filter(holds)
            assert.match(
              content,
              expected.length === 0
                ? /^\*\*No deal\*\* matches/
                : new RegExp(`^\\*\\*${expected.length} deals?\\*\\* match`),
              `${question}\n${content}`,
            )
            const request = /`GET ([^`]+)`/.exec(content)?.[1] ?? ""
            const same = yield* web.request(`${request}${request.includes("?") ? "&" : "?"}count=true`, key)
            assert.deepStrictEqual(same.json, { count: expected.length }, request)
            const citations = events.flatMap((event) => (event.type === "citation" ? [event.citation] : []))
            assert.lengthOf(citations, Math.min(expected.length, 10), question)
            for (const { deal_id, url, excerpt } of citations) {
              assert.isTrue(expected.some(({ id }) => id === deal_id))
              assert.include(content, `](${url})`)
              const record = yield* (yield* DealRecords).text(org, deal_id!)
              const query = new URL(url, "http://x").searchParams
              assert.strictEqual(record!.text.slice(Number(query.get("start")), Number(query.get("end"))), excerpt)
              cited++
            }
            assert.deepStrictEqual(
              events.flatMap((event) => (event.type === "tool_call" ? [event.name] : [])),
              expected.length === 0 ? ["count_deals"] : ["count_deals", "search_deals"],
            )
          }
          assert.isAbove(cited, 50)
        }),
      )

      it.effect("a word that nobody knows is never passed over, wherever it stands", () =>
        Effect.gen(function* () {
          const { org } = yield* workspace
          for (const [n, { question }] of generated(new Date(), 24).entries()) {
            const words = question.split(" ")
            words.splice(1 + ((n * 7) % words.length), 0, "zorbland")
            const found = yield* ask(org, words.join(" "))
            const told = contentOf(Option.getOrElse(found, () => []))
            assert.notMatch(told, /^\*\*|^Of \*\*/, words.join(" "))
          }
        }),
      )

      it.effect("win rates, sums, averages and reasons are those of the deals", () =>
        Effect.gen(function* () {
          const { org } = yield* workspace
          const [rival] = COMPETITORS
          const against = deals.filter(({ competitors }) => competitors.includes(rival!))
          const of = (outcome: Case["outcome"]) => against.filter((deal) => deal.outcome === outcome)
          const [won, lost] = [of("won").length, of("lost").length]
          const told = (question: string) =>
            Effect.map(ask(org, question), (found) => contentOf(Option.getOrThrow(found)))
          assert.include(
            yield* told(`What is our win rate against ${rival}?`),
            `**${((won / (won + lost)) * 100).toFixed(1)} %** won, ${((lost / (won + lost)) * 100).toFixed(1)} % lost: ${won} and ${lost} of ${won + lost} deals`,
          )
          const amounts = of("lost").flatMap(({ amount }) => amount ?? [])
          const sum = amounts.reduce((all, amount) => all + amount, 0)
          const spoken = (amount: number) => amount.toLocaleString("en-US", { maximumFractionDigits: 2 })
          assert.include(
            yield* told(`What is the total amount of deals lost to ${rival}?`),
            `**${spoken(sum)}** in all`,
          )
          assert.include(
            yield* told(`What is the average amount of deals we lost to ${rival}?`),
            `**${spoken(sum / amounts.length)}** on average`,
          )
          const price = of("lost").filter(({ drivers }) => drivers.includes("Price")).length
          const why = yield* told(`How many deals did we lose to ${rival}, and why?`)
          assert.match(why, new RegExp(`- Price: spoke against us in ${price} \\(`))
        }),
      )

      it.effect("tells one organization nothing of another that has the same ids", () =>
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
            const told = JSON.stringify(Option.getOrElse(found, () => []))
            const foreign = told.replaceAll(/Rival of bravo|Region bravo|Owner bravo|Reason bravo|bravo”/g, "")
            assert.notInclude(foreign, "bravo", question)
            assert.notInclude(told, theirs.org)
          }
          assert.match(
            contentOf(Option.getOrThrow(yield* ask(mine.org, "How many deals did we lose?"))),
            /^\*\*1 deal\*\*/,
          )
        }),
      )

      it.effect("a rival spelt a little wrong is meant, one unknown is told", () =>
        Effect.gen(function* () {
          const { org } = yield* workspace
          const misspelt = yield* ask(org, "How many deals did we lose to Brixen Suit?")
          const count = deals.filter(
            ({ outcome, competitors }) => outcome === "lost" && competitors.includes("Brixen Suite"),
          ).length
          assert.match(contentOf(Option.getOrThrow(misspelt)), new RegExp(`^\\*\\*${count} deals`))
          for (const question of [
            "How many deals did we lose to Foobarsoft?",
            "Which deals did we lose to Foobarsoft last year?",
          ]) {
            const events = Option.getOrThrow(yield* ask(org, question))
            assert.match(contentOf(events), /“Foobarsoft” is no competitor of this workspace/)
            assert.isFalse(events.some(({ type }) => type === "citation"))
          }
          assert.isTrue(Option.isNone(yield* ask(org, "What does Brixen Suite charge per seat?")))
          assert.match(
            contentOf(Option.getOrThrow(yield* ask(org, `How many open deals does ${OWNERS[0]} own?`))),
            /^\*\*/,
          )
        }),
      )
    })
  })
}
