import { assert, describe, it } from "vitest"
import { makePlan } from "../../../src/core/import/plan/makePlan.ts"
import { finish } from "./finish.ts"
import { readDate } from "../../../src/core/records/values/dates.ts"
import { detectDecimalMark, readNumber } from "../../../src/core/records/values/numbers.ts"
import { Notices } from "../../../src/core/records/Notices.ts"
import { makeRandom, seedOfRun } from "../../support/random.ts"

const money = (cell: string, mark?: "." | ",") => readNumber(cell, { mark, isMoney: true })
const valueOf = (cell: string, mark?: "." | ",") => {
  const read = money(cell, mark)
  return "value" in read ? read.value : read.reason
}

describe("amounts with a raised digit or a fraction", () => {
  it("are refused: the digit marks a note or is an exponent, and is no part of the amount", () => {
    for (const cell of ["1200²", "1,200¹", "1,200 ¹", "10⁶", "1.200¹⁾", "2½", "5ᵏ"]) {
      assert.strictEqual(valueOf(cell), "must be an amount such as 1250 or 1,250.00", cell)
      assert.notProperty(readDate(cell, "DMY"), "length", cell)
    }
  })
})

describe("amounts as people write them", () => {
  for (const [cell, value] of [
    ["1234", 1234],
    ["1,234.50", 1234.5],
    ["1.234,50", 1234.5],
    ["1 234,50 €", 1234.5],
    ["1\u202f234,50 €", 1234.5],
    ["CHF 10'000.00", 10_000],
    ["CHF 1'200.–", 1200],
    ["1.200,-", 1200],
    ["R$ 1.234,50", 1234.5],
    ["US$1,200", 1200],
    ["₹1,00,000", 100_000],
    ["₹12,34,567.50", 1_234_567.5],
    ["−500", -500],
    ["500-", -500],
    ["-€500", -500],
    ["$ (1,500.25)", -1500.25],
    ["50k", 50_000],
    ["1.2M", 1_200_000],
    ["1,5 Mio. €", 1_500_000],
    ["2 Mrd", 2e9],
    ["12 TEUR", 12_000],
    ["R$ 1,2 mi", 1_200_000],
    ["R$ 15 mil", 15_000],
    ["120万円", 1_200_000],
    ["1.5億円", 150_000_000],
    ["１２３４", 1234],
    ["1.250.000", 1_250_000],
    ["12.500 €", 12_500],
    ["1.5e6", 1_500_000],
    ["0", 0],
    ["-0", 0],
  ] as const) {
    it(`${cell} is ${value}`, () => assert.strictEqual(valueOf(cell), value))
  }

  for (const cell of [
    "12%",
    "ten",
    "1.234,5.6",
    "12,345,67",
    "1 23",
    "--",
    "€",
    "1.2.3",
    "12 apples",
    "1O00",
    "0x10",
    "Infinity",
  ]) {
    it(`${cell} is no amount`, () => assert.match(String(valueOf(cell)), /must be an amount|do not group/))
  }

  it("a mark before three digits is no fraction of money, unless the column contradicts", () => {
    assert.strictEqual(valueOf("12.500"), 12_500)
    assert.strictEqual(valueOf("12.500", ","), 12_500)
    assert.match(String(valueOf("12.500", ".")), /may mean 12500 or 12\.5/)
    assert.match(String(valueOf("12,500", ",")), /may mean 12500 or 12\.5/)
  })

  it("dinars have thousandths", () => {
    assert.deepInclude(readNumber("12.500", { mark: ".", isMoney: true, currency: "KWD" }), { value: 12.5 })
  })

  it("a number that is no money follows its column, and is refused without one", () => {
    assert.deepInclude(readNumber("1.234", { mark: "." }), { value: 1.234 })
    assert.deepInclude(readNumber("1.234", { mark: "," }), { value: 1234 })
    assert.match((readNumber("1.234") as { reason: string }).reason, /may mean 1234 or 1\.234/)
  })

  it("a cell that contradicts the column's mark is refused", () => {
    assert.match(String(valueOf("12.50", ",")), /means 12\.5 by its form, but the column's decimal mark is ','/)
  })
})

/** Writes a number in a style, as a spreadsheet of that country does. */
const STYLES = [
  { mark: ".", group: ",", cents: true },
  { mark: ",", group: ".", cents: true },
  { mark: ",", group: "\u00a0", cents: true },
  { mark: ".", group: "'", cents: true },
  { mark: ",", group: ".", cents: false },
  { mark: ".", group: ",", cents: false },
  { mark: ".", group: "", cents: true },
] as const

const write = (cents: number, { mark, group, cents: hasCents }: (typeof STYLES)[number]) => {
  const whole = String(Math.floor(Math.abs(cents) / 100)).replaceAll(/\B(?=(?:\d{3})+$)/g, group)
  const sign = cents < 0 ? "-" : ""
  return hasCents ? `${sign}${whole}${mark}${String(Math.abs(cents) % 100).padStart(2, "0")}` : `${sign}${whole}`
}

describe("a column of amounts", () => {
  it("in any one style comes in right, or a cell is refused; never wrong", () => {
    const random = makeRandom(seedOfRun("columns of amounts"))
    for (let round = 0; round < 300; round++) {
      const style = random.pick(STYLES)
      const cents = Array.from({ length: 1 + random.below(6) }, () => {
        const amount = Math.floor(10 ** (1 + random.next() * 8)) * (random.chance(0.1) ? -1 : 1)
        return style.cents ? amount : amount * 100
      })
      const cells = cents.map((each) => write(each, style))
      const rows = [["name", "amount"], ...cells.map((cell, index) => [`d${index}`, cell])]
      const planned = finish(
        makePlan(
          rows.map((cells, index) => ({ line: index + 1, cells })),
          { container: "csv", delimiter: "," },
          { type: "deal" },
          { currency: undefined, timezone: "UTC", properties: new Map() },
          new Notices(),
        ),
      )
      assert.ok("plan" in planned)
      const { mark } = planned.plan.fields.find(({ field }) => field === "amount")!
      for (const [index, cell] of cells.entries()) {
        assert.strictEqual(valueOf(cell, mark), cents[index]! / 100, `${cell} of ${cells.join(" | ")}, mark ${mark}`)
      }
    }
  })

  it("a cell proves its mark only if it has one reading", () => {
    assert.deepStrictEqual(
      ["1.234,5", "1,234.5", "1.5", "1,50", "1.250.000", "1,234", "1.234", "1234", "0.125", "1234.500"].map(
        detectDecimalMark,
      ),
      [",", ".", ".", ",", ",", undefined, undefined, undefined, ".", "."],
    )
  })
})
