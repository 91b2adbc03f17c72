import { shorten } from "../../../common/shorten.ts"
import type { Notices } from "../../../records/Notices.ts"
import { type Container, type TableRow, textOf } from "../../table/Table.ts"
import type { ImportPlan } from "../fields/ImportPlan.ts"
import { COUNTED } from "./totals.ts"

const UNIT = `(?:${COUNTED}|items|record|row|deal|opportunity)`
const BRACKETS = new RegExp(String.raw`[([](\d{1,6})(?: ${UNIT})?[)\]]$`, "iu")
const BEHIND = new RegExp(String.raw` [-–—:·|] (\d{1,6}) ${UNIT}$`, "iu")
const MAX_NAME = 500

export interface Group {
  readonly name: string
  /** The rows that it has. */
  readonly count: number
}

/** Reads what a report writes at the beginning of a group: `Proposal (2)`, `Stage: Proposal (3 deals)`, `Won - 1 record`. */
export const readGroup = (text: string): Group | undefined => {
  if (text.length > MAX_NAME) return undefined
  const found = BRACKETS.exec(text) ?? BEHIND.exec(text)
  const name = text.slice(0, found?.index).trim()
  return found === null || name === "" || Number(found[1]) === 0 ? undefined : { name, count: Number(found[1]) }
}

/** The number of cells of a row, as far as two. */
export const countToTwo = ({ cells }: TableRow): number => {
  let filled = 0
  for (let at = 0; at < cells.length && filled < 2; at++) if (textOf(cells[at]!).trim() !== "") filled++
  return filled
}

/** Reads a row of one cell as the heading of a group. */
export const headingOf = (row: TableRow) =>
  row.problem !== undefined || countToTwo(row) !== 1
    ? undefined
    : readGroup(textOf(row.cells.find((cell) => textOf(cell).trim() !== "")!).trim())

/**
 * The groups of a column, whose first rows have the name and number, and whose others are blank. A cell that is merged over rows counts in each
 * of them; in a CSV, a text that comes again is a name.
 */
export const columnGroups = (container: Container) => {
  const mayRepeat = container !== "csv"
  let text = ""
  let group: Group | undefined
  let left = 0
  return {
    /** Returns the group of the next row; `isFirst` if it begins with the row. */
    meet: (cell: string): { readonly group: Group | undefined; readonly isFirst: boolean } => {
      if (left > 0 && (cell === "" || (mayRepeat && cell === text))) {
        left--
        return { group, isFirst: false }
      }
      text = cell
      group = readGroup(cell)
      left = (group?.count ?? 1) - 1
      return { group, isFirst: group !== undefined }
    },
    /** The rows that the group still lacks. */
    countLeft: () => left,
  }
}

/** Writes the name of its group into each row, in the columns that the plan says to have such groups. */
export const groupReader = (plan: ImportPlan, container: Container, notices: Notices) => {
  const columns = (plan.groups ?? []).map((at) => {
    const field = plan.fields.find(({ cells }) => cells.includes(at))?.field
    return { at, field, groups: columnGroups(container) }
  })
  return (row: TableRow): TableRow => {
    if (columns.length === 0 || row.problem !== undefined) return row
    const cells = [...row.cells]
    for (const { at, field, groups } of columns) {
      const text = textOf(cells[at] ?? "").trim()
      const { group, isFirst } = groups.meet(text)
      if (group === undefined) continue
      while (cells.length < at) cells.push("")
      cells[at] = group.name
      if (!isFirst) continue
      const message = `'${shorten(text)}' begins a group of as many rows as it says: they are read with '${shorten(group.name)}'. Export the report without groups if that is wrong`
      notices.add("group_written_once", { field, line: row.line, example: text, message })
    }
    return { ...row, cells }
  }
}
