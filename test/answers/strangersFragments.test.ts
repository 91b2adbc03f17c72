import { assert, describe, it } from "vitest"
import { asksToBeat } from "../../src/core/answers/quotes/allowed.ts"
import { findQuestions } from "../../src/core/answers/quotes/followUp.ts"
import { findParts } from "../../src/core/answers/quotes/parts.ts"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { readConversation, type Turn } from "../../src/core/answers/questions/turns/conversation.ts"
import { planKey } from "../../src/core/answers/reader/planKey.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"

const turn = (question: string): Turn => ({ question: translate(question, WORKSPACE.names), namesRows: false })

const slotsOf = (...turns: ReadonlyArray<Turn>) => readConversation(turns, WORKSPACE, TODAY)!.slots

/** The plans of a conversation's last question, and what they leave unread. */
const read = (...turns: ReadonlyArray<Turn>) => {
  const slots = slotsOf(...turns)
  const plans = makePlans(slots)
  return { key: planKey(plans), unread: [...slots.unknown, ...findUnused(slots, plans)].map(({ said }) => said) }
}

describe("fragments of a conversation", () => {
  it.each([
    [["How many deals in DACH?", "won"], "How many won deals in DACH?"],
    [["How many deals in DACH?", "won", "last quarter"], "How many won deals in DACH last quarter?"],
    [["How many deals did we win in DACH?", "amount"], "How much revenue did we win in DACH?"],
    [["Win rate in Retail", "and lost deals?"], "How many deals did we lose in Retail?"],
    [["Open pipeline in DACH", "when do they close"], "List open deals in DACH"],
  ])("keep what the question before says: %s", (turns, whole) =>
    assert.deepStrictEqual(read(...turns.map(turn)), { key: read(turn(whole)).key, unread: [] }),
  )

  it.each(["how many?", "how much", "in lost deals", "by region"])(
    "of a refused question are refused by its part: %s",
    (fragment) => {
      const refused = { ...turn("What is our NPS?"), isRefused: true as const }
      assert.include(read(refused, turn(fragment)).unread, "NPS")
      assert.include(read(refused, turn("in DACH")).unread, "NPS")
    },
  )

  it("end where a question after a refusal asks for a number of its own", () => {
    const refused = { ...turn("What is our NPS?"), isRefused: true as const }
    assert.deepStrictEqual(read(refused, turn("win rate in DACH")), read(turn("win rate in DACH")))
  })
})

/** Questions of people who had seen no question of Sightline, beside plain ones that mean the same. */
const SAME: Readonly<Record<string, ReadonlyArray<readonly [asked: string, plain: string]>>> = {
  "what competitors win as what we lose": [
    ["which competitor wins on Total cost", "lost deals by competitor because of Total cost"],
    ["which competitor won the most deals from us in Retail", "competitors with the most lost deals in Retail"],
    ["which competitor is strongest", "which competitor has the lowest win rate"],
    ["which competitor is the weakest in DACH", "which competitor has the highest win rate in DACH"],
  ],
  "deals that are to close as open": [
    ["deals closing this quarter", "open deals closing this quarter"],
    ["which deals close this month", "open deals closing this month"],
    ["deals closed this quarter", "won or lost deals closed this quarter"],
    ["win rate of deals closing this quarter", "win rate this quarter"],
  ],
  "rankings by what they are ranked by": [
    ["our #1 rep this year", "top rep by revenue this year"],
    ["worst performing industry this year", "lowest win rate by industry this year"],
    ["least common loss reason", "rarest loss reason"],
    ["top clients by revenue, just five", "top five clients by revenue"],
  ],
  "two sides of one amount": [
    ["win rate above 100k vs below", "win rate above 100k vs below 100k"],
    ["deals under 20k versus over", "deals under 20k versus over 20k"],
  ],
  "how often a reason counts among all deals": [
    ["how often do we lose because of Total cost", "how often is Total cost the reason we lost"],
  ],
  "times that are compared": [
    ["win rate last 90 days vs the 90 days before", "win rate last 90 days compared to the previous period"],
    ["Do deals with Orvanta take longer than deals with Nimbrel?", "sales cycle with Orvanta versus Nimbrel"],
    ["how many deals did we open last quarter", "how many deals were created last quarter"],
    ["Is our win rate getting better or worse?", "win rate over time"],
  ],
  "the features that are asked for": [
    ["which features do prospects ask for most", "which features are requested most"],
  ],
}

for (const [what, pairs] of Object.entries(SAME))
  describe(`questions of strangers say ${what}`, () => {
    it.each(pairs)("%s", (asked, plain) => {
      const found = read(turn(asked))
      assert.deepStrictEqual(found, { key: read(turn(plain)).key, unread: [] })
      assert.notStrictEqual(found.key, planKey([]))
    })
  })

describe("questions of strangers", () => {
  it("name nothing by the pronoun that is written in capitals", () =>
    assert.deepStrictEqual(findParts("How do I beat Nimbrel?", "Nimbrel"), []))

  it.each([
    ["win rate when we are up against the incumbent", "the incumbent"],
    ["customer lifetime value by industry", "lifetime"],
    ["lifetime value of accounts", "lifetime"],
  ])("are refused by a condition that no report has: %s", (question, said) =>
    assert.include(read(turn(question)).unread, said),
  )

  it("count the competitors of a deal", () => {
    for (const question of ["average number of competitors per deal", "how many rivals do we face in a typical deal"]) {
      const [plan] = makePlans(slotsOf(turn(question)))
      assert.deepInclude(plan, { kind: "report", measure: "competitors_avg" }, question)
    }
  })

  it("take reasons against us for what they say", () => {
    const { side } = parse("reasons against us in Education", WORKSPACE, TODAY)
    assert.strictEqual(side, "negative")
    assert.strictEqual(parse("reasons for us in Education", WORKSPACE, TODAY).side, "positive")
    assert.isUndefined(parse("what would Abelund Credit have liked", WORKSPACE, TODAY).side)
  })

  it("ask how to beat a competitor, and not how often", () => {
    const after = findQuestions(
      ["How do I beat Nimbrel?", "and Orvanta?"].map((content) => ({ role: "user", content })),
    )
    assert.deepStrictEqual(after, ["How do I beat Orvanta?"])
    for (const question of [...after, "what's the best way to win against Orvanta", "how should reps counter Nimbrel"])
      assert.isTrue(asksToBeat(question), question)
    for (const question of ["how do we do against Orvanta", "how often do we beat Nimbrel"])
      assert.isFalse(asksToBeat(question), question)
  })
})
