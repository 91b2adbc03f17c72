import { csvLine } from "../common/csvLine.ts"
import type { Report, ReportRow } from "./contract.ts"

const NUMBERS = ["values", "previous", "previous_whole", "change"] as const

/** The table of a report: an id and a name for each dimension, then the measures. */
export const writeCsv = ({ data, meta }: Report): string => {
  const dimensions = Object.keys(meta.dimensions)
  const measures = Object.keys(meta.measures)
  const numbers = NUMBERS.filter((kind) => kind === "values" || data.some((row) => row[kind] !== undefined))
  const header = [
    ...dimensions.flatMap((name) => [`${name}_id`, name]),
    ...numbers.flatMap((kind) => measures.map((name) => (kind === "values" ? name : `${kind}_${name}`))),
    "deals_url",
  ]
  const cells = (row: ReportRow) => [
    ...dimensions.flatMap((name) => {
      const value = row.group[name] ?? null
      return typeof value === "string" || value === null ? [null, value] : [value.id, value.name]
    }),
    ...numbers.flatMap((kind) => measures.map((name) => row[kind]?.[name] ?? null)),
    row.deals_url,
  ]
  return [csvLine(header), ...data.map((row) => csvLine(cells(row)))].join("")
}
