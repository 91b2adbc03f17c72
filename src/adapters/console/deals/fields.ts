import type { Workspace } from "../common/session.ts"

type Kind = Exclude<keyof Workspace, "settings" | "duplicates">

/** A filter that takes several values. `names` come from the workspace, `options` are fixed. */
export type Field =
  | { readonly filter: string; readonly names: Kind; readonly byId: boolean }
  | { readonly filter: string; readonly options: ReadonlyArray<string> }

/** The filters that the builder offers, in its order. */
export const FIELDS: ReadonlyArray<Field> = [
  { filter: "outcome", options: ["open", "won", "lost"] },
  { filter: "status", names: "stages", byId: true },
  { filter: "owner_ids", names: "owners", byId: true },
  { filter: "competitors", names: "competitors", byId: true },
  { filter: "driver_ids", names: "reasons", byId: true },
  { filter: "driver_effect", options: ["positive", "negative"] },
  { filter: "feature_ids", names: "features", byId: true },
  { filter: "segment_ids", names: "segments", byId: true },
  { filter: "region", names: "regions", byId: false },
  { filter: "industry", names: "industries", byId: false },
  { filter: "deal_type", names: "deal_types", byId: false },
  { filter: "product_labels", names: "product_labels", byId: false },
]

export const PERIODS = [
  "this_month",
  "last_month",
  "this_quarter",
  "last_quarter",
  "next_quarter",
  "this_year",
  "last_year",
  "last_30_days",
  "last_90_days",
  "last_12_months",
] as const

export interface Column {
  readonly sort?: true
  /** Its share of the table's width. */
  readonly width: number
  readonly isNumber?: true
}

/** The columns that the table offers. `sort` marks those that the server sorts by. */
export const COLUMNS = {
  name: { sort: true, width: 3 },
  client_name: { width: 2 },
  amount: { sort: true, width: 1.2, isNumber: true },
  deal_status: { width: 1.5 },
  close_date: { sort: true, width: 1.3 },
  owner_name: { width: 1.7 },
  primary_competitor: { width: 1.6 },
  drivers: { width: 2.2 },
  region: { width: 1.2 },
  industry: { width: 1.2 },
  type: { width: 1.2 },
  product_labels: { width: 1.6 },
  created_at: { sort: true, width: 1.3 },
  updated_at: { sort: true, width: 1.3 },
  wl_product_fit_score: { sort: true, width: 0.9, isNumber: true },
  wl_relationship_score: { sort: true, width: 0.9, isNumber: true },
  wl_price_sensitivity_score: { sort: true, width: 0.9, isNumber: true },
  wl_competitive_intensity_score: { sort: true, width: 0.9, isNumber: true },
} as const satisfies Readonly<Record<string, Column>>
export type ColumnName = keyof typeof COLUMNS
export const COLUMN_NAMES = Object.keys(COLUMNS) as ReadonlyArray<ColumnName>
export const isColumn = (name: string): name is ColumnName => Object.hasOwn(COLUMNS, name)
export const DEFAULT_COLUMNS: ReadonlyArray<ColumnName> = [
  "name",
  "amount",
  "deal_status",
  "close_date",
  "client_name",
  "owner_name",
  "primary_competitor",
]
