import { assert, describe, it } from "vitest"
import { detectDateOrder, readDate } from "../../../src/core/records/values/dates.ts"
import { makeRandom, seedOfRun } from "../../support/random.ts"

describe("dates as people write them", () => {
  for (const cell of [
    "2026-03-31",
    "2026/03/31",
    "2026.3.31",
    "20260331",
    "46112",
    "1774915200000",
    "2026年3月31日",
    "31-Mar-2026",
    "Mar 31, 2026",
    "March 31st, 2026",
    "31. März 2026",
    "Dienstag, 31. März 2026",
    "31 mars 2026",
    "31 de marzo de 2026",
    "Tue Mar 31 2026",
    "31.03.2026",
    "31.3.26",
    "31. 3. 2026",
    "31/03/2026",
    "03/31/2026",
    "31-03-2026",
    "２０２６/０３/３１",
  ]) {
    it(`${cell} is 31 March 2026`, () => assert.match(String(readDate(cell, "ISO")), /^2026-03-31(?:T00:00:00Z)?$/))
  }

  for (const [cell, read] of [
    ["2026-03-31 2:05 PM", "2026-03-31T14:05:00"],
    ["3/31/2026 12:05 AM", "2026-03-31T00:05:00"],
    ["31.03.2026 14:05", "2026-03-31T14:05:00"],
    ["2026-03-31T00:00:00.000+0000", "2026-03-31T00:00:00.000+00:00"],
    ["2026-03-31T18:09:44-07:00", "2026-03-31T18:09:44-07:00"],
    ["Tue, 31 Mar 2026 00:00:00 GMT", "2026-03-31T00:00:00Z"],
    ["Tue Mar 31 2026 10:00:00 GMT+0200 (CEST)", "2026-03-31T10:00:00+02:00"],
    ["46112.75", "2026-03-31T18:00:00"],
    ["2026-03-31 23:30 PST", "2026-03-31T23:30:00-08:00"],
    ["3/31/2026 11:30 PM EST", "2026-03-31T23:30:00-05:00"],
    ["2026-03-31 23:30 GMT+2", "2026-03-31T23:30:00+02:00"],
    ["31.03.2026 23:30 MESZ", "2026-03-31T23:30:00+02:00"],
    ["31.03.2026 23:30 Uhr", "2026-03-31T23:30:00"],
    ["2026-03-31 11:30 a.m. UTC", "2026-03-31T11:30:00Z"],
    ["2026-03-31T23:30:00+02:00[Europe/Berlin]", "2026-03-31T23:30:00+02:00"],
  ] as const) {
    it(`${cell} is ${read}`, () => assert.strictEqual(readDate(cell, "ISO"), read))
  }

  for (const cell of [
    "2026-02-30",
    "0000-00-00",
    "99/99/2026",
    "13/13/2026",
    "soon",
    "12",
    "2026",
    "Q3 2026",
    "2026-03-31 25:00",
    "Smarch 3, 2026",
  ]) {
    it(`${cell} is no date`, () => assert.match((readDate(cell, "ISO") as { reason: string }).reason, /must be a date/))
  }

  it("without an order, a date that has two readings is refused with both", () => {
    assert.match((readDate("04/03/2026", "ISO") as { reason: string }).reason, /2026-03-04 or 2026-04-03/)
    assert.strictEqual(readDate("04/04/2026", "ISO"), "2026-04-04")
    assert.strictEqual(readDate("04.03.2026", "ISO"), "2026-03-04")
  })

  it("a time zone whose letters have several meanings matters to a moment, not to a day", () => {
    for (const zone of ["CST", "IST", "Europe/Berlin"]) {
      assert.strictEqual(readDate(`3/31/2026 11:30 PM ${zone}`, "ISO", true), "2026-03-31")
      const { reason } = readDate(`2026-03-31 23:30 ${zone}`, "ISO") as { reason: string }
      assert.include(reason, `the time zone '${zone}' has no single offset`)
    }
  })

  it("a date that contradicts the order is refused", () => {
    assert.match((readDate("03/31/2026", "DMY") as { reason: string }).reason, /is no date in the order DMY/)
  })

  it("a column of one order is never read in the other", () => {
    const random = makeRandom(seedOfRun("columns of dates"))
    for (let round = 0; round < 500; round++) {
      const order = random.pick(["DMY", "MDY"] as const)
      const days = Array.from(
        { length: 1 + random.below(8) },
        () => new Date(Date.UTC(2020 + random.below(8), 0, 1 + random.below(365))),
      )
      const cells = days.map((day) => {
        const [date, month] = [day.getUTCDate(), day.getUTCMonth() + 1]
        return `${order === "DMY" ? `${date}/${month}` : `${month}/${date}`}/${day.getUTCFullYear()}`
      })
      const proven = new Set(cells.map(detectDateOrder).filter((each) => each !== undefined))
      assert.isTrue(proven.size === 0 || (proven.size === 1 && proven.has(order)), cells.join(" "))
      for (const [index, cell] of cells.entries()) {
        const read = readDate(cell, proven.size === 0 ? "ISO" : order)
        if (typeof read === "string") assert.strictEqual(read, days[index]!.toISOString().slice(0, 10), cell)
        else assert.isTrue(proven.size === 0 && read.isUnclear === true, cell)
      }
    }
  })
})
