import { assert, describe, it } from "vitest"
import { findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { Effort } from "../../src/core/answers/questions/names/Effort.ts"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { explainUnknown } from "../../src/core/answers/questions/reply/refusal.ts"
import { planKey } from "../../src/core/answers/reader/planKey.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"

const readAll = (question: string) => {
  const slots = parse(translate(question, WORKSPACE.names), WORKSPACE, TODAY)
  const plans = makePlans(slots)
  return { plans, unread: [...slots.unknown, ...findUnused(slots, plans)].map(({ said }) => said) }
}

const read = (question: string): string => {
  const { plans, unread } = readAll(question)
  assert.deepStrictEqual(unread, [], question)
  return planKey(plans)
}

/** Questions of people in a hurry or in a second language, beside plain ones that mean the same. */
const SAME: Readonly<Record<string, ReadonlyArray<readonly [asked: string, plain: string]>>> = {
  "rates in percent": [
    ["What percentage of deals are we winning in Energy?", "win rate in Energy"],
    ["How much percents of deals are we winning in Energy?", "win rate in Energy"],
    ["what % of renewals are we losing in DACH", "loss rate of renewals in DACH"],
    ["Are we winning more or less often than last year?", "win rate compared to last year"],
    ["Are we losing more often than last quarter?", "loss rate compared to last quarter"],
  ],
  "shares of the deals in a place": [
    ["what percentage of deals are overdue in DACH", "what percentage of deals in DACH are overdue"],
    ["what share of deals is open in Energy", "what share of deals in Energy is open"],
    ["what fraction of deals we lost were in Energy", "what fraction of lost deals were in Energy"],
    ["what share of deals won are from DACH", "what share of won deals are from DACH"],
  ],
  "weights and categories": [
    ["pipeline for next quarter, weighted by probability", "weighted pipeline for next quarter"],
    ["What is total pipeline value, weighted by likelihood?", "weighted pipeline"],
    ["share of lost deals per loss reason category", "share of lost deals per reason category"],
  ],
  "periods that are compared": [
    ["renewal rate this fiscal year versus the last one?", "renewal rate this year versus last year"],
    ["Bookings in H1 versus the same half last year", "bookings in H1 compared to last year"],
  ],
  "ends of months": [
    ["open deals closing before the end of January", "open deals closing by the end of January"],
    [
      "the three biggest deals that could still land before the end of January",
      "top three open deals closing by end of January",
    ],
  ],
  "bounds in other words": [
    ["I want see the deals bigger as 150 thousand euro what are open", "open deals above 150000"],
    ["open deals until 20000 euro", "open deals up to 20000"],
    ["Which five deals make up most of the amount we lost in October 2026?", "top five deals we lost in October 2026"],
  ],
  rivals: [
    ["How many opportunities did not involve any competitor?", "How many deals without a competitor?"],
    [
      "lost deals where Nimbrel and Orvanta were both in the running",
      "lost deals with both Nimbrel and Orvanta in one deal",
    ],
    ["Head to head with Sparrowdesk in APAC: wins and losses", "win rate against Sparrowdesk in APAC"],
    ["Why we are losing always against Tallowmark?", "Why do we lose against Tallowmark?"],
    ["Why do we keep losing to Nimbrel?", "Why do we lose to Nimbrel?"],
  ],
  "verbs of other teams": [
    ["Which lead source produces the best win rate?", "Which lead source has the best win rate?"],
    ["How many deals were pushed out to a later quarter?", "How many deals slipped?"],
    ["How many customers did we sign for the first time this year?", "How many new clients this year?"],
    ["Where in the world are we weakest?", "Which region has the lowest win rate?"],
    ["Do we win bigger deals or smaller ones?", "average deal size of won versus lost deals"],
    ["wich deals does keiko fontaine hav open", "open deals of Keiko Fontaine"],
    [
      "Make me please list of deals where we were losing because Security review",
      "list of deals lost over Security review",
    ],
  ],
}

describe("plain forms", () => {
  for (const [what, pairs] of Object.entries(SAME))
    it.each(pairs)(`${what}: %s`, (asked, plain) => assert.strictEqual(read(asked), read(plain)))

  // The losses to no decision have a number and no amount; each deal has one type and one outcome.
  it.each([
    ["How much revenue did we lose to no decision?", "no decision"],
    ["how much money did we lose to no decision this year", "no decision"],
    ["Which accounts have both an open renewal and an open expansion?", "both"],
    ["which reps have both won and lost against Nimbrel", "both"],
    ["clients with both won and lost deals this year", "both"],
    ["accounts with an open deal and a lost deal", "an open deal and a lost deal"],
  ])("that no report has are not read as others: %s", (question, said) =>
    assert.include(readAll(question).unread, said),
  )

  it.each(["How many deals did we lose to no decision?", "win rate by owner for both renewals and expansions"])(
    "with the same words are read: %s",
    (question) => assert.deepStrictEqual(readAll(question).unread, []),
  )

  it("are offered the name that has the unknown word in it", () => {
    const question = "What is our pipeline in the UK?"
    const { unknown } = parse(question, WORKSPACE, TODAY)
    const text = explainUnknown(question, unknown, WORKSPACE, TODAY, new Effort())
    assert.match(text, /there are the regions UK and Ireland, APAC/)
    assert.include(text, "- What is our pipeline in UK and Ireland?")
  })
})
