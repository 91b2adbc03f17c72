import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { CrmFilter, Operator } from "../filters/crm.ts"
import {
  type CrmObject,
  type CrmProperties,
  type DataType,
  findType,
  numberOf,
  propertyOf,
} from "../names/properties.ts"

const COMPARISON = {
  "is greater than": ">",
  "is less than": "<",
  "is greater than or equal to": ">=",
  "is less than or equal to": "<=",
  "is before": "<",
  "is after": ">",
} as const

/** The condition over `d` and its account. Null matches only `is not`, `does not contain` and `is empty`. */
export const crmCondition = (
  sql: SqlClient,
  object: CrmObject,
  filter: CrmFilter,
  properties: CrmProperties,
): Fragment => {
  const type = findType(object, filter, properties)
  const id = propertyOf(object, filter, properties)?.id ?? String(filter.property)
  if (object === "deal") return compare(sql, propertyValue(sql, "d", id, type), type, filter)
  const value =
    typeof filter.property === "string"
      ? propertyValue(sql, "n", id, type)
      : sql`n.${sql.literal(filter.property.map_to)}`
  const negative = NEGATIVE.has(filter.operator)
  const account = sql`select from clients n where n.org_id = scope.org and n.id = d.client_id`
  return negative
    ? sql`not exists (${account} and not (${compare(sql, value, type, filter)}))`
    : sql`exists (${account} and ${compare(sql, value, type, filter)})`
}

const NEGATIVE: ReadonlySet<Operator> = new Set(["is not", "does not contain", "is empty"])

/** The property's value in `alias.crm_properties`; null if it has another type. */
export const propertyValue = (sql: SqlClient, alias: string, id: string, type: DataType): Fragment => {
  const properties = sql.literal(`${alias}.crm_properties`)
  switch (type) {
    case "number":
      return sql`case when jsonb_typeof(${properties} -> ${id}) = 'number' then (${properties} ->> ${id})::float8 end`
    case "date":
      return sql`case when ${properties} ->> ${id} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then left(${properties} ->> ${id}, 10) end collate "C"`
    case "boolean":
      return sql`case when ${properties} ->> ${id} in ('true', 'false') then ${properties} ->> ${id} end`
    default:
      return sql`${properties} ->> ${id}`
  }
}

const compare = (sql: SqlClient, column: Fragment, type: DataType, { operator, value }: CrmFilter): Fragment => {
  const operand =
    type === "number"
      ? sql`${numberOf(value)}::float8`
      : type === "date"
        ? sql`${String(value).slice(0, 10)}`
        : sql`${String(value)}`
  switch (operator) {
    case "is":
      return type === "text" ? sql`lower(${column}) = lower(${operand})` : sql`(${column}) = ${operand}`
    case "is not":
      return type === "text"
        ? sql`lower(${column}) is distinct from lower(${operand})`
        : sql`(${column}) is distinct from ${operand}`
    case "is empty":
      return sql`(${column}) is null`
    case "is not empty":
      return sql`(${column}) is not null`
    case "contains":
      return sql`strpos(lower(${column}), lower(${operand})) > 0`
    case "does not contain":
      return sql`coalesce(strpos(lower(${column}), lower(${operand})), 0) = 0`
    default:
      return sql`(${column}) ${sql.literal(COMPARISON[operator])} ${operand}`
  }
}
