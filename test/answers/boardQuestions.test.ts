import { assert, describe, it } from "vitest"
import type { Report } from "../../src/core/answers/questions/reply/reply.ts"
import { type Wording, writeReport } from "../../src/core/answers/questions/reply/writeReport.ts"
import { findUncounted, findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { isEnglish, putInEnglish, translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans, type Plan } from "../../src/core/answers/questions/plan/plan.ts"
import type { ReportRow } from "../../src/core/answers/questions/reply/reply.ts"
import { visibleRows } from "../../src/core/answers/questions/reply/table.ts"
import { askBack } from "../../src/core/answers/reader/askBack.ts"
import { planKey } from "../../src/core/answers/reader/planKey.ts"
import { makePredictor } from "../../src/core/answers/reader/predict.ts"
import { readAgain } from "../../src/core/answers/reader/readAgain.ts"
import { WEIGHTS } from "../../src/core/answers/reader/weights.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"

const network = makePredictor(WEIGHTS)

/** The plans of the answer by both readers, or the parts for which it is refused. */
const read = (question: string): { readonly plans: ReadonlyArray<Plan>; readonly refused: ReadonlyArray<string> } => {
  const slots = parse(translate(question, WORKSPACE.names), WORKSPACE, TODAY)
  const plans = makePlans(slots)
  const unknown = [...slots.unknown, ...findUnused(slots, plans), ...findUncounted(question, plans)]
  const isRead = unknown.length === 0 && plans.length > 0
  const grammar = { slots, plans, isRead, isTranslated: !isEnglish(question) }
  const second = readAgain([putInEnglish(question, WORKSPACE.names)], grammar, WORKSPACE, TODAY, network)
  if (second.kind === "read") return { plans: second.plans, refused: [] }
  if (second.kind === "differs") return { plans: [], refused: ["the readers differ"] }
  return isRead ? { plans, refused: [] } : { plans: [], refused: unknown.map(({ said }) => said) }
}

const keyOf = (question: string): string => {
  const { plans, refused } = read(question)
  assert.deepStrictEqual(refused, [], question)
  return planKey(plans)
}

const reportOf = (question: string) => {
  const [plan] = read(question).plans
  assert(plan?.kind === "report", question)
  return plan
}

const shareOf = (question: string) => {
  const [plan] = read(question).plans
  assert(plan?.kind === "share", question)
  return plan
}

/** Questions of people in a meeting, beside plain ones that mean the same. */
const SAME: Readonly<Record<string, ReadonlyArray<readonly [asked: string, plain: string]>>> = {
  "rank by what was won": [
    ["Top reps last quarter", "top reps by won amount last quarter"],
    ["Who are our top 3 reps last quarter?", "top 3 reps by won amount last quarter"],
    ["top customers", "top clients by won amount"],
  ],
  "rank rivals by how seldom we beat them": [
    ["Who is our strongest competitor in APAC?", "Which competitor has the lowest win rate in APAC?"],
    ["weakest competitor", "Which competitor has the highest win rate?"],
    ["Who is our toughest competitor in DACH?", "Which competitor has the lowest win rate in DACH?"],
    ["Which competitor are we weakest against?", "Which competitor has the lowest win rate?"],
  ],
  "are of open deals": [
    ["How many deals are we in against Nimbrel right now?", "How many open deals against Nimbrel?"],
    ["How many deals are we working on with Brixen Suite?", "How many open deals against Brixen Suite?"],
    ["How many deals do we have in DACH right now?", "How many open deals in DACH?"],
    ["List open deals with a close date in the past, by owner", "overdue deals by owner"],
  ],
  "ask for features by what people think of them": [
    ["Which features do we win with?", "Which features have the most positive mentions in won deals?"],
    ["Which features do we lose deals over?", "Which features have the most negative mentions in lost deals?"],
    ["What do customers complain about?", "Which features have the most negative mentions?"],
    ["Which feature do customers complain about most?", "Which feature has the most negative mentions?"],
    ["Is the audit trail a plus or a minus for us?", "sentiment of Audit trail"],
    ["How many deals mention Audit trail in a negative way?", "How many deals mention Audit trail negatively?"],
  ],
  "are of what closes soon": [
    ["What is likely to close before the end of January?", "open deals closing before the end of January"],
  ],
  "ask for reasons": [
    ["Which reasons come up most in lost deals in Healthcare?", "Why do we lose in Healthcare?"],
    ["What objections come up in healthcare deals?", "reasons that spoke against us in Healthcare deals"],
  ],
  "compare with a year before": [
    [
      "Are we winning more or less against Sparrowdesk than a year ago?",
      "win rate against Sparrowdesk compared to last year",
    ],
  ],
  "ask where we beat a rival": [
    ["Where are we beating Nimbrel?", "win rate by region against Nimbrel"],
    ["Where do we lose to Nimbrel?", "loss rate by region against Nimbrel"],
  ],
  "read what the network misses": [
    ["How many deals did we close in September?", "How many closed deals in September?"],
  ],
}

describe("questions of a board", () => {
  for (const [what, pairs] of Object.entries(SAME))
    it.each(pairs)(`${what}: %s`, (asked, plain) => assert.strictEqual(keyOf(asked), keyOf(plain)))

  it("rank by no sales what was created", () =>
    assert.notProperty(reportOf("top reps by deals created last quarter").query.filters, "outcome"))

  it("keep a primary competitor that is called the strongest", () =>
    assert.deepInclude(reportOf("How many deals did we lose with Nimbrel as the main competitor?").query.filters, {
      primary_competitors: ["Nimbrel"],
    }))

  it("count every deal that was added to the pipeline, and what is open of it if they say so", () => {
    const created = { from: "2026-10-01", to: "2026-10-31" }
    const { filters } = reportOf("How much pipeline did we create last month?").query
    assert.deepStrictEqual(filters, { created_at: created })
    const { filters: open } = reportOf("open pipeline created last month by region").query
    assert.deepStrictEqual(open, { created_at: created, outcome: ["open"] })
  })

  it("exclude from the whole of a share what they set apart, and not what they ask for", () => {
    const { whole, part } = shareOf("Percentage of open pipeline value in negotiation, excluding renewals")
    for (const filters of [whole, part]) assert.deepInclude(filters, { deal_type_filter_type: "is not" })
    assert.notProperty(shareOf("What share of won deals are not renewals?").whole, "deal_type")
  })

  it("ask for both of two reasons or features in one deal", () => {
    const both = reportOf("Number of won deals in August where both Ease of use and Reporting were drivers")
    assert.deepInclude(both.query.filters, { driver_ids_filter_type: "is all of" })
    assert.deepStrictEqual(both.query.groupBy, [])
    const any = reportOf("number of won deals where Ease of use or Reporting was a reason")
    assert.notProperty(any.query.filters, "driver_ids_filter_type")
  })

  it("count the clients that have several won deals", () => {
    const { query, countsGroups } = reportOf("Number of clients with more than one won deal")
    assert.isTrue(countsGroups)
    assert.deepStrictEqual([query.groupBy, query.having], [["client"], { deals: { min: 2 } }])
    const rows = ["A", "B"].map((name) => ({ group: { client: { id: name, name } }, values: { deals: 3, amount: 1 } }))
    const report = { data: rows, others: 0, totals: { values: { deals: 504, amount: 9 } } } as unknown as Report
    const wording = { links: new Map(), currency: null, now: new Date(0) } as unknown as Wording
    const said = (asked: string) => writeReport(reportOf(asked), report, wording).split("\n")[0]
    assert.strictEqual(
      said("Number of clients with more than one won deal"),
      "**2 clients** have at least 2 won deals.",
    )
    assert.match(
      said("which clients have more than one won deal")!,
      /^Won deals by client, those with at least 2 won deals, from/,
    )
  })

  it("compare lost with won deals against the same rival", () => {
    const asked = "average deal size of deals we lost to Orvanta vs deals we won against Orvanta"
    assert.deepStrictEqual(reportOf(asked).query.groupBy, ["outcome"])
  })

  it("bound the deals of a group by a number or more, and no amount", () => {
    const { filters, having } = reportOf("Win rate by owner, only owners with 6 or more closed deals").query
    assert.deepStrictEqual([filters, having], [{}, { decided: { min: 6 } }])
    const asked = "Win rate by owner, only owners with 5 or more closed deals, highest first"
    assert.deepStrictEqual(reportOf(asked).query.having, { decided: { min: 5 } })
  })

  it("ask for the share of lost deals that have a reason", () => {
    const { whole, part } = shareOf("What percentage of lost deals had Total cost as a reason?")
    assert.deepStrictEqual(whole, { outcome: ["lost"] })
    assert.deepInclude(part, { driver_ids: ["reason_12"] })
  })

  it("ask for a share of the deals in a place, before what they say of them", () => {
    const asked = "Share of lost deals in North America where Brixen Suite was the primary competitor"
    const { whole, part } = shareOf(asked)
    assert.deepStrictEqual(whole, { outcome: ["lost"], region: ["region_4"] })
    assert.deepStrictEqual(part, { ...whole, primary_competitors: ["Brixen Suite"] })
  })

  it("ask for the money lost by features that people miss", () => {
    const { measure, query } = reportOf("Which missing features cost us the most money?")
    assert.deepStrictEqual([measure, query.groupBy], ["amount", ["feature"]])
    assert.deepInclude(query.filters, { outcome: ["lost"], feature_sentiment: ["negative"] })
  })

  it.each([
    ["Which industries should we get out of?", "should we get"],
    ["Name the ten biggest deals we have lost since February, with the competitor.", "with the competitor"],
    ["How many leads do we have?", "leads"],
  ])("are refused by the part that no report has: %s", (asked, said) =>
    assert.deepStrictEqual(read(asked).refused, [said]),
  )

  it("name a reason that the workspace does not have", () => {
    const { unknown } = parse("How many deals did we lose because of price this year?", WORKSPACE, TODAY)
    assert.deepStrictEqual(unknown, [{ said: "price", as: "reason" }])
  })

  it("ask for several people, although the network reads one", () =>
    assert.notStrictEqual(reportOf("Who are my best reps by won revenue").query.limit, 1))
})

describe("the table of a ranking of months", () => {
  const rows = Array.from({ length: 14 }, (_, n): ReportRow => ({
    group: { "close_date.month": `M${n}` },
    values: { deals: 20 - n },
    filters: {},
  }))

  it("keeps the first rows, and that of a course the last", () => {
    const shown = (isRanked: boolean) => visibleRows(rows, ["close_date.month"], isRanked)
    assert.deepStrictEqual(shown(true), rows.slice(0, 12))
    assert.deepStrictEqual(shown(false), rows.slice(2))
  })
})

describe("an answer with two equal readings", () => {
  it("says no label twice", () => {
    const events = [{ type: "content_delta", content: "**5**" }] as const
    const answers = ["1", "2"].map((question) => ({ label: "as won amount", question, events }))
    assert.deepStrictEqual(askBack(answers), events)
  })
})
