import { endOf, startOf } from "../common/zone.ts"
import { type ArrayFilter, MODIFIER_OF } from "../deals/filters/arrays.ts"
import { type CanonicalFilters, DATE_FILTERS, type DateFilter } from "../deals/filters/filters.ts"

type Conditions = Readonly<Record<string, unknown>>

/** The filters that apply to one row together. */
const LINKED = [
  ["driver_ids", "driver_effect", "driver_categories"],
  ["feature_ids", "products", "product_areas", "feature_sentiment", "association_tags", "asked_at"],
  ["entered_stages", "left_stages", "stage_changed_at"],
  ["slipped_from"],
] as const satisfies ReadonlyArray<ReadonlyArray<ArrayFilter | DateFilter>>

/** The condition that an array filter has this value, or none. */
export const having = (filter: ArrayFilter, value: string | null): Conditions =>
  value === null ? { [MODIFIER_OF[filter]]: "is empty" } : { [filter]: [value] }

interface Bounds {
  readonly from?: string
  readonly to?: string
  readonly min?: number
  readonly max?: number
  readonly below?: number
}

/** The range within both. The time zone decides on a day and an instant. */
const intersect = (a: Bounds, b: Bounds, zone: string): Bounds => {
  const later = (x: string, y: string) => (startOf(x, zone) >= startOf(y, zone) ? x : y)
  const earlier = (x: string, y: string) => (endOf(x, zone) <= endOf(y, zone) ? x : y)
  const both = <A>(x: A | undefined, y: A | undefined, choose: (x: A, y: A) => A) =>
    x === undefined ? y : y === undefined ? x : choose(x, y)
  const bounds = {
    from: both(a.from, b.from, later),
    to: both(a.to, b.to, earlier),
    min: both(a.min, b.min, Math.max),
    max: both(a.max, b.max, Math.min),
    below: both(a.below, b.below, Math.min),
  }
  return Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined))
}

const RANGES: ReadonlySet<string> = new Set([...DATE_FILTERS, "amount"])
const MODIFIERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(MODIFIER_OF),
  ["amount", "amount_filter_type"],
  ["close_date", "close_date_filter_type"],
  ["stage_changed_at", "stage_changed_at_filter_type"],
  ["slipped_from", "slipped_from_filter_type"],
])
const FILTER_OF = new Map([...MODIFIERS].map(([filter, modifier]) => [modifier, filter]))

/** Modifiers of a filter that a group's own value implies. */
const isImplied = (modifier: unknown) =>
  modifier === undefined || modifier === "is any of" || modifier === "is empty" || modifier === "is not empty"

/** Whether `base` says what `part` has of a filter: it has the same, or values, which imply that there is one. */
const isSaid = (base: Conditions, part: Conditions, filter: string, modifier: string) =>
  [filter, modifier].every((each) => JSON.stringify(base[each]) === JSON.stringify(part[each])) ||
  (part[modifier] === "is not empty" && base[modifier] !== "is not" && base[filter] !== undefined)

/**
 * Filters that select the deals that `base` and `part` both select. `part` describes a group of the deals that `base` selects, so
 * its value of a filter implies a plain list of `base`. Anything else that both have goes to `and`.
 */
const combine = (base: Conditions, part: Conditions, zone: string): Conditions => {
  const merged: Record<string, unknown> = { ...base }
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(part)) {
    const filter = FILTER_OF.get(name) ?? name
    const modifier = MODIFIERS.get(filter)
    const own = base[filter]
    const ownModifier = modifier === undefined ? undefined : base[modifier]
    if (own === undefined && ownModifier === undefined) merged[name] = value
    else if (isSaid(base, part, filter, modifier ?? filter)) continue
    else if (name === "crm_filters" || name === "crm_account_filters")
      merged[name] = [...(own as ReadonlyArray<unknown>), ...(value as ReadonlyArray<unknown>)]
    else if (RANGES.has(name)) {
      merged[name] = own === undefined ? value : intersect(own as Bounds, value as Bounds, zone)
      if (modifier !== undefined) delete merged[modifier]
    } else if (modifier !== undefined && isImplied(ownModifier) && isImplied(part[modifier])) {
      delete merged[filter]
      delete merged[modifier]
      for (const each of [filter, modifier]) if (part[each] !== undefined) merged[each] = part[each]
    } else rest[name] = value
  }
  if (Object.keys(rest).length === 0) return merged
  // Filters on one row must stay together.
  const isLinked = LINKED.some((names) => names.some((name) => isOf(rest, name)))
  return isLinked ? { ...base, and: [...andOf(base), part] } : { ...merged, and: [...andOf(base), rest] }
}

