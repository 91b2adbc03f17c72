import { assert, describe, it } from "vitest"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const YEAR = { from: "2026-01-01", to: "2026-12-31" }
const LAST_YEAR = { from: "2025-01-01", to: "2025-12-31" }
const LAST_QUARTER = { from: "2026-07-01", to: "2026-09-30" }

/** The expected fields of a plan; others are not compared. */
interface Expected {
  readonly kind?: string
  readonly source?: string
  /** The first measure. */
  readonly measure?: string
  readonly by?: ReadonlyArray<string>
  readonly filters?: object
  readonly order?: string
  readonly limit?: number
  readonly compare?: string
  readonly having?: object
  readonly whole?: object
  readonly part?: object
  readonly periods?: ReadonlyArray<object>
  readonly sort?: string
  readonly countsGroups?: boolean
}

const CASES: Readonly<Record<string, ReadonlyArray<readonly [question: string, Expected]>>> = {
  "one number": [
    [
      "How many deals did we lose to Orvanta last quarter?",
      { measure: "deals", filters: { outcome: ["lost"], competitors: ["Orvanta"], close_date: LAST_QUARTER } },
    ],
    ["total pipeline value", { measure: "amount", filters: { outcome: ["open"] } }],
    [
      "ARR won in Q2",
      { measure: "amount", filters: { outcome: ["won"], close_date: { from: "2026-04-01", to: "2026-06-30" } } },
    ],
    [
      "bookings YTD",
      { measure: "amount", filters: { outcome: ["won"], close_date: { from: "2026-01-01", to: "2026-11-21" } } },
    ],
    ["avg deal size in retail", { measure: "amount_avg", filters: { industry: ["industry_1"] } }],
    ["median amount of won deals", { measure: "amount_median", filters: { outcome: ["won"] } }],
    ["What is our win rate against orvanta?", { measure: "win_rate", filters: { competitors: ["Orvanta"] } }],
    ["hit rate on renewals", { measure: "win_rate", filters: { deal_type: ["deal_type_1"] } }],
    ["ratio of won to lost", { measure: "win_rate", filters: {} }],
    ["How often do we lose to Orvanta?", { measure: "loss_rate", filters: { competitors: ["Orvanta"] } }],
    ["How many days does it take to close a deal?", { measure: "cycle_days_median", filters: {} }],
    ["what is our average sales cycle for won deals", { measure: "cycle_days_avg", filters: { outcome: ["won"] } }],
    ["how old are our open deals on average", { measure: "age_days_avg", filters: { outcome: ["open"] } }],
    ["how many deals are overdue", { measure: "deals", filters: { overdue: true } }],
    ["how many deals have been open for more than 90 days", { measure: "deals", filters: { open_days: { min: 91 } } }],
    [
      "average product fit against Orvanta",
      { measure: "wl_product_fit_score_avg", filters: { competitors: ["Orvanta"] } },
    ],
    ["average champion strength", { measure: "custom_metric_Champion strength_avg", filters: {} }],
    [
      "how many customers did we win this year",
      { measure: "clients", filters: { outcome: ["won"], close_date: YEAR } },
    ],
    ["how many deals mention offline mode", { measure: "deals", filters: { feature_ids: ["feature_1"] } }],
    [
      "how often was single sign-on requested?",
      { source: "associations", measure: "mentions", filters: { feature_ids: ["feature_2"] } },
    ],
    ["how many deals without an owner", { measure: "deals", filters: { owner_filter_type: "is empty" } }],
    ["How many deals that are not lost?", { measure: "deals", filters: { outcome: ["open", "won"] } }],
    [
      "how much pipeline closes next month",
      { measure: "amount", filters: { outcome: ["open"], close_date: { from: "2026-12-01", to: "2026-12-31" } } },
    ],
  ],
  groups: [
    ["what's our win rate by competitor", { measure: "win_rate", by: ["competitor"], order: "-win_rate" }],
    ["pipeline by stage", { measure: "amount", by: ["status"], filters: { outcome: ["open"] } }],
    ["give me the pipeline split by rep and stage", { measure: "amount", by: ["owner", "status"] }],
    ["number of deals for each region", { measure: "deals", by: ["region"] }],
    ["win rate by deal size", { measure: "win_rate", by: ["amount_band"] }],
    ["win rate and average deal size by rep", { measure: "win_rate", by: ["owner"] }],
    [
      "how many deals did we win and lose this year",
      { measure: "deals", by: ["outcome"], filters: { outcome: ["won", "lost"], close_date: YEAR } },
    ],
    [
      "features by lost amount",
      { source: "deals", measure: "amount", by: ["feature"], filters: { outcome: ["lost"] } },
    ],
    ["how many competitors do we face?", { by: ["competitor"], countsGroups: true }],
    ["win rate by industry with at least 10 deals", { by: ["industry"], having: { decided: { min: 10 } } }],
    ["which customers have more than 3 deals", { by: ["client"], having: { deals: { min: 4 } } }],
    ["which reps are below 30% win rate", { by: ["owner"], having: { win_rate: { max: 0.3 - 1e-7 } } }],
  ],
  rankings: [
    [
      "which competitor do we lose to most",
      { measure: "deals", by: ["competitor"], order: "-deals", filters: { outcome: ["lost"] } },
    ],
    ["who do we lose to the most?", { measure: "deals", by: ["competitor"], filters: { outcome: ["lost"] } }],
    ["which competitor beats us most?", { measure: "deals", by: ["competitor"], filters: { outcome: ["lost"] } }],
    [
      "top 5 reps by revenue this year",
      { measure: "amount", by: ["owner"], limit: 5, filters: { outcome: ["won"], close_date: YEAR } },
    ],
    [
      "who is our best rep?",
      { measure: "win_rate", by: ["owner"], order: "-win_rate", having: { decided: { min: 5 } } },
    ],
    ["worst region by win rate", { measure: "win_rate", by: ["region"], order: "win_rate" }],
    ["slowest region to close", { measure: "cycle_days_median", by: ["region"], order: "-cycle_days_median" }],
    [
      "which rep has the fewest overdue deals",
      { measure: "deals", by: ["owner"], order: "deals", filters: { overdue: true } },
    ],
    [
      "who closed the most revenue this year",
      { measure: "amount", by: ["owner"], filters: { outcome: ["won"], close_date: YEAR } },
    ],
    [
      "what was our best quarter",
      { measure: "amount", by: ["close_date.quarter"], order: "-amount", filters: { outcome: ["won"] } },
    ],
    ["what do customers ask for most", { source: "associations", measure: "mentions", by: ["feature"] }],
    ["which features are mentioned most negatively", { source: "associations", measure: "negative", by: ["feature"] }],
  ],
  comparisons: [
    [
      "win rate Orvanta vs Nimbrel",
      { measure: "win_rate", by: ["competitor"], filters: { competitors: ["Orvanta", "Nimbrel"] } },
    ],
    [
      "do we win more against Orvanta or Calyptus One?",
      { measure: "deals", by: ["competitor"], filters: { outcome: ["won"], competitors: ["Orvanta", "Calyptus One"] } },
    ],
    ["compare DACH and Nordics", { by: ["region"], filters: { region: ["region_1", "region_2"] } }],
    [
      "how many deals has Anna won versus Lars Ilves",
      { by: ["owner"], filters: { outcome: ["won"], owner_ids: ["owner_1", "owner_2"] } },
    ],
    ["average time to close for lost deals vs won deals", { measure: "cycle_days_avg", by: ["outcome"] }],
    [
      "did we win more deals than last year?",
      { measure: "deals", compare: "previous_year", filters: { outcome: ["won"], close_date: YEAR } },
    ],
    ["win rate this quarter vs last quarter", { measure: "win_rate", compare: "previous_period" }],
    ["revenue year over year", { measure: "amount", by: ["close_date.year"] }],
    [
      "are we winning more than we used to",
      {
        compare: "previous_period",
        filters: { outcome: ["won"], close_date: { from: "2025-11-01", to: "2026-10-31" } },
      },
    ],
    [
      "revenue by region in 2025 vs 2026",
      { kind: "periods", measure: "amount", by: ["region"], periods: [LAST_YEAR, YEAR] },
    ],
    [
      "how did we do in Q3 compared to Q2?",
      { kind: "periods", measure: "win_rate", periods: [LAST_QUARTER, { from: "2026-04-01", to: "2026-06-30" }] },
    ],
  ],
  trends: [
    ["how has our win rate changed over time", { measure: "win_rate", by: ["close_date.quarter"] }],
    ["is our sales cycle getting longer?", { measure: "cycle_days_median", by: ["close_date.quarter"] }],
    ["monthly revenue", { measure: "amount", by: ["close_date.month"] }],
    ["deals created per month", { measure: "deals", by: ["created_at.month"] }],
    ["win rate by competitor by quarter", { by: ["close_date.quarter", "competitor"] }],
  ],
  shares: [
    ["what share of deals involve Orvanta", { kind: "share", measure: "deals", whole: {} }],
    ["what percentage of our pipeline is in DACH", { kind: "share", measure: "amount", whole: { outcome: ["open"] } }],
    ["what percentage of won deals had Orvanta", { kind: "share", measure: "deals", whole: { outcome: ["won"] } }],
    ["what fraction of open deals are overdue", { kind: "share", measure: "deals", whole: { outcome: ["open"] } }],
    [
      "share of lost deals by competitor",
      { measure: "share_of_deals", by: ["competitor"], filters: { outcome: ["lost"] } },
    ],
  ],
  reasons: [
    ["why do we lose", { by: ["driver"], filters: { outcome: ["lost"], driver_effect: ["negative"] } }],
    ["what do we lose on", { by: ["driver"], filters: { outcome: ["lost"], driver_effect: ["negative"] } }],
    ["reasons we win", { by: ["driver"], filters: { outcome: ["won"], driver_effect: ["positive"] } }],
    [
      "top 3 loss reasons in DACH this year",
      {
        by: ["driver"],
        limit: 3,
        filters: { region: ["region_1"], outcome: ["lost"], close_date: YEAR, driver_effect: ["negative"] },
      },
    ],
    [
      "what spoke against us against Nimbrel",
      { by: ["driver"], filters: { competitors: ["Nimbrel"], driver_effect: ["negative"] } },
    ],
  ],
  lists: [
    ["biggest deal", { kind: "list", sort: "amount", limit: 1, filters: {} }],
    ["List the five biggest open deals", { kind: "list", sort: "amount", limit: 5, filters: { outcome: ["open"] } }],
    [
      "Which open deals above 50k does Anna own?",
      { kind: "list", filters: { owner_ids: ["owner_1"], outcome: ["open"], amount: { min: 50_000.01 } } },
    ],
    ["which deals are overdue", { kind: "list", filters: { overdue: true } }],
    ["last 5 deals we lost", { kind: "list", sort: "close_date", limit: 5, filters: { outcome: ["lost"] } }],
    [
      "deals lost to Orvanta since June",
      { kind: "list", filters: { outcome: ["lost"], competitors: ["Orvanta"], close_date: { from: "2026-06-01" } } },
    ],
    [
      "what is closing this month",
      { kind: "list", filters: { outcome: ["open"], close_date: { from: "2026-11-01", to: "2026-11-30" } } },
    ],
    ["top 3 deals of Abelund Logistics", { kind: "list", limit: 3, filters: { client_ids: ["client_1"] } }],
    [
      "lost deals in DACH or Nordics not against Orvanta above 50k",
      {
        kind: "list",
        filters: {
          region: ["region_1", "region_2"],
          competitors: ["Orvanta"],
          competitors_filter_type: "is not",
          outcome: ["lost"],
          amount: { min: 50_000.01 },
        },
      },
    ],
    [
      "open amount with forecast category Commit",
      {
        measure: "amount",
        filters: {
          outcome: ["open"],
          crm_filters: [{ property: "forecast_category", operator: "is", value: "Commit" }],
        },
      },
    ],
    ["lost deals by forecast category", { by: ["crm_forecast_category"], filters: { outcome: ["lost"] } }],
    ["which feature is tagged blocker the most?", { source: "associations", measure: "mentions", by: ["feature"] }],
    [
      "what percentage of decided deals do we win?",
      { kind: "share", part: { outcome: ["won"] }, whole: { outcome: ["won", "lost"] } },
    ],
    ["list our wins in DACH", { kind: "list", filters: { region: ["region_1"], outcome: ["won"] } }],
    [
      "deals against Calyptus One and Orvanta",
      { kind: "list", filters: { competitors: ["Calyptus One", "Orvanta"], competitors_filter_type: "is all of" } },
    ],
  ],
}

