import type { DriverCount, Totals } from "../../deals/Deals.ts"
import type { CanonicalFilters } from "../../deals/filters.ts"
import type { Citation } from "../citation.ts"
import { asText, linkTo } from "../citations/markdown.ts"
import type { WorkspaceNames } from "./names.ts"
import type { Category, Question, Unknown } from "./parse.ts"
import { describeFilters, formatMoney, requestPathOf } from "./wording.ts"

/** A deal in the answer, with the citation that opens its record. */
export interface ListedDeal {
  readonly id: string
  readonly name: string
  readonly amount: number | null
  readonly deal_status: string | null
  readonly close_date: string | null
  readonly owner_name: string | null
  readonly citation: Citation
}

const formatCount = (number: number) => number.toLocaleString("en-US")
const formatDeals = (number: number) => `${formatCount(number)} ${number === 1 ? "deal" : "deals"}`
const formatShare = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`

const filterLines = (filters: CanonicalFilters, names: WorkspaceNames) =>
  `Filter: ${describeFilters(filters, names)}. The API equivalent is \`GET ${requestPathOf(filters)}\`.`

/** The first line of an answer: the number that the question asks for. */
export const writeHeadline = (
  { intent, sort, ascending, limit }: Question,
  { count: matching, valued, amount }: Totals,
  { currency }: Pick<WorkspaceNames, "currency">,
): string => {
  const without =
    valued === matching
      ? ""
      : ` (${formatCount(matching - valued)} of them ${matching - valued === 1 ? "has" : "have"} no amount)`
  if (intent === "sum") return `**${formatMoney(amount, currency)}** in total, from ${formatDeals(matching)}${without}.`
  if (intent === "average") {
    if (valued === 0)
      return `There is no average: **${formatDeals(matching)}** ${matching === 1 ? "matches" : "match"}, without any amount.`
    return `**${formatMoney(amount / valued, currency)}** on average, from ${formatDeals(valued)} with an amount${matching === valued ? "" : `, of ${formatDeals(matching)}`}.`
  }
  if (matching === 0) return "**No deal** matches."
  if (sort !== undefined) {
    const which = sort === "amount" ? (ascending === true ? "smallest" : "largest") : sort
    return `Of **${formatDeals(matching)}** that ${matching === 1 ? "matches" : "match"}, the ${which}${limit === 1 || limit === undefined ? "" : ` ${limit}`}:`
  }
  return `**${formatDeals(matching)}** ${matching === 1 ? "matches" : "match"}, worth ${formatMoney(amount, currency)} in total${without}.`
}

export const writeWinRate = (won: Totals, lost: Totals): string => {
  const decided = won.count + lost.count
  return decided === 0
    ? "There is no win rate: **no matching deal** was won or lost."
    : `**${formatShare(won.count, decided)}** won, ${formatShare(lost.count, decided)} lost: ${formatCount(won.count)} and ${formatCount(lost.count)} of ${formatDeals(decided)} that were won or lost.`
}

/** The recorded reasons by frequency: those that hurt for lost deals, those that helped for won deals. */
export const writeReasons = (
  drivers: ReadonlyArray<DriverCount>,
  categories: ReadonlyArray<Category>,
  matching: number,
): string => {
  const side =
    categories.length !== 1 || categories[0] === "open" ? "deals" : categories[0] === "won" ? "helped" : "hurt"
  const ranked = drivers
    .filter((driver) => driver[side] > 0)
    .toSorted((a, b) => b[side] - a[side] || (a.name < b.name ? -1 : 1))
    .slice(0, 8)
  if (ranked.length === 0) return "Why: these deals have no recorded reasons."
  const verb = { deals: "named in", helped: "spoke for us in", hurt: "spoke against us in" }[side]
  return `Recorded reasons:\n${ranked
    .map(
      (driver) =>
        `- ${asText(driver.name)}: ${verb} ${formatCount(driver[side])} (${formatShare(driver[side], matching)})`,
    )
    .join("\n")}`
}

export const writeDealLine = (
  { amount, deal_status, close_date, owner_name, citation }: ListedDeal,
  { currency }: Pick<WorkspaceNames, "currency">,
): string => {
  const facts = [
    amount === null ? "no amount" : formatMoney(amount, currency),
    deal_status === null ? null : asText(deal_status),
    close_date === null ? null : `close date ${close_date}`,
    owner_name === null ? null : asText(owner_name),
  ].filter((fact) => fact !== null)
  return `- ${linkTo(citation)}: ${facts.join(", ")}\n`
}

export const writeAnswer = (question: Question, names: WorkspaceNames, paragraphs: ReadonlyArray<string>) =>
  `${[...paragraphs, filterLines(question.filters, names)].join("\n\n")}\n`

const SUPPORTED =
  "Questions about deals can use outcome, stage, competitor, owner, account, region, industry, product, feature, reason, deal type, segment, amount, score and date."

/** Names the parts that were not understood, as the reason for not answering. */
export const explainUnknown = (
  unknown: ReadonlyArray<Unknown & { readonly closest?: ReadonlyArray<string> }>,
): string =>
  `I cannot answer this from the deals, because I do not understand a part of the question: ${unknown
    .map(({ said, as, several, closest = [] }) => {
      if (several !== undefined) return `“${asText(said)}” can mean ${several.map(asText).join(" or ")}`
      const what =
        as === "other" ? "matches no filter for deals" : `is not ${as === "owner" ? "an" : "a"} ${as} in this workspace`
      return `“${asText(said)}” ${what}${closest.length === 0 ? "" : ` (closest: ${closest.map(asText).join(", ")})`}`
    })
    .join("; ")}. ${SUPPORTED}`

/** Each part of the question was understood, but no filter combines them. */
export const NOT_COMBINABLE = `I cannot answer this from the deals: the parts of the question cannot be combined. ${SUPPORTED}`

export const explainMissingStage = (categories: ReadonlyArray<Category>): string =>
  `**No deal** matches: this workspace has no ${categories.join(" or ")} stage.\n`
