import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { NamedTable } from "../deals/arrayFilters.ts"
import { type CrmProperty, propertyValue } from "../deals/crmFilterSql.ts"
import type { RelationName } from "../deals/relations.ts"
import type { Calendar } from "../deals/periods.ts"
import { zoneLiteral } from "../storage/timeZone.ts"
import { bucketSql } from "./buckets.ts"
import { BAND_BOUNDS, type DimensionName, type Grain } from "./dimensions.ts"

interface Keyed {
  /** The value that identifies the group. Values that fold alike are one group. */
  readonly key: Fragment
  /** The value as written, if the key is not. */
  readonly written?: Fragment
  /** The key is the id of a row of this table. */
  readonly names?: NamedTable
}

/** A value of the deal `d`, its stage `s` or its account `n`. */
export interface OfDeal extends Keyed {
  readonly of: "deal" | "stage" | "client"
}

/** A value of one of the deal's rows `x`, the row that it refers to `y`, or its tag `t`. */
export interface OfRow extends Keyed {
  readonly of: RelationName
  readonly join?: "reasons" | "features" | "tags"
}

/** A value that the workspace's segments define. */
export interface OfSegments extends Keyed {
  readonly of: "segments"
}

export type DimensionSql = OfDeal | OfRow | OfSegments

type Written = Omit<OfRow, "key" | "written" | "of"> & {
  readonly of: DimensionSql["of"]
  readonly key: string
  readonly written?: string
}

const id = (of: DimensionSql["of"], key: string, names: NamedTable): Written => ({ of, key, names })
const text = (of: DimensionSql["of"], key: string, written: string, join?: OfRow["join"]): Written => ({
  of,
  key,
  written,
  ...(join !== undefined && { join }),
})

const sentiment = (column: string, other: string) =>
  `case when ${column} then 'positive' when not ${column} then 'negative' ${other} end`

type Dated = "close_date" | "created_at" | "updated_at" | "asked_at"

const DIMENSION_SQL: Readonly<Record<Exclude<DimensionName, Dated>, Written>> = {
  outcome: { of: "stage", key: "s.category" },
  status: id("deal", "d.status_id", "stages"),
  owner: id("deal", "d.owner_id", "owners"),
  collaborator: id("collaborators", "x.owner_id", "owners"),
  client: id("deal", "d.client_id", "clients"),
  industry: text("client", "n.folded_industry", "n.industry"),
  region: text("deal", "d.folded_region", "d.region"),
  deal_type: text("deal", "d.folded_type", "d.type"),
  product_label: text("product_labels", "x.folded_label", "x.label"),
  segment: id("segments", "x.id", "segments"),
  competitor: id("competitors", "x.competitor_id", "competitors"),
  primary_competitor: id("primary_competitors", "x.competitor_id", "competitors"),
  incumbent: id("incumbents", "x.competitor_id", "competitors"),
  driver: id("drivers", "x.reason_id", "reasons"),
  driver_category: text("drivers", "y.folded_category", "y.category", "reasons"),
  driver_effect: { of: "drivers", key: sentiment("x.positive", "") },
  feature: id("associations", "x.feature_id", "features"),
  product: text("associations", "y.folded_product", "y.product", "features"),
  product_area: text("associations", "y.folded_product_area", "y.product_area", "features"),
  amount_band: { of: "deal", key: `width_bucket(d.amount, array[${BAND_BOUNDS.join()}]::float8[])` },
  analyzed: { of: "deal", key: "d.deal_analyzed" },
  sentiment: { of: "associations", key: sentiment("x.sentiment", "else 'neutral'") },
  association_tag: text("associations", "lower(t)", "t", "tags"),
}

const DATE_SQL: Readonly<Record<Dated, readonly [of: "deal" | "associations", column: string]>> = {
  close_date: ["deal", "d.close_date"],
  created_at: ["deal", "d.created_at"],
  updated_at: ["deal", "d.updated_at"],
  asked_at: ["associations", "x.created_at"],
}

export const isDated = (name: DimensionName): name is Dated => Object.hasOwn(DATE_SQL, name)

/** A close date is a day already. */
export const dateSql = (
  sql: SqlClient,
  name: Dated,
  grain: Grain,
  { fiscalStart, timezone }: Pick<Calendar, "fiscalStart" | "timezone">,
): DimensionSql => {
  const [of, column] = DATE_SQL[name]
  const local = name === "close_date" ? column : `${column} at time zone ${zoneLiteral(timezone)}`
  return { of, key: sql.literal(bucketSql(grain, local, fiscalStart)) }
}

export const dimensionSql = (sql: SqlClient, name: Exclude<DimensionName, Dated>): DimensionSql => {
  const { key, written, ...where } = DIMENSION_SQL[name]
  return {
    ...where,
    key: sql.literal(key),
    ...(written !== undefined && { written: sql.literal(written) }),
  } as DimensionSql
}

/** A CRM property of the deal or its account. */
export const propertySql = (sql: SqlClient, { object, id: property, data_type }: CrmProperty): DimensionSql => {
  const of = object === "deal" ? "deal" : "client"
  const value = propertyValue(sql, object === "deal" ? "d" : "n", property, data_type)
  return data_type === "text" ? { of, key: sql`lower(${value})`, written: value } : { of, key: value }
}

export const answerSql = (sql: SqlClient, answer: string): DimensionSql => {
  const value = sql`d.custom_answers ->> ${answer}::text`
  return { of: "deal", key: sql`lower(${value})`, written: value }
}
