import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import type { QuestionReader } from "../../QuestionReader.ts"
import { COUNT_WORDS, parseCount } from "../../words.ts"
import { DEAL, phrase } from "../words/lexicon.ts"
import { DAY_MS } from "../words/calendar.ts"
import { LEFT_OUT } from "../words/denial.ts"
import type { Today } from "../words/periods.ts"
import { takePresence } from "./presence.ts"
import type { FoundName } from "../names/foundNames.ts"
import type { DateField, Slots } from "./slots.ts"
import type { Outcome } from "../words/names.ts"

const NUMBER = String.raw`(\d{1,5}|${COUNT_WORDS})`
const HAVING = phrase(
  String.raw`(?:with |that have |having |who have )?(?:(at least|no less than|minimum|min|more than|over|at most|no more than|fewer than|less than|under) ${NUMBER}|${NUMBER}(?: or (?<side>more|fewer|less)|(?<plus>\+))) (?:decided |closed |(?<condition>won |lost |overdue |open |active ))?(?<noun>${DEAL}|wins|losses)`,
)
const COUNT = String.raw`(?<count>\d{1,5}|(?:${COUNT_WORDS}|an?)(?=[ -]))`
const SPAN = String.raw`${COUNT}(?<plus>\+|[- ]plus)?[ -]?(?<unit>day|week|month|year|(?<=\d\+? ?)d)s?`
const BOUND =
  "(?<bound>more than|longer than|older than|over|beyond|past|above|at least|less than|under|below|than|exceed(?:s|ed|ing)|>=|≥|>|<) ?"
const OR_OLDER = "(?<more> (?:or|and) (?:more|older))"
/** "Been around for over 90 days", "age > 60d", "90+ days old", "60 days or older". "Around 90 days" is a guess. */
const AGES = [
  phrase(
    String.raw`(?:(?:been )?open(?! older)|older|aged|age?ing) (?:for |after |since )?(?:${BOUND})?${SPAN}${OR_OLDER}?(?: old)?`,
  ),
  phrase(
    String.raw`(?:been )?(?:alive|around|sitting(?: (?:around|there))?|(?:lying|knocking|hanging) (?:about|around)|going on|gone|sat|runs?|ran|running|live|drag(?:s|ged|ging)?(?: on)?) (?:for )?${BOUND}${SPAN}`,
  ),
  phrase(String.raw`been (?:alive|around|sitting(?: (?:around|there))?) for ${SPAN}`),
  phrase(String.raw`been (?:alive|around) ${COUNT}(?<plus>\+|[- ]plus) ?days?`),
  phrase(String.raw`(?:deal )?age (?:is |of )?${BOUND}${SPAN}`),
  phrase(String.raw`${BOUND}${SPAN} (?:old|of age)`),
  phrase(String.raw`${SPAN}(?: old)?${OR_OLDER}`),
  phrase(String.raw`${COUNT}(?<plus>\+|[- ]plus) ?days? old`),
]
const OPEN_FOR = [phrase(String.raw`for (?:${BOUND})?${SPAN}`)]
const DAYS: Readonly<Record<string, number>> = { day: 1, d: 1, week: 7, month: 30, year: 365 }

const OVERDUE_BY = phrase(
  String.raw`(?:by |for )(more than|longer than|over|at least)? ?${NUMBER} (day|week|month|year)s?|(?:more than|over) ${NUMBER} (day|week|month|year)s?(?: ago)?`,
)

/** The last close date of deals that are overdue by that long. */
const daysAgo = (found: RegExpExecArray, { now }: Today): string => {
  const [, bound = "more than", said = found[4] ?? "", unit = found[5] ?? "day"] = found
  const days = parseCount(said) * (DAYS[unit] ?? 1) + (bound === "at least" ? 0 : 1)
  return new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10)
}

/** A deal that slipped closes in a later quarter than it did. "Slipped into" names the other quarter. */
const SLIPPED = phrase(
  String.raw`(?:(?:have|has|had) )?(?<!(?:not|never|n't) (?:been )?)(?:slipped|(?:been |were |was )?pushed out)(?: (?:out of|from)(?= ))?(?! (?:in)?to )`,
)

