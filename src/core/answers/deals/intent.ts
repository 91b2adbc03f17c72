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
  /(?<!\p{L})(?:win|close|winning)[ -](?:rate|ratio|percentage)s?(?!\p{L})|(?<!\p{L})how often (?:do|did|have|are) we (?:win|won|winning)(?!\p{L})/u
const COUNT =
  /(?<!\p{L})(?:how many(?: times)?|(?:what is |what's )?(?:the )?(?:total )?number of|(?:what is |what's )?(?:the )?count of|count)(?!\p{L})/u
const SUM =
  /(?<!\p{L})(?:how much|(?:the )?(?:total|combined|summed|overall) (?:deal |contract )?(?:amounts?|values?|worth|size|revenue)|(?:the )?sum)(?!\p{L})/u
const AVERAGE =
  /(?<!\p{L})(?:the )?(?:average|mean|avg\.?|typical) (?:deal |contract )?(?:amounts?|values?|sizes?|deal|opportunity)(?!\p{L})/u
const LIST = /(?<!\p{L})(?:which|what|list|show|find|name|give me|display)(?!\p{L})/u
const WHY =
  /(?<!\p{L})(?:and |but )?why(?!\p{L})|(?<!\p{L})(?:and )?(?:for )?(?:what|which) reasons?(?!\p{L})|(?<!\p{L})(?:what|which) (?:were|are|was) (?:the )?(?:main |top |most common |biggest )?(?:reasons?|drivers?)(?: for| behind| why| of)?(?!\p{L})|(?<!\p{L})(?:the )?(?:main|top|most common|biggest) (?:reasons?|drivers?)(?: for| behind| why| of)?(?!\p{L})|(?<!\p{L})what drove(?!\p{L})/u

const LARGEST =
  /(?<!\p{L})(?:top|largest|biggest|highest|most valuable)(?: (\d{1,3}|two|three|five|ten))?(?!\p{L})|(?<!\p{L})(\d{1,3}) (?:largest|biggest|highest|most valuable)(?!\p{L})/u
const SMALLEST = /(?<!\p{L})(?:smallest|lowest|least valuable)(?: (\d{1,3}))?(?!\p{L})/u
const NEWEST =
  /(?<!\p{L})(?:newest|latest|most recent)(?: (\d{1,3}))?(?!\p{L})|(?<!\p{L})(?:last|latest|newest) (\d{1,3}) (?=deals|opportunities|opps|\|)/u
const OLDEST = /(?<!\p{L})(?:oldest|earliest)(?: (\d{1,3}))?(?!\p{L})/u

const SPOKEN: Readonly<Record<string, number>> = { two: 2, three: 3, five: 5, ten: 10 }
const number = (match: RegExpExecArray) => {
  const text = match.slice(1).find((each) => each !== undefined)
  return text === undefined ? {} : { most: SPOKEN[text] ?? Number(text) }
}

/** Takes what is asked; undefined where the question asks for no counting or listing of deals. Call it before names are taken. */
export const takeIntent = (words: Words): Asked | undefined => {
  const { text } = words
  const outcome = OUTCOME.test(text)
  if (!DEAL.test(text) && !outcome && !PIPELINE.test(text) && !WIN_RATE.test(text)) return undefined
  const why = words.take(WHY) !== undefined
  const order = takeOrder(words)
  if (words.take(WIN_RATE) !== undefined) return { intent: "win_rate", why }
  if (words.take(AVERAGE) !== undefined) return { intent: "average", why }
  if (words.take(COUNT) !== undefined) return { intent: "count", why }
  if (words.take(SUM) !== undefined) return { intent: "sum", why }
  if (DEAL.test(text) && (words.take(LIST) !== undefined || order !== undefined))
    return { intent: "list", why, ...order }
  // Why one deal went as it did is told by its text; why deals go so, by all of them.
  return why && (outcome || /(?<!\p{L})(?:deals|opportunities)(?!\p{L})/u.test(text))
    ? { intent: "why", why }
    : undefined
}

const takeOrder = (words: Words): Pick<Asked, "sort" | "ascending" | "most"> | undefined => {
  const largest = words.take(LARGEST)
  if (largest !== undefined) return { sort: "amount", ...number(largest) }
  const smallest = words.take(SMALLEST)
  if (smallest !== undefined) return { sort: "amount", ascending: true, ...number(smallest) }
  const newest = words.take(NEWEST)
  if (newest !== undefined) return { sort: "newest", ...number(newest) }
  const oldest = words.take(OLDEST)
  return oldest === undefined ? undefined : { sort: "oldest", ...number(oldest) }
}
