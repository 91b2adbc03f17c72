import type { Notices } from "../../../records/Notices.ts"
import { isNumberProblem, readNumber } from "../../../records/values/numbers.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import { eachRow } from "../cells/evidence.ts"
import type { PlannedField } from "../fields/ImportPlan.ts"
import { splitUnit } from "../headers/scale.ts"

/** Warns of amounts that are multiplied because their header has a unit, and of units of headers that are not known. */
export function* warnOfUnits(
  fields: ReadonlyArray<PlannedField>,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<TableRow>,
  notices: Notices,
): Generator<void, void> {
  for (const { field, kind, cells, isExported, scale, mark } of fields) {
    if (kind !== "money" || isExported === true) continue
    const title = header[cells[0]!]?.trim() ?? ""
    const [word] = scale === undefined ? splitUnit(title).unknown : []
    if (scale === undefined && word === undefined) continue
    let shown: Shown | undefined
    yield* eachRow(rows, ({ cells: given }) => (shown = showPlain(given[cells[0]!], mark)) !== undefined)
    const name = `'${title.slice(0, 100)}'`
    const became = shown === undefined ? "" : `: ${shown.text} is imported as ${shown.value * (scale ?? 1)}`
    const message =
      scale === undefined
        ? `the header ${name} has '${word}', which is no known unit${became}. If its numbers are in thousands or another unit, say so in the header, as in 'Amount (thousands)', and import the file again`
        : `${name} is in ${UNITS.get(scale) ?? `units of ${scale}`}${became}`
    notices.add(scale === undefined ? "unit_unclear" : "amount_scaled", { field, example: title, message })
  }
}

const UNITS: ReadonlyMap<number, string> = new Map([
  [0.01, "hundredths"],
  [1e3, "thousands"],
  [1e6, "millions"],
])

interface Shown {
  readonly text: string
  readonly value: number
}

/** A cell whose number the unit of its header multiplies. Undefined if it has a unit of its own, is zero, or is no number. */
const showPlain = (cell: TableRow["cells"][number] | undefined, mark: PlannedField["mark"]): Shown | undefined => {
  const text = textOf(cell ?? "").trim()
  const read = readNumber(text, { mark, isMoney: true })
  return isNumberProblem(read) || read.hasUnit === true || read.value === 0 ? undefined : { text, value: read.value }
}
