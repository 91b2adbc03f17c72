import type { Invalid } from "../../http/validation/validation.ts"
import { MODIFIER_OF } from "./arrays.ts"
import { type CrmFilter, isWithoutValue } from "./crm.ts"
import { type CanonicalFilters, type DealFilters, OLDER_NAMES, partsOf } from "./filters.ts"

/**
 * Renames filters to their canonical names, and finds problems between fields: an older and a newer name that disagree, a
 * modifier without its values, or values with a modifier that takes none.
 */
export const canonicalize = (
  given: DealFilters,
): { readonly filters: CanonicalFilters; readonly invalid: ReadonlyArray<Invalid> } => {
  const invalid: Array<Invalid> = []
  const result: Record<string, unknown> = { ...given }
  for (const [older, name] of Object.entries(OLDER_NAMES)) {
    const old = result[older]
    if (old === undefined) continue
    delete result[older]
    const value = name === "analyzed" || name === "verified" ? parseTruths(old as Truths) : old
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
  const filters = result as CanonicalFilters
  for (const [part, prefix] of partsOf(filters)) {
    invalid.push(...contradictions(part).map((each) => ({ ...each, field: prefix + each.field })))
  }
  return { filters, invalid }
}

/** Modifiers without values, and values with a modifier that takes none. */
const contradictions = (part: Readonly<Record<string, unknown>>): ReadonlyArray<Invalid> => [
  ...Object.entries(MODIFIER_OF).flatMap(([name, modifier]): ReadonlyArray<Invalid> => {
    const values = part[name] as ReadonlyArray<string> | undefined
    const mode = part[modifier]
    if (mode === "is empty" || mode === "is not empty") return valuesBeside(name, values, modifier, mode)
    if (mode !== undefined && values === undefined) return [{ field: modifier, reason: `must come with ${name}` }]
    return values?.length === 0 ? [{ field: name, reason: "must have at least one value" }] : []
  }),
  ...["amount", "close_date"].flatMap((name) =>
    part[name] === undefined || part[`${name}_filter_type`] === undefined
      ? []
      : valuesBeside(name, [part[name]], `${name}_filter_type`, String(part[`${name}_filter_type`])),
  ),
  ...["crm_filters", "crm_account_filters"].flatMap((name) =>
    ((part[name] ?? []) as ReadonlyArray<CrmFilter>).flatMap(({ operator, value }, index) =>
      isWithoutValue(operator) === (value === undefined)
        ? []
        : [
            {
              field: `${name}[${index}].value`,
              reason: value === undefined ? `must be given with '${operator}'` : `must be omitted with '${operator}'`,
            },
          ],
    ),
  ),
]

const valuesBeside = (name: string, values: ReadonlyArray<unknown> | undefined, modifier: string, mode: string) =>
  values === undefined || values.length === 0
    ? []
    : [{ field: name, reason: `must be omitted when ${modifier} is '${mode}'` }]

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