/** Nobody competed for the deal. */
const ALONE = phrase(
  [
    "uncontested|unopposed|unchallenged|(?:with|there(?:'s| is| was)) no competition",
    "(?:when |where |if )?(?:nobody|no one|no-one|no (?:other )?(?:competitors?|rivals?|vendors?)) (?:else )?(?:(?:is|was|were|are|has been|'s) )?(?:compet(?:es?|ed|ing)|contest(?:s|ed|ing)|bid(?:s|ding)?|involved|there|present|about|on the scene|(?:even |really )?in (?:it|there|them|sight|the (?:deal|race|running|room|picture|frame|mix)))(?: (?:with|against|for|on) (?:us|it|them))?",
    "(?:nobody|no one|no-one)'s (?:competing|contesting|bidding|there|in (?:it|there))(?: (?:with|against|for|on) (?:us|it|them)| it| them)?",
    "(?:when |where )?we(?:'re| are| were|'ve been| had been) (?:alone|on our own|the only (?:vendor|bidder|one|supplier)s?)(?: (?:in (?:it|there)|there))?",
    "(?:(?:when |where )?we ha(?:d|ve|d got) )?(?:the )?(?:whole )?field (?:all )?to ourselves",
  ].join("|"),
)

const NOT_OVERDUE = phrase(
  "(?:not|never|non|(?:is|are|was|were)n't)(?: yet)?[ -](?:overdue|past due|late(?= deals?|$|\\?))",
)
const OVERDUE_ONES = /(?<!\p{L})(?:overdue|late)(?: (?:ones|deals|opportunities|opps))?(?!\p{L})/u

/** Takes "not overdue" and "excluding overdue ones". */
const takeNotOverdue = (reader: QuestionReader): boolean => {
  if (reader.take(NOT_OVERDUE) !== undefined) return true
  const found = OVERDUE_ONES.exec(reader.text)
  const left = found === null ? null : LEFT_OUT.exec(reader.text.slice(0, found.index))
  if (found === null || left === null) return false
  reader.takeRange(left.index, found.index + found[0].length)
  return true
}

/** Clients that won a deal before. "How many existing customers" counts clients. */
const EXISTING = phrase(
  "(?:(?:that |which )?(?:came |comes? |is |was |are |were )?(?:from|with|of|by|to|among|at|in|for) (?:the |our |all )*(?:existing|current|repeat|returning) (?:customers?|clients?|accounts?|logos?|business)|(?:from|in|of|with) (?:the |our )*(?:installed|install|existing|customer) base|repeat business)",
)

/** Filters that a question states without a name of the workspace. `alone` is the word for "without competitors". */
export const takeConditions = (reader: QuestionReader, today: Today) => {
  const having = takeHaving(reader)
  const not = reader.take(phrase("(?:not|never) (?:yet )?(?:been )?analy[sz]ed|unanaly[sz]ed"))
  const saysAnalyzed = not !== undefined || reader.take(phrase("(?:been )?analy[sz]ed")) !== undefined
  const unverified = reader.take(phrase("not (?:yet )?verified|unverified"))
  const isVerified = unverified !== undefined || reader.take(phrase("verified")) !== undefined
  const alone = reader.take(ALONE)
  const notOverdue = takeNotOverdue(reader)
  const overdue = reader.take(
    phrase(
      String.raw`(?:are |is |were )?(?:overdue|past due|(?:slipped |slipping |already )?(?:past|beyond|after|missed|passed) (?:their|its|the) (?:expected |planned )?close dates?|(?:with |whose |have |has |had )?(?:an? |the |their |its )?(?:expected |planned )?close dates? (?:is |are |lies? |lying )?in the past|slipping|should have closed(?: already)?|late(?= deals?|$|\?))`,
    ),
  )
  const slipped = reader.take(SLIPPED)
  const age = takeOpenDays(reader, AGES)
  const since = overdue === undefined ? undefined : reader.take(OVERDUE_BY)
  const openDays = age ?? (since === undefined ? takeOpenDays(reader, OPEN_FOR) : undefined)
  const isFirst = reader.take(phrase("with an? first won deals?"))
  const isLater = reader.take(EXISTING)
  const filters = {
    ...(saysAnalyzed && { analyzed: not === undefined }),
    ...(isVerified && { verified: unverified === undefined }),
    ...(alone !== undefined && { competitors_filter_type: "is empty" }),
    ...takePresence(reader),
    ...((overdue !== undefined || notOverdue) && { overdue: !notOverdue }),
    ...(slipped !== undefined && { slipped_from_filter_type: "is not empty" }),
    ...(since !== undefined && { close_date: { to: daysAgo(since, today) } }),
    ...(isFirst !== undefined && { first_won: true }),
    ...(isLater !== undefined && { first_won: false }),
    ...(reader.take(phrase("with empty amount")) !== undefined && { amount_filter_type: "is empty" }),
    ...(reader.take(phrase("with empty close date")) !== undefined && { close_date_filter_type: "is empty" }),
    ...(openDays !== undefined && { open_days: openDays }),
  } as CanonicalFilters
  return { having, filters }
}

