import { assert, describe, it } from "vitest"
import { readConversation } from "../../src/core/answers/questions/turns/conversation.ts"
import { findCourtesy } from "../../src/core/answers/questions/reply/holdings.ts"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { formatAmount, formatChange, formatRate } from "../../src/core/answers/questions/words/numbers.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import type { ReportQuery } from "../../src/core/answers/questions/plan/reportQuery.ts"
import { dropReplaced } from "../../src/core/answers/questions/turns/replaced.ts"
import { Effort } from "../../src/core/answers/questions/names/Effort.ts"
import { explainUnknown } from "../../src/core/answers/questions/reply/refusal.ts"
import { correctSpelling } from "../../src/core/answers/questions/names/spelling.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const queryOf = (
  ...questions: ReadonlyArray<string>
): Partial<Omit<ReportQuery, "limit">> & { readonly kind?: string } => {
  const reading = readConversation(
    questions.map((question) => ({ question, namesRows: false })),
    NAMES,
    TODAY,
  )!
  assert.deepStrictEqual(reading.slots.unknown, [], questions.join(" / "))
  const [plan] = makePlans(reading.slots)
  return plan === undefined ? {} : "query" in plan ? { kind: plan.kind, ...plan.query } : { ...plan }
}

describe("a follow-up", () => {
  it("adds a filter, and replaces one of the same kind", () => {
    const first = ["win rate by competitor", "and in DACH?"]
    assert.deepInclude(queryOf(...first), { groupBy: ["competitor"], filters: { region: ["region_1"] } })
    assert.deepInclude(queryOf(...first, "what about Nordics?"), { filters: { region: ["region_2"] } })
    assert.deepInclude(queryOf("how many deals did we win in 2025", "and in 2026?"), {
      filters: { outcome: ["won"], close_date: { from: "2026-01-01", to: "2026-12-31" } },
    })
    assert.deepInclude(queryOf("how many deals did we win in 2025", "and lost?").filters, { outcome: ["lost"] })
  })

  it("replaces the group, the measure or the ranking", () => {
    assert.deepStrictEqual(queryOf("What is our pipeline?", "by stage?").groupBy, ["status"])
    assert.deepStrictEqual(queryOf("win rate by competitor", "by quarter?").groupBy, ["close_date.quarter"])
    const ranked = queryOf("top reps by revenue", "by win rate?")
    assert.deepStrictEqual([ranked.groupBy, ranked.orderBy], [["owner"], "-win_rate"])
  })

  it("asks why, or for the deals behind a number", () => {
    assert.deepInclude(queryOf("how many deals did we lose to Orvanta", "why?"), {
      groupBy: ["driver"],
      filters: { competitors: ["Orvanta"], outcome: ["lost"], driver_effect: ["negative"] },
    })
    assert.deepInclude(queryOf("how many deals did we lose to Orvanta", "which ones?"), {
      kind: "list",
      filters: { competitors: ["Orvanta"], outcome: ["lost"] },
    })
  })

  it("keeps the name that a pronoun refers to", () => {
    assert.deepInclude(queryOf("how many deals did we lose to Orvanta this year", "why do we lose to them?").filters, {
      competitors: ["Orvanta"],
      outcome: ["lost"],
    })
  })

  it("closes in the period that a forecast category names", () => {
    assert.deepInclude(queryOf("total amount with forecast category Commit last quarter").filters, {
      close_date: { from: "2026-07-01", to: "2026-09-30" },
    })
  })

  it("takes the year of a month or quarter from the question before", () => {
    const first = "how many deals did we win in May 2024"
    const june = { close_date: { from: "2024-06-01", to: "2024-06-30" } }
    assert.deepInclude(queryOf(first, "and in June?"), { filters: { outcome: ["won"], ...june } })
    assert.deepInclude(queryOf(first, "against Orvanta?", "and in June?").filters, june)
    assert.deepInclude(queryOf(first, "and in Q4?").filters, { close_date: { from: "2024-10-01", to: "2024-12-31" } })
    assert.deepInclude(queryOf(first, "and in June 2025?").filters, {
      close_date: { from: "2025-06-01", to: "2025-06-30" },
    })
    assert.deepInclude(queryOf(first, "what was our revenue in June?").filters, {
      close_date: { from: "2026-06-01", to: "2026-06-30" },
    })
  })

  it("looks ahead after a question that does, and never back after December", () => {
    const closes = (...turns: ReadonlyArray<string>) => queryOf(...turns).filters?.close_date
    const first = "which open deals close in December"
    assert.deepStrictEqual(closes(first), { from: "2026-12-01", to: "2026-12-31" })
    assert.deepStrictEqual(closes(first, "and in January?"), { from: "2027-01-01", to: "2027-01-31" })
    assert.deepStrictEqual(closes(first, "worth how much?", "and in Q1?"), { from: "2027-01-01", to: "2027-03-31" })
    assert.deepStrictEqual(closes("deals closing in December 2028", "and in January?")?.from, "2029-01-01")
    assert.deepStrictEqual(closes("deals won in December 2024", "and in January?")?.from, "2025-01-01")
    assert.deepStrictEqual(closes("deals won in Q4 2024", "and in Q1?")?.from, "2025-01-01")
    assert.deepStrictEqual(closes(first, "what did we win in January?")?.from, "2026-01-01")
  })

  it("keeps the losing side and the competitor when it asks why", () => {
    const ofLosses = { competitors: ["Orvanta"], outcome: ["lost"], driver_effect: ["negative"] } as const
    for (const why of ["why?", "what are the reasons?", "and the main reasons for that?", "why do we lose?"])
      assert.deepStrictEqual(queryOf("how often do we lose to Orvanta", why).filters, ofLosses, why)
    assert.deepStrictEqual(queryOf("win rate against Orvanta", "why do we lose?").filters, ofLosses)
    assert.deepInclude(queryOf("how often do we lose to Orvanta", "why?", "and Nimbrel?").filters, {
      competitors: ["Nimbrel"],
      outcome: ["lost"],
    })
    assert.notProperty(queryOf("win rate against Orvanta", "why do we lose deals in DACH?").filters, "competitors")
  })

  it("corrects the question before it", () => {
    const won = "how many deals did we win in DACH in 2025"
    for (const lost of ["sorry, I mean lost", "no, lost", "actually, I meant the lost ones"])
      assert.deepStrictEqual(queryOf(won, lost), queryOf("how many deals did we lose in DACH in 2025"), lost)
    assert.deepStrictEqual(queryOf(won, "no, Nordics instead").filters?.region, ["region_2"])
    const counted = queryOf("top reps by win rate in 2025", "no, I meant the number of deals")
    assert.deepStrictEqual([counted.groupBy, counted.orderBy], [["owner"], "-deals"])
    assert.deepInclude(counted.filters, { close_date: { from: "2025-01-01", to: "2025-12-31" } })
  })

  it("drops what it replaces, and nothing of another kind", () => {
    const drop = (question: string) =>
      dropReplaced(question, (part) => parse(translate(part, NAMES.names), NAMES, TODAY))
    for (const [question, kept] of [
      ["and in DACH instead of the Nordics?", "and in DACH ?"],
      ["not the Nordics but DACH", "DACH"],
      ["won rather than lost", "won"],
      ["last year rather than this year", "last year"],
      ["by owner instead of by region", "by owner"],
      ["und in DACH statt Nordics?", "und in DACH ?"],
      ["en DACH en lugar de Nordics", "en DACH"],
      ["en DACH au lieu de Nordics", "en DACH"],
    ] as const)
      assert.strictEqual(drop(question), kept)
    for (const whole of [
      "why do customers choose Orvanta instead of us?",
      "do we win more in DACH rather than in the Nordics?",
      "deals in DACH instead of Foobar",
      "how many deals not against Orvanta but against Nimbrel?",
    ])
      assert.strictEqual(drop(whole), whole)
  })

  it("does not inherit when it is a question of its own", () => {
    assert.deepStrictEqual(queryOf("win rate against Orvanta", "What is our pipeline by stage?").filters, {
      outcome: ["open"],
    })
  })
})

