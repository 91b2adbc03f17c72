import { DEAL, NOUNS } from "../words/lexicon.ts"

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
const RIVAL = "(?:competitors?|rivals?|vendors?)"
const HERE = "(?: (?:there|here|in (?:it|there|(?:that|this|the) deal)))?"
const INVOLVED = "(?:involved|competing|bidding|there|in (?:it|there|play)|in (?:that|this|the) (?:deal|race|mix))"
/** "Who are they comparing us with?", "who are we up against there?" */
const RIVALS = new RegExp(
  `${OPENING}(?:who(?:m)?(?: else)? (?:are|were) (?:we|they) (?:up against|facing|competing (?:with|against)|comparing(?: us)? (?:with|to|against)|evaluating|considering|looking at|talking to)|who(?:m)? else (?:is|are|was|were) ${INVOLVED}|(?:which|what)(?: other)? ${RIVAL} (?:is|are|was|were) ${INVOLVED}|who (?:is|are|was|were) (?:the|their|our) ${RIVAL})${HERE}(?: (?:on|for|in) (?:this|that|it))?(?: as well| too)?${END}`,
  "iu",
)

/** "Them" of "lose to them" are competitors, and "they" behind a noun are its things. */
const PLURAL = new RegExp(
  `(?<!\\p{L})(?:(?<!(?:to|against|versus|vs|beat|over) )(?:they|them|their)|(?:those|these)(?! (?:${OTHERS})(?!\\p{L})))(?!\\p{L})`,
  "iu",
)
const OF_OTHERS = new RegExp(`(?<!\\p{L})(?:${OTHERS})(?!\\p{L}).*(?<!\\p{L})(?:they|them|their)(?!\\p{L})`, "iu")

/** Whether a question asks for facts that a list of deals shows: "when did they close?" */
export const asksFacts = (question: string): boolean => FACTS.test(question)

/** "Who was the competitor?" */
export const asksNoun = (question: string): boolean => NOUN.test(question) || RIVALS.test(question)

/** Whether a question asks for the competitors in the deals that it refers to. */
export const asksRivals = (question: string): boolean => RIVALS.test(question)

/** Whether a question is about all deals of the list before it, or some of them. */
export const asksOfList = (question: string): boolean =>
  [FACTS, WHICH, TOTAL, NOUN, RIVALS, WORTH].some((each) => each.test(question))

/** Whether a question is about the deals of a list that shows only the first of a ranking. */
export const isOfTheseDeals = (question: string): boolean =>
  (PLURAL.test(question) && !OF_OTHERS.test(question)) || asksOfList(question)