const RATE_BOUND =
  /(?<![\p{L}\p{N}])(above|over|at least|more than|higher than|better than|below|under|at most|less than|lower than|worse than) (?:an? )?(\d{1,3}(?:\.\d+)?) ?(?:%|percent)/u

/** Bounds are inclusive: a rate below 40 % is at most a little less. Rates of deals differ by more. */
const NEXT_RATE = 1e-7

const takeHaving = (reader: QuestionReader): Slots["having"] => {
  const bounded = reader.take(RATE_BOUND)
  if (bounded !== undefined) {
    const said = bounded[1] ?? ""
    const share = Number(bounded[2]) / 100
    const beyond = /^at (?:least|most)$/.test(said) ? 0 : NEXT_RATE
    return /^(?:below|under|at most|less|lower|worse)/.test(said)
      ? { of: "rate", max: share - beyond }
      : { of: "rate", min: share + beyond }
  }
  const found = HAVING.exec(reader.text)
  if (found === null) return undefined
  const [whole, before = "", least, most] = found
  const { condition = "", noun = "", side } = found.groups ?? {}
  const said = least ?? most ?? ""
  const bound = least !== undefined ? before : side === undefined || side === "more" ? "at least" : "at most"
  // Other readers take the condition of the deals: "won", "overdue".
  const end = found.index + whole.length
  const isOutcome = /^(?:wins|losses)$/.test(noun)
  reader.takeRange(found.index, end - noun.length - condition.length)
  if (!isOutcome) reader.takeRange(end - noun.length, end)
  const count = parseCount(said)
  if (/^(?:more than|over)$/.test(bound)) return { of: "deals", min: count + 1 }
  if (/^(?:at least|no less than|min)/.test(bound)) return { of: "deals", min: count }
  return { of: "deals", max: /^(?:fewer|less|under)/.test(bound) ? count - 1 : count }
}

const takeOpenDays = (reader: QuestionReader, patterns: ReadonlyArray<RegExp>) => {
  for (const pattern of patterns) {
    const found = reader.take(pattern)?.groups
    if (found === undefined) continue
    const days = parseCount(found["count"] ?? "") * (DAYS[found["unit"] ?? "day"] ?? 1)
    if (/^(?:less|under|below|<)/.test(found["bound"] ?? "")) return { max: days - 1 }
    const isFrom = /^(?:at least|>=|≥)/.test(found["bound"] ?? "") || (found["plus"] ?? found["more"]) !== undefined
    return { min: isFrom ? days : days + 1 }
  }
  return undefined
}