describe("a question in another language", () => {
  for (const [question, english] of [
    [
      "Wie viele Deals haben wir im letzten Quartal gegen Orvanta verloren?",
      "How many deals did we lose to Orvanta last quarter?",
    ],
    ["Wie hoch ist unsere Gewinnrate nach Region?", "win rate by region"],
    ["Warum verlieren wir gegen Nimbrel?", "why do we lose to Nimbrel"],
    ["Was ist der größte offene Deal?", "biggest open deal"],
    ["Durchschnittliche Dealgröße in DACH", "average deal size in DACH"],
    ["Welcher Wettbewerber schlägt uns am häufigsten?", "which competitor beats us most"],
    [
      "¿Cuántas oportunidades perdimos contra Orvanta el trimestre pasado?",
      "How many deals did we lose to Orvanta last quarter?",
    ],
    ["¿Cuál es nuestra tasa de éxito por región?", "win rate by region"],
    ["¿Por qué perdemos contra Nimbrel?", "why do we lose to Nimbrel"],
    ["ingresos por vendedor este año", "revenue by rep this year"],
    [
      "Combien d'affaires avons-nous perdues contre Orvanta le trimestre dernier ?",
      "How many deals did we lose to Orvanta last quarter?",
    ],
    ["Quel est notre taux de réussite par région ?", "win rate by region"],
    ["Pourquoi perdons-nous contre Nimbrel ?", "why do we lose to Nimbrel"],
    ["Quelle est la plus grosse affaire ouverte ?", "biggest open deal"],
  ] as const)
    it(question, () => {
      const [translated, expected] = [translate(question, NAMES.names), english].map((text) =>
        parse(text, NAMES, TODAY),
      )
      assert.deepStrictEqual(translated!.unknown, [])
      assert.deepStrictEqual(makePlans(translated!), makePlans(expected!))
    })

  it("leaves English questions as they are", () => {
    for (const question of ["What's the win rate in DACH?", "revenue by region", "deals in Calyptus One"])
      assert.strictEqual(translate(question, NAMES.names), question)
  })
})

