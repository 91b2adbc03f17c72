import { assert, describe, it } from "vitest"
import { type WorkspaceNames, phrasesOf } from "../../src/core/answers/deals/names.ts"
import { writeHeadline } from "../../src/core/answers/deals/compose.ts"
import { parse } from "../../src/core/answers/deals/parse.ts"
import { describeFilters } from "../../src/core/answers/deals/wording.ts"

const NOW = new Date("2026-11-21T15:00:00Z")

const NAMES: WorkspaceNames = {
  stages: [
    { id: "s1", name: "Discovery", category: "open" },
    { id: "s2", name: "Negotiation", category: "open" },
    { id: "s3", name: "Closed Won", category: "won" },
    { id: "s4", name: "Closed Lost", category: "lost" },
    { id: "s5", name: "Disqualified", category: "lost" },
  ],
  names: [
    ...["Discovery", "Negotiation", "Closed Won", "Closed Lost", "Disqualified"].map((name, n) => ({
      kind: "stage" as const,
      value: `s${n + 1}`,
      name,
    })),
    { kind: "competitor", value: "k1", name: "Orvanta" },
    { kind: "competitor", value: "k2", name: "Calyptus One" },
    { kind: "owner", value: "o1", name: "Anna Moreau" },
    { kind: "owner", value: "o2", name: "Lars Ilves" },
    { kind: "owner", value: "o3", name: "Lars Tanaka" },
    { kind: "region", value: "EMEA", name: "EMEA" },
    { kind: "region", value: "US", name: "US" },
    { kind: "industry", value: "Retail", name: "Retail" },
    { kind: "product", value: "Quellaria Flow", name: "Quellaria Flow" },
    { kind: "deal_type", value: "Renewal", name: "Renewal" },
    { kind: "reason", value: "r1", name: "Total cost" },
    { kind: "feature", value: "f1", name: "Offline mode" },
    { kind: "client", value: "c1", name: "Abelund Logistics" },
  ],
}

const read = (question: string) => parse(question, NAMES, NOW)

