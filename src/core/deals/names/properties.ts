import { suggestion } from "../../common/nearest.ts"
import type { Invalid } from "../../http/validation/validation.ts"
import { ACCOUNT_COLUMNS, type CrmFilter, isWithoutValue, type Operator } from "../filters/crm.ts"
import { type CanonicalFilters, partsOf } from "../filters/filters.ts"

export type CrmObject = "deal" | "account"
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

export const propertyOf = (object: CrmObject, { property, crm }: CrmFilter, properties: CrmProperties) =>
  typeof property === "string" ? findProperty(properties, object, crm, property) : undefined

/** A standard account property named without `map_to`. It is looked up in the raw CRM data, which never has it. */
const isUnmapped = (object: CrmObject, filter: CrmFilter) =>
  object === "account" && (ACCOUNT_COLUMNS as ReadonlyArray<unknown>).includes(filter.property)

export const findType = (object: CrmObject, filter: CrmFilter, properties: CrmProperties): DataType =>
  propertyOf(object, filter, properties)?.data_type ?? "text"

/** Checks a CRM filter against the workspace's properties. */
const crmFilterProblem = (
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

export const numberOf = (value: CrmFilter["value"]) =>
  value === undefined || typeof value === "boolean" || String(value).trim() === "" ? Number.NaN : Number(value)

/** The problems of the CRM filters, by field. */
export const crmProblems = (filters: CanonicalFilters, properties: CrmProperties): ReadonlyArray<Invalid> =>
  partsOf(filters).flatMap(([part, prefix]) =>
    (["crm_filters", "crm_account_filters"] as const).flatMap((name) =>
      (part[name] ?? []).flatMap((filter, index) => {
        const object = name === "crm_filters" ? "deal" : "account"
        const problem = crmFilterProblem(object, filter, properties, `${prefix}${name}[${index}]`)
        return problem === undefined ? [] : [problem]
      }),
    ),
  )
