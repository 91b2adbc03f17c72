import type { Conversion } from "./amounts.ts"
import { addEntries } from "../fields/aspects.ts"
import type { PlannedField } from "../fields/ImportPlan.ts"

/** Sets a value of a record, or of a map in it. */
const put = (record: Record<string, unknown>, path: ReadonlyArray<string>, value: unknown): void => {
  const [first = "", ...rest] = path
  if (rest.length === 0) {
    if (first === "__proto__") Object.defineProperty(record, first, { value, enumerable: true })
    else record[first] = value
    return
  }
  const known = Object.hasOwn(record, first) ? record[first] : undefined
  const inner = typeof known === "object" && known !== null ? known : {}
  if (inner !== known) put(record, [first], inner)
  put(inner as Record<string, unknown>, rest, value)
}

type Fields = Record<string, unknown>

/** Puts a value into its field. A converted amount also has properties. */
export const putValue = (record: Fields, { path, adds, entry }: PlannedField, value: unknown): void => {
  if (adds === true && Array.isArray(value)) return put(record, path, addEntries(record[path[0]!], entry, value))
  if (typeof value !== "object" || value === null || !("amount" in value)) return put(record, path, value)
  const { amount, properties } = value as Conversion
  put(record, path, amount)
  for (const [id, each] of Object.entries(properties)) put(record, ["crm_properties", id], each)
}

export const clear = (record: Fields, { path, adds }: PlannedField): void => {
  if (adds === true && record[path[0]!] !== undefined) return
  const [map, name, part] = path
  const known = (record as Readonly<Record<string, any>>)[map!]?.[name ?? ""]?.[part ?? ""]
  // The scorecard of an export has explanations that are blank, which their columns cannot show.
  if (map !== "scorecard" || typeof known !== "string" || known.trim() !== "") put(record, path, null)
}

/** A metric without score and explanation is removed. */
export const removeEmptyMetrics = (record: Fields): void => {
  const metrics = record["custom_metrics"]
  if (typeof metrics !== "object" || metrics === null) return
  for (const [name, value] of Object.entries(metrics)) {
    if (Object.values(value as object).every((each) => each === null)) put(record, ["custom_metrics", name], null)
  }
}
