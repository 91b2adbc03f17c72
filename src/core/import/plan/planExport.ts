import type { TableRow, TableFacts } from "../table/Table.ts"
import type { MatchedColumns } from "./columns.ts"
import type { ExportColumn } from "./exportColumns.ts"
import type { PlannedColumn, PlannedExport } from "./ImportPlan.ts"
import { stageNames } from "./readExport.ts"

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
