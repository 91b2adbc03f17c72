import { assert, describe, it } from "vitest"
import { amounts, read } from "./support.ts"

const recurring = (found: ReturnType<typeof read>) =>
  found.messages?.filter((message) => message.includes("for such a period"))

describe("amounts beside words for a period", () => {
  it("come in as written, and are said to be perhaps those of a month or a year", () => {
    for (const [header, one, two] of [
      ["value_period", "one_time", "monthly"],
      ["Bid Type", "Fixed Bid", "Per Month"],
      ["Duration Basis", "FIXED", "MONTH"],
      ["Abrechnung", "einmalig", "Monatlich"],
      ["Billing", "", "annual"],
    ]) {
      const found = read(`Deal|Client|Value|${header}\nA|Acme|100|${one}\nB|Bco|20|${two}`)
      assert.deepStrictEqual(amounts(found), [100, 20], header)
      assert.include(found.codes!, "unit_unclear 1", header)
      assert.include(recurring(found)!.join(), `'${header}' has '${two}'`, header)
    }
  })

  it("are not doubted beside other words, amounts that come once, or a column that has a field", () => {
    for (const [header, one, two] of [
      ["Plan", "Month end", "monthly"],
      ["Value type", "one-time", "fixed"],
      ["Region", "Monthly", "Annual"],
    ]) {
      const found = read(`Deal|Client|Value|${header}\nA|Acme|100|${one}\nB|Bco|20|${two}`)
      assert.deepStrictEqual(recurring(found), [], header)
    }
    const without = read(`Deal|Client|Close date|Period\nA|Acme|2026-01-02|monthly\nB|Bco|2026-01-02|monthly`)
    assert.deepStrictEqual(recurring(without), [])
  })

  it("are not the amount if another column has the value of the whole deal", () => {
    const header = "Deal|Client|Bid Amount|Bid Type|Opportunity Value"
    assert.deepStrictEqual(amounts(read(`${header}\nA|Acme|400|Per Month|4800`)), [4800])
    assert.deepStrictEqual(amounts(read("Deal|Client|Bid Amount\nA|Acme|400")), [400])
  })
})