const DENIED = "(?:not|never|(?:do|does|did|have|has|is|are|was|were)n't|that we did not|did not)(?: yet)?"
const OUTCOMES: ReadonlyArray<readonly [Outcome | "closed" | "not_lost" | "not_won" | "not_open", RegExp]> = [
  ["closed", phrase("w[io]n or los[et]|los[et] or w[io]n|won ?[+] ?lost|closed(?![ -](?:won|lost))|decided")],
  [
    "lost",
    phrase(
      "beats? us|beating us|beaten us|w[io]ns?(?:[ |]+(?:deals|the|most|often))*[ |]+(?:against|from) us|against us w[io]ns?|take deals from us",
    ),
  ],
  ["not_lost", phrase(`${DENIED} (?:lost|lose)|non[- ]lost`)],
  ["not_won", phrase(`${DENIED} (?:won|win)|non[- ]won`)],
  ["not_open", phrase(`(?:${DENIED}|no longer) open|non[- ]open`)],
  [
    "won",
    phrase(
      "(?:closed[ -])?(?:(?:buy|bought|choose|chose|chosen|pick|picked|prefer|preferred)(?: from)? us|(?:go|goes|went|gone) with us|won|win|wins|winning|beat|beaten|beating|sold|signed|(?<=(?:we|to) )sign|landed|success(?:es)?)",
    ),
  ],
  ["lost", phrase("(?:closed[ -])?(?:lost|lose|loses|losing|loss|losses|cost us|costs us|costing us|lost us)")],
  [
    "open",
    phrase(
      "(?:still |currently )?(?:open|ongoing|active|undecided|in progress|in flight|in (?:the |our )?pipeline|unclosed|not closed(?: yet)?)",
    ),
  ],
]

/** Takes the outcomes that the question names. "Closed" means won or lost; "wins and losses" asks for both, "decided, won or lost" for neither. */
export const takeOutcomes = (reader: QuestionReader) => {
  let named = 0
  let isExplained = false
  let isNegated = false
  const all = OUTCOMES.flatMap(([outcome, pattern]): ReadonlyArray<Outcome> => {
    // "Deals closing in May" names a date.
    if (outcome === "closed" && !/(?<!\p{L})(?:closed|decided|won|lost|wins?|loss)/u.test(reader.text)) return []
    let times = 0
    while (reader.take(pattern) !== undefined) times++
    if (times === 0) return []
    if (outcome === "won" || outcome === "lost") named++
    if (outcome === "closed") {
      isExplained = true
      return ["won", "lost"]
    }
    if (outcome.startsWith("not_")) isNegated = true
    if (outcome === "not_lost") return ["open", "won"]
    if (outcome === "not_open") return ["won", "lost"]
    return outcome === "not_won" ? ["open", "lost"] : [outcome]
  })
  const outcomes = new Set(all)
  // "Open or closed" is every deal.
  return { outcomes: outcomes.size === 3 ? [] : [...outcomes], isBoth: named === 2 && !isExplained, isNegated }
}

const DATES: ReadonlyArray<readonly [DateField, RegExp]> = [
  ["created_at", phrase("(?:got |were |was |been )?(?:created?|opened|added|started|new|entered|generated?)")],
  ["updated_at", phrase("(?:updated|changed|touched|modified|edited)")],
  [
    "close_date",
    phrase("(?:closing|closes|close|due|expected to close|expected|land(?:s|ing)?|expir(?:e|es|ing))(?: dates?)?"),
  ],
]

export const takeDate = (reader: QuestionReader) => {
  const said = DATES.flatMap(([field, pattern]) => {
    const match = reader.take(pattern)
    while (reader.take(pattern) !== undefined);
    return match === undefined ? [] : [{ field, said: match[0] }]
  })
  return said[0]
}

const WHY = phrase(
  String.raw`(?:and |but )?why|how come|for (?:what|which) reasons?|what (?:is |was |were )?(?:drove|drives|driving|decides|decided|made us|makes us|caused|causes)`,
)
/** "What do we lose on?", "what does Dana win on?". "What did we win on each?" asks for an amount. */
const WHAT_ON =
  /(?<!\p{L})what (?:do|did|does|are|have|has) (we|[|]+)[\s|]+(?:mostly |usually |mainly |typically )?(?=(?:los|w[io]n)\p{L}*[\s|]*(?:it |them |deals )?(?:on|over|because|due|for)(?!\p{L})(?! (?:each|both|them)(?!\p{L})))/u

