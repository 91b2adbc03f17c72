import { assert, describe, it } from "vitest"
import { parse } from "../../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../../src/core/answers/questions/plan/plan.ts"
import { makePredictor, type Prediction } from "../../../src/core/answers/reader/predict.ts"
import { learnedSlots } from "../../../src/core/answers/reader/learnedSlots.ts"
import { planKey } from "../../../src/core/answers/reader/planKey.ts"
import { readAgain } from "../../../src/core/answers/reader/readAgain.ts"
import { tokenize } from "../../../src/core/answers/reader/tokens.ts"
import { WEIGHTS } from "../../../src/core/answers/reader/weights.ts"
import { makeNames, TODAY, WORKSPACE } from "../../../training/workspace.ts"
import { NAMES } from "../dealNames.ts"
import { COUNT } from "./count.ts"
import { COMPETITORS, generated, NOW, OWNERS } from "../dealQuestions.ts"

const network = makePredictor(WEIGHTS)

const STAGES = [
  ["Evaluation", "open"],
  ["Won", "won"],
  ["Lost", "lost"],
] as const

const read = (question: string, predict: (words: ReadonlyArray<string>) => Prediction = network) => {
  const slots = parse(question, WORKSPACE, TODAY)
  const plans = slots.unknown.length > 0 ? [] : makePlans(slots)
  return readAgain([question], { slots, plans, isRead: plans.length > 0 }, WORKSPACE, TODAY, predict)
}

describe("a second reading", () => {
  it("that misses a denial refutes nothing", () => {
    const won = () => ({ ...COUNT, outcome: "won" as const, confidence: 0.9 })
    assert.strictEqual(read("How many deals did we not win?", won).kind, "stands")
  })

  it.each([
    ["another measure", { base: "rate" }, 0.2],
    ["groups that the sentence has no words for", { flags: new Set(["by:region"]) }, 0.2],
    ["a share without a whole", { kind: "share", outcome: "won" }, 0.4],
    ["a question for texts", { kind: "other" }, 0.5],
  ] as const)("of %s refutes the grammar from a confidence on", (_, other, least) => {
    const kindAt = (confidence: number) =>
      read("How many deals did we win?", () => ({ ...COUNT, ...other, outside: 0.2, confidence })).kind
    assert.strictEqual(kindAt(least - 0.01), "stands")
    assert.strictEqual(kindAt(least), "differs")
  })

  it("refutes no plain question for a number or a list of deals", () => {
    const names = {
      ...NAMES,
      ...makeNames(STAGES, {
        competitor: COMPETITORS,
        owner: OWNERS,
        region: ["EMEA", "North America", "UK and Ireland"],
        industry: ["Retail", "Financial services", "Energy"],
        product: ["Quellaria Flow", "Quellaria Ledger"],
        deal_type: ["New business", "Renewal"],
        reason: ["Price", "Ease of use", "Data residency"],
      }),
    }
    const today = { now: NOW, fiscalStart: 1 }
    for (const { question } of generated(300)) {
      const slots = parse(question, names, today)
      const grammar = { slots, plans: makePlans(slots), isRead: slots.unknown.length === 0 }
      assert.isTrue(grammar.isRead, question)
      assert.deepStrictEqual(readAgain([question], grammar, names, today, network), { kind: "stands" }, question)
    }
  })

  it.each([
    "How many deals did we lose to Orvanta last quarter, and why?",
    "How many deals are there against Sparrowdesk or Orvanta?",
    "List all deals between 10k and 22k",
  ])("leaves to the grammar a form that no training sentence has: %s", (question) =>
    assert.strictEqual(read(question).kind, "stands"),
  )

  it.each([
    ["Orvanta or Tallowmark, who do we run into in number?", {}],
    ["How many customers have we in Q1 2026 if we skip the Sparrowdesk deals?", {}],
    ["The number of wins, please, everyone", { outcome: "won" }],
    ["whats closing next month that has no owner, small to big", {}],
    ["Deals with no owner: average days to decision by contributor.", { base: "cycle" }],
  ] as const)("leaves out no words that compare, exclude, group or order: %s", (question, other) => {
    assert.notStrictEqual(read(question, () => ({ ...COUNT, ...other })).kind, "read")
  })

  it.each([
    ["Win rate and average deal size by region", { base: "avg", flags: new Set(["by:region"]) }],
    ["How many deals did we lose, and why?", { outcome: "lost" }],
    ["Win rate by customer segment", { base: "rate", flags: new Set(["by:client", "by:segment"]) }],
    ["How many in DACH and how many in the Nordics did we win?", { outcome: "won" }],
    ["What is the open pipeline of Ines Ilves or Keiko Fontaine?", { base: "sum", outcome: "open", compare: "names" }],
  ] as const)(
    "of a part of what the grammar reads, or of names that nothing compares, refutes nothing: %s",
    (question, other) => {
      assert.strictEqual(read(question, () => ({ ...COUNT, ...other })).kind, "stands")
    },
  )

  it("of names that words compare refutes a sum of both", () => {
    const compared = () => ({ ...COUNT, compare: "names" })
    assert.strictEqual(read("Deals of Ines Ilves or Keiko Fontaine: who has how many?", compared).kind, "read")
  })

  it.each([
    ["sales cycle in March against this year", { base: "cycle", compare: "periods" }, "period"],
    ["What share of open deals is overdue?", { base: "overdue", kind: "share" }, "outcome"],
  ] as const)("doubts a month beside its year, and a share of more than is named: %s", (question, other, doubt) => {
    const tokens = tokenize(question, WORKSPACE, TODAY)
    const learned = learnedSlots({ ...COUNT, ...other }, tokens, parse(question, WORKSPACE, TODAY))
    assert.deepStrictEqual(learned?.doubts, [doubt])
  })

  it("that misses the order of a comparison refutes nothing", () => {
    const seen = { ...COUNT, compare: "previous_year", flags: new Set(["by:competitor"]) }
    assert.strictEqual(read("Which competitors are in most deals, compared with last year?", () => seen).kind, "stands")
  })

  it("compares periods however they are said", () => {
    const keyOf = (question: string) => planKey(makePlans(parse(question, WORKSPACE, TODAY)))
    const key = keyOf("How many deals did we win in March compared to a year ago?")
    assert.strictEqual(keyOf("How many deals did we win in March 2026 versus March 2025?"), key)
    assert.notStrictEqual(keyOf("How many deals did we win in March 2026 versus March 2024?"), key)
    assert.notStrictEqual(keyOf("How many deals did we win in March 2026?"), key)
    assert.strictEqual(keyOf("How many deals did we win in March, and the March before?"), key)
    assert.strictEqual(
      keyOf("How many customers have we this month versus this month last year?"),
      keyOf("How many customers have we this month compared to a year ago?"),
    )
  })

  it("that misses an outcome refutes nothing", () => {
    assert.strictEqual(read("How many deals did we win?", () => COUNT).kind, "stands")
  })

  it.each([
    "Win rate by decision reason, only where Calyptus One was competing.",
    "Plot open pipeline value over the months.",
    "What is the second most common loss reason?",
  ])("of a part of the question is no answer: %s", (question) => assert.notStrictEqual(read(question).kind, "read"))
})

