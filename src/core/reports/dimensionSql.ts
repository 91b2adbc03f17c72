import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { NamedTable } from "../deals/filters/arrays.ts"
import type { CrmProperty } from "../deals/names/properties.ts"
import { propertyValue } from "../deals/conditions/crm.ts"
import type { RelationName } from "../deals/filters/relations.ts"
import type { Calendar } from "../deals/filters/periods.ts"
import { zoneLiteral } from "../storage/timeZone.ts"
import { bucketSql } from "./buckets.ts"
import type { DimensionText, Grain, RowJoin } from "./dimensions.ts"

interface Keyed {
  readonly key: Fragment
  readonly written?: Fragment
  readonly names?: NamedTable
}

/** A value of the deal `d`, its stage `s` or its account `n`. */
export interface OfDeal extends Keyed {
  readonly of: "deal" | "stage" | "client"
}

/** A value of one of the deal's rows `x`, the row that it refers to `y`, or its tag `t`. */
export interface OfRow extends Keyed {
  readonly of: RelationName
  readonly join?: RowJoin
}

/** A value that the workspace's segments define. */
export interface OfSegments extends Keyed {
  readonly of: "segments"
}

export type DimensionSql = OfDeal | OfRow | OfSegments

/** Close dates are days already. */
export const dateSql = (
  sql: SqlClient,
  { of, key }: DimensionText,
  grain: Grain,
  { fiscalStart, timezone }: Pick<Calendar, "fiscalStart" | "timezone">,
): DimensionSql => {
  const local = key.endsWith(".close_date") ? key : `${key} at time zone ${zoneLiteral(timezone)}`
  return { of, key: sql.literal(bucketSql(grain, local, fiscalStart)) } as DimensionSql
}

export const dimensionSql = (sql: SqlClient, { key, written, ...where }: DimensionText): DimensionSql =>
  ({
    ...where,
    key: sql.literal(key),
    ...(written !== undefined && { written: sql.literal(written) }),
  }) as DimensionSql

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
