import { DEAL, NOUNS } from "./lexicon.ts"

/** Asks for the amount of what was asked before. */
export const WORTH =
  /^\W*(?:(?:and )?(?:worth )?how much(?: money)?(?: (?:is|was|are|were) (?:that|it|this|they|those|these))?(?: (?:worth|in total|together))?|(?:and )?in (?:euros?|dollars?|money|total|revenue))\W*$/iu

const THEY = String.raw`(?:they|them|those|these|all of (?:them|those|these)|(?:those|these|the) (?:${DEAL}))`
const OPENING = String.raw`^\W*(?:(?:and|so|ok(?:ay)?|but)\W+)*`
const END = String.raw`\W*$`

const CLOSE = String.raw`(?:(?:(?:expected|supposed|due|going|set) )?to )?(?:close|closing|due|signed|won|lost)`
/** Asks for what the line of each deal says: its owner, amount, stage and close date. */
const FACTS = new RegExp(
  `${OPENING}(?:when (?:did|do|will|are|were|should) ${THEY} ${CLOSE}|who (?:owns?|owned|has|runs?|handles?|manages?|leads?) ${THEY}|who do ${THEY} belong to|(?:what|which) stages? are ${THEY} in|how (?:big|large) (?:are|were) ${THEY})${END}`,
  "iu",
)
const MORE = String.raw`(?:are|is|were|was|have|has|had|will|do|did|close|closes|closed|belong|belongs|involve|face|mention|came|come|sit)`
/** "Which close this year?", "which of them are overdue?" */
const WHICH = new RegExp(`${OPENING}which (?:ones |of (?:them|these|those) )?${MORE}(?!\\p{L})`, "iu")
const TOTAL = new RegExp(
  `${OPENING}(?:what(?:'s| is| are) )?(?:the|their|its)? ?(?:totals?|sum|average|median|mean)(?: (?:value|amount|worth|size|deal size))?${END}`,
  "iu",
)
const OTHERS = NOUNS.map(({ words }) => words).join("|")
const NOUN = new RegExp(`${OPENING}(?:who|what|which) (?:is|was|are|were) (?:the|their|its) (?:${OTHERS})${END}`, "iu")
/** "Them" of "lose to them" are competitors, and "they" behind a noun are its things. */
const PLURAL = new RegExp(
  `(?<!\\p{L})(?:(?<!(?:to|against|versus|vs|beat|over) )(?:they|them|their)|(?:those|these)(?! (?:${OTHERS})(?!\\p{L})))(?!\\p{L})`,
  "iu",
)
const OF_OTHERS = new RegExp(`(?<!\\p{L})(?:${OTHERS})(?!\\p{L}).*(?<!\\p{L})(?:they|them|their)(?!\\p{L})`, "iu")

/** Whether a question asks for facts that a list of deals shows: "when did they close?" */
export const asksFacts = (question: string): boolean => FACTS.test(question)

/** "Who was the competitor?" */
export const asksNoun = (question: string): boolean => NOUN.test(question)

/** Whether a question is about all deals of the list before it, or some of them. */
export const asksOfList = (question: string): boolean =>
  [FACTS, WHICH, TOTAL, NOUN, WORTH].some((each) => each.test(question))

/** Whether a question is about the deals of a list that shows only the first of a ranking. */
export const isOfTheseDeals = (question: string): boolean =>
  (PLURAL.test(question) && !OF_OTHERS.test(question)) || asksOfList(question)
