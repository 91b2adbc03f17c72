import { assert, describe, it } from "vitest"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import type { Property } from "../../src/core/answers/questions/words/properties.ts"
import { describeFilters } from "../../src/core/answers/questions/reply/wording.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const property = (rest: Pick<Property, "id" | "labels"> & Partial<Property>): Property => ({
  crm: "crm_one",
  object: "deal",
  type: "text",
  values: [],
  alone: [],
  ...rest,
})
const both = (...values: ReadonlyArray<string>) => ({ values, alone: values })

const names = {
  ...NAMES,
  properties: [
    property({ id: "lead_source", labels: ["lead source"], ...both("Inbound", "Partner", "Best case") }),
    property({ id: "forecast_category", labels: ["forecast category"], values: ["Pipeline"] }),
    property({ id: "security_review", labels: ["security review"], type: "boolean" }),
    property({ id: "account_tier", labels: ["tier", "account tier"], object: "account", ...both("Strategic") }),
    property({ id: "employee_count", labels: ["employee count"], object: "account", type: "number" }),
  ],
}

const read = (question: string) => {
  const { conditions, groups, unknown } = parse(question, names, TODAY)
  assert.deepStrictEqual(unknown, [], question)
  return { filter: describeFilters(conditions, names), groups }
}

describe("a CRM property", () => {
  for (const [question, filter] of [
    ["revenue from inbound leads", "lead source Inbound"],
    ["win rate of partner-sourced deals", "lead source Partner"],
    ["won deals from partners", "lead source Partner"],
    ["open deals with lead source Partner", "lead source Partner"],
    ["lost deals not from Inbound", "lead source not Inbound"],
    ["open best case deals above 50k", "amount above 50,000, lead source Best case"],
    ["open deals with a security review", "security review yes"],
    ["won deals without a security review", "security review no"],
    ["won deals where the security review is not done", "security review no"],
    ["win rate for Strategic tier accounts", "account tier Strategic"],
    ["open deals with accounts of more than 1,000 employees", "employee count above 1,000"],
    ["lost deals with employee count at most 50", "employee count at most 50"],
  ] as const)
    it(`filters: ${question}`, () => {
      assert.strictEqual(read(question).filter, filter)
    })

  for (const [question, group] of [
    ["revenue by lead source", "crm_lead_source"],
    ["open pipeline per tier", "crm_crm_one_account_account_tier"],
    ["won deals by account tier", "crm_crm_one_account_account_tier"],
    ["inbound vs partner, win rate", "crm_lead_source"],
  ] as const)
    it(`groups: ${question}`, () => {
      assert.deepStrictEqual(read(question).groups, [group])
    })

  it("has a value that is a word of questions only beside its name", () => {
    assert.strictEqual(read("open pipeline by region").filter, "all deals")
    assert.strictEqual(read("won deals with forecast category Pipeline").filter, "forecast category Pipeline")
  })
})
