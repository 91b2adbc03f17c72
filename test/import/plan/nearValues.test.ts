import { assert, describe, it } from "vitest"
import { describePeriod, readPeriod } from "../../../src/core/records/values/periods.ts"
import { readNearNumber } from "../../../src/core/records/values/nearNumbers.ts"
import { readRows } from "./readRows.ts"
import { readRows as readTyped } from "./support.ts"

const dayOf = (text: string) => {
  const read = readPeriod(text)
  return read === undefined ? undefined : "day" in read ? read.day : "unclear"
}

describe("a period as a date", () => {
  it("is its last day", () => {
    for (const [text, day] of [
      ["Mar-25", "2025-03-31"],
      ["Mar 2025", "2025-03-31"],
      ["März 2025", "2025-03-31"],
      ["février 2024", "2024-02-29"],
      ["marzo de 2025", "2025-03-31"],
      ["end of June 2025", "2025-06-30"],
      ["2025-03", "2025-03-31"],
      ["03/2025", "2025-03-31"],
      ["Q3 2025", "2025-09-30"],
      ["2025-Q3", "2025-09-30"],
      ["Q3'25", "2025-09-30"],
      ["3Q25", "2025-09-30"],
      ["3. Quartal 2025", "2025-09-30"],
      ["T1 2025", "2025-03-31"],
      ["H2 2025", "2025-12-31"],
      ["2025", "2025-12-31"],
    ] as const)
      assert.strictEqual(dayOf(text), day, text)
  })

  it("is not read where it may be a day, or belongs to a fiscal year", () => {
    for (const text of ["Mar-05", "Mar-31", "Q3 FY25", "FY2025", "Q1 FY 2026"])
      assert.strictEqual(dayOf(text), "unclear", text)
    for (const text of ["25-Mar", "13/2025", "soon", "Mar 25", "Banana 2025", "2025-13", "Q5 2025"])
      assert.strictEqual(dayOf(text), undefined, text)
  })
})

describe("a part of a fiscal year", () => {
  it("is read by the first month of the workspace's, and by the year in which that ends", () => {
    for (const [text, start, day] of [
      ["Q3 FY25", 1, "2025-09-30"],
      ["Q3 FY25", 10, "2025-06-30"],
      ["FY2025-Q1", 10, "2024-12-31"],
      ["FY25Q4", 4, "2025-03-31"],
      ["3. Quartal GJ 2025", 7, "2025-03-31"],
      ["H1 FY 2024/25", 7, "2024-12-31"],
      ["FY24-25", 2, "2025-01-31"],
      ["FY'25", 3, "2025-02-28"],
      ["Fiscal year 2024", 3, "2024-02-29"],
    ] as const) {
      const found = readPeriod(text, start)
      assert.deepInclude(found, { day, isFiscal: true }, text)
    }
  })

  it("is said to begin in January if the setting says so, which nobody may have chosen", () => {
    const described = (text: string, start: number) => {
      const found = readPeriod(text, start)
      return found !== undefined && "unit" in found ? describePeriod(found, start) : ""
    }
    assert.match(
      described("Q3 FY25", 1),
      /quarter of a fiscal year .* month 1, because .*'fiscal_start' is 1 or was never/,
    )
    assert.match(described("Q3 FY25", 10), /quarter of a fiscal year .* month 10, by the setting 'fiscal_start'/)
    assert.strictEqual(described("Q3 2025", 1), "the quarter")
    assert.strictEqual(described("Q3 2025", 10), "the quarter of the calendar")
    assert.strictEqual(described("Mar 2025", 10), "the month")
  })

  it("is not read if it is neither quarter nor half, or its years do not follow each other", () => {
    for (const text of ["Mar FY25", "Q5 FY25", "FY23/25", "FY25 or FY26"])
      assert.property(readPeriod(text, 4), "reason", text)
  })
})

describe("an amount", () => {
  const read = (text: string) => {
    const found = readNearNumber(text, { isMoney: true })
    return found === undefined ? undefined : "value" in found ? found.value : found.reason.split(":")[0]
  }

  it("that is only about so much is taken", () => {
    for (const [text, value] of [
      ["~50k", 50_000],
      ["≈ 50.000 €", 50_000],
      ["ca. 20.000", 20_000],
      ["approx. 10000", 10_000],
      ["rund 1,5 Mio. €", 1_500_000],
      ["env. 12 000 €", 12_000],
    ] as const)
      assert.strictEqual(read(text), value, text)
  })

  it("is not read from a range or a bound", () => {
    for (const text of ["50k-60k", "50-60k", "50 000 – 60 000 €", "€50k to €60k", "50.000 bis 60.000", "~50k-60k"])
      assert.strictEqual(read(text), "is a range", text)
    for (const text of [">100k", "100k+", "up to 50k", "ab 20.000", "min. 5000"])
      assert.strictEqual(read(text), "is only a bound of the amount", text)
    for (const text of ["about right", "Deal 5", "2025-01-01", "ab12"]) assert.strictEqual(read(text), undefined, text)
  })
})

it("a month of a workbook is its last day, as in the CSV of it", () => {
  const cell = { text: "2026-03", value: { date: "2026-03-01" } }
  const found = readTyped([
    ["Deal", "Close Date"],
    ["a", cell],
    ["b", { ...cell, text: "2026-03-01" }],
  ])
  assert.deepStrictEqual(
    found.records?.map((each) => "record" in each && each.record["close_date"]),
    ["2026-03-31", "2026-03-01"],
  )
  assert.deepStrictEqual(found.codes, ["date_of_period 1"])
})

it("a row keeps its other columns where its amount or date is only about right", () => {
  const found = readRows(
    "Deal Name|Amount|Close Date\na|~50k|Q3 2025\nb|50k-60k|Q3 FY25\nc|TBD|Mar-25\nd|soon|2025-01-01",
  )
  assert.deepStrictEqual(found.records, [
    { name: "a", amount: 50_000, close_date: "2025-09-30" },
    { name: "b" },
    { name: "c", close_date: "2025-03-31" },
    [{ field: "amount", reason: "must be an amount such as 1250 or 1,250.00", value: "soon" }],
  ])
  assert.deepStrictEqual(found.codes, [
    "date_of_period close_date 2",
    "amount_approximate amount 1",
    "placeholder_emptied amount 1",
    "cell_left_out amount 1",
    "cell_left_out close_date 1",
  ])
  assert.include(found.notices[0]!.message, "'Q3 2025' is read as 2025-09-30, the last day of the quarter")
})
