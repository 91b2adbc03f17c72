import { assert, describe, it } from "vitest"
import type { Cell } from "../../../src/core/import/table/Table.ts"
import { amounts, read, readCells, readRows } from "./support.ts"

describe("the currency of amounts", () => {
  const EURO_AND_DOLLAR = "Deal|Currency|Amount\na|EUR|100\nb|USD|200"

  it("of the file is taken by a workspace that has none", () => {
    const found = read("Deal|Amount\na|100 €\nb|200 €")
    assert.deepStrictEqual(
      [found.plan?.currency.target, found.plan?.currency.isTaken, amounts(found)],
      ["EUR", true, [100, 200]],
    )
  })

  it("that is another is an error, unless there is a rate", () => {
    assert.match(
      String(amounts(read(EURO_AND_DOLLAR, {}, "USD"))?.[0]),
      /is in EUR, but the workspace's amounts are in USD/,
    )
    const found = read(EURO_AND_DOLLAR, { rates: { EUR: 1.5 } }, "USD")
    assert.deepStrictEqual(found.records?.[0], {
      record: { type: "deal", name: "a", amount: 150, crm_properties: { import_amount: 100, import_currency: "EUR" } },
    })
  })

  it("of several waits for the setting, or for rates of all but one", () => {
    for (const reason of amounts(read(EURO_AND_DOLLAR))!) assert.match(String(reason), /has several currencies/)
    assert.deepStrictEqual(amounts(read(EURO_AND_DOLLAR, { rates: { EUR: 1.5 } })), [150, 200])
  })

  it("must agree with the sign in the cell", () => {
    assert.match(
      String(amounts(read("Deal|Currency|Amount\na|EUR|$100", {}, "EUR"))?.[0]),
      /is in \$, but the row's currency is EUR/,
    )
    assert.deepStrictEqual(amounts(read("Deal|Currency|Amount\na|CAD|$100", {}, "CAD")), [100])
  })

  it("by a shared sign is the workspace's if that has the sign, else unclear", () => {
    assert.deepStrictEqual(amounts(read("Deal|Amount\na|$100", {}, "AUD")), [100])
    assert.match(String(amounts(read("Deal|Amount\na|$100", {}, "EUR"))?.[0]), /does not mean EUR/)
    assert.deepStrictEqual(read("Deal|Amount\na|$100").codes, ["other_currency 1"])
  })

  it("is in the column that is called after the amount's", () => {
    const converted = "Deal|Amount (converted) Currency|Amount (converted)\na|USD|1000"
    assert.match(String(amounts(read(converted, {}, "EUR"))?.[0]), /is in USD, but the workspace's amounts are in EUR/)
    const both = "Deal|Amount Currency|Amount|Amount (converted) Currency|Amount (converted)\na|USD|1000|EUR|900"
    assert.deepStrictEqual(amounts(read(both, { rates: { USD: 2 } }, "EUR")), [2000])
    assert.deepStrictEqual(amounts(read(both, { map: { "Amount (converted)": "amount" } }, "EUR")), [900])
    const other = read("Deal|Amount Currency|Amount|Amount (converted)\na|USD|1000|900", {
      map: { "Amount (converted)": "amount" },
    })
    assert.deepStrictEqual([amounts(other), other.codes], [[900], ["column_unmapped 2"]])
    assert.match(
      String(amounts(read("Deal|Betrag (konvertiert)|Betrag (konvertiert) Währung\na|1|USD", {}, "EUR"))?.[0]),
      /is in USD/,
    )
  })

  it("of Close are those as it shows them, and not cents", () =>
    assert.deepStrictEqual(
      amounts(read("Deal|value|value_formatted|value_currency\na|4500000|$45,000|USD", {}, "USD")),
      [45_000],
    ))

  it("may have its English name, also in the plural", () => {
    const names = {
      USD: ["US Dollar", "US dollars", "U.S. Dollars", "US-Dollar", "United States Dollar"],
      GBP: ["Pound Sterling", "Pounds Sterling", "British Pound", "UK Pound Sterling"],
      SEK: ["Swedish Krona", "Swedish Kronor"],
      NOK: ["Norwegian Kroner"],
      CHF: ["Swiss Franc", "Swiss francs"],
      BRL: ["Brazilian Real", "Brazilian Reals"],
      ISK: ["Icelandic Krona", "Icelandic Króna"],
      JPY: ["Yen", "Japanese Yen"],
      EUR: ["Euro", "EUR - Euro"],
    }
    for (const [code, all] of Object.entries(names)) {
      for (const name of all) {
        const found = read(`Topic|Est. Revenue|Currency\na|100|${name}`)
        assert.deepStrictEqual([amounts(found), found.plan?.currency.target], [[100], code], name)
      }
    }
    assert.match(String(amounts(read("Deal|Amount|Currency\na|1|Golden Nuggets"))?.[0]), /nor the English name/)
  })

  it("in the header counts for all rows", () => {
    assert.match(String(amounts(read("Deal|Amount (EUR)\na|100", {}, "USD"))?.[0]), /is in EUR/)
  })
})

describe("cells", () => {
  it("of lists split at commas only where the parts are known", () => {
    const found = read("Deal|Competitors\na|Orvanta, Nimbrel\nb|Orvanta;Nimbrel\nc|Smith, Jones & Co")
    const lists = found.records?.map((each) => ("record" in each ? each.record["competitors"] : each))
    assert.deepStrictEqual(lists?.slice(1), [["Orvanta", "Nimbrel"], ["Smith, Jones & Co"]])
    assert.deepStrictEqual(found.codes, ["list_unsplit 2"])
  })

  it("of lists have the commas and semicolons of other scripts", () => {
    const lists = (text: string) => {
      const { records = [], codes } = read(`Deal|Competitors\n${text}`)
      return [records.map((each) => ("record" in each ? each.record["competitors"] : each)), codes]
    }
    assert.deepStrictEqual(lists("a|ライバル社、コントソ\nb|ライバル社"), [
      [["ライバル社、コントソ"], ["ライバル社"]],
      ["list_unsplit 1"],
    ])
    assert.deepStrictEqual(lists("a|ライバル社；コントソ"), [[["ライバル社", "コントソ"]], []])
  })

  it("that stand for nothing are empty, with one warning for each field", () => {
    const found = read("Deal|Owner|Amount\na|N/A|-\nb|#REF!|NULL\nc|NA|1")
    assert.deepStrictEqual(
      found.records?.map((each) => "record" in each && each.record),
      [
        { type: "deal", name: "a" },
        { type: "deal", name: "b" },
        { type: "deal", name: "c", amount: 1 },
      ],
    )
    assert.deepStrictEqual(found.codes, ["placeholder_emptied 3", "placeholder_emptied 2"])
  })

  it("of ids that a spreadsheet rounded are errors", () => {
    const found = read('Record ID|Deal\n1.23457E+10|a\n="0012"|b')
    assert.deepStrictEqual(found.codes, ["id_rounded 1"])
    assert.deepStrictEqual(found.records?.[1], { record: { type: "deal", crm_two_id: "0012", name: "b" } })
  })

  it("of ids are what the cell shows, without the apostrophe that guards it", () => {
    const typed = (value: number, text: string, format?: string) => ({ value, text, ...(format && { format }) })
    const cells: ReadonlyArray<readonly [Cell, string]> = [
      [typed(7, "000007", "000000"), "000007"],
      [typed(7, "OPP-0007", '"OPP-"0000'), "OPP-0007"],
      [typed(7, "000-00-0007 [7]", "000-00-0000"), "000-00-0007"],
      [typed(1234, "1,234", "#,##0"), "1234"],
      [typed(1234, "1234.00", "0.00"), "1234"],
      [typed(7, "7"), "7"],
      ["'0077", "0077"],
      ["'abc'", "'abc'"],
    ]
    for (const [cell, id] of cells) assert.deepStrictEqual(readCells([["Record ID"], [cell]]), [{ crm_two_id: id }])
    assert.deepStrictEqual(
      readCells([
        ["Deal", "Amount", "Close Date"],
        ["'0077", "'1200", "'2026-03-31"],
      ]),
      [{ name: "'0077", amount: 1200, close_date: "2026-03-31" }],
    )
  })

  it("that are refused show their text", () => {
    const found = read("Deal|Amount\na|ten")
    assert.deepInclude((found.records as any)[0].problems[0], { field: "amount", value: "ten" })
  })

  it("with a sentence after a semicolon stay one reason, with a warning", () => {
    const text = "They were great to work with; however the CFO cut the budget"
    const found = read(
      `Deal|Loss Reason\na|${text}\nb|Price; Support\nc|Price was far too high for them; Missing features`,
    )
    const reasons = found.records!.map((each) =>
      "record" in each ? (each.record as any).drivers.map((driver: any) => driver.reason) : [],
    )
    assert.deepStrictEqual(reasons, [
      [text],
      ["Price", "Support"],
      ["Price was far too high for them", "Missing features"],
    ])
    assert.deepStrictEqual(found.codes, ["list_unsplit 1"])
  })

  it("with CR behind an amount are no crore but in rupees", () => {
    assert.deepStrictEqual(amounts(read("Deal|Amount\na|5,000 CR\nb|2 Cr"))?.at(-1), 20_000_000)
    assert.match(String(amounts(read("Deal|Amount\na|5,000 CR"))?.[0]), /must be an amount/)
    assert.deepStrictEqual(amounts(read("Deal|Amount\na|₹5 CR", {}, "INR")), [50_000_000])
  })

  it("that a CRM has converted is offered where it cannot be", () => {
    const header = "Deal|Amount Currency|Amount|Amount (converted) Currency|Amount (converted)"
    const reason = (currency?: string) =>
      String(amounts(read(`${header}\na|GBP|1|EUR|2\nb|USD|1|EUR|2`, {}, currency))?.[0])
    assert.match(reason("EUR"), /rates=GBP:1.1 .*, or take .* with map=Amount \(converted\)=amount$/)
    assert.match(reason(), /give rates for all but one, as in rates=USD:1.1, or take .*=amount$/)
  })

  it("of amounts with a comma before three digits is that of thousands, although semicolons separate the cells", () => {
    const facts = { container: "csv", delimiter: ";" } as const
    const found = read("Deal|Amount\na|1,500\nb|12,250\nc|70", {}, undefined, facts)
    assert.deepStrictEqual([amounts(found), found.codes], [[1500, 12_250, 70], ["decimal_unclear 1"]])
    assert.match(found.messages![0]!, /^'1,500' is read with a ',' between thousands/)
    const both = read("Deal|Amount\na|1.500\nb|2,5", {}, undefined, facts)
    assert.deepStrictEqual([amounts(both), both.codes], [[1500, 2.5], []])
    const unclear = read("Deal|Amount\na|1,500\nb|2,5", {}, undefined, facts)
    assert.match(String(amounts(unclear)?.[0]), /may mean 1500 or 1.5/)
  })

  it("of dates that a spreadsheet may have read with day and month exchanged are a warning", () => {
    const day = (date: string): Cell => ({ value: { date }, text: date })
    const codesOf = (...cells: ReadonlyArray<Cell>) =>
      readRows([["Deal", "Close Date"], ...cells.map((cell, n): ReadonlyArray<Cell> => [`Deal ${n}`, cell])]).codes
    const [april, may] = [day("2026-04-03"), day("2026-05-03T00:00:00")]
    assert.deepStrictEqual(codesOf(april, "14/03/2026", "25/03/2026", may), ["date_order_unclear 2"])
    assert.deepStrictEqual(codesOf(april, "03/25/2026", may), ["date_order_unclear 2"])
    assert.deepStrictEqual(codesOf(april, "14/03/2026", may, day("2026-03-25")), [])
    assert.deepStrictEqual(codesOf(april, "2026-03-25", may), [])
    assert.deepStrictEqual(codesOf(april, "25.03.2026", may), [])
    assert.deepStrictEqual(codesOf(april, "25/03/2026"), [])
  })
})
