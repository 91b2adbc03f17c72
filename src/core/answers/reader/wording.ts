import type { CanonicalFilters } from "../../deals/filters.ts"
import { asText } from "../citations/markdown.ts"
import { GRAINS, nounOf } from "../deals/lexicon.ts"
import { describeMeasure } from "../deals/measureWords.ts"
import type { WorkspaceNames } from "../deals/names.ts"
import type { Plan } from "../deals/plan.ts"
import { outcomeOf } from "../deals/table.ts"
import { writeFilters } from "../deals/wording.ts"

/** Says what was read, where a reader cannot know it from the question's own words. */
export const sayReading = (plans: ReadonlyArray<Plan>): string =>
  `I read this as: ${asText(plans.map(describePlan).join(", and "))}.`

/** Asks which of several readings is meant, or whether the only one is. */
export const askWhichReading = (readings: ReadonlyArray<ReadonlyArray<Plan>>, names: WorkspaceNames): string => {
  const lines = readings.map((plans) => {
    const described = plans.map((plan) => `${asText(describePlan(plan))} (${writeFilters(filtersOf(plan), names)})`)
    return `- ${described.join(", and ")}\n`
  })
  const asks =
    lines.length === 1
      ? "I can read this question in one way only, and doubt it:"
      : "This question can mean several things:"
  return `${asks}\n\n${lines.join("")}\nIf you mean ${lines.length === 1 ? "this" : "one of these"}, ask for it in such words; the names of measures and groups are those of this workspace.\n`
}

const filtersOf = (plan: Plan): CanonicalFilters =>
  plan.kind === "share" ? plan.part : plan.kind === "list" ? plan.filters : plan.query.filters

/** Says in a few words what a plan computes, but for its filters: "win rate by region, highest first". */
const describePlan = (plan: Plan): string => {
  switch (plan.kind) {
    case "list":
      return `a list of deals, ${ORDERS[plan.sort][plan.ascending ? 0 : 1]} first`
    case "share":
      return plan.measure === "amount" ? "a share of the amount" : "a share of the number of deals"
    case "periods":
      return `${describeMeasure(plan.measure, outcomeOf(plan.query))} in each of two periods`
    case "report": {
      const { groupBy, orderBy, compare } = plan.query
      const groups = groupBy.map(describeGroup).join(" and ")
      const order =
        !plan.isRanked || orderBy === undefined ? "" : `, ${orderBy.startsWith("-") ? "highest" : "lowest"} first`
      return [
        describeMeasure(plan.measure, outcomeOf(plan.query)),
        groups === "" ? "" : ` by ${groups}`,
        order,
        compare === undefined ? "" : `, beside the ${compare === "previous_year" ? "year" : "period"} before`,
      ].join("")
    }
  }
}

const ORDERS = {
  amount: ["smallest", "largest"],
  close_date: ["earliest close date", "latest close date"],
  created_at: ["oldest", "newest"],
} as const

const describeGroup = (dimension: string): string => {
  const [, grain] = dimension.split(".")
  if (grain !== undefined) return GRAINS.find(([each]) => each === grain)?.[0] ?? grain
  return nounOf(dimension)?.one ?? dimension.replace(/^crm_/, "").replaceAll("_", " ")
}
