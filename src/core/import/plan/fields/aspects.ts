import { fold } from "../../../common/fold.ts"

/** A field that only the import knows. It fills a field of the deal, beside the column that is called like that. */
interface Aspect {
  readonly fills: string
  /** The key of an entry's name, and what the column says of the entry. */
  readonly entry?: ListEntry
}

export interface ListEntry {
  readonly name: "competitor" | "reason"
  readonly says: Readonly<Record<string, boolean>>
}

const ASPECTS: Readonly<Record<string, Aspect>> = {
  other_competitors: { fills: "competitors" },
  primary_competitor: { fills: "competitors", entry: { name: "competitor", says: { is_primary: true } } },
  incumbent: { fills: "competitors", entry: { name: "competitor", says: { is_incumbent: true } } },
  win_reason: { fills: "drivers", entry: { name: "reason", says: { positive: true } } },
  loss_reason: { fills: "drivers", entry: { name: "reason", says: { positive: false } } },
  // A deal that has ended has one of these, and its close date may still be the one that was expected.
  actual_close_date: { fills: "close_date" },
  lost_date: { fills: "close_date" },
  won_date: { fills: "close_date" },
}

export const ASPECT_NAMES: ReadonlyArray<string> = Object.keys(ASPECTS)

const aspectOf = (field: string): Aspect | undefined => (Object.hasOwn(ASPECTS, field) ? ASPECTS[field] : undefined)

/** The field of the record that a field of the plan fills. */
export const filledBy = (field: string): string => aspectOf(field)?.fills ?? field

/** The properties of a planned field that fills another one. */
export const planAspect = (field: string): { readonly adds?: true; readonly entry?: ListEntry } => {
  const aspect = aspectOf(field)
  return aspect === undefined ? {} : { adds: true, ...(aspect.entry !== undefined && { entry: aspect.entry }) }
}

/** Gives a column the plain field if it says no more than that, and no other column fills it. Others come after the plain ones. */
export const settleAspects = <
  C extends { readonly field: string | null },
  F extends { readonly field: string },
>(matched: {
  readonly columns: ReadonlyArray<C>
  readonly fields: ReadonlyArray<F>
}): { readonly columns: ReadonlyArray<C>; readonly fields: ReadonlyArray<F> } => {
  const filled = new Set(matched.fields.map(({ field }) => field))
  const names = new Map<string, string>()
  for (const [field, { fills, entry }] of Object.entries(ASPECTS)) {
    if (!filled.has(field) || filled.has(fills) || entry !== undefined) continue
    names.set(field, fills)
    filled.add(fills)
  }
  const fields = matched.fields.map((each) => ({ ...each, field: names.get(each.field) ?? each.field }))
  const rank = ({ field }: { readonly field: string }) => ASPECT_NAMES.indexOf(field)
  return {
    columns: matched.columns.map((each) => ({ ...each, field: names.get(each.field ?? "") ?? each.field })),
    fields: fields.toSorted((a, b) => rank(a) - rank(b)),
  }
}

/** Adds the entries of a column to those that other columns give. A name that stands there alone counts once. */
export const addEntries = (
  known: unknown,
  entry: ListEntry | undefined,
  value: ReadonlyArray<unknown>,
): ReadonlyArray<unknown> => {
  const added =
    entry === undefined
      ? value
      : value.map((each) => ({
          ...entry.says,
          ...(typeof each === "string" ? { [entry.name]: each } : (each as object)),
        }))
  const listed = Array.isArray(known) ? known : []
  const names = new Set(value.map((each) => (typeof each === "string" ? fold(each) : undefined)))
  return [...listed.filter((each) => typeof each !== "string" || !names.has(fold(each))), ...added]
}
