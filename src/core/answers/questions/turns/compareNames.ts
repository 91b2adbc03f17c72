import type { FoundName } from "../names/foundNames.ts"
import type { Slots } from "../parse/slots.ts"

/** "Compare that with the Nordics" */
const COMPARES_IT =
  /^\W*(?:(?:and|ok(?:ay)?|so|now|then|please|can you|could you)\W+)*compare(?:d|s)?(?: (?:it|that|this|them|those|these|both))? (?:to|with|against|and)(?!\p{L})/iu

const COMPARES =
  /^\W*(?:(?:and|ok(?:ay)?|so|how)\W+)*(?:vs\.?|versus|(?:as )?compared (?:to|with)|relative to|compared$)(?!\p{L})/iu

const ADDS = /^\W*(?:(?:and|ok(?:ay)?|now|please|also)\W+)*(?:add|include|plus)(?!\p{L})/iu

/** "vs September" and "compared to the Nordics" put a period or name beside the one before. A competitor takes the place of another. */
export const beside = (before: Slots, next: Slots, question: string): Slots => {
  if (ADDS.test(question)) return withAdded(before, next)
  const [period, ...morePeriods] = next.periods
  const [name, ...moreNames] = next.names
  const isOfOne = next.compare === undefined && morePeriods.length + moreNames.length === 0
  if (!isOfOne || !(COMPARES_IT.test(question) || COMPARES.test(question))) return next
  if (period !== undefined && name === undefined && before.periods.length === 1 && before.grain === undefined)
    return { ...next, periods: [...before.periods, period], compare: "named" }
  if (period !== undefined && name === undefined && COMPARES_IT.test(question))
    return refuse(next, [period.from, period.to].filter((day) => day !== undefined).join(" to "))
  return name === undefined || period !== undefined ? next : besideName(before, next, name, COMPARES_IT.test(question))
}

/** `isCommand`: the question says "compare". */
const besideName = (before: Slots, next: Slots, name: FoundName, isCommand: boolean): Slots => {
  const same = before.names.filter(({ kind, negated }) => kind === name.kind && !negated)
  if (same.length === 0) return isCommand && before.names.length > 0 ? refuse(next, name.name) : next
  const isCompared = comparesNames(before) || before.bases.some((base) => base.endsWith("rate"))
  const replaces = name.kind === "competitor" && !isCommand && before.compare !== "named"
  return replaces || (same.length > 1 && !isCompared) ? next : { ...next, names: [...same, name], compare: "named" }
}

/** "Without Nimbrel" after Nimbrel and two others leaves these two. Undefined if it excludes none of several names. */
export const withoutNamed = (before: Slots, next: Slots): Partial<Slots> | undefined => {
  const { names } = before
  const excluded = new Set(next.names.flatMap(({ negated, value }) => (negated ? [value] : [])))
  const kept = names.filter(({ value, negated }) => negated || !excluded.has(value))
  const kinds = new Set(kept.map(({ kind }) => kind))
  const isOfSeveral = next.names.length > 0 && next.names.every(({ kind, negated }) => negated && kinds.has(kind))
  if (!isOfSeveral || kept.length === names.length) return undefined
  const isLeftAlone = comparesNames(before) && kept.length === kinds.size
  return { names: kept, ...(isLeftAlone && { compare: undefined }) }
}

/** "Add Calyptus One" to the competitors that are compared. */
const withAdded = (before: Slots, next: Slots): Slots => {
  const kinds = new Set(next.names.map(({ kind }) => kind))
  const same = before.names.filter(({ kind }) => kinds.has(kind))
  return next.names.length === 0 || same.length === 0
    ? next
    : { ...next, names: [...same, ...next.names], compare: "named" }
}

/** No report has rows of two kinds: a region beside an industry. */
const refuse = (next: Slots, name: string): Slots => ({
  ...next,
  unknown: [
    ...next.unknown.filter(({ said }) => !isOfComparison(said)),
    { said: `the comparison with ${name}`, as: "unused" },
  ],
})

/** Whether an unread part is a word that only compares or adds. */
export const isOfComparison = (said: string): boolean =>
  COMPARES.test(said) || ADDS.test(said) || /^compared?$/iu.test(said)

export const comparesNames = ({ compare, periods }: Slots): boolean => compare === "named" && periods.length < 2
