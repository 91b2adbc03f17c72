import { GRAINS, findNoun } from "../questions/words/lexicon.ts"
import type { WorkspaceNames } from "../questions/words/names.ts"
import type { Plan } from "../questions/plan/plan.ts"

/** How a question names a measure, the likeliest first; `#` stands for the outcome of its deals. */
const MEASURES: Readonly<Record<string, ReadonlyArray<string>>> = {
  deals: ["number of # deals"],
  won: ["number of won deals"],
  lost: ["number of lost deals"],
  clients: ["number of clients with # deals"],
  amount: ["total amount of # deals", "value of # deals"],
  amount_avg: ["average amount of # deals", "average deal size of # deals"],
  amount_median: ["median amount of # deals", "median deal size of # deals"],
  amount_max: ["maximum amount of # deals"],
  win_rate: ["win rate"],
  win_rate_by_amount: ["amount win rate"],
  loss_rate: ["loss rate"],
  cycle_days_avg: ["average sales cycle of # deals", "average sales cycle"],
  cycle_days_median: ["median sales cycle of # deals", "median sales cycle"],
  age_days_avg: ["average age of # deals"],
  mentions: ["number of mentions in # deals", "number of mentions"],
  wl_product_fit_score_avg: ["average product fit score of # deals"],
  wl_sales_execution_score_avg: ["average sales execution score of # deals"],
}

/** How a question names the values of a filter. A filter that is not here has no canonical question. */
const FILTERS: Readonly<Record<string, (values: string) => string>> = {
  competitors: (values) => `against ${values}`,
  primary_competitors: (values) => `with ${values} as primary competitor`,
  region: (values) => `in ${values}`,
  industry: (values) => `in ${values}`,
  owner_ids: (values) => `owned by ${values}`,
  client_ids: (values) => `with ${values}`,
  product_labels: (values) => `with ${values}`,
  feature_ids: (values) => `that mention ${values}`,
  driver_ids: (values) => `where ${values} was a reason`,
  status: (values) => `in stage ${values}`,
  deal_type: (values) => `of type ${values}`,
}
const SIDES: Readonly<Record<string, string>> = { positive: "for us", negative: "against us" }
const EMPTY: Readonly<Record<string, string>> = {
  competitors_filter_type: "without a competitor",
  owner_filter_type: "without an owner",
}
const DATES: Readonly<Record<string, string>> = { close_date: "closed", created_at: "created", asked_at: "" }

const ORDERS = {
  amount: ["smallest", "largest"],
  close_date: ["earliest", "latest"],
  created_at: ["oldest", "newest"],
} as const

/** Writes plain English questions for what a plan computes, the plainest first; none if it has a part that they cannot name. */
export const phrasePlan = (plan: Plan, names: WorkspaceNames): ReadonlyArray<string> =>
  [true, false].flatMap((isDated) => write(plan, names.names, isDated)).map(tidy)

const tidy = (text: string) => text.replaceAll(/\s+/g, " ").replace(" ?", "?")

const write = (plan: Plan, names: Names, isDated: boolean): ReadonlyArray<string> => {
  if (plan.kind === "share" || plan.kind === "periods" || plan.kind === "sides") return []
  const { outcome, overdue, ...filters } = (plan.kind === "list" ? plan.filters : plan.query.filters) as Filters
  const which = overdue === true ? "overdue" : (outcome?.join(" or ") ?? "")
  const conditions = describe(filters, names, isDated)
  if (conditions === undefined) return []
  if (plan.kind === "list") {
    const order = ORDERS[plan.sort][plan.ascending ? 0 : 1]
    if (plan.limit === undefined)
      return [`Which ${which} deals are there ${conditions}?`, `List all ${which} deals ${conditions}`]
    return [
      plan.limit === 1
        ? `What is the ${order} ${which} deal ${conditions}?`
        : `What are the ${plan.limit} ${order} ${which} deals ${conditions}?`,
    ]
  }
  return writeReport(plan, which, conditions)
}

const writeReport = (
  plan: Exclude<Plan, { readonly kind: "share" | "periods" | "sides" | "list" }>,
  which: string,
  conditions: string,
): ReadonlyArray<string> => {
  const { query, measure, isRanked } = plan
  const [first, ...others] = query.groupBy.map(nameDimension)
  const isBounded = Object.keys(query.having ?? {}).some((bound) => bound !== "decided") || (query.having && !isRanked)
  if (isBounded === true || first === "" || others.includes("")) return []
  const groups = first === undefined ? "" : `by ${[first, ...others].join(" and ")}`
  const before = query.compare === undefined ? "" : `compared to the ${query.compare.slice("previous_".length)} before`
  const order = query.orderBy?.startsWith("-") === true ? "highest" : "lowest"
  return (MEASURES[measure] ?? []).map((named) => {
    const what = named.replace("#", which)
    return isRanked
      ? `Which ${first} has the ${order} ${what} ${conditions} ${others.map((each) => `by ${each}`).join(" ")}?`
      : `What is the ${what} ${conditions} ${groups} ${before}?`
  })
}

interface Filters {
  readonly outcome?: ReadonlyArray<string>
  readonly overdue?: boolean
}
type Names = WorkspaceNames["names"]

/** The word for a dimension; empty if a question has none. */
const nameDimension = (dimension: string): string => {
  const [, grain] = dimension.split(".")
  return (grain === undefined ? findNoun(dimension)?.one : GRAINS.find(([each]) => each === grain)?.[0]) ?? ""
}

const describe = (filters: object, names: Names, isDated: boolean): string | undefined => {
  const { driver_effect: effect } = filters as { readonly driver_effect?: ReadonlyArray<string> }
  const parts = Object.entries(filters).map(([key, value]: readonly [string, unknown]) => {
    const date = DATES[key]
    const { from, to, min, max } = (value ?? {}) as Readonly<Record<string, string | number | undefined>>
    if (date !== undefined) {
      const span = from === undefined ? `until ${to}` : to === undefined ? `since ${from}` : `from ${from} to ${to}`
      return isDated ? `${date} ${span}` : span
    }
    if (key === "amount")
      return min === undefined ? `below ${Math.ceil(Number(max))}` : `above ${Math.floor(Number(min))}`
    if (key === "driver_effect" && "driver_ids" in filters) return ""
    // A ranking leaves out deals without a value.
    if (value === "is not empty") return ""
    if (value === "is empty") return EMPTY[key]
    if (!Array.isArray(value)) return undefined
    const nameOf = (each: unknown) => names.find((known) => known.value === each)?.name ?? String(each)
    const side = key === "driver_ids" ? (SIDES[effect?.[0] ?? ""] ?? "") : ""
    return FILTERS[key] === undefined ? undefined : `${FILTERS[key](value.map(nameOf).join(" or "))} ${side}`
  })
  return parts.includes(undefined) ? undefined : parts.join(" ")
}