for (const [topic, cases] of Object.entries(CASES)) {
  describe(`a question about ${topic}`, () => {
    for (const [question, expected] of cases) {
      it(question, () => {
        const slots = parse(question, NAMES, TODAY)
        assert.deepStrictEqual(slots.unknown, [])
        const [plan] = makePlans(slots)
        assert.isDefined(plan)
        const found: Record<string, unknown> = {
          ...plan,
          ...("query" in plan! && {
            filters: Object.fromEntries(
              Object.entries(plan.query.filters).filter(([, value]) => value !== "is not empty"),
            ),
            by: plan.query.groupBy,
            order: plan.query.orderBy,
            limit: plan.query.limit,
            compare: plan.query.compare,
            having: plan.query.having,
          }),
        }
        for (const [name, value] of Object.entries(expected)) assert.deepStrictEqual(found[name], value, name)
        if (expected.compare === undefined) assert.isUndefined(found["compare"])
        if (expected.by === undefined && "query" in plan!) assert.deepStrictEqual(found["by"], [])
      })
    }
  })
}

describe("a question that is no question about numbers", () => {
  for (const question of [
    "What does Orvanta charge per seat?",
    "What is the SLA of Quellaria Flow?",
    "Which deals mention SOC 2 in calls?",
    "How many seats does Orvanta require?",
  ])
    it(question, () => {
      const slots = parse(question, NAMES, TODAY)
      assert.isTrue(slots.unknown.length > 0 || makePlans(slots).length === 0)
    })
})
