import { assert, describe, it } from "vitest"
import { findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { readConversation } from "../../src/core/answers/questions/turns/conversation.ts"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans, type Plan } from "../../src/core/answers/questions/plan/plan.ts"
import {
  type Answered,
  findReference,
  mayRefer,
  splitQuestion,
} from "../../src/core/answers/questions/turns/references.ts"
import type { Having } from "../../src/core/answers/questions/parse/slots.ts"
import { planKey } from "../../src/core/answers/reader/planKey.ts"
import { findQuestions } from "../../src/core/answers/quotes/followUp.ts"
import { asksOneCall, completeSpoken } from "../../src/core/answers/said/spokenTurns.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"

const keyOf = (plans: ReadonlyArray<Plan>) => planKey(plans)
const inEnglish = (question: string) => translate(question, WORKSPACE.names)

const slotsOf = (turns: ReadonlyArray<string>) =>
  readConversation(
    turns.map((each) => ({ question: inEnglish(each), namesRows: false })),
    WORKSPACE,
    TODAY,
  )!.slots

/** The plans of a conversation's last question, and what they leave unread. */
const readTurns = (...turns: ReadonlyArray<string>) => {
  const slots = slotsOf(turns)
  const plans = makePlans(slots)
  return { plans, unread: [...slots.unknown, ...findUnused(slots, plans)].map(({ said }) => said) }
}

/** Conversations of people who had seen no question of Sightline, beside whole questions that mean the same. */
const SAME: Readonly<Record<string, ReadonlyArray<readonly [turns: ReadonlyArray<string>, whole: string]>>> = {
  "shares of the question before": [
    [["won deals by region last quarter", "as a percentage"], "what share of won deals last quarter by region"],
    [["won deals by region last quarter", "as a rate"], "win rate by region last quarter"],
    [["won deals by region last quarter", "as a share of all closed deals"], "win rate by region last quarter"],
    [
      ["Lost amount by competitor this year", "only DACH", "as percentages"],
      "what share of lost amount this year in DACH by competitor",
    ],
    [["lost deals over 100k by competitor", "as a share of total"], "what share of lost deals over 100k by competitor"],
    [["How many deals did we win in DACH?", "in percent"], "win rate in DACH"],
    [["win rate in DACH", "in percent"], "win rate in DACH"],
  ],
  "names that leave out a part": [
    [["open deals with Nimbrel", "without Orvanta"], "open deals with Nimbrel without Orvanta"],
    [["open deals with Nimbrel", "without Nimbrel"], "open deals without Nimbrel"],
    [["open deals without Nimbrel", "with Orvanta"], "open deals with Orvanta"],
  ],
  "facts of listed deals": [
    [["List won deals in DACH over 100k", "when did they close?"], "List won deals in DACH over 100k"],
    [["List won deals in DACH over 100k", "who owns them?"], "List won deals in DACH over 100k"],
    [["How many open deals in DACH?", "who owns them?"], "List open deals in DACH"],
    [["top 5 open deals", "who owns them?"], "top 5 open deals"],
    [
      ["List won deals in DACH over 100k", "who was the competitor?"],
      "number of won deals in DACH over 100k by competitor",
    ],
    [["List open deals in DACH", "average?", "which of them is the biggest?"], "biggest open deal in DACH"],
  ],
  "the other names": [
    [["Win rate for new business", "and for the other types?"], "win rate excluding new business by deal type"],
    [
      ["How many deals did we lose in Retail?", "and in the other industries?"],
      "lost deals excluding Retail by industry",
    ],
  ],
  "who was behind them": [
    [["lost deals in October", "which competitors took them?"], "number of lost deals in October by competitor"],
    [
      ["How many deals did we lose last quarter?", "which competitor was behind most of them?"],
      "number of lost deals last quarter by competitor",
    ],
  ],
  "two names together": [
    [
      ["How many deals did we lose in Retail?", "and in Logistics?", "and both together?"],
      "How many deals did we lose in Retail or Logistics?",
    ],
  ],
  "the money of what was asked": [
    [["Won revenue in DACH", "how much is that?"], "Won revenue in DACH"],
    [["top reps by won revenue", "how much is that?"], "top reps by won revenue"],
  ],
}

