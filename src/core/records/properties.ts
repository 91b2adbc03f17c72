import { isDay, splitOffset, withOffset } from "../common/zone.ts"
import type { CrmProperty, DataType } from "../deals/names/properties.ts"
import { type DateOrder, isDateProblem, readDate } from "./values/dates.ts"
import { isNumberProblem, readNumber } from "./values/numbers.ts"
import type { Checking } from "./names/references.ts"
import type { Session } from "./Session.ts"

type Value = string | number | boolean | null
type Values = Readonly<Record<string, Value>>

/** Sets properties of an object. Others stay unchanged; null removes one, and null instead of values removes all. */
export const mergeProperties = (
  checking: Checking,
  known: ReadonlyArray<CrmProperty>,
  object: CrmProperty["object"],
  before: Values,
  given: Values | null | undefined,
  { dates, zone }: Pick<Session, "dates" | "zone">,
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
      const normal = NORMAL[property.data_type](value, dates, zone)
      if (normal === undefined) checking.problem(field, EXPECTED[property.data_type])
      else if (typeof normal === "object") checking.problem(field, normal.reason)
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

/** A time with its offset, which keeps the day that was written. A local time gets the offset of the zone. */
const toDatedTime = (text: string, zone: string): string | undefined => {
  if (Number.isNaN(Date.parse(text))) return undefined
  const { local, offset } = splitOffset(text)
  return offset === "" ? withOffset(local, zone) : new Date(`${local}Z`).toISOString().replace("Z", offset)
}

/** Converts a value to its stored form. Undefined if it is not of the type, or the reason why it has no single meaning. */
const NORMAL: Record<
  DataType,
  (
    value: string | number | boolean,
    dates: DateOrder,
    zone: string,
  ) => NonNullable<Value> | { readonly reason: string } | undefined
> = {
  text: String,
  number: (value) => {
    if (typeof value !== "string") return typeof value === "number" ? value : undefined
    const read = readNumber(value)
    return isNumberProblem(read) ? read : read.value
  },
  date: (value, dates, zone) => {
    const date = typeof value === "string" ? readDate(value.trim(), dates) : undefined
    if (date === undefined || isDateProblem(date)) return date
    return isDay(date) ? date : toDatedTime(date, zone)
  },
  boolean: (value) => TRUTH.get(String(value).trim().toLowerCase()),
}
