import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { putInEnglish, translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { predictor } from "../../src/core/answers/reader/predictor.ts"
import { readAgain } from "../../src/core/answers/reader/readAgain.ts"
import { TODAY as VOICES_TODAY, WORKSPACE } from "../../training/workspace.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const read = (question: string) => parse(translate(question, NAMES.names), NAMES, TODAY)

const SLIPPED = { slipped_from_filter_type: "is not empty" }
const LAST_QUARTER = { from: "2026-07-01", to: "2026-09-30" }
const orvanta = { competitors: ["Orvanta"] }

/** The measure, groups, order and filters of the report that answers. */
const REPORTS: Readonly<
  Record<string, readonly [measure: string, by: ReadonlyArray<string>, filters: object, order?: string]>
> = {
  "how many in DACH and how many in the Nordics did we win?": [
    "deals",
    ["region"],
    { outcome: ["won"], region: ["region_1", "region_2"] },
    "-deals",
  ],
  "losses to Orvanta and those to Nimbrel": [
    "deals",
    ["competitor"],
    { outcome: ["lost"], competitors: ["Orvanta", "Nimbrel"] },
    "-deals",
  ],
  "losses in DACH against those in the Nordics": [
    "deals",
    ["region"],
    { outcome: ["lost"], region: ["region_1", "region_2"] },
    "-deals",
  ],
  "lost € by competitor": ["amount", ["competitor"], { outcome: ["lost"] }, "-amount"],
  "how many deals by customer segment": ["deals", ["segment"], {}, "-deals"],
  "how many deals are there, open or closed?": ["deals", [], {}],
  "whats our winrate vs orvanta": ["win_rate", [], orvanta],
  "what did we book last quarter?": ["amount", [], { outcome: ["won"], close_date: LAST_QUARTER }],
  "how much did Anna Moreau sell last quarter": [
    "amount",
    [],
    { owner_ids: ["owner_1"], outcome: ["won"], close_date: LAST_QUARTER },
  ],
  "who's eating our lunch": ["deals", ["competitor"], { outcome: ["lost"] }, "-deals"],
  "how many deals did Orvanta win last quarter": [
    "deals",
    [],
    { ...orvanta, outcome: ["lost"], close_date: LAST_QUARTER },
  ],
  "who do we beat most?": ["deals", ["competitor"], { outcome: ["won"] }, "-deals"],
  "which competitor is the hardest to beat?": ["win_rate", ["competitor"], {}, "win_rate"],
  "Which two regions lost us the most money?": ["amount", ["region"], { outcome: ["lost"] }, "-amount"],
  "win rate by value rather than by number of deals": ["win_rate_by_amount", [], {}],
  "what percentage of renewals do we actually win": ["win_rate", [], { deal_type: ["deal_type_1"] }],
  "what fraction of renewals end up with us?": ["win_rate", [], { deal_type: ["deal_type_1"] }],
  "how many deals ended up with us last quarter": ["deals", [], { outcome: ["won"], close_date: LAST_QUARTER }],
  "how many retail deals end up lost": ["deals", [], { industry: ["industry_1"], outcome: ["lost"] }],
  "how many sales people work here?": ["deals", ["owner"], { owner_filter_type: "is not empty" }, "-deals"],
  "hit rate where Orvanta is the incumbent": ["win_rate", [], { incumbents: ["Orvanta"] }],
  "win rate when nobody competes with us": ["win_rate", [], { competitors_filter_type: "is empty" }],
  "how many live opps have Orvanta in them?": ["deals", [], { ...orvanta, outcome: ["open"] }],
  "how many six-figure deals did we lose": ["deals", [], { outcome: ["lost"], amount: { min: 100_000, max: 999_999 } }],
  "how many deals north of 50k are open": ["deals", [], { outcome: ["open"], amount: { min: 50_000.01 } }],
  "how many deals carry no amount?": ["deals", [], { amount_filter_type: "is empty" }],
  "how many open deals have no close date?": ["deals", [], { outcome: ["open"], close_date_filter_type: "is empty" }],
  "how many open deals are past their close date by more than 30 days": [
    "deals",
    [],
    { outcome: ["open"], overdue: true, close_date: { to: "2026-10-21" } },
  ],
  "how many new logos last quarter": ["new_clients", [], { close_date: LAST_QUARTER }],
  "How many new clients did we win last quarter?": ["new_clients", [], { close_date: LAST_QUARTER }],
  "new logos by region": ["new_clients", ["region"], {}, "-new_clients"],
  "new customers that we signed against Orvanta": ["new_clients", [], orvanta],
  "Wie viele Neukunden haben wir im letzten Quartal gewonnen?": [
    "new_clients",
    [],
    { outcome: ["won"], close_date: LAST_QUARTER },
  ],
  "which new customers did we win last quarter?": [
    "deals",
    ["client"],
    { first_won: true, close_date: LAST_QUARTER },
    "-deals",
  ],
  "how many deals entered Negotiation last quarter?": [
    "stage_entered",
    [],
    { entered_stages: ["Negotiation"], stage_changed_at: LAST_QUARTER },
  ],
  "how many deals have reached Negotiation": ["stage_entered", [], { entered_stages: ["Negotiation"] }],
  "how many deals left Negotiation last quarter by region": [
    "stage_left",
    ["region"],
    { left_stages: ["Negotiation"], stage_changed_at: LAST_QUARTER },
    "-stage_left",
  ],
  "how many deals entered each stage last quarter": [
    "stage_entered",
    ["status"],
    { stage_changed_at: LAST_QUARTER },
    "-stage_entered",
  ],
  "how many deals slipped last quarter?": ["deals", [], { ...SLIPPED, slipped_from: LAST_QUARTER }],
  "how many deals have slipped out of last quarter by region": [
    "deals",
    ["region"],
    { ...SLIPPED, slipped_from: LAST_QUARTER },
    "-deals",
  ],
  "what is the total amount of deals that slipped by owner": ["amount", ["owner"], SLIPPED, "-amount"],
  "how many slipped deals did we win": ["deals", [], { ...SLIPPED, outcome: ["won"] }],
  "how many open deals slipped past their close date": ["deals", [], { outcome: ["open"], overdue: true }],
  "top feature requests in lost deals": [
    "mentions",
    ["feature"],
    { outcome: ["lost"], feature_ids_filter_type: "is not empty" },
    "-mentions",
  ],
  "break the open pipeline down by region": ["amount", ["region"], { outcome: ["open"] }, "-amount"],
  "revenue in the last half": [
    "amount",
    [],
    { outcome: ["won"], close_date: { from: "2026-01-01", to: "2026-06-30" } },
  ],
  "how many open deals are due in the next 30 days": [
    "deals",
    [],
    { outcome: ["open"], close_date: { from: "2026-11-21", to: "2026-12-21" } },
  ],
  "how many deals did we lose between 1 March and 30 April 2025": [
    "deals",
    [],
    { outcome: ["lost"], close_date: { from: "2025-03-01", to: "2025-04-30" } },
  ],
  "win rate of deals in which offline mode came up": ["win_rate", [], { feature_ids: ["feature_1"] }],
  "revenue since the start of the year": ["amount", [], { outcome: ["won"], close_date: { from: "2026-01-01" } }],
  "who lost the most money last quarter? top five reps": [
    "amount",
    ["owner"],
    { outcome: ["lost"], close_date: LAST_QUARTER, owner_filter_type: "is not empty" },
    "-amount",
  ],
  "who closed deals in DACH?": ["deals", ["owner"], { region: ["region_1"], outcome: ["won", "lost"] }],
  "in how many lost deals did single sign-on come up negatively?": [
    "deals",
    [],
    { outcome: ["lost"], feature_ids: ["feature_2"], feature_sentiment: ["negative"] },
  ],
  "which features do prospects complain about most?": [
    "negative",
    ["feature"],
    { feature_ids_filter_type: "is not empty" },
    "-negative",
  ],
  "did total cost help us more than it hurt us? deals for both": [
    "deals",
    ["driver_effect"],
    { driver_ids: ["reason_1"] },
  ],
  "deals lost against Orvanta and Nimbrel together, total amount": [
    "amount",
    [],
    { competitors: ["Orvanta", "Nimbrel"], outcome: ["lost"] },
  ],
  "average champion strength, won against lost": [
    "custom_metric_Champion strength_avg",
    ["outcome"],
    { outcome: ["won", "lost"] },
  ],
  "is our win rate in DACH going up or down?": ["win_rate", ["close_date.quarter"], { region: ["region_1"] }],
  "has our win rate against Orvanta improved since March?": [
    "win_rate",
    ["close_date.month"],
    { ...orvanta, close_date: { from: "2026-03-01" } },
  ],
  "when did we lose the most deals?": ["deals", ["close_date.month"], { outcome: ["lost"] }, "-deals"],
  "biggest deal in each region": ["amount_max", ["region"], {}, "-amount_max"],
  "difference in win rate between DACH and Nordics": ["win_rate", ["region"], { region: ["region_1", "region_2"] }],
  "how many open deals are older than half a year": ["deals", [], { outcome: ["open"], open_days: { min: 181 } }],
  "number of different customers that turned us down": ["clients", [], { outcome: ["lost"] }],
  "how many deals did we win with Orvanta but without Nimbrel": [
    "deals",
    [],
    { ...orvanta, outcome: ["won"], and: [{ competitors: ["Nimbrel"], competitors_filter_type: "is not" }] },
  ],
}

describe("how people in sales ask", () => {
  for (const [question, [measure, by, filters, order]] of Object.entries(REPORTS))
    it(question, () => {
      const slots = read(question)
      assert.deepStrictEqual(slots.unknown, [])
      const [plan] = makePlans(slots)
      if (plan?.kind !== "report") return assert.fail(`the plan is a ${plan?.kind}`)
      assert.strictEqual(plan.query.measures[0], measure)
      assert.deepStrictEqual(plan.query.groupBy, by)
      const { region_filter_type: _, competitors_filter_type: present, ...rest } = plan.query.filters
      assert.deepStrictEqual(
        present === "is not empty" ? rest : { ...rest, ...(present && { competitors_filter_type: present }) },
        filters,
      )
      if (order !== undefined) assert.strictEqual(plan.query.orderBy, order)
    })
})

describe("a verb that only links", () => {
  it.effect("the network reads a question without it, and does not contradict", () =>
    Effect.gen(function* () {
      const predict = yield* predictor
      for (const question of [
        "How many sales people work here?",
        "What fraction of deals end up with us?",
        "How many deals ended up with us?",
      ]) {
        const slots = parse(translate(question, WORKSPACE.names), WORKSPACE, VOICES_TODAY)
        const grammar = { slots, plans: makePlans(slots), isRead: true }
        const second = readAgain([putInEnglish(question, WORKSPACE.names)], grammar, WORKSPACE, VOICES_TODAY, predict)
        assert.deepStrictEqual(second, { kind: "stands" }, question)
      }
    }),
  )
})

describe("a question whose parts no report combines", () => {
  for (const [question, said] of [
    ["average revenue per customer", "average … per client"],
    ["win rate in Negotiation", "Negotiation"],
    ["quickest deal we ever won", "quickest"],
    ["win rate with and without Orvanta", "with and without"],
    ["what did we book last quarter in Wonderland", "Wonderland"],
    ["my open deals", "my"],
    ["win rate of deals that are done", "done"],
    ["what will our revenue be next year", "2027-01-01 and later"],
    ["what share of offline mode mentions are positive", "share"],
    ["which deals will close", "will close"],
    ["how many customers does Orvanta have", "Orvanta"],
    ["Orvanta's revenue", "Orvanta"],
    ["whose win rate improved the most this year?", "improved the most"],
    ["monthly average of won deals", "monthly average"],
    ["time from Negotiation to close", "the time in Negotiation"],
  ] as const)
    it(`names what is in the way: ${question}`, () =>
      assert.include(
        read(question).unknown.map((each) => each.said),
        said,
      ))
})
