import type { Invalid } from "../http/validation.ts"
import { ARRAY_FILTER_NAMES, type CanonicalFilters, type DealFilters, MODIFIER_OF, OLDER_NAMES } from "./filters.ts"

/**
 * Renames filters to their canonical names, and finds problems between fields: an older and a newer name that disagree, a
 * modifier without its values, or values with a modifier that takes none.
 */
export const canonicalize = (
  filters: DealFilters,
): { readonly filters: CanonicalFilters; readonly invalid: ReadonlyArray<Invalid> } => {
  const invalid: Array<Invalid> = []
  const result: Record<string, unknown> = { ...filters }
  for (const [older, name] of Object.entries(OLDER_NAMES)) {
    const given = result[older]
    if (given === undefined) continue
    delete result[older]
    const value = name === "analyzed" || name === "verified" ? parseTruths(given as Truths) : given
    if (value === "neither") {
      invalid.push({ field: older, reason: 'must be ["true"], ["false"] or both' })
    } else if (result[name] === undefined) {
      if (value !== "both") result[name] = value
    } else if (!isSame(result[name], value)) {
      invalid.push({
        field: older,
        reason: `must equal ${name}, the current name of the same parameter, or be omitted`,
      })
    }
  }
  for (const [name, modifier] of Object.entries(MODIFIER_OF)) {
    const values = result[name] as ReadonlyArray<string> | undefined
    const mode = result[modifier]
    if (mode === "is empty" || mode === "is not empty") {
      if (values !== undefined && values.length > 0) {
        invalid.push({ field: name, reason: `must be omitted when ${modifier} is '${mode}'` })
      }
    } else if (mode !== undefined && values === undefined) {
      invalid.push({ field: modifier, reason: `must come with ${name}` })
    }
    if (values !== undefined && values.length === 0 && mode !== "is empty" && mode !== "is not empty") {
      invalid.push({ field: name, reason: "must have at least one value" })
    }
  }
  for (const name of ARRAY_FILTER_NAMES) {
    if (!(name in MODIFIER_OF) && result[name] !== undefined && (result[name] as ReadonlyArray<string>).length === 0) {
      invalid.push({ field: name, reason: "must have at least one value" })
    }
  }
  return { filters: result as CanonicalFilters, invalid }
}

type Truths = boolean | ReadonlyArray<boolean | "true" | "false">

const parseTruths = (given: Truths): boolean | "both" | "neither" => {
  if (typeof given === "boolean") return given
  const wanted = new Set(given.map(String))
  if (wanted.size === 0) return "neither"
  return wanted.size === 2 ? "both" : wanted.has("true")
}

const isSame = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b)
    ? JSON.stringify([...a].sort()) === JSON.stringify([...b].sort())
    : JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b))

const sortKeys = (value: unknown) =>
  typeof value === "object" && value !== null ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value
