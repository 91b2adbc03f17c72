import type { Words } from "./Words.ts"

/** What is asked of the deals that a question describes. */
export type Intent = "count" | "list" | "sum" | "average" | "win_rate" | "why"

export interface Asked {
  readonly intent: Intent
  /** Also which reasons drove them. */
  readonly why: boolean
  /** Of a list: the order asked for. */
  readonly sort?: "amount" | "newest" | "oldest"
  readonly ascending?: boolean
  readonly most?: number
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
// What stands before the deals says which: a pattern that looks for them takes nothing of it.
const LIST =
  /(?<!\p{L})(?:which|what|list|show|find|name|give me|display|who owns|do we (?:still )?have|did we have|are there|is there)(?!\p{L})|^(?=[\s|]*(?:(?:all|our|the|any|open|lost|won|closed|new)[\s|]+)*(?:deals|opportunities)(?!\p{L}))/u
const WHY =
  /(?<!\p{L})(?:and |but )?why(?!\p{L})|(?<!\p{L})(?:and )?(?:for )?(?:what|which) reasons?(?!\p{L})|(?<!\p{L})(?:what|which) (?:were|are|was) (?:the )?(?:main |top |most common |biggest )?(?:reasons?|drivers?)(?: for| behind| why| of)?(?!\p{L})|(?<!\p{L})(?:the )?(?:main|top|most common|biggest) (?:reasons?|drivers?)(?: for| behind| why| of)?(?!\p{L})|(?<!\p{L})what drove(?!\p{L})/u

/** Before the deals it is said of, with no other thing between that could be meant. */
const OF_DEALS = String.raw`(?=[\s|]+(?:(?:open|won|lost|closed|new|our|the|most|recent)[\s|]+)*(deals?|opportunit\p{L}+|opps?)(?!\p{L}))`
const SPOKEN: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, five: 5, ten: 10 }
const HOW_MANY = String.raw`(\d{1,3}|${Object.keys(SPOKEN).join("|")})`
const ordered = (words: string) =>
  new RegExp(String.raw`(?<!\p{L})(?:${HOW_MANY} )?(?:${words})(?: ${HOW_MANY})?${OF_DEALS}`, "u")
const ORDERS: ReadonlyArray<readonly [RegExp, Pick<Asked, "sort" | "ascending">]> = [
  [ordered("top|largest|biggest|highest|most valuable"), { sort: "amount" }],
  [ordered("smallest|lowest|least valuable"), { sort: "amount", ascending: true }],
  [ordered("newest|latest|most recent"), { sort: "newest" }],
  [ordered(String.raw`last(?= \d)`), { sort: "newest" }],
  [ordered("oldest|earliest"), { sort: "oldest" }],
]

/** Takes what is asked; undefined where the question asks for no counting or listing of deals. Call it before names are taken. */
export const takeIntent = (words: Words): Asked | undefined => {
  const { text } = words
  const outcome = OUTCOME.test(text)
  if (!DEAL.test(text) && !outcome && !PIPELINE.test(text) && !WIN_RATE.test(text)) return undefined
  const why = words.take(WHY) !== undefined
  if (words.take(WIN_RATE) !== undefined) return { intent: "win_rate", why }
  if (words.take(AVERAGE) !== undefined) return { intent: "average", why }
  if (words.take(COUNT) !== undefined) return { intent: "count", why }
  if (words.take(SUM) !== undefined) return { intent: "sum", why }
  if (DEAL.test(text)) {
    const order = takeOrder(words)
    if (words.take(LIST) !== undefined || order !== undefined) return { intent: "list", why, ...order }
  }
  // Why one deal went as it did is told by its text; why deals go so, by all of them.
  return why && (outcome || /(?<!\p{L})(?:deals|opportunities)(?!\p{L})/u.test(text))
    ? { intent: "why", why }
    : undefined
}

const takeOrder = (words: Words): Pick<Asked, "sort" | "ascending" | "most"> | undefined => {
  for (const [pattern, order] of ORDERS) {
    const match = words.take(pattern)
    if (match === undefined) continue
    const [, before, after, noun] = match
    const said = before ?? after
    const most =
      said === undefined ? (noun === "deal" || noun === "opportunity" ? 1 : undefined) : (SPOKEN[said] ?? Number(said))
    return { ...order, ...(most !== undefined && { most }) }
  }
  return undefined
}
