import type { Row, Tables } from "./oracle.ts"

const propertyOf = (world: Tables, object: string, name: string, crm: string | undefined) => {
  const all = (world["crm_properties"] ?? []).filter(
    (each) => each["object"] === object && (crm === undefined || each["crm"] === crm),
  )
  const lower = name.toLowerCase()
  return (
    all.find((each) => each["id"] === name) ??
    all.find((each) => each["id"].toLowerCase() === lower) ??
    all.find((each) => each["label"]?.toLowerCase() === lower)
  )
}

/** Whether one condition on a CRM property holds. */
export const crmHolds = (
  properties: Row,
  columns: Row,
  { property, operator, value, crm }: Row,
  object: string,
  world: Tables,
) => {
  const found = typeof property === "string" ? propertyOf(world, object, property, crm) : undefined
  const type = found?.["data_type"] ?? "text"
  const held = (typeof property === "string" ? properties[found?.["id"] ?? property] : columns[property.map_to]) ?? null
  const negative = operator === "is not" || operator === "does not contain"
  if (operator === "is empty" || operator === "is not empty") return (held === null) === (operator === "is empty")
  return held === null ? negative : compares(operator, plain(held, type), plain(value, type))
}

const plain = (each: unknown, type: string) => {
  if (type === "number") return Number(each)
  if (type === "date") return String(each).slice(0, 10)
  return type === "text" ? String(each).toLowerCase() : String(each)
}

const compares = (operator: string, a: number | string, b: number | string): boolean => {
  switch (operator) {
    case "is":
      return a === b
    case "is not":
      return a !== b
    case "is greater than":
    case "is after":
      return a > b
    case "is less than":
    case "is before":
      return a < b
    case "is greater than or equal to":
      return a >= b
    case "is less than or equal to":
      return a <= b
    case "contains":
      return String(a).toLowerCase().includes(String(b).toLowerCase())
    case "does not contain":
      return !String(a).toLowerCase().includes(String(b).toLowerCase())
    default:
      throw new Error(`no operator ${operator}`)
  }
}
