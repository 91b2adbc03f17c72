import { Conflict } from "../../http/errors/errors.ts"
import { type TableRow, textOf } from "../table/Table.ts"
import { namesOfColumns } from "./headers/matchColumns.ts"
import type { ImportPlan } from "./fields/ImportPlan.ts"
import { type Planned, withoutEmptyEnd } from "./makePlan.ts"

/** Names that the message shows. */
const MAX_SHOWN = 10

const quoted = (names: ReadonlyArray<string>) =>
  names
    .slice(0, MAX_SHOWN)
    .map((name) => `'${name.slice(0, 100)}'`)
    .join(", ") + (names.length > MAX_SHOWN ? " …" : "")

/** Finds the header of a plan in the rows of a file. Another header is a conflict that shows the difference. */
export const findPlanned = (plan: ImportPlan, rows: ReadonlyArray<TableRow>): Planned | Conflict => {
  const headerAt = rows.findIndex(({ line }) => line === plan.headerLine)
  const header = withoutEmptyEnd((rows[headerAt]?.cells ?? []).map(textOf)).map((name) => name.trim())
  const planned = plan.header.map((name) => name.trim())
  if (header.length === planned.length && header.every((name, at) => name === planned[at])) return { plan, headerAt }
  const [file, wanted] = [namesOfColumns(header), namesOfColumns(planned)]
  const missing = wanted.filter((name) => !file.includes(name))
  const added = file.filter((name) => !wanted.includes(name))
  const parts = [
    ...(missing.length > 0 ? [`lacks ${quoted(missing)}`] : []),
    ...(added.length > 0 ? [`adds ${quoted(added)}`] : []),
    ...(missing.length + added.length === 0 ? ["has its columns in another order"] : []),
  ]
  const where =
    headerAt === -1
      ? `no row begins in line ${plan.headerLine}, where`
      : `line ${plan.headerLine} ${parts.join(" and ")}, compared with`
  return new Conflict({
    message: `the file has not the header of the plan: ${where} the plan ${headerAt === -1 ? "has its headers" : "made for the first file"}. Make a new plan with dry_run=true`,
    details: { line: plan.headerLine, missing, added },
  })
}
