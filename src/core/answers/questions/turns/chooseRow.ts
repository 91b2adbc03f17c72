import { phrase, SUPERLATIVES, type Dimension, type Order } from "../words/lexicon.ts"
import { KINDS, type Kind } from "../words/names.ts"
import type { Slots } from "../parse/slots.ts"

const OPENING = String.raw`^\W*(?:(?:and|but|so|ok(?:ay)?|then|now)\W+)*`
const END = String.raw`\W*$`
const OF_THEM = String.raw`(?: (?:one|ones)| (?:of|among|between) (?:them|those|these|the (?:two|three|four|both|lot)|all(?: of them)?))?`
const IS = String.raw`(?:['’]s| is| are| was| were| has| have| had| looks?| performs?| does| did| do)?`

/** The comparatives that ask for a row, each with the order in which that row is the first. */
const COMPARATIVES: ReadonlyArray<readonly [Order, string]> = [
  ["high", "higher|bigger|larger|greater|more|most|highest|biggest|largest"],
  ["low", "lower|smaller|less|fewer|lowest|smallest|least"],
  ["good", "better|stronger|best|strongest|at the top|on top|ahead|in front|in the lead"],
  ["bad", "worse|weaker|worst|weakest|at the bottom|at the end|behind|trailing"],
  ["long", "longer|slower|longest|slowest"],
  ["short", "shorter|faster|quicker|shortest|fastest|quickest"],
  ["low", "tougher|harder|stiffer|toughest|hardest"],
]
const WORDS = COMPARATIVES.map(([, words]) => words).join("|")
const WHICH = new RegExp(
  String.raw`${OPENING}(?:which|who|what)${OF_THEM}${IS} (?:the |our )?(?<word>${WORDS})(?<of>(?: \p{L}+){0,3})${OF_THEM}${END}`,
  "iu",
)
/** Words behind a comparative that say nothing of the measure. */
const FILLER = /^(?: (?:one|of|the|two|them|overall|there|to|beat|for|us|competitor|rival|opponent|against|of all))*$/iu
const IS_TOUGH = /^(?:tough|hard|stiff)/i
/** "The higher average" of amounts is that of the deals. */
const AVERAGE = /^ (?:average|mean|avg\.?)(?: (?:deal|size|amount|value|one))*$/iu
const OF_TIME: ReadonlySet<string> = new Set(["cycle", "age"])
const OF_DEALS: ReadonlySet<string> = new Set(["revenue", "amount", "pipeline"])

/** The kind of the names that a question puts beside each other. */
const findCompared = ({ names, compare, bases, isShare }: Slots): Dimension | undefined => {
  const several = [...Map.groupBy(names, ({ kind }) => kind)].filter(
    ([, same]) => new Set(same.map(({ value }) => value)).size > 1 && same.every(({ negated }) => !negated),
  )
  const [only, ...more] = several
  const isCompared = compare === "named" || (!isShare && bases.some((base) => base.endsWith("rate")))
  return only === undefined || more.length > 0 || !isCompared ? undefined : KINDS[only[0] satisfies Kind]
}

/** The group whose rows an answer shows; undefined if it shows none, or several. */
const findRows = (before: Slots): Dimension | undefined => {
  const own = [
    ...(before.head === undefined || before.head === "deal" || before.groups.includes(before.head)
      ? []
      : [before.head]),
    ...before.groups,
  ]
  const [group, ...more] = own.length > 0 ? own : [findCompared(before)]
  return more.length > 0 || before.grain !== undefined || before.asksWhy ? undefined : group
}

/** The measure that a comparative is about, with the deals that it counts: that of the rows, the win rate of a tough rival, or a mean. */
const measureOf = (before: Slots, isTough: boolean, isAverage: boolean): Partial<Slots> => {
  if (isTough) return { bases: ["win_rate"], aggregate: undefined, counts: false, outcomes: [], head: undefined }
  const isSum = before.bases.length === 0 || before.bases.some((base) => OF_DEALS.has(base))
  if (isAverage && isSum) return { bases: ["size"], aggregate: undefined, counts: false, head: undefined }
  return { head: before.head === "deal" ? "deal" : undefined }
}

/** The order of a comparative; undefined if the rows have none. */
const orderOf = (word: string, { bases }: Slots, group: Dimension): Order | undefined => {
  const said = COMPARATIVES.find(([, words]) => new RegExp(`^(?:${words})$`, "iu").test(word))?.[0]
  if (IS_TOUGH.test(word)) return group === "competitor" ? said : undefined
  if (said !== "long" && said !== "short") return said
  return bases.some((base) => OF_TIME.has(base)) ? (said === "long" ? "high" : "low") : undefined
}

