import type { CrmProperty, DataType } from "../../deals/crmFilterSql.ts"
import { CellProblem, type DateOrder, readDate, readNumber } from "../plan/cells.ts"
import type { Checking } from "./references.ts"

type Value = string | number | boolean | null
type Values = Readonly<Record<string, Value>>

/** Sets properties of an object. Others stay unchanged; null removes one, and null instead of values removes all. */
export const mergeProperties = (
  checking: Checking,
  known: ReadonlyArray<CrmProperty>,
  object: CrmProperty["object"],
  before: Values,
  given: Values | null | undefined,
  dates: DateOrder,
): Values => {
  if (given === undefined) return before
  if (given === null) return {}
  const after = new Map(Object.entries(before))
  for (const [id, value] of Object.entries(given)) {
    const property = known.find((each) => each.object === object && each.id === id)
    const field = `crm_properties.${id}`
    if (property === undefined) {
      checking.problem(field, `must be a CRM property registered for ${object}s; '${id}' is not`)
    } else if (value === null || value === "") {
      after.delete(id)
    } else {
      const normal = NORMAL[property.data_type](value, dates)
      if (normal === undefined) checking.problem(field, EXPECTED[property.data_type])
      else after.set(id, normal)
    }
  }
  return Object.fromEntries(after)
}

const EXPECTED: Record<DataType, string> = {
  text: "must be text",
  number: "must be a number",
  date: "must be a date such as 2026-03-31",
  boolean: "must be true or false",
}

const TRUTH = new Map([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false],
])

/** Converts a value to its stored form. Undefined if it is not of the type. */
const NORMAL: Record<DataType, (value: string | number | boolean, dates: DateOrder) => Value | undefined> = {
  text: String,
  number: (value) => {
    const number = typeof value === "string" ? readNumber(value) : value
    return typeof number === "number" && Number.isFinite(number) ? number : undefined
  },
  date: (value, dates) => {
    const date = typeof value === "string" ? readDate(value.trim(), dates) : new CellProblem("")
    if (date instanceof CellProblem) return undefined
    const time = Date.parse(date.length === 10 ? `${date}T00:00:00Z` : date)
    if (Number.isNaN(time)) return undefined
    const instant = new Date(time).toISOString()
    if (date.length > 10) return instant
    return instant.startsWith(date) ? date : undefined
  },
  boolean: (value) => TRUTH.get(String(value).trim().toLowerCase()),
}
