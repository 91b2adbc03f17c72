import { unguard } from "../../../common/formula.ts"
import { type TableRow, type TableFacts, textOf } from "../../table/Table.ts"
import type { CombinedName } from "../fields/cellKinds.ts"
import type { MatchedColumns } from "../headers/matchColumns.ts"
import type { ExportColumn } from "../headers/exportColumns.ts"
import type { PlannedColumn, PlannedExport } from "../fields/ImportPlan.ts"

/** Adds the columns of our export. A field that the map fills with another column stays so. */
export const withExport = (
  own: ReadonlyMap<number, ExportColumn> | undefined,
  header: ReadonlyArray<string>,
  matched: MatchedColumns,
): MatchedColumns => {
  if (own === undefined) return matched
  const isMapped = (cell: number) => matched.columns[cell]?.by === "map"
  const mapped = new Set(matched.fields.filter(({ cells }) => cells.some(isMapped)).map(({ field }) => field))
  const filled = new Set([...own.values()].flatMap(({ field }) => (field === null || mapped.has(field) ? [] : [field])))
  const columns = matched.columns.map((column, index): PlannedColumn => {
    const found = own.get(index)
    if (found === undefined) {
      return column.field !== null && !isMapped(index) && filled.has(column.field) ? { ...column, field: null } : column
    }
    const field = found.field !== null && mapped.has(found.field) ? null : found.field
    return { column: header[index]!.trim(), field, confidence: 1, by: "export" }
  })
  const plain = [...own].flatMap(([index, { field, combined }]) =>
    field === null || combined !== undefined || mapped.has(field) ? [] : [{ field, cells: [index] }],
  )
  return {
    ...matched,
    columns,
    fields: [...plain, ...matched.fields.filter(({ field }) => !filled.has(field))],
  }
}

/** Plans how the rows of an export are read. */
export const planExport = (
  own: ReadonlyMap<number, ExportColumn>,
  { columns }: MatchedColumns,
  rows: ReadonlyArray<TableRow>,
  { container, delimiter }: TableFacts,
): PlannedExport => {
  const combined = Object.fromEntries(
    [...own].flatMap(([index, { combined: name }]) =>
      name === undefined || columns[index]!.field === null ? [] : [[name, index]],
    ),
  )
  // A workbook has text as it is.
  const isGuarded = container === "csv"
  return { combined, isGuarded, stages: stageNames(rows, combined, isGuarded), delimiter }
}

/** Names of stages by id that the first rows of an export give, for the previous stages, which have ids only. */
const stageNames = (
  rows: ReadonlyArray<TableRow>,
  { status_id, deal_status, previous_status_id }: Partial<Record<CombinedName, number>>,
  isGuarded: boolean,
): Readonly<Record<string, string>> => {
  if (status_id === undefined || deal_status === undefined || previous_status_id === undefined) return {}
  const read = (row: TableRow, place: number) => {
    const cell = textOf(row.cells[place] ?? "")
    return isGuarded ? unguard(cell) : cell
  }
  const wanted = new Set(rows.map((row) => read(row, previous_status_id)))
  const names = new Map<string, string>()
  for (const row of rows) {
    const id = read(row, status_id)
    if (id !== "" && wanted.has(id) && names.size < MAX_STAGES) names.set(id, read(row, deal_status))
  }
  return Object.fromEntries(names)
}

/** Stages whose names a plan keeps. */
const MAX_STAGES = 500
