import type { Unknown } from "../names/foundNames.ts"
import type { Base } from "../words/lexicon.ts"
import { chooseDateField, makeFilters } from "../parse/makeFilters.ts"
import type { Slots } from "../parse/slots.ts"

/** "As a percentage", "as a share of the total", "in percent of closed deals": the question before as a part of a whole. */
const AS_SHARE =
  /^\W*(?:(?:and|ok(?:ay)?|so|now|then|please|show (?:me )?(?:that|this|it|them)|what (?:is|are|was|were) (?:that|this|it|they|those))\W+)*(?:as|in|into) (?:an? |the )?(?<as>rates?|shares?|proportions?|percent(?:ages?)?|pct|%)(?: (?:of|from) (?<whole>.+?))?(?:,? please)?\W*$/iu

/** Whether a question asks for the one before it as a share or rate. */
export const asksShare = (question: string): boolean => AS_SHARE.test(question)

const TOTAL =
  /^(?:(?:the|our|all|whole|entire|grand|overall)(?!\p{L}) ?)*(?:totals?|sum|everything|it all|them all)?$/iu
const ALL_DEALS = /^(?:(?:the|our|all|total)(?!\p{L}) ?)*(?:number of )?(?:deals|opportunities)$/iu

const MONEY: ReadonlySet<Base> = new Set(["amount", "revenue", "pipeline"])
const isRate = (base: Base) => base.includes("_rate") || base === "lost_no_decision"

/** The deals of the whole; undefined if the words mean no deals among which those of the question before are. */
const findWhole = (before: Slots, said: Slots, words: string): Pick<Slots, "outcomes"> | undefined => {
  const { outcome: outcomes = [] } = makeFilters(before, "amount")
  const isOther = said.periods.length + said.groups.length + Object.keys(said.conditions).length > 0
  const adds = said.names.some(({ value }) => !before.names.some((each) => each.value === value))
  if (outcomes.length === 0 || isOther || adds) return undefined
  // Open deals have other dates than decided ones.
  if (ALL_DEALS.test(words)) return before.periods.length === 0 ? { outcomes: [] } : undefined
  const isWider = said.outcomes.length > outcomes.length && outcomes.every((each) => said.outcomes.includes(each))
  return isWider ? { outcomes: said.outcomes } : undefined
}

const shareOf = (before: Slots, whole: Pick<Slots, "outcomes">): Partial<Slots> => {
  const isOfMoney = before.bases.length > 0
  const part: Slots = {
    ...before,
    bases: isOfMoney ? ["amount"] : [],
    outcomes: makeFilters(before, "amount").outcome ?? [],
    counts: false,
    lists: false,
    rank: undefined,
    date: before.date ?? (before.periods.length === 0 ? undefined : chooseDateField(before, "")),
  }
  return { ...part, isShare: true, whole: { ...part, ...whole, whole: undefined } }
}

const RATES: Readonly<Record<string, Base>> = { won: "win_rate", lost: "loss_rate" }

/** The rate of the outcome that was counted. */
const rateOf = (before: Slots): Partial<Slots> | undefined => {
  const [outcome = "", ...more] = makeFilters(before, "amount").outcome ?? []
  const rate = more.length > 0 ? undefined : RATES[outcome]
  if (rate === undefined) return undefined
  return { bases: [rate], counts: false, head: before.head === "deal" ? undefined : before.head, lists: false }
}

/** Whether a question asks for numbers of deals or amounts of money: these have shares. */
const isOfAll = ({ bases, aggregate, isShare }: Slots) =>
  !isShare && bases.every((base) => MONEY.has(base)) && (aggregate === undefined || aggregate === "total")

/** The share that each group has in all of them, or its rate among decided deals. */
const shareOfEach = (before: Slots, said: Slots, isRated: boolean, words = ""): Partial<Slots> | undefined => {
  if (TOTAL.test(words) && !isRated) return { isShare: true, whole: undefined, counts: false, lists: false }
  const isOfDecided = words === "" || findWhole(before, said, words)?.outcomes.length === 2
  return before.bases.length > 0 || !isOfDecided ? undefined : rateOf(before)
}

/** The slots that make a share or rate of the question before; undefined if no report has it. */
const change = (before: Slots, said: Slots, isRated: boolean, words?: string): Partial<Slots> | undefined => {
  const { bases, groups, grain, head, isShare } = before
  if ((isShare || bases.some(isRate)) && words === undefined) return {}
  if (!isOfAll(before)) return undefined
  if (groups.length > 0 || grain !== undefined || (head !== undefined && head !== "deal"))
    return shareOfEach(before, said, isRated, words)
  if (words === undefined && bases.length === 0) return rateOf(before)
  const decided = rateOf(before) && ({ outcomes: ["won", "lost"] } as const)
  const whole = words === undefined ? decided : findWhole(before, said, words)
  return whole && shareOf(before, whole)
}

/** The question before as a share, a rate, or with the part that no report has. Undefined if a question asks for none. */
export const asShare = (before: Slots, next: Slots, question: string): Slots | undefined => {
  const { as = "", whole } = AS_SHARE.exec(question)?.groups ?? {}
  if (as === "") return undefined
  const changed = change(before, next, /^rate/i.test(as), whole)
  const unread: Unknown = { said: question.replaceAll(/^\W+|(?<![^\p{L}\p{N}%])[^\p{L}\p{N}%]+$/gu, ""), as: "unused" }
  const isTotal = whole !== undefined && TOTAL.test(whole)
  const unknown = whole === undefined || isTotal || changed === undefined ? [] : next.unknown
  return {
    ...before,
    ...changed,
    unknown: [...before.unknown, ...unknown, ...(changed === undefined ? [unread] : [])],
    today: next.today,
  }
}