/** "Which is higher?", "who is tougher?" after rows: the same rows in that order. Undefined if a question asks for none of them. */
export const chooseRow = (before: Slots, question: string): Slots | undefined => {
  const { word, of = "" } = WHICH.exec(question)?.groups ?? {}
  const group = word === undefined || before.unknown.length > 0 ? undefined : findRows(before)
  const order = word === undefined || group === undefined ? undefined : orderOf(word, before, group)
  const isAverage = AVERAGE.test(of)
  if (word === undefined || group === undefined || order === undefined || !(isAverage || FILLER.test(of)))
    return undefined
  return {
    ...before,
    ...measureOf(before, IS_TOUGH.test(word), isAverage),
    // A singular deal is the largest one of a group.
    isSingular: before.head !== "deal",
    lists: false,
    groups: [group],
    compare: undefined,
    rank: {
      order,
      word: order === "high" ? "highest" : order === "low" ? "lowest" : order === "good" ? "best" : "worst",
    },
  }
}

const CHANGE = new RegExp(
  String.raw`${OPENING}(?:(?:what(?:['’]s| is| was)|how (?:big|large|much|high)(?: is| was)?|show(?: me)?) (?:the |that )?(?:percent(?:age)? |relative |absolute )?(?:change|difference|delta|gap|growth|increase|decrease|drop|decline|improvement)|by how much|how much (?:more|less|better|worse|higher|lower)(?: is (?:it|that))?|(?:as a |in )?(?:percent(?:age)?|%) change)(?: (?:in|as(?: an?)?) (?:percent(?:ages?)?(?: points)?|points|%|pct|numbers|absolute terms))?(?: between (?:them|the two|those|these|both))?${END}`,
  "iu",
)

/** "Revenue this quarter" and then "what about last quarter?": both periods. Undefined if more than the period differs. */
const besideEarlier = (earlier: Slots | undefined, before: Slots): Slots | undefined => {
  const [other, ...others] = earlier?.periods ?? []
  const isOther = other?.from !== undefined && others.length === 0 && other.from !== before.periods[0]?.from
  const isSame = JSON.stringify({ ...earlier, periods: before.periods }) === JSON.stringify(before)
  return isOther && isSame ? { ...before, periods: [other, ...before.periods], compare: "named" } : undefined
}

/** "What is the change?" after two periods or two rows, whose answer says it; after one period, beside the one asked about earlier or before it. */
export const compareAgain = (earlier: Slots | undefined, before: Slots, question: string): Slots | undefined => {
  if (before.unknown.length > 0 || !CHANGE.test(question) || before.asksWhy) return undefined
  const isCompared = before.compare !== undefined && (before.periods.length > 0 || findCompared(before) !== undefined)
  if (isCompared || findCompared(before) !== undefined) return before
  const [period, ...more] = before.periods
  const isWhole = period?.from !== undefined && period.to !== undefined && more.length === 0
  const isNumber = before.grain === undefined && before.groups.length === 0 && before.rank === undefined
  if (!isWhole || !isNumber || before.lists) return undefined
  return besideEarlier(earlier, before) ?? { ...before, compare: "previous_period" }
}

const DEAL_OF_ALL = new RegExp(
  String.raw`${OPENING}(?:which|what|who)(?:['’]s| is| was| are| were) (?:the|our) (?:(?:single|\d{1,2}|two|three|four|five|ten) )*(?:${SUPERLATIVES.map(([, words]) => words).join("|")}) (?:(?:single|\d{1,2}|two|three|four|five|ten) )*(?:deals?|opportunit(?:y|ies)|opps?)(?: (?:of (?:them|those|these|all)|(?:in|among) (?:there|it|them|those|these)))?${END}`,
  "iu",
)
const MONEY_OR_RATE = phrase("pipeline|revenue|amount|size")

/** "Which is the biggest deal?" after a number of deals is about those deals. */
export const asksForDealOf = (before: Slots, question: string): boolean =>
  DEAL_OF_ALL.test(question) &&
  before.unknown.length === 0 &&
  !before.asksWhy &&
  before.whole === undefined &&
  before.bases.every((base) => MONEY_OR_RATE.test(base))
