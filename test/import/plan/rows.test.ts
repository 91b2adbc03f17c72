import { assert, describe, it } from "vitest"
import { Notices } from "../../../src/core/records/Notices.ts"
import type { PlanOptions } from "../../../src/core/import/plan/ImportPlan.ts"
import { makePlan } from "../../../src/core/import/plan/makePlan.ts"
import { rowFilter } from "../../../src/core/import/plan/notRows.ts"
import { rowReader } from "../../../src/core/import/plan/readRow.ts"
import { finish } from "./finish.ts"

const FACTS = { container: "csv", delimiter: "," } as const

/** Reads lines of cells separated by `|` by the plan that they make. */
const read = (text: string, options: Partial<PlanOptions> = {}, currency?: string) => {
  const notices = new Notices()
  const rows = text.split("\n").map((line, index) => ({ line: index + 1, cells: line === "" ? [] : line.split("|") }))
  const planned = finish(
    makePlan(rows, FACTS, { type: "deal", ...options }, { currency, timezone: "UTC", properties: new Map() }, notices),
  )
  if (!("plan" in planned)) return { invalid: planned }
  const filter = rowFilter(planned.plan, FACTS, notices)
  const toRecord = rowReader(planned.plan, notices)
  const kept = [...filter.push(rows.slice(planned.headerAt + 1)), ...filter.end()]
  return {
    plan: planned.plan,
    records: kept.map((row) => toRecord(row)),
    lines: kept.map(({ line }) => line),
    codes: notices.list().map(({ code, count }) => `${code} ${count}`),
  }
}
const amounts = (found: ReturnType<typeof read>) =>
  found.records?.map((each) => ("record" in each ? (each.record["amount"] ?? null) : each.problems[0]!.reason))

describe("rows that are no records", () => {
  it("a last row with the sum of the others is a total if it lacks a cell that all others have", () => {
    const found = read("Deal|Customer|Amount\na|A|100\nb|B|200\nx||300")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 3], ["total_skipped 1"]])
  })

  it("a last deal whose amount happens to be the sum is a deal", () => {
    assert.deepStrictEqual(read("Deal|Customer|Amount\na|A|100\nb|B|200\nc|C|300").lines, [2, 3, 4])
  })

  it("a label of a total with nothing but numbers is a total anywhere", () => {
    const found = read("Deal|Customer|Amount\na|A|100\nSubtotal||100\nb|B|200\nGrand Total||300\nGesamt||300")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 4], ["total_skipped 3"]])
  })

  it("a deal that is named Total is a deal if it has more than an amount", () => {
    assert.deepStrictEqual(read("Deal|Customer|Amount\na|A|100\nTotal|TotalEnergies|250").lines, [2, 3])
  })

  it("lines of one cell after an empty line are a footer, and deals after them are deals", () => {
    const found = read("Deal|Customer|Amount\na|A|100\n\nPrepared by me||\nConfidential\nb|B|200")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 6], ["footer_skipped 2"]])
  })

  it("labels without a number are totals, if most rows have more", () => {
    const labels = ["Grand Totals (2 records)", "Subtotal", "Count: 2", "2 records", "Anzahl: 2", "Total"]
    for (const label of labels) {
      const found = read(`Deal|Customer|Amount\na|A|100\nb|B|200\n${label}||`)
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3], ["total_skipped 1"]], label)
    }
    assert.deepStrictEqual(read("Deal|Customer|Amount\na||\nb||\nTotal||\nc|C|1").lines, [2, 3, 4, 5])
    const clients = read("Account name|Industry\nA|Energy\nB|Energy\nTotal|\n2 records|", { type: "client" })
    assert.deepStrictEqual([clients.lines, clients.codes], [[2, 3, 4], ["total_skipped 1"]])
  })

  it("a row of one cell is a deal with a warning, if most rows have more", () => {
    const found = read("Deal|Customer|Amount\nRenewals Q1||\na|A|100\nb|B|200\nNew business||\nc|C|100")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 3, 4, 5, 6], ["row_of_one_cell 2"]])
    assert.deepStrictEqual(read("Deal|Customer|Amount\na||\nb||\nc|C|100").codes, [])
  })

  it("another table after an empty line has numbers where records have words, or a caption", () => {
    const deals = "Deal|Amount|Stage|Close Date\na|100|Won|2026-03-01\nb|200|Lost|2026-03-02"
    for (const rows of [
      "Anna|100|1|\nBen|200|1|",
      "By rep|||\nAnna|100|1|\nBen|200|1|",
      "By rep|||\nAnna|100||\nBen|200||",
    ]) {
      const found = read(`${deals}\n\n${rows}`)
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3], [`footer_skipped ${rows.split("\n").length}`]], rows)
    }
    for (const rows of ["c|100|Open|\nd|200|Open|", "c|100||\nd|200||", "Open|||\nc|100|Open|\nd|200|Open|"]) {
      const found = read(`${deals}\n\n${rows}`)
      assert.strictEqual(found.lines?.length, 4, rows)
    }
    const found = read(`${deals}\n\nOpen|||\nc|100||\nd|200||\ne|300|Open|2026-04-01\nf|400||`)
    assert.deepStrictEqual(found.lines, [2, 3, 8, 9])
  })

  it("records that the CRM has deleted are left out, and the field `deleted` deletes with a warning", () => {
    for (const header of ["Deleted", "DELETED", "Is Deleted", "IsDeleted", "is_deleted", "Gelöscht"]) {
      const found = read(`Opportunity ID|Deal|${header}\n1|a|Yes\n2|b|No`)
      assert.deepStrictEqual([found.lines, found.codes], [[3], ["deleted_skipped 1"]], header)
    }
    const deleting = (found: ReturnType<typeof read>) => [
      found.records?.map((each) => "record" in each && each.record["deleted"]),
      found.codes,
    ]
    const expected = [[true, false], ["deletes_records 1"]]
    assert.deepStrictEqual(deleting(read("Opportunity ID|Deal|deleted\n1|a|Yes\n2|b|No")), expected)
    const map = { Deleted: "deleted" }
    assert.deepStrictEqual(deleting(read("Opportunity ID|Deal|Deleted\n1|a|Yes\n2|b|No", { map })), expected)
    assert.deepStrictEqual(read("Owner name|Deleted\nAnna|Yes\nBen|No", { type: "owner" }).lines, [3])
  })

  it("short rows and repeated headers are reported", () => {
    const found = read("Deal|Customer|Amount\na|A|100\nb|B\ndeal|customer|amount\nc|C|300")
    assert.deepStrictEqual(
      [found.lines, found.codes],
      [
        [2, 5],
        ["footer_skipped 1", "short_row 1"],
      ],
    )
  })
})

