import { assert, describe, it } from "vitest"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { findReference } from "../../src/core/answers/questions/turns/references.ts"
import { planKey } from "../../src/core/answers/reader/planKey.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"

const read = (question: string) => {
  const slots = parse(translate(question, WORKSPACE.names), WORKSPACE, TODAY)
  return { key: planKey(makePlans(slots)), unread: slots.unknown.map(({ said }) => said) }
}

describe("conditions of strangers' questions", () => {
  it.each([
    ["deals won before July this year", "deals won this year before July"],
    ["best customers in DACH", "top customers in DACH"],
    ["our best 5 accounts", "our top 5 accounts"],
    ["first deal we won in DACH", "oldest deal we won in DACH"],
    ["clients we lost twice or more in DACH", "clients with at least 2 lost deals in DACH"],
    ["customers that we lost more than once in DACH", "customers with at least 2 lost deals in DACH"],
    ["win rate against Orvanta compared to other competitors", "win rate by competitor"],
    ["lost deals vs Orvanta this year compared to the rest", "lost deals this year by competitor"],
    ["average deal size in DACH compared to the other regions", "average deal size by region"],
    ["deals with Orvanta and Nimbrel together", "deals with both Orvanta and Nimbrel"],
    [
      "how many customers did we win in DACH this year that were new",
      "how many new customers did we win in DACH this year",
    ],
    ["win rate in Retail vs other industries", "win rate by industry"],
  ])("are those of plain words: %s", (asked, plain) => {
    const meant = read(plain)
    assert.deepStrictEqual(meant.unread, [])
    assert.deepStrictEqual(read(asked), meant)
  })

  it("bound a part of a year by both", () => {
    const periodsOf = (question: string) => parse(question, WORKSPACE, TODAY).periods
    const [whole] = periodsOf("deals won last year")
    const [until] = periodsOf("deals won before May last year")
    assert.strictEqual(until?.from, whole?.from)
    assert.match(until?.to ?? "", /-04-30$/)
    assert.deepStrictEqual(periodsOf("deals won last year before May"), [until!])
    assert.lengthOf(periodsOf("deals won before May last year versus this year"), 2)
    assert.isUndefined(periodsOf("deals won before this year")[0]?.from)
    assert.lengthOf(periodsOf("deals won last year, since yesterday"), 2)
  })

  it.each([
    "Which region grew won revenue the most versus last quarter?",
    "Which owner improved their win rate the most this year?",
  ])("of a ranking by change are refused: %s", (question) =>
    assert.include(read(question).unread.join(" "), "the most"),
  )

  it.each([
    ["reps who won less than 1m this year", "reps who won less than 1m"],
    ["clients with more than 100k won this year in Retail", "clients with more than 100k"],
    ["industries with win rate between 40 and 50 percent", "rate between 40 and 50"],
    ["regions where we lost more than we won this year", "where we lost more than we won"],
    ["total won amount of the top 5 clients this year", "total won amount of the top 5"],
  ])("of groups that no report has are refused: %s", (question, part) => assert.include(read(question).unread, part))

  it.each(["clients with deals over 100k", "reps with open deals above 50k", "regions with at least 20 won deals"])(
    "of the deals of groups are read: %s",
    (question) => assert.deepStrictEqual(read(question).unread, []),
  )

  it("do not refuse a change in what has most", () =>
    assert.notInclude(read("How has revenue changed in the most recent quarter?").unread.join(" "), "the most"))
})

describe("the deals of a table", () => {
  const rows = [
    { kind: "stage", name: "Proposal" },
    { kind: "stage", name: "Discovery" },
  ] as const

  it.each(["when do they close", "who owns them"])("are all of it, shown or not: %s", (question) =>
    assert.isUndefined(findReference(question, [{ rows, isSingular: false, isWhole: false }], new Set())),
  )

  it("are those of the row that the answer names", () =>
    assert.strictEqual(
      findReference("when do they close", [{ rows, isSingular: true, isWhole: false }], new Set())?.kind,
      "rows",
    ))
})
