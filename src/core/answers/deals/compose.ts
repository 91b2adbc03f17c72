import type { DriverCount, Totals } from "../../deals/Deals.ts"
import type { CanonicalFilters } from "../../deals/filters.ts"
import type { Citation } from "../citation.ts"
import { asText, linkTo } from "../citations/markdown.ts"
import type { Names } from "./names.ts"
import type { Category, Question, Unknown } from "./parse.ts"
import { asRequest, inWords, money } from "./wording.ts"

/** A deal of the answer, and the citation that opens its record. */
export interface Row {
  readonly id: string
  readonly name: string
  readonly amount: number | null
  readonly deal_status: string | null
  readonly close_date: string | null
  readonly owner_name: string | null
  readonly citation: Citation
}

const count = (number: number) => number.toLocaleString("en-US")
const deals = (number: number) => `${count(number)} ${number === 1 ? "deal" : "deals"}`
const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`

const filterLines = (filters: CanonicalFilters, names: Names) =>
  `Filter: ${inWords(filters, names)}. The same as \`GET ${asRequest(filters)}\`.`

/** What was asked, told first and by a number. */
export const headline = (
  { intent, sort, ascending, most }: Question,
  { count: matching, valued, amount }: Totals,
  { currency }: Pick<Names, "currency">,
): string => {
  const without =
    valued === matching
      ? ""
      : ` (${count(matching - valued)} of them ${matching - valued === 1 ? "has" : "have"} no amount)`
  if (intent === "sum") return `**${money(amount, currency)}** in all, over ${deals(matching)}${without}.`
  if (intent === "average") {
    if (valued === 0) return `There is no average: **${deals(matching)}** match, none with an amount.`
    return `**${money(amount / valued, currency)}** on average, over ${deals(valued)} with an amount${matching === valued ? "" : `, of ${deals(matching)}`}.`
  }
  if (matching === 0) return "**No deal** matches."
  if (sort !== undefined) {
    const which = sort === "amount" ? (ascending === true ? "smallest" : "largest") : sort
    return `Of **${deals(matching)}** that ${matching === 1 ? "matches" : "match"}, the ${which}${most === 1 || most === undefined ? "" : ` ${most}`}:`
  }
  return `**${deals(matching)}** ${matching === 1 ? "matches" : "match"}, worth ${money(amount, currency)} in all${without}.`
}

export const winRate = (won: Totals, lost: Totals): string => {
  const decided = won.count + lost.count
  return decided === 0
    ? "There is no win rate: **no deal** that matches was won or lost."
    : `**${percent(won.count, decided)}** won, ${percent(lost.count, decided)} lost: ${count(won.count)} and ${count(lost.count)} of ${deals(decided)} that were won or lost.`
}

/** Why, by the reasons recorded: what hurt where deals were lost, what helped where they were won. */
export const reasons = (
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
  if (ranked.length === 0) return "Why: no reasons are recorded for them."
  const told = { deals: "named in", helped: "spoke for us in", hurt: "spoke against us in" }[side]
  return `Why, by the reasons recorded:\n${ranked
    .map((driver) => `- ${asText(driver.name)}: ${told} ${count(driver[side])} (${percent(driver[side], matching)})`)
    .join("\n")}`
}

export const line = (
  { amount, deal_status, close_date, owner_name, citation }: Row,
  { currency }: Pick<Names, "currency">,
): string => {
  const facts = [
    amount === null ? "no amount" : money(amount, currency),
    deal_status === null ? null : asText(deal_status),
    close_date === null ? null : `close date ${close_date}`,
    owner_name === null ? null : asText(owner_name),
  ].filter((fact) => fact !== null)
  return `- ${linkTo(citation)}: ${facts.join(", ")}\n`
}

export const whole = (question: Question, names: Names, told: ReadonlyArray<string>) =>
  `${[...told, filterLines(question.filters, names)].join("\n\n")}\n`

const ASKABLE =
  "Deals can be asked for by outcome, stage, competitor, owner, account, region, industry, product, feature, reason, deal type, segment, amount, score and date."

/** Why there is no answer: what was said that names nothing here. */
export const notUnderstood = (unknown: ReadonlyArray<Unknown & { readonly closest?: ReadonlyArray<string> }>): string =>
  `I cannot answer this from the deals, for I would have to leave out a part of the question: ${unknown
    .map(({ said, as, several, closest = [] }) => {
      if (several !== undefined) return `“${asText(said)}” may be ${several.map(asText).join(" or ")}`
      const what = as === "other" ? "names nothing that deals are filtered by" : `is no ${as} of this workspace`
      return `“${asText(said)}” ${what}${closest.length === 0 ? "" : ` (closest: ${closest.map(asText).join(", ")})`}`
    })
    .join("; ")}. ${ASKABLE}`

/** Where the parts of a question were understood, and no filter can hold them together. */
export const NOT_TOGETHER = `I cannot answer this from the deals: the parts of the question do not go together. ${ASKABLE}`

export const noStage = (categories: ReadonlyArray<Category>): string =>
  `**No deal** matches: this workspace has no stage that is ${categories.join(" or ")}.\n`
