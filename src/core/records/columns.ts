import { COLUMNS, IMPORTED_NAMES, type ImportedName } from "../deals/columns/columns.ts"
import { type Metric, METRICS } from "../deals/columns/metrics.ts"
import type { DealRow } from "./dealRows.ts"
import type { ImportRecord } from "./record.ts"

type Deal = ImportRecord<"deal">

/** Converts an imported field to the stored value. */
const READ = {
  text: (given: string) => given.trim(),
  float8: (given: number) => given,
  // The day as written: an offset does not move it.
  date: (given: string) => given.slice(0, 10),
  boolean: (given: boolean) => given,
}

/** The columns that fields of the record set directly. An omitted field keeps its value. */
export const importedColumns = (record: Deal, before: DealRow | undefined): Pick<DealRow, ImportedName> =>
  Object.fromEntries(
    IMPORTED_NAMES.map((name) => {
      const { imported: field, stored } = COLUMNS[name]
      const given = record[field]
      if (given === undefined) return [name, before?.[name] ?? NOTHING[stored]]
      return [name, given === null ? null : (READ[stored] as (given: unknown) => unknown)(given)]
    }),
  ) as Pick<DealRow, ImportedName>

/** The value of an omitted field of a new deal. */
const NOTHING = { text: null, float8: null, date: null, boolean: false } as const

type ScoreColumns = Pick<DealRow, `wl_${Metric}_${"score" | "explanation"}`>

/** The scores and explanations after a record. An omitted part keeps its value; null clears it. */
export const scoreColumns = (given: Deal["scorecard"], before: DealRow | undefined) => {
  const after: Record<string, unknown> = {}
  for (const metric of METRICS) {
    const value = given === undefined ? undefined : given === null ? null : given[metric]
    for (const part of ["score", "explanation"] as const) {
      const column = `wl_${metric}_${part}` as const
      const kept = value === undefined || (value !== null && value[part] === undefined)
      after[column] = kept ? (before?.[column] ?? null) : value === null ? null : value[part]
    }
  }
  return after as ScoreColumns
}