describe("a question about deals", () => {
  const lost = ["Closed Lost", "Disqualified"]
  for (const [question, intent, filters, why = false] of [
    [
      "How many deals did we lose to Orvanta last quarter, and why?",
      "count",
      { status: lost, competitors: ["Orvanta"], close_date: { from: "2026-07-01", to: "2026-09-30" } },
      true,
    ],
    [
      "Which open deals above 50k does Anna own?",
      "list",
      { status: ["Discovery", "Negotiation"], owner_ids: ["o1"], amount: { min: 50_000.01 } },
    ],
    ["List lost deals in EMEA", "list", { status: lost, region: ["EMEA"] }],
    ["What is the total amount of open deals?", "sum", { status: ["Discovery", "Negotiation"] }],
    [
      "average deal size of renewals won this year",
      "average",
      { status: ["Closed Won"], deal_type: ["Renewal"], close_date: { from: "2026-01-01", to: "2026-12-31" } },
    ],
    ["What is our win rate against orvanta?", "win_rate", { competitors: ["Orvanta"] }],
    ["how many deals were created since March", "count", { created_at: { from: "2026-03-01" } }],
    [
      "How many deals did we win in Q3 2026 in retail?",
      "count",
      { status: ["Closed Won"], industry: ["Retail"], close_date: { from: "2026-07-01", to: "2026-09-30" } },
    ],
    [
      "how many deals closed in the last 30 days",
      "count",
      { status: ["Closed Won", ...lost], close_date: { from: "2026-10-22", to: "2026-11-21" } },
    ],
    [
      "show me deals between €20,000 and 40k with Calyptus One or Orvanta",
      "list",
      { amount: { min: 20_000, max: 40_000 }, competitors: ["Calyptus One", "Orvanta"] },
    ],
    [
      "how many deals against Calyptus One and Orvanta",
      "count",
      { competitors: ["Calyptus One", "Orvanta"], competitors_filter_type: "is all of" },
    ],
    [
      "How many opportunities are in Negotiation outside EMEA?",
      "count",
      { status: ["Negotiation"], region: ["EMEA"], region_filter_type: "is not" },
    ],
    [
      "top 3 deals of Abelund Logistics",
      "list",
      { crm_account_filters: [{ property: { map_to: "name" }, operator: "is", value: "Abelund Logistics" }] },
    ],
    ["top six deals in EMEA", "list", { region: ["EMEA"] }],
    ["Why do we lose deals to Orvanta?", "why", { status: lost, competitors: ["Orvanta"] }, true],
    ["how many deals did we lose because of total cost", "count", { status: lost, driver_ids: ["r1"] }],
    ["which deals asked for offline mode?", "list", { feature_ids: ["f1"] }],
    ["Lost deals in EMEA", "list", { status: lost, region: ["EMEA"] }],
    [
      "deals lost to Orvanta since June",
      "list",
      { status: lost, competitors: ["Orvanta"], close_date: { from: "2026-06-01" } },
    ],
    ["Do we have any open deals in EMEA?", "list", { status: ["Discovery", "Negotiation"], region: ["EMEA"] }],
    ["What are the top reasons for lost deals in EMEA?", "list", { status: lost, region: ["EMEA"] }, true],
    ["How often do we lose to Orvanta?", "win_rate", { competitors: ["Orvanta"] }],
    ["What's the average deal size in retail?", "average", { industry: ["Retail"] }],
    ["List the five biggest open deals", "list", { status: ["Discovery", "Negotiation"] }],
    ["How many deals mention offline mode?", "count", { feature_ids: ["f1"] }],
    ["Which lost deals were analyzed but not verified?", "list", { status: lost, analyzed: true, verified: false }],
    ["Which competitors do we lose to most?", undefined, {}],
    ["how many deals with product fit below 3", "count", { wl_product_fit_score: { max: 2.9 } }],
    ["how many deals are worth at least $1.5m", "count", { amount: { min: 1_500_000 } }],
    [
      "how much did we win between January 2026 and March 2026",
      "sum",
      { status: ["Closed Won"], close_date: { from: "2026-01-01", to: "2026-03-31" } },
    ],
    [
      "How many deals did we lose to Orvanta before 2026-02-01?",
      "count",
      { status: lost, competitors: ["Orvanta"], close_date: { to: "2026-01-31" } },
    ],
    ["How many deals in the US did they choose us?", "count", undefined],
    ["How many days does it take to close a deal?", undefined, {}],
    ["What does Orvanta charge per seat?", undefined, {}],
    ["Why did Abelund Logistics choose us over Orvanta?", undefined, {}],
    ["What is the SLA of Quellaria Flow?", undefined, {}],
    ["Which deals mention SOC 2 in calls?", undefined, {}],
  ] as ReadonlyArray<readonly [string, string | undefined, object | undefined, boolean?]>) {
    it(question, () => {
      const found = read(question)
      assert.strictEqual(found?.intent, intent)
      if (found === undefined || filters === undefined) return
      assert.deepStrictEqual(found.filters, filters as never)
      assert.strictEqual(found.wantsReasons, why)
      assert.deepStrictEqual(found.unknown, [])
    })
  }

  it("is not narrowed or widened by unknown names", () => {
    const unknown = (question: string) => read(question)?.unknown.map(({ said, as }) => [said, as])
    assert.deepStrictEqual(unknown("How many deals did we lose to Foobarsoft last quarter?"), [
      ["Foobarsoft", "competitor"],
    ])
    assert.deepStrictEqual(unknown("How many open deals does Zed own?"), [["Zed", "owner"]])
    assert.deepStrictEqual(unknown("How many deals did we lose on Mars?"), [["Mars", "other"]])
    assert.deepStrictEqual(unknown("How many deals by region?"), [])
    assert.deepStrictEqual(unknown("How many new deals?"), [["new", "other"]])
    assert.deepStrictEqual(unknown("How many deals does Lars own?"), [["Lars Ilves", "owner"]])
    assert.deepStrictEqual(unknown("How many deals that are not lost?"), [["not", "other"]])
    assert.deepStrictEqual(unknown("How many deals did we lose to our biggest competitor?"), [["biggest", "other"]])
    assert.deepStrictEqual(unknown("How many deals did we lose to Orvanta vs Calyptus One?"), [
      ["versus Calyptus One", "other"],
    ])
  })

  it("is not understood if its dates are invalid or its parts contradict each other", () => {
    for (const question of [
      "How many deals were created in the last 9999 years?",
      "How many deals were created in the last 9999 quarters?",
      "How many deals were created after December 9999?",
      "How many deals closed before 0001-01-01?",
      "How many deals closed on 0000-05-05?",
      "How many uncontested deals against Orvanta?",
    ])
      assert.isNotEmpty(read(question)?.unknown, question)
    assert.deepStrictEqual(read("How many deals closed since 0050-01-01?")?.filters.close_date, { from: "0050-01-01" })
  })

  it("finds names with any apostrophes and blanks, and ignores names without letters", () => {
    const names = ["||||", "O’Brien Labs", "Nova\u00a0Soft"].map((name, n) => ({
      kind: "competitor" as const,
      value: `n${n}`,
      name,
    }))
    const found = parse(
      "How many deals did we lose to Orvanta, O'Brien Labs or Nova Soft?",
      { ...NAMES, names: [...NAMES.names, ...names] },
      NOW,
    )
    assert.deepStrictEqual(found?.filters.competitors, ["Orvanta", "O’Brien Labs", "Nova\u00a0Soft"])
    assert.include(phrasesOf("why macy's left", 2), "macy’s")
  })

  it("shows names as text, without markup and addresses", () => {
    assert.strictEqual(
      describeFilters({ competitors: ["[Renew](https://evil.test)", "www.evil.test", "A_B*"] }, NAMES),
      "competitor \\[Renew\\], (link removed) or A\\_B\\*",
    )
  })

  it("is described as it was asked", () => {
    for (const [question, words] of [
      ["How many deals above 100k?", "amount above 100,000"],
      ["How many deals under 20k?", "amount below 20,000"],
      ["How many deals of at least 100k?", "amount from 100,000"],
      ["How many deals between 10k and 20k?", "amount from 10,000 to 20,000"],
      ["How many deals above 10k and below 20k?", "amount above 10,000 and below 20,000"],
      ["How many deals with product fit above 3?", "product fit score above 3"],
      ["How many deals with product fit of at least 3.5?", "product fit score from 3.5"],
      ["How often do we beat Orvanta?", "competitor Orvanta"],
    ] as const) {
      assert.strictEqual(describeFilters(read(question)!.filters, NAMES), words)
    }
    const asked = read("How many deals?")!
    assert.strictEqual(
      writeHeadline(asked, { count: 5, valued: 2, amount: 30 }, {}),
      "**5 deals** match, worth 30 in total (3 of them have no amount).",
    )
    assert.strictEqual(
      writeHeadline(asked, { count: 2, valued: 1, amount: 30 }, {}),
      "**2 deals** match, worth 30 in total (1 of them has no amount).",
    )
    const inEuro = { ...NAMES, currency: "EUR" }
    assert.strictEqual(
      writeHeadline(asked, { count: 2, valued: 2, amount: 1_030 }, inEuro),
      "**2 deals** match, worth 1,030 EUR in total.",
    )
    assert.strictEqual(describeFilters(read("How many deals above 50000?")!.filters, inEuro), "amount above 50,000 EUR")
  })
})
