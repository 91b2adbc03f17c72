import type { Unknown } from "../names/foundNames.ts"
import { MONTH } from "../words/periodWords.ts"
import type { Dimension } from "../words/lexicon.ts"
import type { Rank } from "./slots.ts"

interface Parts {
  readonly head: "deal" | Dimension | undefined
  readonly rank: Rank | undefined
  /** In lower case. */
  readonly question: string
}

const GROUPS = String.raw`(?:clients|customers|accounts|companies|reps|owners|sellers|regions|industries|competitors|products|segments)`
const VERBS = String.raw`(?: (?:have|has|had|we|won|lost|sold|closed|booked|bought|spent|brought in)){0,3}`
const BOUND = String.raw`(?:more than|less than|over|under|above|below|at least|at most|up to|between)`
const MONEY = String.raw`(?:[€$£] ?\d[\d.,]*(?: ?(?:k|m|mn))?|\d[\d.,]* ?(?:k|m|mn|thousand|million|€|eur|euros?|\$|dollars?|usd))(?![\p{L}\p{N}])`

/** "Reps who won less than 1m": the sum of a group, while reports bound the amount of each deal. */
const SUM = new RegExp(
  String.raw`(?<!\p{L})${GROUPS} (?:with|that|who|which|having|where)${VERBS} ${BOUND} ${MONEY}(?! (?:\p{L}+ )?(?:deals?|opportunit|opps?|each))`,
  "u",
)
/** "Win rate between 40 and 50 percent": reports have one bound on a rate. */
const RATE = new RegExp(
  String.raw`(?<!\p{L})(?:rates?|ratios?) (?:(?:of|is|are|was) )?(?:between|from) \d{1,2}(?:\.\d+)? ?%? ?(?:and|to|-) ?\d{1,2}(?:\.\d+)?(?![\p{L}\p{N}]| (?:k|m|days|weeks|months|${MONTH})(?!\p{L}))`,
  "u",
)
/** "Regions where we lost more than we won": reports compare no two numbers of one group. */
const MORE =
  /(?<!\p{L})(?:where|in which|against (?:whom|which)|who|that) (?:we )?(?:have )?(?:lost|lose|won|win)(?: \p{L}+)? (?:more|less|fewer)(?: \p{L}+){0,2} than (?:we |they )?(?:have )?(?:lost|lose|won|win)(?!\p{L})/u
/** "The total of the top five clients": a report has the number of each, and the total of all. */
const TOTAL =
  /(?<!\p{L})(?:totals?|sum|combined)(?: \p{L}+){0,3} (?:of|from) (?:the |our )?(?:top|biggest|largest|best) (?:\d|\p{L}+)/u

/** The bounds and sums of groups that no report has. */
export const findUnfitGroups = ({ head, rank, question }: Parts): Unknown | undefined => {
  const isOfGroups = head !== undefined && head !== "deal"
  const found =
    RATE.exec(question) ??
    (isOfGroups ? (SUM.exec(question) ?? MORE.exec(question)) : null) ??
    (isOfGroups && (rank?.limit ?? 1) > 1 ? TOTAL.exec(question) : null)
  return found === null ? undefined : { said: found[0], as: "unfit" }
}
