import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { ACCOUNT_COLUMNS, type CrmFilter, isWithoutValue, type Operator } from "./crmFilters.ts"
import type { Invalid } from "../http/validation.ts"
import { suggestion } from "../common/nearest.ts"

type CrmObject = "deal" | "account"
export type DataType = "text" | "number" | "date" | "boolean"

/** A CRM property that was synced into the workspace. */
export interface CrmProperty {
  readonly crm: "crm_one" | "crm_two"
  readonly object: CrmObject
  readonly id: string
  readonly label: string | null
  readonly data_type: DataType
}
export type CrmProperties = ReadonlyArray<CrmProperty>

const EQUALITY = ["is", "is not", "is empty", "is not empty"] as const
const COMPARISON = {
  "is greater than": ">",
  "is less than": "<",
  "is greater than or equal to": ">=",
  "is less than or equal to": "<=",
  "is before": "<",
  "is after": ">",
} as const
const ORDER = ["is greater than", "is less than", "is greater than or equal to", "is less than or equal to"] as const

/** The operators of each type of property. */
const OPERATORS_OF: Record<DataType, ReadonlyArray<Operator>> = {
  text: [...EQUALITY, "contains", "does not contain"],
  number: [...EQUALITY, ...ORDER],
  date: [...EQUALITY, ...ORDER, "is before", "is after"],
  boolean: EQUALITY,
}

/** Finds a property by its exact id, else by its id or label, ignoring case. */
export const findProperty = (
  properties: CrmProperties,
  object: CrmObject,
  crm: CrmProperty["crm"] | undefined,
  name: string,
): CrmProperty | undefined => {
  const lower = name.toLowerCase()
  const all = properties.filter((each) => each.object === object && (crm ?? each.crm) === each.crm)
  return (
    all.find(({ id }) => id === name) ??
    all.find(({ id }) => id.toLowerCase() === lower) ??
    all.find(({ label }) => label?.toLowerCase() === lower)
  )
}

const propertyOf = (object: CrmObject, { property, crm }: CrmFilter, properties: CrmProperties) =>
  typeof property === "string" ? findProperty(properties, object, crm, property) : undefined

/** A standard account property named without `map_to`. It is looked up in the raw CRM data, which never has it. */
const isUnmapped = (object: CrmObject, filter: CrmFilter) =>
  object === "account" && (ACCOUNT_COLUMNS as ReadonlyArray<unknown>).includes(filter.property)

const findType = (object: CrmObject, filter: CrmFilter, properties: CrmProperties): DataType =>
  propertyOf(object, filter, properties)?.data_type ?? "text"

/** Checks a CRM filter against the workspace's properties. */
export const crmFilterProblem = (
  object: CrmObject,
  filter: CrmFilter,
  properties: CrmProperties,
  field: string,
): Invalid | undefined => {
  if (typeof filter.property !== "string") {
    if (object === "deal")
      return { field: `${field}.property`, reason: "must be a string: map_to names columns of an account" }
  } else if (propertyOf(object, filter, properties) === undefined && !isUnmapped(object, filter)) {
    return {
      field: `${field}.property`,
      reason: `must be a CRM property synced for ${object}s; '${filter.property}' is not`,
      ...suggestion(
        filter.property,
        properties.flatMap(({ object: of, id, label }) =>
          of === object ? [id, ...(label === null ? [] : [label])] : [],
        ),
      ),
    }
  }
  const type = findType(object, filter, properties)
  if (!OPERATORS_OF[type].includes(filter.operator)) {
    return { field: `${field}.operator`, reason: `must suit a ${type} property: ${OPERATORS_OF[type].join(", ")}` }
  }
  if (isWithoutValue(filter.operator)) return undefined
  if (type === "number" && !Number.isFinite(numberOf(filter.value))) {
    return { field: `${field}.value`, reason: "must be a number" }
  }
  if (type === "date" && !/^\d{4}-\d{2}-\d{2}/.test(String(filter.value))) {
    return { field: `${field}.value`, reason: "must be a date such as 2026-03-31" }
  }
  if (type === "boolean" && !["true", "false"].includes(String(filter.value))) {
    return { field: `${field}.value`, reason: "must be true or false" }
  }
  return undefined
}

const numberOf = (value: CrmFilter["value"]) =>
  value === undefined || typeof value === "boolean" || String(value).trim() === "" ? Number.NaN : Number(value)

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
