import { Notices } from "../../../src/core/records/Notices.ts"
import type { PlanOptions } from "../../../src/core/import/plan/fields/ImportPlan.ts"
import { makePlan } from "../../../src/core/import/plan/makePlan.ts"
import { rowFilter } from "../../../src/core/import/plan/rows/notRows.ts"
import { rowReader } from "../../../src/core/import/plan/read/readRow.ts"
import type { Cell, TableFacts } from "../../../src/core/import/table/Table.ts"
import { finish } from "./finish.ts"

const FACTS = { container: "csv", delimiter: "," } as const

/** Reads lines of cells separated by `|` by the plan that they make. */
export const read = (text: string, options?: Partial<PlanOptions>, currency?: string, facts?: TableFacts) =>
  readRows(
    text.split("\n").map((line) => (line === "" ? [] : line.split("|"))),
    options,
    currency,
    facts,
  )

export const readRows = (
  lines: ReadonlyArray<ReadonlyArray<Cell>>,
  options: Partial<PlanOptions> = {},
  currency?: string,
  facts: TableFacts = FACTS,
) => {
  const notices = new Notices()
  const rows = lines.map((cells, index) => ({ line: index + 1, cells }))
  const planned = finish(
    makePlan(rows, facts, { type: "deal", ...options }, { currency, timezone: "UTC", properties: new Map() }, notices),
  )
  if (!("plan" in planned)) return { invalid: planned }
  const filter = rowFilter(planned.plan, facts, notices)
  const toRecord = rowReader(planned.plan, notices)
  const kept = [...filter.push(rows.slice(planned.headerAt + 1)), ...filter.end()]
  return {
    plan: planned.plan,
    records: kept.map((row) => toRecord(row)),
    lines: kept.map(({ line }) => line),
    messages: notices.list().map(({ message }) => message),
    codes: notices.list().map(({ code, count }) => `${code} ${count}`),
  }
}

/** The records of typed cells, without their type. */
export const readCells = (lines: ReadonlyArray<ReadonlyArray<Cell>>) =>
  readRows(lines).records?.map(
    (each) => "record" in each && Object.fromEntries(Object.entries(each.record).filter(([field]) => field !== "type")),
  )
export const amounts = (found: ReturnType<typeof read>) =>
  found.records?.map((each) => ("record" in each ? (each.record["amount"] ?? null) : each.problems[0]!.reason))
