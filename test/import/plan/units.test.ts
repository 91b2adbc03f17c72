import { assert, describe, it } from "vitest"
import { readNumber } from "../../../src/core/records/values/numbers.ts"
import { factorOf } from "../../../src/core/records/values/units.ts"
import { splitUnit } from "../../../src/core/import/plan/headers/scale.ts"
import { amounts, read } from "./support.ts"

const LOCALES =
  "en en-IN de fr es it pt nl sv da nb fi pl cs sk hu ro tr ru uk el hr sl bg lt lv et id vi ja zh zh-TW ko hi he ar"
/** Words of several meanings, or of several words. */
const NOT_CLEAR = /^(?:mil|de mii|de milioane)$/

describe("the unit of an amount", () => {
  it("is the one that Unicode has in each language", () => {
    for (const locale of LOCALES.split(" ")) {
      for (const compactDisplay of ["short", "long"] as const) {
        const format = new Intl.NumberFormat(locale, { notation: "compact", compactDisplay, numberingSystem: "latn" })
        for (const amount of [2e3, 5e3, 1e4, 1e5, 1e6, 2e6, 5e6, 1e7, 1e8, 1e9, 2e9, 5e9]) {
          const parts = format.formatToParts(amount)
          const shown = Number(parts.flatMap(({ type, value }) => (type === "integer" ? [value] : [])).join(""))
          const word = parts.find(({ type }) => type === "compact")?.value.replaceAll(".", "") ?? ""
          const isLong = /\p{L}{3}|[\u3000-\uffef]/u.test(word) && !NOT_CLEAR.test(word.toLowerCase())
          if (isLong) assert.strictEqual(factorOf(word), amount / shown, `${word} in ${locale}`)
        }
      }
    }
  })

  for (const [cell, value] of [
    ["1.5 lakh", 150_000],
    ["2 Cr", 2e7],
    ["₹3.25L", 325_000],
    ["Rs 10,00,000/-", 1_000_000],
    ["1 200:-", 1200],
    ["500 tkr", 500_000],
    ["1,5 mkr", 1_500_000],
    ["5 MSEK", 5_000_000],
    ["50 tys. zł", 50_000],
    ["R$ 2 milhões", 2_000_000],
    ["1億2,000万円", 120_000_000],
    ["$1,000 USD", 1000],
    ["USD $1,000", 1000],
    ["€1.000 EUR", 1000],
    ["$100 CAD", 100],
    [" $-   ", 0],
    ["-   €", 0],
  ] as const) {
    it(`${cell} is ${value}`, () =>
      assert.strictEqual((readNumber(cell, { isMoney: true }) as { value?: number }).value, value))
  }

  it("is refused without one clear meaning, and so are two currencies", () => {
    for (const cell of ["15 mil", "5 tn", "1.5L", "1万2億", "-"])
      assert.match(JSON.stringify(readNumber(cell, { isMoney: true })), /must be an amount/, cell)
    assert.match(JSON.stringify(readNumber("$5 EUR", { isMoney: true })), /two currencies, EUR and \$/)
  })
})