/** Takes it for us and our people. What rivals win on is nothing that we record. */
const takeWhatOn = (reader: QuestionReader, found: ReadonlyArray<FoundName>): boolean => {
  const match = WHAT_ON.exec(reader.text)
  if (match === null) return false
  const at = match.index + match[0].indexOf(match[1]!)
  const subject = found.find(({ start, end }) => start <= at && at < end)
  if (match[1] !== "we" && subject?.kind !== "owner") return false
  reader.takeRange(match.index, match.index + match[0].length)
  return true
}

const POSITIVE = phrase(
  String.raw`(?:spoke|speaks?|spoken|count(?:s|ed)?|worked|weigh(?:s|ed)?) (?:most )?(?:for|in favou?r of) us|help(?:s|ed|ing)?(?: us)?|in our favou?r|(?:in an? )?positive(?:ly)?(?: (?:sentiment|way|light|sense))?|(?<!(?:would|should|['’]d|looks?|looked|looking|sounds?|feels?|felt|seems?) )likes?|(?<!have )liked|loves?|loved|praise[sd]?|(?<!(?:would|should|['’]d) )appreciated?|(?<=(?:reasons?|arguments?|points?|factors?|drivers?) )(?:that (?:are|were) )?for us`,
)
const NEGATIVE = phrase(
  String.raw`(?:spoke|speaks?|spoken|count(?:s|ed)?|worked|weigh(?:s|ed)?) (?:most )?against us|hurt(?:s|ing)?(?: us)?|(?:in an? )?negative(?:ly)?(?: (?:sentiment|way|light|sense))?|critici[sz](?:e[sd]?|ing)|disliked|complain(?:ts?|ed)?(?: about)?|objections?|missing|lacking|(?<=(?:reasons?|arguments?|points?|factors?|drivers?) )(?:that (?:are|were) )?against us`,
)

const EITHER_SIDE = phrase(
  "(?:more (?:often )?)?(?:for|with) us or (?:more (?:often )?)?against us|(?:an? )?plus or (?:an? )?minus(?: for us)?",
)
/** Behind a reason: "was against us", "is held against us", "works for us", "with us". */
const SIDE_BEHIND =
  /^(?:[\s,]+(?:is|was|were|are|being|been|held|went|goes|going|pulls|pulled|pulling|works?|worked|working|stood|speaks?|a|an|point|strike|mark|plus|minus))*[\s,]+(?:(?<against>against us)|(?:for|with|behind) us|on our side|in our (?:camp|corner))(?!\p{L})/u

const takeSideBehind = (reader: QuestionReader, { end }: FoundName) => {
  const match = SIDE_BEHIND.exec(reader.text.slice(end))
  if (match === null) return undefined
  reader.takeRange(end, end + match[0].length)
  // "A minus for us" is against us.
  const isAgainst = match.groups?.["against"] !== undefined || /minus|strike/.test(match[0])
  return isAgainst ? ("negative" as const) : ("positive" as const)
}

/** Takes "why" and the side of reasons: those that spoke for us or against us. */
export const takeSide = (reader: QuestionReader, found: ReadonlyArray<FoundName>) => {
  const asksWhy = reader.take(WHY) !== undefined || takeWhatOn(reader, found)
  const sides = new Set(found.flatMap((name) => (name.kind === "reason" ? (takeSideBehind(reader, name) ?? []) : [])))
  const isBoth = reader.take(EITHER_SIDE) !== undefined
  const against = isBoth || reader.take(NEGATIVE) !== undefined || sides.has("negative")
  const favour = isBoth || reader.take(POSITIVE) !== undefined || sides.has("positive")
  return {
    asksWhy,
    side: against === favour ? undefined : against ? ("negative" as const) : ("positive" as const),
    isBoth: against && favour,
  }
}
