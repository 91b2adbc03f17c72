import { assert, describe, it } from "vitest"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans, type Plan } from "../../src/core/answers/questions/plan/plan.ts"
import { formatExact } from "../../src/core/answers/questions/words/numbers.ts"
import type { Report, ReportRow } from "../../src/core/answers/questions/reply/reply.ts"
import { pivot, visibleRows } from "../../src/core/answers/questions/reply/table.ts"
import { writeReport } from "../../src/core/answers/questions/reply/writeReport.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const row = (name: string | null, deals: number): ReportRow => ({
  group: { region: { id: name, name } },
  values: { deals, amount: deals * 1000 },
  filters: {},
})

const reportPlan = (question: string) =>
  makePlans(parse(question, NAMES, TODAY))[0] as Extract<Plan, { kind: "report" }>

const reportOf = (data: ReadonlyArray<ReportRow>, others: number) =>
  ({ data, totals: { values: { deals: 100, amount: 100_000 } }, others, withoutAmount: 0 }) as Report

describe("the table of an answer", () => {
  const rows = [row(null, 50), ...Array.from({ length: 11 }, (_, n) => row(`R${n}`, 40 - n))]
  const plan = reportPlan("number of deals for each region")
  const wording = { currency: "EUR", order: undefined, now: TODAY.now }

  it("numbers its rows in its own order, with deals of no region last", () => {
    const shown = visibleRows(rows, ["region"])
    assert.deepStrictEqual(
      shown.map((each) => rows.indexOf(each)),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    )
    const links = new Map(shown.map((each, n) => [each, `[${n + 1}](/v/${n})`]))
    const written = writeReport(plan, reportOf(rows, 21), { ...wording, links, rest: "/v/all" })
    assert.deepStrictEqual(
      [...written.matchAll(/^\| (\S+) \[(\d+)\]/gm)].map(([, name, number]) => [name, number]),
      shown.map((_, n) => [`R${n}`, String(n + 1)]),
    )
    assert.include(written, "and 23 more: [show as table](/v/all).")
  })

  it("says a range over all rows or none", () => {
    const links = new Map()
    const all = [row("DACH", 40), row("US", 20)]
    assert.include(writeReport(plan, reportOf(all, 0), { ...wording, links }), "from 20 (US) to 40 (DACH)")
    assert.notInclude(writeReport(plan, reportOf(all, 1), { ...wording, links }), "from 20")
  })

  it("says the value of a single period once", () => {
    const [question, group] = ["deals created by quarter", { "created_at.quarter": "2026-Q2" }] as const
    const data = [{ group, values: { deals: 4, amount: 1 }, filters: {} }]
    const written = writeReport(reportPlan(question), reportOf(data, 0), { ...wording, links: new Map() })
    assert.include(written, "by quarter: 4 in 2026-Q2; ")
  })

  it("shows deals without an amount as such, and not as 0", () => {
    const without = {
      ...reportOf([{ ...row("DACH", 3), values: { deals: 3, amount: 0 } }, row("US", 2)], 0),
      withoutAmount: 3,
    }
    const written = writeReport(plan, without, { ...wording, links: new Map() })
    assert.include(written, "| DACH | 3 | no amount |")
    const none = { ...without, totals: { values: { deals: 3, amount: 0 } } } as Report
    const said = writeReport(reportPlan("what is our open pipeline?"), none, { ...wording, links: new Map() })
    assert.strictEqual(said, "**No amount** is recorded for 3 open deals.")
  })

  it("begins a course with the first period that the deals cover", () => {
    const data = ["2025-Q4", "2026-Q1", "2026-Q2"].map((quarter, n) => ({
      group: { "created_at.quarter": quarter },
      values: { deals: n + 1, amount: 1 },
      filters: {},
    }))
    const written = (incomplete: ReportRow | undefined) =>
      writeReport(reportPlan("deals created by quarter"), reportOf(data, 0), {
        ...wording,
        links: new Map(),
        incomplete,
      })
    assert.include(written(undefined), "3 in 2026-Q2, 1 in 2025-Q4")
    assert.include(written(data[0]), "3 in 2026-Q2, 2 in 2026-Q1")
  })

  it("cites no line of a table of two dimensions", () => {
    const data = [row("DACH", 1)]
    assert.deepStrictEqual(pivot({ data }, ["region", "close_date.quarter"]), ["region", "close_date.quarter"])
    assert.isUndefined(pivot({ data }, ["region"]))
  })
})

it("the page behind an answer has amounts in full", () => {
  assert.strictEqual(formatExact("amount_won", 6_754_321.5, "EUR"), "6,754,321.5 EUR")
  assert.strictEqual(formatExact("win_rate", 0.456, "EUR"), "45.6 %")
})

describe("a list of open deals", () => {
  for (const [question, sort, ascending] of [
    ["list open deals by close date", "close_date", true],
    ["which open deals close this quarter", "close_date", true],
    ["list open deals by amount", "amount", false],
    ["list open deals", "created_at", false],
    ["list lost deals", "close_date", false],
  ] as const)
    it(`has the order asked for: ${question}`, () => {
      const [plan] = makePlans(parse(question, NAMES, TODAY))
      assert.deepInclude(plan, { kind: "list", sort, ascending })
    })
})
