import { assert, describe, it } from "@effect/vitest"
import { demoRecords } from "../../../src/adapters/cli/demo/records.ts"
import { SELLERS } from "../../../src/adapters/cli/demo/sellers.ts"
import { isRefused, toEntry } from "../../../src/core/records/entry.ts"
import type { ImportRecord } from "../../../src/core/records/record.ts"

const UNTIL = Date.UTC(2026, 5, 30)
const all = SELLERS.map((seller) => [...demoRecords(seller, UNTIL)])

const deals = all.flat().filter((record): record is ImportRecord<"deal"> => record.type === "deal")

describe("the demo workspace", () => {
  it("is identical for the same day", () => {
    assert.deepStrictEqual(
      SELLERS.map((seller) => [...demoRecords(seller, UNTIL)]),
      all,
    )
  })

  it("has valid records with unique ids and no future dates", () => {
    for (const records of all) {
      const ids = new Set<string>()
      for (const record of records) {
        const entry = toEntry(1, record, 0, true)
        assert.isFalse(isRefused(entry), JSON.stringify(entry))
        ids.add(`${record.type} ${record.id}`)
        if ("created_at" in record) assert.isAtMost(Date.parse(record.created_at ?? ""), UNTIL)
      }
      assert.strictEqual(ids.size, records.length)
    }
  })

  it("has every kind of value", () => {
    assert.isAtLeast(deals.length, 2_000)
    assert.deepStrictEqual(new Set(deals.map(({ status }) => status)).size, 6)
    assert.isTrue(deals.some(({ summary }) => typeof summary === "string"))
    assert.isTrue(deals.some(({ summary }) => typeof summary === "object"))
    assert.isTrue(deals.some(({ summary }) => summary === undefined))
    assert.isTrue(deals.some(({ amount }) => amount === null))
    const associations = all
      .flat()
      .filter((record): record is ImportRecord<"association"> => record.type === "association")
    assert.deepStrictEqual(new Set(associations.map(({ sentiment }) => sentiment)), new Set([true, false, null]))
    const properties = all
      .flat()
      .filter((record): record is ImportRecord<"crm_property"> => record.type === "crm_property")
    assert.strictEqual(new Set(properties.map(({ object, data_type }) => `${object} ${data_type}`)).size, 8)
  })

  it.each([
    "2026-06-30T00:00:00.000Z",
    "2026-11-22T13:05:00.000Z",
    "2027-01-01T00:00:00.000Z",
    "2028-02-29T23:59:59.999Z",
    "2031-12-31T12:00:00.000Z",
  ])("closes decided deals before today, and most open ones after it, on %s", (now) => {
    const today = now.slice(0, 10)
    for (const seller of SELLERS) {
      const made = [...demoRecords(seller, Date.parse(now))].filter(
        (record): record is ImportRecord<"deal"> => record.type === "deal",
      )
      const isDecided = ({ status }: ImportRecord<"deal">) => status === "won" || status === "lost"
      for (const { id, close_date, created_at } of made.filter(isDecided)) {
        assert.isTrue(close_date! < today, `${id} closes on ${close_date}`)
        assert.isTrue(close_date! >= created_at!.slice(0, 10), `${id} closes before it begins`)
      }
      const open = made.filter((deal) => !isDecided(deal))
      const overdue = open.filter(({ close_date }) => close_date! < today)
      assert.isAbove(open.length, 20)
      assert.isAbove(overdue.length, 0, seller.id)
      assert.isBelow(overdue.length / open.length, 0.25, seller.id)
    }
  })

  it("has summaries with the specification's headings", () => {
    const story = deals.find(({ summary }) => typeof summary === "object")?.summary
    assert.deepStrictEqual(Object.keys(story as object), [
      "executive_summary",
      "deal_overview",
      "decision_drivers",
      "competitive_landscape",
      "key_quotes",
      "lessons_learned",
      "recommendations",
    ])
  })
})
