import { type ColumnName, COLUMNS, IMPORTED_NAMES } from "../../../deals/columns/columns.ts"
import { METRICS } from "../../../deals/columns/metrics.ts"
import type { RecordType } from "../../../records/record.ts"

/** The kinds of cells. An `id` is a text that a spreadsheet may have damaged; a `day` is a date whose time does not count. */
export type CellKind = "text" | "id" | "money" | "number" | "boolean" | "day" | "date" | "list" | "json" | "summary"

const CELLS = {
  name: "text",
  id: "id",
  crm_one_id: "id",
  crm_two_id: "id",
  position: "number",
  probability: "number",
  created_at: "date",
  updated_at: "date",
  sentiment: "boolean",
  deleted: "boolean",
  collaborators: "list",
  product_labels: "list",
  competitors: "list",
  drivers: "list",
  tags: "list",
  aliases: "list",
  summary: "summary",
  scorecard: "json",
  crm_properties: "json",
  custom_metrics: "json",
  custom_answers: "json",
  filters: "json",
} as const satisfies Record<string, CellKind>

const STORED = { text: "text", float8: "money", date: "day", boolean: "boolean" } as const

/** Fields that map directly to a column of deals. */
const IMPORTED: ReadonlyMap<string, CellKind> = new Map(
  IMPORTED_NAMES.map((name) => [COLUMNS[name].imported, STORED[COLUMNS[name].stored]]),
)

/** The kind of a field's cells. A dotted field names a part, such as `crm_properties.region`. */
export const cellKind = (
  field: string,
  properties: ReadonlyMap<string, "text" | "number" | "date" | "boolean"> = new Map(),
): CellKind => {
  if (field.startsWith("crm_properties.")) return properties.get(field.slice("crm_properties.".length)) ?? "text"
  if (/^(scorecard|custom_metrics)\..+\.score$/.test(field)) return "number"
  return IMPORTED.get(field) ?? (Object.hasOwn(CELLS, field) ? CELLS[field as keyof typeof CELLS] : "text")
}

const METRIC_NAMES: ReadonlySet<string> = new Set(METRICS)

/** Whether this is a dotted field that a CSV column can fill: a property, metric or answer. */
export const isPart = (type: RecordType, field: string): boolean => {
  const [, map, name, part] = /^(crm_properties|custom_answers)\.(.+)$/.exec(field) ??
    /^(scorecard|custom_metrics)\.(.+)\.(score|explanation)$/.exec(field) ?? [undefined, undefined, "", undefined]
  if (map === undefined) return false
  if (map === "crm_properties") return type === "deal" || type === "client"
  return type === "deal" && (map !== "scorecard" || METRIC_NAMES.has(name ?? "")) && (part ?? "score") !== ""
}

/** Columns of our exports that fill a field together with others, or whose cells have another shape than the field. */
const COMBINED_NAMES = [
  "status_id",
  "deal_status",
  "previous_status_id",
  "owner_id",
  "owner_name",
  "client_name",
  "industry",
  "website_url",
  "deal_competitor_associations",
  "competitors",
  "drivers",
  "features",
  "scorecard",
] as const satisfies ReadonlyArray<ColumnName>
export type CombinedName = (typeof COMBINED_NAMES)[number]

export const isCombined = (name: string): name is CombinedName =>
  (COMBINED_NAMES as ReadonlyArray<string>).includes(name)
