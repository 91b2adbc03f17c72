import { asText } from "../citations/markdown.ts"
import { GRAINS, findNoun } from "../questions/words/lexicon.ts"
import { describeMeasure } from "../questions/reply/measureWords.ts"
import type { Plan } from "../questions/plan/plan.ts"
import { findOutcome } from "../questions/reply/table.ts"

/** Begins the line that says what the network read. */
export const READ_AS = "I read this as:"

/** Says what was read, where a reader cannot know it from the question's own words. */
export const sayReading = (plans: ReadonlyArray<Plan>): string =>
  `${READ_AS} ${asText(plans.map(describePlan).join(", and "))}.`

/** Says in a few words what a plan computes, but for its filters: "win rate by region, highest first". */
export const describePlan = (plan: Plan): string => {
  switch (plan.kind) {
    case "list":
      return `a list of deals, ${ORDERS[plan.sort][plan.ascending ? 0 : 1]} first`
    case "share":
      return plan.measure === "amount" ? "a share of the amount" : "a share of the number of deals"
    case "periods":
      return `${describeMeasure(plan.measure, findOutcome(plan.query))} in each of two periods`
    case "sides":
      return `${describeMeasure(plan.measure, undefined)} under each of two conditions`
    case "report": {
      const { groupBy, orderBy, compare } = plan.query
      const groups = groupBy.map(describeGroup).join(" and ")
      const order =
        !plan.isRanked || orderBy === undefined ? "" : `, ${orderBy.startsWith("-") ? "highest" : "lowest"} first`
      return [
        describeMeasure(plan.measure, findOutcome(plan.query)),
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
  return findNoun(dimension)?.one ?? dimension.replace(/^crm_/, "").replaceAll("_", " ")
}