describe("the unit in a header", () => {
  for (const [header, factor, currency] of [
    ["Amount (INR Lakhs)", 1e5, "INR"],
    ["Deal Value (₹ Cr)", 1e7, "INR"],
    ["金額(千円)", 1e3, "JPY"],
    ["Valor (R$ mil)", 1e3, "BRL"],
    ["Amount (tkr)", 1e3, undefined],
    ["Kwota (tys. zł)", 1e3, "PLN"],
    ["Amount (x1000)", 1e3, undefined],
    ["Amount (1000s)", 1e3, undefined],
    ["Amount (in hundreds)", 100, undefined],
    ["Amount (bn)", 1e9, undefined],
    ["Value (USD) (k)", 1e3, "USD"],
    ["Deal Value (USD, in thousands)", 1e3, "USD"],
    ["Montant en milliers d'euros", 1e3, "EUR"],
    ["Amount USD'000", 1e3, "USD"],
    ["Amount, thousands", 1e3, undefined],
    ["Amount K USD", 1e3, "USD"],
    ["Betrag (T EUR)", 1e3, "EUR"],
    ["Value, GBP", 1, "GBP"],
    ["Amount in euros", 1, "EUR"],
    ["Amount (converted)", 1, undefined],
    ["Amount (2026)", 1, undefined],
    ["Class K", 1, undefined],
    ["Price Try", 1, undefined],
  ] as const) {
    it(`of ${header} is ${factor}`, () => {
      const found = splitUnit(header)
      const code = found.currency?.kind === "code" ? found.currency.code : undefined
      assert.deepStrictEqual([found.factor, code, found.unknown], [factor, currency, []])
    })
  }

  it("multiplies its numbers, but those that name their own", () => {
    const found = read("name|金額(千円)\nA|1200\nB|3百万円")
    assert.deepStrictEqual(amounts(found), [1_200_000, 3_000_000])
    assert.deepStrictEqual(found.codes, ["amount_scaled 1"])
    assert.deepStrictEqual(found.messages, ["'金額(千円)' is in thousands: 1200 is imported as 1200000"])
  })

  it("is shown by an amount of the file", () => {
    const shown = (rows: string) => read(rows).messages![0]!.split(": ").slice(1).join()
    assert.strictEqual(shown("name|Amount (k€)\nA|0\nB|2M\nC|1.234,50 €"), "1.234,50 € is imported as 1234500")
    assert.strictEqual(shown("name|Amount (k€)\nA|\nB|2M"), "")
  })

  it("is a warning if its word is not known", () => {
    for (const word of ["Gazillions", "mil", "Tausender"]) {
      const found = read(`name|Amount (${word})\nA|1200`)
      assert.deepStrictEqual(amounts(found), [1200])
      assert.deepStrictEqual(found.codes, ["unit_unclear 1"], word)
      assert.match(found.messages![0]!, new RegExp(`'${word}', which is no known unit: 1200 is imported as 1200`))
    }
    for (const word of ["converted", "net", "USD", "excl. VAT", "2026"])
      assert.notInclude(read(`name|Amount (${word})\nA|1200`).codes!.join(), "unit_unclear", word)
  })
})

describe("a zero", () => {
  it("has no currency that the file would lack", () => {
    assert.deepStrictEqual(amounts(read("name|amount\nA|0\nB|$ -\nC|- €\nD|100")), [0, 0, 0, 100])
    assert.deepStrictEqual(amounts(read("name|amount\nA|- €\nB|$100", {}, "USD")), [0, 100])
  })
})

describe("an arrow of a sort order", () => {
  it("is no part of a header", () => {
    assert.deepStrictEqual(
      read("Stage  ↑|Opportunity Owner ↓|▲ Amount (USD) ▼|Deal Name\nWon|Anna|5|A").plan?.columns.map(
        ({ field }) => field,
      ),
      ["status", "owner", "amount", "name"],
    )
  })
})

describe("a column of currencies", () => {
  it("is known by its cells, whatever its header", () => {
    for (const header of ["CCY", "Curr.", "Currency Symbol", "通貨", "Devise du montant", "x"]) {
      const found = read(`Deal Name|Amount|${header}\nA|100|EUR\nB|200|EUR\nC|5|`, {}, "USD")
      assert.match(String(amounts(found)![0]), /is in EUR, but the workspace's amounts are in USD/, header)
      assert.deepStrictEqual(amounts(found)![2], 5)
    }
    assert.match(String(amounts(read("Deal Name|Amount|Sign\nA|100|€", {}, "USD"))![0]), /is in EUR/)
  })

  it("is not taken for the amount if it may be something else", () => {
    for (const [header, cell] of [
      ["Country", "ESP"],
      ["Region", "ALL"],
      ["Priority", "TOP"],
      ["Note", "-"],
    ])
      assert.deepStrictEqual(amounts(read(`Deal Name|Amount|${header}\nA|100|${cell}`, {}, "USD")), [100], header)
    const two = read("Deal Name|Amount|Quota Sign|Sign\nA|100|EUR|USD", {}, "USD")
    assert.deepStrictEqual(amounts(two), [100])
    const other = read("Deal Name|Amount|Expected Revenue|Expected Revenue Curr\nA|100|5|EUR", {}, "USD")
    assert.deepStrictEqual(amounts(other), [100])
  })

  it("is not sought in a text that is longer than a header, nor in the words before its end", () => {
    const long = `${"1,".repeat(5000)}, USD`
    assert.deepStrictEqual(splitUnit(long), {
      name: long,
      unit: undefined,
      factor: 1,
      currency: undefined,
      unknown: [],
    })
    assert.strictEqual(splitUnit("Amount in thousands of USD").factor, 1000)
  })
})
