import { assert, describe, it } from "vitest"
import { findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { briefedName } from "../../src/core/answers/questions/reply/briefedName.ts"
import { readConversation } from "../../src/core/answers/questions/turns/conversation.ts"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans, type Plan } from "../../src/core/answers/questions/plan/plan.ts"
import { planKey } from "../../src/core/answers/reader/planKey.ts"
import { asksForDocuments } from "../../src/core/answers/subjects/documents.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"

const keyOf = (plans: ReadonlyArray<Plan>) => planKey(plans)

const slotsOf = (question: string) => parse(translate(question, WORKSPACE.names), WORKSPACE, TODAY)

const read = (question: string): string => {
  const slots = slotsOf(question)
  const plans = makePlans(slots)
  assert.deepStrictEqual([...slots.unknown, ...findUnused(slots, plans)], [], question)
  return keyOf(plans)
}

/** Questions of people who had seen no question of Sightline, beside plain ones that mean the same. */
const SAME: Readonly<Record<string, ReadonlyArray<readonly [asked: string, plain: string]>>> = {
  "groups that a word for each names": [
    ["Hospitality and Retail, number of deals in each?", "deals in Hospitality versus Retail"],
    ["How many deals do Keiko Fontaine and Ines Ilves each have?", "deals of Keiko Fontaine versus Ines Ilves"],
  ],
  "one deal of each person": [
    ["Who has the biggest open deal?", "biggest open deal by owner"],
    ["Which of our reps has the biggest open deal in the Nordics?", "biggest open deal by owner in Nordics"],
    ["Who brought in the single biggest deal?", "biggest won deal by owner"],
  ],
  "rates in percent": [
    ["DACH, Nimbrel as main competitor. What is percent of won?", "win rate in DACH with Nimbrel as main competitor"],
    ["What is the percentage of lost deals of Farah Rasmussen?", "loss rate of Farah Rasmussen"],
    ["What percent of our deals have we lost since January?", "loss rate since January"],
    ["percentage of success by feature", "win rate by feature"],
  ],
  "shares and their wholes": [
    ["How big is the share of Logistics in the money we won?", "what share of won money is Logistics?"],
    ["What share of deals in the pipeline are overdue?", "what share of open deals is overdue?"],
  ],
  periods: [
    ["wins in FY26 Q4", "wins in Q4 FY26"],
    ["wins in FY26 H1", "wins in H1 FY26"],
    ["wins in the last two quarters", "wins from 2026-05-01 to 2026-10-31"],
    ["lost amount week over week", "lost amount by week"],
    ["Q2 FY26 lost deals, quarter over quarter", "lost deals in Q2 FY26 compared to the previous period"],
    ["how did win rate develop in the last four quarters", "win rate by quarter for the last four quarters"],
    ["How did our win rate develop quarter over quarter this year?", "win rate by quarter this year"],
    ["What is the open pipeline worth today?", "open pipeline"],
    ["What did open pipeline add up to?", "open pipeline"],
  ],
  exclusions: [
    ["lost deals not in DACH or Nordics", "lost deals excluding DACH and excluding Nordics"],
    ["win rate w/o APAC", "win rate excluding APAC"],
    ["open pipeline, not counting renewals", "open pipeline excluding renewals"],
  ],
  "sides of a reason": [
    ["open deals where contract terms work for us", "open deals where contract terms speak for us"],
    ["lost deals where Total cost was held against us", "lost deals where Total cost spoke against us"],
    ["support quality: is it helping us or hurting us?", "did support quality help us more than it hurt us?"],
  ],
  "how long it takes": [
    ["Are we getting faster or slower at closing compared with last year?", "sales cycle compared with last year"],
    ["How long does it take us to win a deal?", "sales cycle of won deals"],
    ["Do Orvanta deals take longer to close than Nimbrel deals?", "sales cycle of Orvanta versus Nimbrel"],
  ],
  "periods that are still to come": [
    ["which open deals close in February", "which open deals close in February 2027"],
    ["deals due to close in Q1", "deals closing in Q1 FY28"],
    ["open deals expected to close in December", "open deals closing in December 2026"],
    ["which renewals close in December", "renewals closing in December 2026"],
    ["what lands in April", "deals closing in April 2027"],
    ["renewals that come up in March", "renewals closing in March 2027"],
    ["which deals expire in January", "deals closing in January 2027"],
    ["what is up for renewal next quarter", "open renewals closing next quarter"],
    ["Welche Verlängerungen schließen im Dezember?", "renewals closing in December 2026"],
    ["Welche Deals werden im Januar abgeschlossen?", "deals closing in January 2027"],
    ["Quels renouvellements se terminent en décembre ?", "renewals closing in December 2026"],
    ["¿Qué renovaciones vencen en diciembre?", "renewals closing in December 2026"],
    [
      "three biggest deals that could still land before the end of January",
      "3 biggest open deals closing until 2027-01-31",
    ],
    ["deals due by the end of January", "open deals closing until 2027-01-31"],
    ["deals that closed in February", "deals that closed in February 2026"],
    ["how many deals did we close in December", "How many closed deals in December 2025?"],
    ["win rate for deals closing in March", "win rate for deals closing in March 2026"],
  ],
  "what was closed": [
    ["how much did we close in October", "won revenue in October"],
    ["How many deals did we close in October?", "How many closed deals in October?"],
    ["Which three people closed the most money in FY26 Q4?", "top 3 reps by won revenue in FY26 Q4"],
  ],
  "rivals that are met": [
    ["how do we fare against Orvanta", "how do we do against Orvanta"],
    ["our record versus Nimbrel this year", "win rate against Nimbrel this year"],
    ["how often do we actually meet Nimbrel", "how many deals against Nimbrel"],
    ["open deals where Orvanta is in the mix and the close date already passed", "overdue open deals against Orvanta"],
  ],
  "calendar years": [["wins in calendar 2025", "wins in 2025"]],
  "bounds of groups": [
    ["reps with more than 3 won deals", "reps with more than 3 wins"],
    ["owners with more than 10 overdue deals", "owners with at least 11 overdue deals"],
  ],
  "numbers beside amounts": [
    [
      "How many of Farah Rasmussen's deals are overdue, and what are they worth?",
      "How many overdue deals of Farah Rasmussen?",
    ],
  ],
  "two names in one deal": [
    [
      "When Orvanta and Nimbrel are both in a deal, how often do we win?",
      "win rate in deals with both Orvanta and Nimbrel",
    ],
  ],
  "orders that follow": [
    ["win rate by region worst first", "which region has the worst win rate"],
    ["overdue deals sorted by amount descending", "largest overdue deals"],
    ["pipeline by owner, from low to high", "which owner has the lowest pipeline"],
    ["Whose deals take the longest to close?", "which owner has the longest sales cycle"],
  ],
  "ends of running periods": [
    ["open deals closing before year end", "open deals closing by the end of this year"],
    ["open deals due by the end of the quarter", "open deals closing by the end of this quarter"],
    ["pipeline for the rest of the year", "pipeline from today to the end of this year"],
    ["the largest win of all time", "the largest win"],
  ],
  "words of sales teams": [
    [
      "Renewal rate over the past four quarters, one figure per quarter",
      "renewal rate by quarter for the last four quarters",
    ],
    ["How many customers did we add in H1 FY27?", "how many new clients in H1 FY27"],
    ["How many deals pushed their close date in November?", "how many deals slipped in November"],
    ["Are we getting better at beating Nimbrel?", "win rate against Nimbrel over time"],
    ["How did Q2 FY27 go in won revenue?", "won revenue in Q2 FY27"],
    ["What will we close this quarter, roughly?", "open deals closing this quarter"],
    [
      "When is Kelbrook Hotels supposed to close and who's running it?",
      "when does the open Kelbrook Hotels deal close",
    ],
    ["win rate in DACH when Security review came up", "win rate in DACH with reason Security review"],
    ["Number of deals created in October compared to September", "deals created in October versus September"],
  ],
  "bounds and rankings": [
    ["worst month for losses", "which month had the most lost deals"],
    ["How many new biz deals are open?", "How many New business deals are open?"],
    ["averages instead of medians of deal size by region", "average deal size by region"],
  ],
}