const andOf = (base: Conditions) => (base["and"] ?? []) as ReadonlyArray<Conditions>
const isOf = (part: Conditions, name: string) =>
  part[name] !== undefined || part[MODIFIERS.get(name) ?? name] !== undefined

/** The filters whose values may each have a row. One row has all tags. */
const findSpread = (base: Conditions, names: ReadonlyArray<string>) =>
  names.filter((name) => name !== "association_tags" && base[MODIFIERS.get(name) ?? name] === "is all of")

/** The conditions of `base` on one row of the linked filters, as `matchingRows` has it. */
const rowPart = (base: Conditions, names: ReadonlyArray<string>): Conditions => {
  const part: Record<string, unknown> = {}
  const spread = findSpread(base, names)
  for (const name of names) {
    const modifier = MODIFIERS.get(name)
    const mode = modifier === undefined ? undefined : base[modifier]
    if (mode === "is not" || !isOf(base, name) || (spread.length > 1 && spread.includes(name))) continue
    if (base[name] !== undefined) part[name] = base[name]
    if (modifier === undefined || mode === undefined) continue
    if (!spread.includes(name)) part[modifier] = mode
  }
  return part
}

/** Whether a part is about one row of a deal, so that it belongs to the conditions on the row of a group. */
export const isOnRow = (part: Conditions): boolean => LINKED.some((names) => names.some((name) => isOf(part, name)))

/** The meaning of a filter without a modifier. */
const ANY = "is any of"

/**
 * Filters that select the deals that `base` selects and that meet the filters of a measure's scope, too. Unlike a group, a scope implies nothing
 * of `base`. `apart` are filters on a row of the deal that need not be the row of the group.
 */
export const within = (base: CanonicalFilters, scope: Conditions, apart: Conditions = {}): CanonicalFilters => {
  const merged: Record<string, unknown> = { ...base }
  const rest: Record<string, unknown> = { ...apart }
  for (const filter of new Set(Object.keys(scope).map((name) => FILTER_OF.get(name) ?? name))) {
    const modifier = MODIFIERS.get(filter) ?? ""
    // A value and its modifier are one condition: "won" and "is not" with the same value are opposites.
    const part = Object.fromEntries([filter, modifier].flatMap((name) => (name in scope ? [[name, scope[name]]] : [])))
    const [own, mode] = [merged[filter], merged[modifier]]
    const [value, scopeMode] = [part[filter], part[modifier]]
    if (own === undefined && mode === undefined) Object.assign(merged, part)
    else if (JSON.stringify([own, mode ?? ANY]) === JSON.stringify([value, scopeMode ?? ANY])) continue
    else if (Array.isArray(own) && Array.isArray(value) && (mode ?? ANY) === ANY && (scopeMode ?? ANY) === ANY) {
      const both = own.filter((each) => value.includes(each))
      if (both.length > 0) merged[filter] = both
      else Object.assign(rest, part)
    } else if (scopeMode !== "is not empty" || own === undefined || mode !== undefined) Object.assign(rest, part)
  }
  return Object.keys(rest).length === 0 ? merged : { ...merged, and: [...andOf(merged), rest] }
}

/**
 * The filters that select exactly the deals of a group. `parts` has a condition for each dimension. In a report of associations
 * (`ofAssociations`), the deals have an association.
 */
export const drillFilters = (
  base: CanonicalFilters,
  parts: ReadonlyArray<Conditions>,
  { ofAssociations, zone }: { readonly ofAssociations: boolean; readonly zone: string },
): CanonicalFilters => {
  let filters: Conditions = base
  for (const part of parts.filter((each) => !isOnRow(each))) {
    filters = combine(filters, part, zone)
  }
  for (const names of LINKED) {
    const own = parts.filter((each) => names.some((name) => isOf(each, name)))
    const needsRow = ofAssociations && names[0] === "feature_ids"
    if (own.length === 0 && !needsRow) continue
    let row = rowPart(base as Conditions, names)
    // A group by tag has one of the tags that the filter requires together.
    const hasAllTags = row[MODIFIER_OF.association_tags] === "is all of"
    for (const part of own) if (!hasAllTags || !isOf(part, "association_tags")) row = combine(row, part, zone)
    const isAssociated = { [MODIFIER_OF.feature_ids]: "is not empty" }
    if (needsRow && !isOf(row, "feature_ids")) row = { ...row, ...isAssociated }
    // Beside several such filters, the group's value would be required of each of their rows.
    const isApart = findSpread(base as Conditions, names).length > 1
    filters = isApart ? { ...filters, and: [...andOf(filters), row] } : combine(filters, row, zone)
    // No association lacks its feature, so this selects nothing.
    if (needsRow && row[MODIFIER_OF.feature_ids] === "is empty") {
      filters = { ...filters, and: [...andOf(filters), isAssociated] }
    }
  }
  return filters as CanonicalFilters
}
