import { isAscending } from "./chooseMeasures.ts"
import { chooseGroups } from "./chooseGroups.ts"
import type { Dimension } from "../words/lexicon.ts"
import { makeFilters } from "../parse/makeFilters.ts"
import { MAX_ROWS, type Plan } from "./plans.ts"
import { isApart } from "../names/setApart.ts"
import type { Slots } from "../parse/slots.ts"

/** Names that say among which deals a share is meant, and not only what it is the share of. */
const SCOPES: ReadonlySet<string> = new Set(["region", "industry", "owner", "product", "deal_type"])

/** "What percentage of deals is overdue in DACH" is of the deals in DACH. */
const findScope = ({ whole, names, outcomes, conditions }: Slots): Slots["names"] => {
  if (whole === undefined || whole.names.length > 0) return names.filter((name) => isApart(name, whole))
  const isOther =
    outcomes.some((outcome) => !whole.outcomes.includes(outcome)) ||
    Object.keys(conditions).some((key) => !(key in whole.conditions))
  return names.filter((name) => isApart(name, whole) || (isOther && SCOPES.has(name.kind)))
}

const orderShares = ({ rank }: Slots, measure: string) => ({
  orderBy: `${rank !== undefined && isAscending(rank.order, measure) ? "" : "-"}${measure}`,
  limit: rank?.limit ?? MAX_ROWS,
})

/** The plan of a share: of each group, or of one part in its whole. */
export const planShare = (slots: Slots): Plan => {
  const { whole, bases } = slots
  // "What share of deals in the pipeline" counts.
  const isOfDeals = whole?.head === "deal" && bases.every((base) => base === "pipeline")
  const isAmount = !isOfDeals && bases.some((base) => base === "amount" || base === "revenue" || base === "pipeline")
  const groups = chooseGroups(slots)
  if (groups.length > 0) {
    const measure = isAmount ? "share_of_amount" : "share_of_deals"
    return {
      kind: "report",
      source: "deals",
      measure,
      isRanked: slots.rank !== undefined,
      isCompared: false,
      countsGroups: false,
      query: {
        measures: [measure, isAmount ? "amount" : "deals"],
        groupBy: groups as ReadonlyArray<Dimension>,
        filters: makeFilters(slots, isAmount ? "amount" : "deals"),
        ...orderShares(slots, measure),
      },
    }
  }
  const measure = isAmount ? "amount" : "deals"
  const part = makeFilters(slots, measure)
  const periods = whole?.periods.length === 0 ? slots.periods : (whole?.periods ?? slots.periods)
  const of: Slots = {
    ...(whole ?? { ...slots, outcomes: [], conditions: {} }),
    names: [...(whole?.names ?? []), ...findScope(slots)],
    periods,
    date: slots.date,
    bases: whole === undefined || whole.bases.length === 0 ? bases : whole.bases,
  }
  return { kind: "share", measure, whole: makeFilters(of, measure), part }
}
