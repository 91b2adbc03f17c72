import {
  COLUMN_ALIASES,
  type ColumnName,
  COLUMNS,
  type ImportedName,
  IMPORTED_NAMES,
  isColumn,
} from "../../../deals/columns/columns.ts"
import type { Metric } from "../../../deals/columns/metrics.ts"
import { type CombinedName, isCombined } from "../fields/cellKinds.ts"
import type { Mapping } from "../fields/parameters.ts"
import { normalizeHeader } from "./headers.ts"

type WinLossName = `wl_${Metric}_${"score" | "explanation"}`
type OtherName = Exclude<ColumnName, ImportedName | WinLossName>

/**
 * The fields of the import record that the other columns of an export fill. Null: the column is computed, or says when the
 * deal last changed, which is another time once the import has changed it.
 */
const FIELDS: Readonly<Record<OtherName, string | null>> = {
  id: "id",
  name: "name",
  status_id: "status",
  deal_status: "status",
  previous_status_id: "previous_status",
  created_at: "created_at",
  owner_id: "owner",
  owner_name: "owner",
  crm_one_id: "crm_one_id",
  crm_two_id: "crm_two_id",
  deal_competitor_associations: "competitors",
  competitors: "competitors",
  drivers: "drivers",
  client_name: "client",
  industry: "client",
  website_url: "client",
  product_labels: "product_labels",
  collaborators: "collaborators",
  features: "features",
  summary: "summary",
  scorecard: "scorecard",
  updated_at: null,
  segments: null,
  primary_competitor: null,
}

/** Headers that only our exports have. Two of them, and `id`, tell an export of ours from other files. */
const OWN: ReadonlySet<string> = new Set<ColumnName>([
  "status_id",
  "previous_status_id",
  "deal_status",
  "deal_competitor_associations",
  "primary_competitor",
  "deal_analyzed",
  "analysis_verified",
  ...(Object.keys(COLUMNS) as ReadonlyArray<ColumnName>).filter((name) => name.startsWith("wl_")),
])
const MIN_OWN = 2

/** Whether a row of headers is that of an export of deals. */
export const isExportHeader = (header: ReadonlyArray<string>): boolean =>
  header.some((name) => name.trim() === "id") && header.filter((name) => OWN.has(name.trim())).length >= MIN_OWN

/** The meaning of a column of an export. A field of null: it is computed and not imported. */
export interface ExportColumn {
  readonly field: string | null
  /** Set if the column fills its field together with others. */
  readonly combined?: CombinedName
}

/** The registered CRM properties, and their labels by id. */
interface Registered {
  readonly properties: ReadonlyMap<string, unknown>
  readonly labels?: ReadonlyMap<string, string> | undefined
}

/** The columns of a file that are columns of our exports, by their places. Undefined if the file is none. */
export const exportColumns = (
  header: ReadonlyArray<string>,
  mapping: Mapping = {},
  context: Registered,
): ReadonlyMap<number, ExportColumn> | undefined => {
  if (!isExportHeader(header)) return undefined
  const mapped = new Set(Object.keys(mapping).flatMap((name) => [name, ...name.split("+")].map(normalizeHeader)))
  const found = new Map<number, ExportColumn>()
  const names = new Set<string>()
  for (const [index, cell] of header.entries()) {
    const name = COLUMN_ALIASES.get(cell.trim()) ?? cell.trim()
    if (mapped.has(normalizeHeader(cell)) || names.has(name)) continue
    const column = isColumn(name) ? standard(name) : dynamic(name, context)
    if (column === undefined) continue
    names.add(name)
    found.set(index, column)
  }
  return found
}

const standard = (name: ColumnName): ExportColumn => {
  const [, metric, part] = /^wl_(.+)_(score|explanation)$/.exec(name) ?? []
  if (metric !== undefined) return { field: `scorecard.${metric}.${part}` }
  const imported = IMPORTED_NAMES.find((each) => each === name)
  if (imported !== undefined) return { field: COLUMNS[imported].imported }
  return { field: FIELDS[name as OtherName], ...(isCombined(name) && { combined: name }) }
}

/** A column of a CRM property, metric or answer. Properties of accounts belong to another record. */
const dynamic = (name: string, { properties, labels }: Registered): ExportColumn | undefined => {
  const [, part, metric] = /^custom_metric_(score|explanation)_(.+)$/s.exec(name) ?? []
  if (metric !== undefined) return { field: `custom_metrics.${metric}.${part}` }
  const answer = /^custom_answer_(.+)$/s.exec(name)?.[1]
  if (answer !== undefined) return { field: `custom_answers.${answer}` }
  if (/^crm_crm_(?:one|two)_account_/.test(name)) return { field: null }
  const property = /^crm_(.+)$/s.exec(name)?.[1]
  if (property === undefined) return undefined
  const lower = property.toLowerCase()
  const id = properties.has(property)
    ? property
    : ([...properties.keys()].find((each) => each.toLowerCase() === lower) ??
      [...(labels ?? [])].find(([, label]) => label.toLowerCase() === lower)?.[0])
  return id === undefined ? undefined : { field: `crm_properties.${id}` }
}