describe("forms of strangers' questions", () => {
  for (const [what, pairs] of Object.entries(SAME))
    it.each(pairs)(`${what}: %s`, (asked, plain) => assert.strictEqual(read(asked), read(plain)))

  it.each([
    ["which competitors did we not lose to this year", "not"],
    ["won deals against Brixen Suite or without a competitor", "with and without"],
    ["share of Expansion in won amount per region", "share"],
    ["who's best and who's worst by win rate", "worst"],
    ["how long have open deals been in Negotiation", "the time in Negotiation"],
    ["deals stuck in Negotiation for more than 60 days", "the time in Negotiation"],
    ["What changed on the Kelbrook Hotels deal since last week?", "what changed"],
    ["Share of won revenue that comes from DACH, by quarter", "share"],
    ["what share of open deals is overdue by region", "share"],
    ["competitors with at least 10 lost deals by loss rate", "lost deals"],
    ["List deals in Evaluation with no movement, open for more than 90 days", "no movement"],
    ["open deals in Evaluation that entered before 2026-08-30", "entered"],
    ["Reps with a win rate above 50% and at least 10 closed deals", "least 10"],
  ])("that no report has are not read as others: %s", (question, said) => {
    const slots = slotsOf(question)
    const unread = [...slots.unknown, ...findUnused(slots, makePlans(slots))]
    assert.include(
      unread.map((each) => each.said),
      said,
    )
  })

  it.each([
    ["brief me on Orvanta in DACH", "competitor", "Orvanta", ["DACH"]],
    ["Give me the rundown on DACH Healthcare", "region", "DACH", ["Healthcare"]],
    ["tell me about Farah Rasmussen", "owner", "Farah Rasmussen", undefined],
  ] as const)("ask a brief, and narrow it: %s", (question, kind, name, within) => {
    const briefed = briefedName(question, slotsOf(question))
    assert.deepInclude(briefed, { kind, name })
    assert.deepStrictEqual(briefed?.within?.names, within)
  })

  it.each([
    ["do we have a battlecard for Brixen Suite?", true],
    ["how old is the Nimbrel battlecard, who wrote it?", true],
    ["latest call with Kelbrook Hotels", true],
    ["when did we last speak to Kelbrook Hotels?", true],
    ["What does the battlecard say about Nimbrel?", false],
    ["What was said in the last call with Kelbrook Hotels?", false],
    ["When does SAML ship according to the Kelbrook Hotels call?", false],
    ["prep me for a call with Kelbrook Hotels", false],
    ["What does Nimbrel charge?", false],
  ])("ask for documents, or not: %s", (question, expected) => assert.strictEqual(asksForDocuments(question), expected))

  it.each(["brief me on Orvanta", "brief me on Orvanta and Nimbrel", "brief me on DACH last quarter"])(
    "ask no brief of numbers alone: %s",
    (question) => assert.isUndefined(briefedName(question, slotsOf(question))),
  )

  it.each([
    ["Why do we lose to Sparrowdesk?", "only in Healthcare", "Why do we lose to Sparrowdesk in Healthcare?"],
    [
      "Why do we lose to Sparrowdesk?",
      "and only for deals over 80k",
      "Why do we lose to Sparrowdesk in deals over 80k?",
    ],
    ["Top industries by lost amount", "drop Retail", "Top industries by lost amount without Retail"],
    ["Renewals won in APAC", "How long did they take to close?", "sales cycle of renewals won in APAC"],
    ["Won revenue in Q2 FY27", "which rep contributed the most", "Which rep has the highest won revenue in Q2 FY27"],
    ["List open deals in DACH", "which of those are overdue?", "List overdue open deals in DACH"],
    ["How many open deals in DACH?", "how many of those are overdue?", "How many overdue open deals in DACH?"],
    ["Which features are most disliked?", "in lost deals only", "Which features are most disliked in lost deals?"],
    [
      "List open deals in Evaluation",
      "which of those belong to Farah Rasmussen",
      "List open deals of Farah Rasmussen in Evaluation",
    ],
    ["Product fit by competitor", "which region is lowest", "Which region has the lowest product fit?"],
    ["Won revenue in October", "vs September", "Won revenue in October vs September"],
    ["Won deals by region this quarter", "vs last quarter", "Won deals by region this quarter vs last quarter"],
    ["won deals over 200k this year", "over 300k?", "won deals over 300k this year"],
    [
      "Win rate against Nimbrel and Sparrowdesk",
      "add Orvanta",
      "Win rate against Nimbrel versus Sparrowdesk versus Orvanta",
    ],
    ["Win rate in DACH vs Nordics", "in 2025", "Win rate in DACH vs Nordics in 2025"],
    [
      "Win rate of Farah Rasmussen last quarter",
      "which of their lost deals were biggest?",
      "Biggest lost deals of Farah Rasmussen last quarter",
    ],
    ["Win rate in DACH this year", "compared to the Nordics", "Win rate this year in DACH vs Nordics"],
    ["Win rate against Orvanta in DACH", "vs Nimbrel", "Win rate against Nimbrel in DACH"],
    ["Why do we lose to Orvanta?", "the other way round: why do we win?", "Why do we win against Orvanta?"],
    ["Median deal size by region", "averages instead of medians please", "Average deal size by region"],
  ])("continue others: %s %s", (first, next, whole) => {
    const turns = [first, next].map((each) => ({ question: translate(each, WORKSPACE.names), namesRows: false }))
    const { slots } = readConversation(turns, WORKSPACE, TODAY)!
    assert.deepStrictEqual(slots.unknown, [])
    assert.strictEqual(keyOf(makePlans(slots)), keyOf(makePlans(slotsOf(whole))))
  })

  it("keep what was not understood until a name of its kind follows", () => {
    const unknownIn = (...questions: ReadonlyArray<string>) =>
      readConversation(
        questions.map((question) => ({ question, namesRows: false })),
        WORKSPACE,
        TODAY,
      )!.slots.unknown.map(({ said }) => said)
    const first = "win rate against Orvanta in Foobaria"
    assert.deepStrictEqual(unknownIn(first, "versus Nimbrel?"), ["Foobaria"])
    assert.deepStrictEqual(unknownIn(first, "in DACH"), [])
  })

  it("keep the bound of a group, with what its deals are", () => {
    const { having, outcomes } = slotsOf("reps with more than 3 won deals")
    assert.deepStrictEqual([having, outcomes], [{ of: "deals", min: 4 }, ["won"]])
    const overdue = slotsOf("owners with more than 10 overdue deals")
    assert.deepInclude(overdue.conditions, { overdue: true })
    assert.notProperty(overdue.conditions, "amount")
  })

  it("ask two names in one deal for one rate", () => {
    const [plan] = makePlans(slotsOf("win rate in deals with both Orvanta and Nimbrel"))
    assert.deepInclude(plan, { kind: "report", isCompared: false })
    assert.deepInclude(plan?.kind === "report" ? plan.query.filters : {}, { competitors_filter_type: "is all of" })
  })

  it("ask for no age of deals in the place of their time in a stage", () => {
    const turns = ["List deals in Evaluation", "how long have they been there?"]
    const { slots } = readConversation(
      turns.map((question) => ({ question, namesRows: false })),
      WORKSPACE,
      TODAY,
    )!
    assert.deepInclude(slots.unknown, { said: "the time in Evaluation", as: "other" })
  })
})
