import { dayAt } from "../../../common/zone.ts"
import type { Totals } from "../../../deals/Deals.ts"
import type { Citation } from "../../citation.ts"
import { asText, linkTo } from "../../citations/markdown.ts"
import { DAY_MS } from "../words/calendar.ts"
import type { WorkspaceNames } from "../words/names.ts"
import { writeCount, formatAmount, formatCount } from "../words/numbers.ts"
import type { Plan } from "../plan/plan.ts"
import type { Slots } from "../parse/slots.ts"
import { formatMoney } from "./wording.ts"

/** A deal in the answer, with the citation that opens its record. */
export interface ListedDeal {
  readonly id: string
  readonly name: string
  readonly amount: number | null
  readonly deal_status: string | null
  readonly close_date: string | null
  readonly owner_name: string | null
  readonly created_at: string
  readonly citation: Citation
}

/** The first line of a list: how many deals match, and which of them it shows. */
export const writeListHead = (
  { sort, ascending, limit }: Extract<Plan, { kind: "list" }>,
  { rank }: Slots,
  { count, valued, amount }: Totals,
  currency: string | undefined,
): string => {
  if (count === 0) return "**No deal** matches."
  const match = count === 1 ? "matches" : "match"
  if (rank !== undefined) {
    const which = sort === "amount" ? (ascending ? "smallest" : "largest") : ascending ? "oldest" : "newest"
    return `Of **${writeCount(count, "deal")}** that ${match}, the ${which}${limit === 1 || limit === undefined ? "" : ` ${formatCount(Math.min(limit, count))}`}:`
  }
  const missing = count - valued
  const without = missing === 0 ? "" : ` (${formatCount(missing)} of them ${missing === 1 ? "has" : "have"} no amount)`
  const worth = amount === 0 || amount === null ? "" : `, worth ${formatAmount(amount, currency)} in total`
  return `**${writeCount(count, "deal")}** ${match}${worth}${without}.`
}

export const writeDealLine = (
  { amount, deal_status, close_date, owner_name, created_at, citation }: ListedDeal,
  { currency, timezone }: Pick<WorkspaceNames, "currency" | "timezone">,
  /** For a list by age: the day of the question, as Unix ms of its start in UTC. */
  askedAt: number | undefined,
): string => {
  const facts = [
    amount === null ? "no amount" : formatMoney(amount, currency),
    deal_status === null ? null : asText(deal_status),
    close_date === null ? null : `close date ${close_date}`,
    owner_name === null ? null : asText(owner_name),
    askedAt === undefined ? null : describeAge(dayAt(Date.parse(created_at), timezone), askedAt),
  ].filter((fact) => fact !== null)
  return `- ${linkTo(citation)}: ${facts.join(", ")}\n`
}

/** "created 2024-11-23, 729 days ago". */
const describeAge = (day: string, askedAt: number): string => {
  const age = Math.floor(askedAt / DAY_MS) - Math.floor(Date.parse(day) / DAY_MS)
  return `created ${day}, ${writeCount(age, "day")} ago`
}
