import { assert, describe, it } from "vitest"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { findUncounted } from "../../src/core/answers/questions/plan/account.ts"
import { makePlans, type Plan } from "../../src/core/answers/questions/plan/plan.ts"
import type { CanonicalFilters } from "../../src/core/deals/filters/filters.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"

const slotsOf = (question: string) => parse(translate(question, WORKSPACE.names), WORKSPACE, TODAY)
const filtersOf = (plan: Plan | undefined) =>
  plan?.kind === "list" ? plan.filters : plan?.kind === "report" ? plan.query.filters : undefined
const idOf = (said: string) => WORKSPACE.names.find(({ name }) => name === said)!.value
const not = (filter: string, modifier: string, ...names: ReadonlyArray<string>) => ({
  [filter]: names.map((name) => (filter === "competitors" || filter === "status" ? name : idOf(name))),
  [modifier]: "is not",
})

describe("what strangers deny", () => {
  it.each<readonly [string, CanonicalFilters]>([
    ["How many deals are not owned by Bastian Grabowski?", not("owner_ids", "owner_filter_type", "Bastian Grabowski")],
    ["How many deals don't belong to Chiara Okonjo?", not("owner_ids", "owner_filter_type", "Chiara Okonjo")],
    ["How many deals does everyone but Chiara Okonjo own?", not("owner_ids", "owner_filter_type", "Chiara Okonjo")],
    ["How many deals are neither in DACH nor in the Nordics?", not("region", "region_filter_type", "DACH", "Nordics")],
    ["Deal count for everything but APAC", not("region", "region_filter_type", "APAC")],
    ["How many deals do not include Quellaria Flow?", not("product_labels", "product_filter_type", "Quellaria Flow")],
    ["How many non-renewal deals do we have?", not("deal_type", "deal_type_filter_type", "Renewal")],
    ["How many deals have no Orvanta?", not("competitors", "competitors_filter_type", "Orvanta")],
    [
      "How many deals have neither Orvanta nor Nimbrel?",
      not("competitors", "competitors_filter_type", "Orvanta", "Nimbrel"),
    ],
    ["How many deals are there when Nimbrel didn't compete?", not("competitors", "competitors_filter_type", "Nimbrel")],
    ["Wie viele Deals außer Retail?", not("industry", "industry_filter_type", "Retail")],
    ["How many deals have no incumbent?", { incumbents_filter_type: "is empty" }],
    ["How many deals did not involve an incumbent?", { incumbents_filter_type: "is empty" }],
    ["How many deals without collaborators?", { collaborator_filter_type: "is empty" }],
    ["How many open deals are not overdue?", { outcome: ["open"], overdue: false }],
    ["How many open deals, excluding overdue ones?", { outcome: ["open"], overdue: false }],
    ["How many deals with amounts not above 20k?", { amount: { max: 20_000 } }],
    ["How many deals are not below 20k?", { amount: { min: 20_000 } }],
    ["How many deals, excluding deals under 10k?", { amount: { min: 10_000 } }],
    ["How many deals, ignoring everything over 50k?", { amount: { max: 50_000 } }],
    ["How many deals are no longer open?", { outcome: ["won", "lost"] }],
    [
      "How many open deals excluding Discovery and Proposal?",
      { ...not("status", "status_filter_type", "Discovery", "Proposal"), outcome: ["open"] },
    ],
    [
      "Pipeline excluding Discovery and Proposal",
      { ...not("status", "status_filter_type", "Discovery", "Proposal"), outcome: ["open"] },
    ],
  ])("is excluded: %s", (question, filters) => {
    const slots = slotsOf(question)
    assert.deepStrictEqual(slots.unknown, [])
    assert.deepStrictEqual(filtersOf(makePlans(slots)[0]), filters)
  })

  it.each([
    "Are there no DACH deals?",
    "Which deals are not only in DACH?",
    "How many deals are not exactly renewals?",
  ])("is refused if nothing reads the denial: %s", (question) => assert.isNotEmpty(slotsOf(question).unknown))

  it("refuses the losses to anyone but one competitor, which a filter without it does not have", () => {
    const { unknown } = slotsOf("How many deals did we lose to anyone except Tallowmark?")
    assert.deepStrictEqual(
      unknown.map(({ said, as }) => [said, as]),
      [["to anyone except", "unfit"]],
    )
  })

  it("leaves out rows by naming the others", () => {
    const question = "Win rate by competitor except Orvanta"
    assert.isEmpty(findUncounted(question, makePlans(slotsOf(question))))
  })

  it("is a part of the question that no plan without an exclusion accounts for", () => {
    const plain = makePlans(slotsOf("How many deals are in DACH?"))
    const outside = makePlans(slotsOf("How many deals are outside DACH?"))
    for (const said of ["not", "neither", "excluding", "outside", "everything but"]) {
      assert.include(JSON.stringify(findUncounted(`How many deals are ${said} DACH?`, plain)), said)
      assert.isEmpty(findUncounted(`How many deals are ${said} DACH?`, outside))
    }
    assert.isEmpty(findUncounted("Not sure: how many deals are in DACH?", plain))
  })
})

describe("two names of a deal", () => {
  it.each([
    ["How many deals with Flow and Ledger together?", "is all of"],
    ["How many deals do we have with Flow together with Ledger?", "is all of"],
    ["How many deals with Flow and Ledger taken together?", undefined],
    ["Revenue of Flow and Ledger together", undefined],
  ])("are in one deal, or added up: %s", (question, modifier) => {
    const slots = slotsOf(question)
    assert.deepStrictEqual(slots.unknown, [])
    const filters = filtersOf(makePlans(slots)[0])
    assert.deepStrictEqual(filters?.product_labels, [idOf("Quellaria Flow"), idOf("Quellaria Ledger")])
    assert.strictEqual(filters?.product_filter_type, modifier)
  })
})
