import { byText, type DealRow } from "./dealRows.ts"
import { isSame } from "./isSame.ts"
import type { Checking } from "./names/references.ts"

export const distinct = (values: ReadonlyArray<string>) => [...new Set(values)].sort(byText)

/** The drivers without those that say the same as an earlier one. */
export const distinctDrivers = (all: DealRow["drivers"]): DealRow["drivers"] =>
  all.filter((each, at) => all.findIndex((other) => isSame(other, each)) === at)

/** One row per competitor. If a record names one twice, it is primary or incumbent if either entry is. */
export const mergeCompetitors = (all: DealRow["competitors"]): DealRow["competitors"] => {
  const byId = new Map<string, DealRow["competitors"][number]>()
  for (const each of all) {
    const other = byId.get(each.competitor_id)
    byId.set(each.competitor_id, {
      competitor_id: each.competitor_id,
      is_primary: each.is_primary || (other?.is_primary ?? false),
      is_incumbent: each.is_incumbent || (other?.is_incumbent ?? false),
    })
  }
  return [...byId.values()].sort((a, b) => byText(a.competitor_id, b.competitor_id))
}

type NamedValues<T> = ReadonlyArray<readonly [id: () => string, value: T]> | null | undefined

/** The values of a map whose keys are names. */
export const namedValues = <T>(
  checking: Checking,
  field: string,
  kind: "metric" | "answer",
  given: Readonly<Record<string, T>> | null | undefined,
): NamedValues<T> =>
  given && Object.entries(given).map(([name, value]) => [checking.reference(`${field}.${name}`, kind, name), value])

/** Puts given values over stored ones; null removes one, and instead of a map all. */
export const mergeNamed = <T, S>(
  before: Readonly<Record<string, S>>,
  given: NamedValues<T | null>,
  stored: (value: T) => S,
): Readonly<Record<string, S>> => {
  if (given === undefined) return before
  if (given === null) return {}
  const after = new Map(Object.entries(before))
  for (const [id, value] of given) {
    if (value === null) after.delete(id())
    else after.set(id(), stored(value))
  }
  return Object.fromEntries(after)
}
