import { withoutMarks } from "../../../../core/common/raisedDigits.ts"
import { isListingOrFormula } from "./listings.ts"
import { divideIntoCells, type Line } from "../text/lines.ts"

/** A number of a diagram's scale. */
const SCALE = /^[+−–-]?\d[\d.,]*%?$/

/** By line outside tables, its cells if it stays a row: if it has a neighbour with cells, or at least three cells, not numbers alone. */
export const findLoneRows = (lines: ReadonlyArray<Line>): ReadonlyArray<ReadonlyArray<string> | undefined> => {
  const cells = lines.map(divideIntoCells)
  const isWide = (at: number) => (cells[at]?.length ?? 0) > 1
  const rows: Array<ReadonlyArray<string> | undefined> = []
  for (let at = 0; at < lines.length;) {
    let end = at
    while (isWide(end)) end++
    const run = cells.slice(at, end)
    const listed = run.map((own, index) => ({
      cells: own.map((text) => ({ text })),
      isFixed: lines[at + index]!.isFixed === true,
    }))
    // Numbers without a name, alone in their line, are the scale of a diagram.
    const isLone = run.length === 1 && (run[0]!.length < 3 || run[0]!.every((text) => SCALE.test(withoutMarks(text))))
    const isText = run.length === 0 || isLone || isListingOrFormula(listed)
    for (const own of run) rows.push(isText ? undefined : own)
    if (end < lines.length) rows.push(undefined)
    at = end + 1
  }
  return rows
}
