import { assert, describe, it } from "vitest"
import { findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { readConversation } from "../../src/core/answers/questions/turns/conversation.ts"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const read = (...turns: ReadonlyArray<string>) => {
  const { slots } = readConversation(
    turns.map((each) => ({ question: translate(each, NAMES.names), namesRows: false })),
    NAMES,
    TODAY,
  )!
  const plans = makePlans(slots)
  return { plan: plans[0], unread: [...slots.unknown, ...findUnused(slots, plans)].map(({ said }) => said) }
}

/** The measure, groups and order of the report that answers the last turn, and its filters. */
const reportOf = (...turns: ReadonlyArray<string>) => {
  const { plan, unread } = read(...turns)
  assert.deepStrictEqual(unread, [], turns.join(" / "))
  if (plan?.kind !== "report") return []
  const { measure, query } = plan
  return [measure, query.groupBy, query.orderBy, query.filters]
}

const TWO = { region: ["region_1", "region_2"] }

describe("after rows beside each other", () => {
  it("names the row that a comparative asks for", () => {
    const regions = "win rate in DACH vs Nordics"
    assert.deepStrictEqual(reportOf(regions, "which is higher?"), ["win_rate", ["region"], "-win_rate", TWO])
    assert.deepStrictEqual(reportOf(regions, "and which one is worse?"), ["win_rate", ["region"], "win_rate", TWO])
    assert.deepStrictEqual(reportOf("lost deals in DACH vs Nordics", "which has more?").slice(0, 3), [
      "deals",
      ["region"],
      "-deals",
    ])
    assert.deepStrictEqual(reportOf("revenue in DACH vs Nordics", "which has the higher average?").slice(0, 3), [
      "amount_avg",
      ["region"],
      "-amount_avg",
    ])
    assert.deepStrictEqual(reportOf("sales cycle in DACH vs Nordics", "who is faster?").slice(0, 3), [
      "cycle_days_median",
      ["region"],
      "cycle_days_median",
    ])
  })

  it("takes the tougher competitor for the one that we beat less", () => {
    const rivals = { competitors: ["Orvanta", "Nimbrel"] }
    assert.deepStrictEqual(reportOf("how many deals did we lose to Orvanta vs Nimbrel", "who is tougher?"), [
      "win_rate",
      ["competitor"],
      "win_rate",
      rivals,
    ])
    assert.notStrictEqual(read("win rate in DACH vs Nordics", "who is tougher?").unread.length, 0)
  })

  it("sets another name beside them, and leaves one out", () => {
    const regions = "win rate in DACH vs Nordics"
    assert.deepStrictEqual(reportOf(regions, "compare that with US").at(3), {
      region: ["region_1", "region_2", "region_3"],
    })
    assert.deepStrictEqual(reportOf("win rate in DACH", "compare that with the Nordics").at(3), TWO)
    assert.deepStrictEqual(read(regions, "compare that with retail").unread, ["the comparison with Retail"])
    assert.deepStrictEqual(reportOf("win rate in DACH vs Nordics vs US", "exclude US").at(3), TWO)
    assert.deepStrictEqual(reportOf("how many lost deals in DACH vs Nordics", "without Nordics").slice(0, 2), [
      "deals",
      [],
    ])
  })

  it("orders and groups them", () => {
    assert.deepStrictEqual(reportOf("win rate by region", "sort ascending").slice(0, 3), [
      "win_rate",
      ["region"],
      "win_rate",
    ])
    assert.deepStrictEqual(reportOf("win rate by region", "which is lowest?").at(2), "win_rate")
    assert.deepStrictEqual(reportOf("which deals did we lose", "group them by competitor").slice(0, 2), [
      "deals",
      ["competitor"],
    ])
    assert.deepStrictEqual(reportOf("how many deals did we lose in DACH", "from whom?").at(1), ["client"])
    assert.deepStrictEqual(reportOf("how many deals did we lose in DACH", "against whom?").at(1), ["competitor"])
  })

  it("says the change of two periods again", () => {
    const asked = "win rate in 2025 vs 2026"
    assert.deepStrictEqual(read(asked, "what's the change in percent?"), read(asked))
    const { plan } = read("revenue in Q1 2026", "what about Q2 2026?", "what's the change?")
    assert.strictEqual(plan?.kind === "periods" && plan.periods.length, 2)
    assert.deepStrictEqual(
      read("revenue last quarter", "by how much?").plan,
      read("revenue last quarter vs the quarter before").plan,
    )
  })
})

describe("a period that runs", () => {
  const compared = (...turns: ReadonlyArray<string>) => {
    const { plan, unread } = read(...turns)
    assert.deepStrictEqual(unread, [], turns.join(" / "))
    return plan?.kind === "report" ? [plan.query.filters.close_date, plan.query.compare] : plan?.kind
  }
  const quarter = { from: "2026-10-01", to: "2026-12-31" }

  it("is compared by the same days with the one before it, however the question names the two", () => {
    for (const turns of [
      ["revenue this quarter vs last quarter"],
      ["how does revenue this quarter compare to last quarter?"],
      ["compare revenue in Q3 2026 and Q4 2026"],
      ["revenue this quarter", "what about last quarter?", "what's the change?"],
    ])
      assert.deepStrictEqual(compared(...turns), [quarter, "previous_period"], turns.join(" / "))
    const year = { from: "2026-01-01", to: "2026-12-31" }
    assert.deepStrictEqual(compared("compare revenue in 2025 and 2026"), [year, "previous_period"])
    assert.deepStrictEqual(compared("compare revenue in Q4 2025 and Q4 2026"), [quarter, "previous_year"])
  })

  it("stays one of two periods beside any other", () => {
    assert.strictEqual(compared("compare revenue in Q1 2026 and Q4 2026"), "periods")
    assert.strictEqual(compared("compare revenue in Q2 2026 and Q3 2026"), "periods")
    assert.strictEqual(compared("compare revenue in October 2026 and Q4 2026"), "periods")
  })
})

describe("two conditions beside each other", () => {
  const sidesOf = (question: string) => {
    const { plan, unread } = read(question)
    assert.deepStrictEqual(unread, [], question)
    return plan?.kind === "sides" ? [plan.measure, ...plan.sides.map(({ query }) => query.filters)] : plan?.kind
  }

  it("have a number each", () => {
    const amounts = [{ amount: { min: 100_000.01 } }, { amount: { max: 99_999.99 } }]
    assert.deepStrictEqual(sidesOf("win rate above 100k vs below 100k"), ["win_rate", ...amounts])
    assert.deepStrictEqual(sidesOf("win rate for deals over 100k compared to deals under 100k"), [
      "win_rate",
      ...amounts,
    ])
    assert.deepStrictEqual(sidesOf("win rate with a competitor vs without"), [
      "win_rate",
      { competitors_filter_type: "is not empty" },
      { competitors_filter_type: "is empty" },
    ])
    assert.deepStrictEqual(sidesOf("deals with a competitor versus without one")?.[0], "deals")
  })

  it("are a name and its absence", () => {
    const rival = { competitors: ["Nimbrel"] }
    const both = ["win_rate", rival, { ...rival, competitors_filter_type: "is not" as const }]
    for (const question of [
      "win rate with Nimbrel vs without",
      "win rate with Nimbrel vs without Nimbrel",
      "win rate with Nimbrel compared to deals without them",
    ])
      assert.deepStrictEqual(sidesOf(question), both, question)
    assert.deepStrictEqual(read("win rate when Offline mode comes up vs when it doesn't").unread, ["with and without"])
  })

  it("are one where no word compares them and both can hold", () => {
    assert.strictEqual(sidesOf("deals above 100k and below 200k"), "list")
  })

  it("are refused for numbers of competitors", () => {
    assert.include(read("deals with two or more competitors vs one").unread, "two or more competitors")
  })
})

describe("after a number of deals", () => {
  it("asks for the biggest of them", () => {
    const { plan } = read("what's our pipeline in DACH?", "which is the biggest deal?")
    assert.deepInclude(plan, { kind: "list", limit: 1, filters: { region: ["region_1"], outcome: ["open"] } })
  })

  it("names the competitors in them", () => {
    const listed = "which open deals do we have with Abelund Logistics?"
    for (const each of ["who are they comparing us with?", "who are we up against there?", "who else is bidding?"])
      assert.deepStrictEqual(reportOf(listed, each).at(1), ["competitor"], each)
  })

  it("weights them", () => {
    assert.deepStrictEqual(reportOf("how big is the pipeline and how much is weighted?").at(0), "amount_weighted")
    assert.deepInclude(reportOf("what's our pipeline in DACH?", "how much is weighted?").at(3), {
      region: ["region_1"],
    })
    assert.deepStrictEqual(reportOf("what's our pipeline in DACH?", "how much is weighted?").at(0), "amount_weighted")
  })
})

it("keeps to the calendar where a question says so", () => {
  const from = (question: string) => parse(question, NAMES, { ...TODAY, fiscalStart: 2 }).periods[0]
  assert.deepStrictEqual(from("win rate last calendar quarter"), { from: "2026-07-01", to: "2026-09-30" })
  assert.deepStrictEqual(from("win rate last quarter"), { from: "2026-08-01", to: "2026-10-31" })
})