describe("a listed word", () => {
  const typesIn = (question: string) =>
    parse(question, WORKSPACE, TODAY).names.flatMap(({ kind, name }) => (kind === "deal_type" ? [name] : []))

  it.each([
    ["median deal size for new, renewal and expansion", ["New business", "Renewal", "Expansion"]],
    ["win rate of a new one, a renewal and an expansion", ["New business", "Renewal", "Expansion"]],
    ["expansion or new: where do we win more?", ["Expansion", "New business"]],
    ["renewals versus new, by region", ["Renewal", "New business"]],
    ["what is new, and how many renewals did we win?", ["Renewal"]],
    ["deals by type, new/renewal/expansion", ["New business", "Renewal", "Expansion"]],
    ["did we lose more new customers, renewals or expansions?", ["New business", "Renewal", "Expansion"]],
    ["open new-business deals", ["New business"]],
    ["new deals in DACH", []],
    [
      "how many new clients did we win with new, renewal and expansion deals?",
      ["New business", "Renewal", "Expansion"],
    ],
  ])("means a name by those beside it: %s", (question, types) => assert.deepStrictEqual(typesIn(question), types))

  it("is what it was where it stands alone", () => {
    const { bases } = parse("how many new clients did we win with new or renewal deals?", WORKSPACE, TODAY)
    assert.deepStrictEqual(bases, ["new_clients"])
  })
})

describe("what deals are won on", () => {
  it.each([
    ["What does Dmitri Tanaka usually win on?", true],
    ["What do we lose it on when a deal drags beyond 120 days?", true],
    ["What did we lose Quellaria Signal on in Hospitality?", true],
    ["What does Orvanta win on?", false],
  ])("asks for our reasons: %s", (question, asksWhy) =>
    assert.strictEqual(parse(question, WORKSPACE, TODAY).asksWhy, asksWhy),
  )
})
