import type { Base } from "../words/lexicon.ts"
import { chooseDateField } from "../parse/makeFilters.ts"
import { KINDS } from "../words/names.ts"
import type { Slots } from "../parse/slots.ts"

/** The dimensions of the rows that a question asks for. */
export const chooseGroups = (slots: Slots): ReadonlyArray<string> => {
  const { head, counts, groups, compare, grain, bases, names, outcomes, isShare, having } = slots
  const isPeople = head !== undefined && head !== "deal" && !(counts && head === "client" && having === undefined)
  const dimensions: Array<string> = [...(isPeople && !groups.includes(head) ? [head] : []), ...groups]
  const compared = [...Map.groupBy(names, ({ kind }) => kind)].flatMap(([kind, same]) =>
    new Set(same.map(({ value }) => value)).size > 1 &&
    same.every(({ negated, joined }) => !negated && joined !== "both") &&
    (compare === "named" || (bases.some(isRate) && !isShare))
      ? [KINDS[kind]]
      : [],
  )
  for (const each of compared) if (!dimensions.includes(each)) dimensions.push(each)
  if (compare === "named" && outcomes.length > 1 && compared.length === 0 && slots.periods.length < 2)
    dimensions.push("outcome")
  if (dimensions.length === 0 && slots.rank !== undefined && bases.includes("mentions") && head === undefined)
    dimensions.push("feature")
  if (grain !== undefined) dimensions.unshift(`${chooseDateField(slots, "")}.${grain}`)
  return dimensions.slice(0, 3)
}

export const isRate = (base: Base) =>
  /^(?:win_rate|loss_rate|renewal_rate|age|cycle|size|performance|wl_|custom_metric_)/.test(base)