describe("strangers' conversations", () => {
  for (const [what, pairs] of Object.entries(SAME))
    it.each(pairs)(`continue with ${what}: %s`, (turns, whole) => {
      const { plans, unread } = readTurns(...turns)
      assert.deepStrictEqual(unread, [])
      assert.strictEqual(keyOf(plans), keyOf(makePlans(parse(inEnglish(whole), WORKSPACE, TODAY))))
    })

  it("have a part and a whole in the same regions and periods", () => {
    const won = ["How many deals did we win last quarter?", "and Nordics?", "as a percentage of closed"]
    for (const [turns, region] of [
      [won, slotsOf(["Nordics"]).names[0]!.value],
      [[...won, "and DACH?"], slotsOf(["DACH"]).names[0]!.value],
    ] as const) {
      const [plan] = readTurns(...turns).plans
      const close_date = slotsOf(["last quarter"]).periods[0]!
      const of = plan?.kind === "share" ? [plan.part, plan.whole] : []
      assert.deepInclude(of[0], { region: [region], outcome: ["won"], close_date })
      assert.deepInclude(of[1], { region: [region], outcome: ["won", "lost"], close_date })
    }
    const [money] = readTurns("Lost amount in DACH", "as a percentage").plans
    assert.deepInclude(money, { kind: "share", measure: "amount" })
  })

  it.each([
    [["How many open deals in DACH?", "as a percentage"], "as a percentage"],
    [["Average deal size by region", "as a percentage"], "as a percentage"],
    [["How many deals did we win last quarter?", "as a share of all deals"], "as a share of all deals"],
    [["Lost amount by competitor", "as a share of closed deals"], "as a share of closed deals"],
    [["How many deals did we lose in Retail?", "and both together?"], "and both together"],
    [["Win rate by region", "and the others?"], "and the others"],
    [["How many deals did we win against Orvanta?", "and against everyone else?"], "and against everyone else"],
    [["Which features hurt us most?", "why?"], "why"],
    [["Pipeline in DACH", "what about last quarter?"], "the pipeline of a time that is over"],
  ])("are not continued with what no report has: %s", (turns, said) => {
    assert.include(readTurns(...turns).unread, said)
  })

  const rowsOf = (kind: "deal" | "competitor" | "owner", ...names: ReadonlyArray<string>): Answered["rows"] =>
    names.map((name) => ({ kind, id: name, name }))
  const refer = (question: string, answered: Answered) => {
    assert.isTrue(mayRefer(question), question)
    return findReference(question, [answered], new Set())
  }

  it("mean the deals whose reasons were asked for", () => {
    const deals = { rows: rowsOf("deal", "First", "Second"), isSingular: false, isWhole: false }
    const reasons = { rows: [{ kind: "reason" as const, name: "Total cost" }], isSingular: false, isWhole: true }
    const found = findReference("which of them were against Orvanta", [reasons, deals], new Set())
    assert.deepStrictEqual(found, { kind: "deals", rows: deals.rows })
  })

  it("mean a row by its place without an article", () => {
    const owners = { rows: rowsOf("owner", "Ann", "Bob", "Cem"), isSingular: false, isWhole: true }
    assert.deepStrictEqual(refer("who's third", owners), { kind: "row", row: 2 })
    assert.deepStrictEqual(refer("who is second?", owners), { kind: "row", row: 1 })
  })

  it("are about the deals of a list that no filter selects", () => {
    const five = { rows: rowsOf("deal", "d1", "d2"), isSingular: false, isWhole: false }
    for (const question of ["which close this year?", "who owns them?", "what's the total?", "how much is that?"]) {
      assert.deepStrictEqual(refer(question, five), { kind: "deals", rows: five.rows }, question)
      assert.notStrictEqual(refer(question, { ...five, isWhole: true })?.kind, "deals", question)
    }
    for (const other of ["in DACH?", "what do customers want when they leave?", "our win rate in these regions"])
      assert.notStrictEqual(findReference(other, [five], new Set())?.kind, "deals", other)
    const turns = [
      { question: "top 2 open deals in DACH", namesRows: false },
      { question: "which close this year?", namesRows: false, deals: ["d1", "d2"] },
    ]
    const [plan] = makePlans(readConversation(turns, WORKSPACE, TODAY)!.slots)
    const filters = plan?.kind === "list" ? plan.filters : {}
    assert.deepInclude(filters, { deal_ids: ["d1", "d2"], close_date: slotsOf(["this year"]).periods[0]! })
    assert.notProperty(filters, "region")
    assert.deepInclude(plan, { limit: undefined })
  })

  it("ask for the money of the rows that an answer names", () => {
    const one = { rows: rowsOf("competitor", "Nimbrel", "Orvanta"), isSingular: true, isWhole: true }
    const asked = refer("how much money is that?", one)
    assert.deepStrictEqual(asked, { kind: "rows", question: "how much Nimbrel", rows: one.rows.slice(0, 1) })
    const top = { rows: rowsOf("owner", "Ann Lee", "Bo Kim"), isSingular: false, isWhole: false }
    const both = refer("how much are these worth", top)
    assert.deepStrictEqual(both, { kind: "rows", question: "how much Ann Lee versus Bo Kim", rows: top.rows })
    assert.isUndefined(findReference("how much is that?", [{ ...top, isWhole: true }], new Set()))
  })

  it("ask who owns the biggest deal in two steps", () => {
    assert.deepStrictEqual(splitQuestion("who owns the biggest?"), ["which of them is the biggest?", "who owns it?"])
    assert.deepStrictEqual(splitQuestion("who is the biggest?"), ["who is the biggest?"])
  })

  it("ask for the call of the client or deal that they began with", () => {
    const complete = (...turns: ReadonlyArray<string>) =>
      completeSpoken(turns.map((content) => ({ role: "user" as const, content })))
    const first = "Tell me about the Abelund Credit deal"
    const call = "what was said in the call with Abelund Credit"
    assert.deepStrictEqual(complete(first, "what was said in the call?"), [call])
    assert.deepStrictEqual(complete(first, "the open one", "summarize the call"), [call])
    assert.deepStrictEqual(complete(first, "what was said in the call?", "any objections?"), [
      "what objections did Abelund Credit raise",
    ])
    assert.deepStrictEqual(complete(first, "How many deals are open in DACH?", "what was said in the call?"), [])
    assert.isTrue(asksOneCall("what was said in the call?"))
    assert.isFalse(asksOneCall("what was said in the call with Abelund Credit?"))
  })

  it("bound rates without the bound itself, except at most and at least", () => {
    const boundIn = (question: string): Having => slotsOf(["Win rate by owner", question]).having ?? { of: "deals" }
    const { max = 1 } = boundIn("only those below 40%")
    assert.isTrue(max < 0.4 && max > 0.399)
    assert.deepStrictEqual(boundIn("only those at most 40%"), { of: "rate", max: 0.4 })
    const { min = 0 } = boundIn("only those above 40%")
    assert.isTrue(min > 0.4 && min < 0.401)
  })

  it("search for what was asked of another name, and of both", () => {
    const asked = (...turns: ReadonlyArray<string>) =>
      findQuestions(turns.map((content) => ({ role: "user" as const, content })))
    const first = "What does Nimbrel charge?"
    assert.deepStrictEqual(asked(first, "and Sparrowdesk?"), ["What does Sparrowdesk charge?"])
    assert.deepStrictEqual(asked(first, "and Brixen Suite?", "And Orvanta?"), ["What does Orvanta charge?"])
    assert.deepStrictEqual(asked(first, "and Sparrowdesk?", "which one is cheaper?"), [
      "which one is cheaper, Nimbrel or Sparrowdesk?",
    ])
    assert.deepStrictEqual(asked("Does Nimbrel or Orvanta have SSO?", "and Sparrowdesk?").length, 2)
  })
})
