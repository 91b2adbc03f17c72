import { Notices } from "../../../src/core/records/Notices.ts"
import type { PlanOptions } from "../../../src/core/import/plan/fields/ImportPlan.ts"
import { makePlan } from "../../../src/core/import/plan/makePlan.ts"
import { rowReader } from "../../../src/core/import/plan/read/readRow.ts"
import { finish } from "./finish.ts"

/** Reads lines of cells separated by `|` as deals, by the plan that they make. */
export const readRows = (text: string, options: Partial<PlanOptions> = {}) => {
  const notices = new Notices()
  const rows = text.split("\n").map((line, index) => ({ line: index + 1, cells: line.split("|") }))
  const context = { currency: undefined, timezone: "UTC", properties: new Map() }
  const planned = finish(
    makePlan(rows, { container: "csv", delimiter: "," }, { type: "deal", ...options }, context, notices),
  )
  if (!("plan" in planned)) return { refusal: planned.map(({ reason }) => reason).join("\n"), notices: [] }
  const read = rowReader(planned.plan, notices)
  const records = rows.slice(planned.headerAt + 1).map((row) => {
    const found = read(row)
    if ("problems" in found) return found.problems
    const { type: _, ...record } = found.record
    return record
  })
  return {
    fields: Object.fromEntries(planned.plan.columns.map(({ column, field }) => [column, field])),
    records,
    stageFlags: planned.plan.stageFlags,
    notices: notices.list(),
    codes: notices.list().map(({ code, field, count }) => `${code} ${field} ${count}`),
  }
}

/** The fields that columns with these headers fill. */
export const fieldsOf = (header: string) => Object.values(readRows(`${header}\n`).fields ?? {})
