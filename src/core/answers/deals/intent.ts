import type { QuestionReader } from "../QuestionReader.ts"
import { NUMBER_WORDS, numberOf } from "../words.ts"

/** What a question wants to know about the deals that it describes. */
type Intent = "count" | "list" | "sum" | "average" | "win_rate" | "why"

export interface DealRequest {
  readonly intent: Intent
  /** Whether it also asks which reasons drove them. */
  readonly wantsReasons: boolean
  /** The order of a list. */
  readonly sort?: "amount" | "newest" | "oldest"
  readonly ascending?: boolean
  readonly limit?: number
}

const DEAL = /(?<!\p{L})(?:deals|deal|opportunities|opportunity|opps?)(?!\p{L})/u
const OUTCOME =
  /(?<!\p{L})we (?:(?:have|had|ever|also) )*(?:los[et]|losing|w[io]n|winning)|(?<!\p{L})(?:are|were|have) we (?:been )?(?:losing|winning)|(?<!\p{L})(?:did|do|have|had) we (?:ever )?(?:lose|lost|win|won)/u
const PIPELINE = /(?<!\p{L})pipeline(?!\p{L})/u

const WIN_RATE =
  /(?<!\p{L})(?:win|winning|close|loss)[ -](?:rate|ratio|percentage)s?(?!\p{L})|(?<!\p{L})how often (?:do|did|have|are) we (?:ever )?(?:win|won|winning|beat|beaten|lose|lost|losing)(?!\p{L})|(?<!\p{L})(?:what|which) (?:percentage|share|proportion|part) of (?:our |the )?(?:deals|opportunities) (?:do|did|have) we (?:win|won|lose|lost)(?!\p{L})/u
const COUNT =
  /(?<!\p{L})(?:how many(?: times)?|(?:what is |what's )?(?:the )?(?:total )?number of|(?:what is |what's )?(?:the )?count of|count)(?!\p{L})/u
const SUM =
  /(?<!\p{L})(?:how much|(?:the )?(?:total|combined|summed|overall) (?:deal |contract )?(?:amounts?|values?|worth|size|revenue)|(?:the )?sum)(?!\p{L})/u
const AVERAGE =
  /(?<!\p{L})(?:the )?(?:average|mean|avg\.?|typical) (?:deal |contract )?(?:amounts?|values?|sizes?|deal|opportunity)(?!\p{L})/u
// Words before "deals" restrict which deals: the second alternative looks ahead and takes nothing.
const LIST =
  /(?<!\p{L})(?:which|what|list|show|find|name|give me|display|who owns|do we (?:still )?have|did we have|are there|is there)(?!\p{L})|^(?=[\s|]*(?:(?:all|our|the|any|open|lost|won|closed|new)[\s|]+)*(?:deals|opportunities)(?!\p{L}))/u
const WHY =
  /(?<!\p{L})(?:and |but )?why(?!\p{L})|(?<!\p{L})(?:and )?(?:for )?(?:what|which) reasons?(?!\p{L})|(?<!\p{L})(?:what|which) (?:were|are|was) (?:the )?(?:main |top |most common |biggest )?(?:reasons?|drivers?)(?: for| behind| why| of)?(?!\p{L})|(?<!\p{L})(?:the )?(?:main|top|most common|biggest) (?:reasons?|drivers?)(?: for| behind| why| of)?(?!\p{L})|(?<!\p{L})what drove(?!\p{L})/u

/** Looks ahead to "deals", with only words between that cannot be a noun of their own. */
const OF_DEALS = String.raw`(?=[\s|]+(?:(?:open|won|lost|closed|new|our|the|most|recent)[\s|]+)*(deals?|opportunit\p{L}+|opps?)(?!\p{L}))`
const HOW_MANY = String.raw`(\d{1,3}|${NUMBER_WORDS.slice(2).join("|")})`
const orderPattern = (words: string) =>
  new RegExp(String.raw`(?<!\p{L})(?:${HOW_MANY} )?(?:${words})(?: ${HOW_MANY})?${OF_DEALS}`, "u")
const ORDERS: ReadonlyArray<readonly [RegExp, Pick<DealRequest, "sort" | "ascending">]> = [
  [orderPattern("top|largest|biggest|highest|most valuable"), { sort: "amount" }],
  [orderPattern("smallest|lowest|least valuable"), { sort: "amount", ascending: true }],
  [orderPattern("newest|latest|most recent"), { sort: "newest" }],
  [orderPattern(String.raw`last(?= \d)`), { sort: "newest" }],
  [orderPattern("oldest|earliest"), { sort: "oldest" }],
]

/** Takes what the question wants to know. Returns undefined if it neither counts nor lists deals. */
export const takeIntent = (reader: QuestionReader): DealRequest | undefined => {
  const { text } = reader
  const outcome = OUTCOME.test(text)
  if (!DEAL.test(text) && !outcome && !PIPELINE.test(text) && !WIN_RATE.test(text)) return undefined
  const wantsReasons = reader.take(WHY) !== undefined
  if (reader.take(WIN_RATE) !== undefined) return { intent: "win_rate", wantsReasons }
  if (reader.take(AVERAGE) !== undefined) return { intent: "average", wantsReasons }
  if (reader.take(COUNT) !== undefined) return { intent: "count", wantsReasons }
  if (reader.take(SUM) !== undefined) return { intent: "sum", wantsReasons }
  if (DEAL.test(text)) {
    const order = takeOrder(reader)
    if (reader.take(LIST) !== undefined || order !== undefined) return { intent: "list", wantsReasons, ...order }
  }
  // One deal's text explains why it was lost; only all deals explain why deals are lost.
  return wantsReasons && (outcome || /(?<!\p{L})(?:deals|opportunities)(?!\p{L})/u.test(text))
    ? { intent: "why", wantsReasons }
    : undefined
}

const takeOrder = (reader: QuestionReader): Pick<DealRequest, "sort" | "ascending" | "limit"> | undefined => {
  for (const [pattern, order] of ORDERS) {
    const match = reader.take(pattern)
    if (match === undefined) continue
    const [, before, after, noun] = match
    const said = before ?? after
    const limit =
      said === undefined ? (noun === "deal" || noun === "opportunity" ? 1 : undefined) : Number(numberOf(said))
    return { ...order, ...(limit !== undefined && { limit }) }
  }
  return undefined
}