describe("the header", () => {
  it("is found below lines of title", () => {
    const found = read("Pipeline report Q3||\nPrepared on 25 Nov||\n\nDeal Name|Amount|Stage\na|1|Won")
    assert.deepStrictEqual([found.plan?.headerLine, found.lines], [4, [5]])
  })

  it("that names no field is refused with the line that was read", () => {
    assert.match(read("Foo|Bar\n1|2").invalid?.[0]?.reason ?? "", /line 1 reads 'Foo, Bar'/)
  })

  it("in four languages of five CRMs fills fields", () => {
    const fieldsOf = (header: string) => read(`${header}\n`).plan?.columns.map(({ field }) => field)
    assert.deepStrictEqual(
      fieldsOf("Opportunity ID|Opportunity Name|Account Name|Stage|Close Date|Opportunity Owner"),
      ["crm_one_id", "name", "client", "status", "close_date", "owner"],
    )
    assert.deepStrictEqual(fieldsOf("Record ID|Deal Name|Deal Stage|Deal owner|Create Date|Associated Company"), [
      "crm_two_id",
      "name",
      "status",
      "owner",
      "created_at",
      "client",
    ])
    assert.deepStrictEqual(
      fieldsOf("Deal - ID|Deal - Title|Deal - Value|Deal - Currency|Deal - Organization|Deal - Expected close date"),
      ["crm_two_id", "name", "amount", "currency", "client", "close_date"],
    )
    assert.deepStrictEqual(fieldsOf("Verkaufschance|Kunde|Betrag|Phase|Schlussdatum|Inhaber"), [
      "name",
      "client",
      "amount",
      "status",
      "close_date",
      "owner",
    ])
    assert.deepStrictEqual(fieldsOf("Nom de l'opportunité|Nom du compte|Montant|Étape|Date de clôture|Propriétaire"), [
      "name",
      "client",
      "amount",
      "status",
      "close_date",
      "owner",
    ])
    assert.deepStrictEqual(fieldsOf("Nombre del negocio|Empresa|Importe|Etapa|Fecha de cierre|Propietario"), [
      "name",
      "client",
      "amount",
      "status",
      "close_date",
      "owner",
    ])
  })

  it("with two columns of one name needs a map, which counts them", () => {
    assert.match(read("Name|Name|Amount\na|A|1").invalid?.[0]?.reason ?? "", /map 'Name\[1\]' or 'Name\[2\]'/)
    const found = read("Name|Name|Amount\na|A|1", { map: { "Name[1]": "name", "Name[2]": "client" } })
    assert.deepStrictEqual(found.records, [{ record: { type: "deal", name: "a", client: "A", amount: 1 } }])
  })

  it("of an id is known by its values", () => {
    const found = read("Deal|Key\na|0065g00000AbCdE\nb|0065g00000AbCdF")
    assert.deepInclude(found.plan?.columns[1], { field: "crm_one_id", by: "values" })
  })
})

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
      String(amounts(read("Geschäft|Betrag (konvertiert)|Betrag (konvertiert) Währung\na|1|USD", {}, "EUR"))?.[0]),
      /is in USD/,
    )
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
        { type: "deal", name: "c", owner: "NA", amount: 1 },
      ],
    )
    assert.deepStrictEqual(found.codes, ["placeholder_emptied 2", "placeholder_emptied 2"])
  })

  it("of ids that a spreadsheet rounded are errors", () => {
    const found = read('Record ID|Deal\n1.23457E+10|a\n="0012"|b')
    assert.deepStrictEqual(found.codes, ["id_rounded 1"])
    assert.deepStrictEqual(found.records?.[1], { record: { type: "deal", crm_two_id: "0012", name: "b" } })
  })

  it("that are refused show their text", () => {
    const found = read("Deal|Amount\na|ten")
    assert.deepInclude((found.records as any)[0].problems[0], { field: "amount", value: "ten" })
  })
})