describe("a question that is not understood", () => {
  const explain = (question: string) =>
    explainUnknown(question, parse(question, NAMES, TODAY).unknown, NAMES, TODAY, new Effort())

  it("never drops a word of a dimension, measure, time or comparison", () => {
    for (const [question, said] of [
      ["win rate in EMEA", "EMEA"],
      ["win rate by zodiac sign", "zodiac sign"],
      ["NPS by region", "NPS"],
      ["How many deals did we lose to Foobarsoft last quarter?", "Foobarsoft"],
      ["How many deals does Lars own?", "Lars"],
      ["How many new deals?", "new"],
      ["How many deals did we lose to our biggest competitors in 2025, 2026 and 2024?", "several periods"],
      ["How many uncontested deals against Orvanta?", "without competitors"],
      ["How many more deals against Orvanta?", "more"],
      ["average sales cycle for deals over 100k but under 50k", "two amounts"],
      ["how many deals were created in the last 9999 years?", "last 9999 years"],
    ] as const) {
      const unknown = parse(question, NAMES, TODAY).unknown.map((each) => each.said)
      assert.include(unknown.join("; "), said, question)
    }
  })

  it("is refused with the nearest things that exist and two questions that run", () => {
    const refusal = explain("What is our win rate in EMEA?")
    assert.match(
      refusal,
      /^This workspace has no region or industry “EMEA”; there are the regions DACH, Nordics, US; the industries Retail\./,
    )
    assert.match(refusal, /You can ask:\n- What is our win rate in DACH\?\n- .+\?\n$/)
    assert.match(
      explain("How many deals does Lars own?"),
      /“Lars” can mean Lars Ilves or Lars Tanaka\. Which one do you mean\?/,
    )
    assert.match(
      explain("win rate against Foobarsoft"),
      /no competitor “Foobarsoft”; there are the competitors .*Orvanta/,
    )
  })

  it("corrects spelling, and asks back where two names are as close", () => {
    assert.deepInclude(correctSpelling("Orvnta", NAMES.names, new Effort()), { meant: "Orvanta", isName: true })
    assert.deepInclude(correctSpelling("reigon", NAMES.names, new Effort()), { meant: "region", isName: false })
    assert.deepInclude(correctSpelling("Nimbrell", NAMES.names, new Effort()), { meant: "Nimbrel" })
    assert.isUndefined(correctSpelling("Foobarsoft", NAMES.names, new Effort()).meant)
    const twins = ["Marlow", "Barlow"].map((name) => ({ kind: "competitor" as const, value: name, name }))
    assert.deepStrictEqual(correctSpelling("Carlow", twins, new Effort()).several, ["Marlow", "Barlow"])
  })
})

it("knows greetings, thanks and calls for help from questions", () => {
  for (const [message, courtesy] of [
    ["hi", "greeting"],
    ["Guten Tag!", "greeting"],
    ["thanks a lot", "thanks"],
    ["What can you do?", "help"],
    ["¿Qué puedes hacer?", "help"],
    ["high win rates", undefined],
    ["What is our win rate?", undefined],
  ] as const)
    assert.strictEqual(findCourtesy(message), courtesy, message)
})

it("writes short amounts with three digits, rates with one decimal and changes with their sign", () => {
  assert.deepStrictEqual(
    [29_234_000, 5_871_000, 732_400, 48_000, 9_500, 999_700, 1_030.5].map((amount) => formatAmount(amount, "EUR")),
    ["29.2 m EUR", "5.87 m EUR", "732 k EUR", "48.0 k EUR", "9,500 EUR", "1.00 m EUR", "1,030.5 EUR"],
  )
  assert.strictEqual(formatRate(0.36363), "36.4 %")
  assert.strictEqual(formatChange("win_rate", -0.062, undefined), "−6.2 points")
  assert.strictEqual(formatChange("deals", 12, undefined), "+12")
})
