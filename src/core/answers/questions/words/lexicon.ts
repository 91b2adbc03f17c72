/** The English words of questions about numbers, by the slot that they fill. Other languages are translated into these words. */

import { ASSOCIATION_DIMENSIONS } from "../../../reports/dimensions.ts"
import { listForms, pluralize, type WordedDimension } from "../../../reports/words.ts"

const boundary = (text: string) => String.raw`(?<![\p{L}\p{N}])(?:${text})(?![\p{L}\p{N}])`

const patterns = new Map<string, RegExp>()

/** Matches any of the alternatives as whole words, in a lower-case text. Compiles each text once: all of them are constants. */
export const phrase = (text: string): RegExp => {
  const known = patterns.get(text) ?? new RegExp(boundary(text), "u")
  patterns.set(text, known)
  return known
}

/** The calendar units that a report groups dates by. */
export type Grain = "day" | "week" | "month" | "quarter" | "year"

/** Dimensions of a report, except dates. */
export type Dimension = Exclude<WordedDimension, "product"> | `crm_${string}`

interface Noun {
  readonly dimension: Dimension
  readonly words: string
  /** As answers write it. */
  readonly one: string
  readonly many: string
}

const noun = (dimension: Exclude<WordedDimension, "product">, more: ReadonlyArray<string> = []): Noun => {
  const { one } = ASSOCIATION_DIMENSIONS[dimension]
  return { dimension, words: [...more, ...listForms(dimension)].join("|"), one, many: pluralize(one) }
}

/** In the order in which they are sought: "product area" before "product". The patterns depend on the words around them. */
const PLACED: ReadonlyArray<Noun> = [
  noun("primary_competitor", [
    String.raw`(?:primary|main) (?:competitor|rival)s?(?=\s+(?:in|of|per|by)\s+(?:the |each )?deal)`,
  ]),
  noun("incumbent"),
  noun("competitor"),
  noun("amount_band", [
    String.raw`(?:deal |contract )?(?:size|amount) (?:bands?|buckets?|ranges?|classes)`,
    String.raw`(?<=(?:by|per|across) )(?:deal |contract )?sizes?`,
  ]),
  noun("driver_category", [
    "reason (?:themes?|categor(?:y|ies))",
    String.raw`categor(?:y|ies) of (?:(?:the|our|win|loss|lost)[ -])*reasons?`,
    String.raw`(?<=reasons?[^?]* (?:by|per) )categor(?:y|ies)`,
  ]),
  noun("driver_effect"),
  noun("driver", [String.raw`(?:win|loss)[ -](?:reason|driver|factor|cause)s?`]),
  noun("product_area"),
  noun("feature"),
  noun("deal_type"),
  noun("product_label"),
  noun("owner"),
  noun("collaborator"),
  noun("segment", ["(?:customer|client|market) segments?"]),
  noun("client"),
  noun("region"),
  noun("industry"),
  noun("status"),
  noun("outcome"),
  noun("association_tag", ["tagged(?: (?:as|with))?"]),
]

/** Questions do not name these by a noun: flags, and the product of a feature, since "product" means that of the deal. Dates have words of their own. */
const UNNAMED: ReadonlySet<string> = new Set(["product", "analyzed", "sentiment", "entered_stage", "left_stage"])

/** Dimensions that need no place of their own come last. */
export const NOUNS: ReadonlyArray<Noun> = [
  ...PLACED,
  ...Object.entries(ASSOCIATION_DIMENSIONS).flatMap(([name, dimension]) =>
    "dated" in dimension || UNNAMED.has(name) || PLACED.some(({ dimension }) => dimension === name)
      ? []
      : [noun(name as Exclude<WordedDimension, "product">)],
  ),
]

export const findNoun = (dimension: string): Noun | undefined => NOUNS.find((each) => each.dimension === dimension)

/** Words for a deal. */
export const DEAL = String.raw`deals?|opportunit(?:y|ies)|opps?`

export const GRAINS: ReadonlyArray<readonly [Grain, string]> = [
  ["day", "days?|daily"],
  ["week", "weeks?|weekly"],
  ["month", "(?:calendar )?months?|monthly"],
  ["quarter", "(?:fiscal )?quarters?|quarterly"],
  ["year", "(?:fiscal |calendar )?years?|yearly|annually|annual"],
]

/** The subject of a number; with an aggregate it becomes a measure. */
export type Base =
  | "win_rate"
  | "win_rate_by_amount"
  | "loss_rate"
  | "amount_weighted"
  | "renewal_rate"
  | "lost_no_decision"
  | "new_clients"
  | "stage_entered"
  | "stage_left"
  | "sentiment"
  | "amount"
  | "revenue"
  | "pipeline"
  | "size"
  | "cycle"
  | "age"
  | "mentions"
  | "competitors"
  | "performance"
  | `wl_${string}_score`
  | `custom_metric_${string}`

const HOW_LONG = String.raw`how (?:long|many days|much time) (?:does|do|did|is|are|was|were|will) (?:it|they|those|these|a|an|the|our|we|need|deals?|closing|winning|to close|on average|usually|typically|take|[\s|])*(?:take|need|open for)?(?: (?:us )?to (?:close|win|sign|land)(?: (?:a|an|the|our) (?:deal|opportunity)| deals)?)?`

export const BASES: ReadonlyArray<readonly [Base, RegExp]> = [
  [
    "performance",
    /(?<!\p{L})how (?:well )?(?:did|do|does|is|are|have|has|was|were)(?= .*(?:do|doing|done|go|going|gone|perform\p{L}*)(?:[\s|?.!]|$))|(?<!\p{L})(?:performance|results)(?!\p{L})/u,
  ],
  [
    "loss_rate",
    phrase(
      String.raw`(?:loss|lose|losing)[ -](?:rates?|ratios?|percentages?)|how (?:often|frequently) (?:do|did|have|are) we (?:ever )?(?:lose|lost|losing)`,
    ),
  ],
  ["win_rate_by_amount", phrase("(?:amount|value|money) win rates?")],
  ["amount_weighted", phrase("weighted (?:(?:open|sales) )?(?:pipe(?:line)?|amounts?|forecast|revenues?|values?)")],
  ["renewal_rate", phrase("renewals? (?:win )?(?:rates?|ratios?|percentages?)")],
  [
    "lost_no_decision",
    phrase(
      String.raw`(?:lost|lose|losing|losses|loss) (?:to|by|from|through|due to|because of) (?:an? )?(?:no[ -]decisions?|indecision)|no[ -]decision loss(?:es)?`,
    ),
  ],
  ["new_clients", phrase("new clients")],
  // A name or a group follows: stages and other names are taken before.
  [
    "stage_entered",
    phrase(
      String.raw`(?:(?<!(?:not|never|yet|n't) )(?:(?:have|has|had) )?(?:ever |newly )?(?:entered|reached|moved (?:in)?to|progressed (?:in)?to|advanced to)|did (?:we )?(?:enter|reach|move (?:in)?to))(?=[\s|]*(?:the )?(?:stage )?\|)`,
    ),
  ],
  [
    "stage_left",
    phrase(
      String.raw`(?<!(?:not|never|yet|n't) )(?:(?:have|has|had) )?(?:left|exited|moved out of)(?=[\s|]*(?:the )?(?:stage )?\|)`,
    ),
  ],
  ["sentiment", phrase("sentiments?")],
  [
    "competitors",
    phrase(
      String.raw`(?:(?:the )?number of )?(?:competitors|rivals|vendors)(?: (?:do|did|are|is) (?:we|there)(?: usually| typically)?(?: (?:face|meet|have|see|up against))?)?(?: (?:in|on))? (?:per|an?|each|every|the|our)(?: (?:average|avg|mean|typical))? (?:${DEAL})`,
    ),
  ],
  [
    "win_rate",
    phrase(
      String.raw`(?:win|winning|hit|close|closing|conversion|success)[ -](?:rates?|ratios?|percentages?|percent|%)|win[ -]?rates?|ratio of (?:won|wins?|winning) (?:to|and|vs\.?|versus) (?:lost|loss|losses|losing)(?: deals)?|win[- ]loss(?: (?:rates?|ratios?|records?))?|track records?|conversion|how (?:often|frequently) (?:do|did|have|are|can) we (?:ever )?(?:win|won|winning|beat|beaten|close)|(?:what|which) (?:percentage|percent|share|proportion|part|fraction) of (?:our |the |all )*(?:deals|opportunities) (?:do|did|have) we (?:ever )?(?:win|won|close|lose|lost)`,
    ),
  ],
  [
    "cycle",
    phrase(
      String.raw`(?:(?:sales|deal|buying|closing)[ -])?cycle(?:[ -](?:times?|lengths?|durations?))?s?|(?:days|time) to (?:close|win|sign)|how long (?:is|was|are)(?= (?:(?:the|our|an?|on|average|median|mean|typical|usual|typically|usually) )*(?:(?:sales|deal|buying|closing|win|winning) )?(?:cycles?|deals?|opportunit|it(?!s)|closing|average|median|take))|${HOW_LONG}(?<=take|close|win|sign|deals?)|velocity`,
    ),
  ],
  ["age", phrase(String.raw`ages?|how old|days open|time open|how long have|been open(?= for|$|\?)`)],
  [
    "pipeline",
    phrase(
      String.raw`(?:(?:sales|open|our|the|total|in) )*pipe(?:line)?(?: (?:values?|amounts?|worth|sizes?|volume))?|open business`,
    ),
  ],
  [
    "revenue",
    phrase(
      String.raw`(?:(?:new|won|sales|annual|recurring) )*(?:revenues?|arr|acv|tcv|mrr|bookings?|turnover|sales volume|income|sales(?=[\s|]*(?:$|[?.,!]|(?:by|per|in|for|from|since|to|with|against|across|are|were|this|last|and|vs|versus)(?!\p{L}))))|(?:won|closed[ -]won) (?:values?|amounts?|business)|(?:sells?|selling|sold)(?= (?:the )?(?:best|most|least|worst))|(?<=best[ -])selling|(?:bring|brings|brought|bringing)(?! up)(?: in)?`,
    ),
  ],
  [
    "size",
    phrase(
      String.raw`(?<!(?:by|per|across) )(?:deal|contract|order|opportunity|ticket)[ -]sizes?(?! (?:band|bucket|range|class))|(?<!\p{L})sizes?(?= of)`,
    ),
  ],
  [
    "amount",
    phrase(
      String.raw`(?:(?:deal|contract|order|dollar|euro|monetary) )?(?:amounts?|values?|volumes?|sums?|worth|money|dollars|euros)|how (?:much|big|large)|how many(?= (?:euros?|dollars?|pounds?|money|eur|usd|gbp|chf|[€$£])(?!\p{L}))|(?<!\d ?)[€£$](?! ?\d)`,
    ),
  ],
  [
    "mentions",
    phrase(
      String.raw`(?:features?[ -](?=mentions|requests))?(?:how (?:often|many times) )?(?:(?:is|are|was|were|been|being) )?(?:mentions?|mentioned|requests?|requested|asked(?: (?:for|about))?|asks?(?: (?:for|about))?|demand(?:ed)?|wanted|want|wished for|come up|comes up|came up|brought up|brings? up|raised)`,
    ),
  ],
]

export type Aggregate = "average" | "median" | "total" | "max" | "min"

export const AGGREGATES: ReadonlyArray<readonly [Aggregate, RegExp]> = [
  ["median", phrase("medians?")],
  ["average", phrase(String.raw`averages?|avg\.?|mean|typical(?:ly)?|usual(?:ly)?|on average`)],
  ["total", phrase("totals?|combined|overall|altogether|in total|all in all|in sum|summed")],
  ["max", phrase("maximum|max")],
  ["min", phrase("minimum|min")],
]

/** How a superlative orders. `good` and `bad` depend on the measure: a short cycle is good. */
export type Order = "high" | "low" | "good" | "bad" | "new" | "old" | "long" | "short"

export const SUPERLATIVES: ReadonlyArray<readonly [Order, string]> = [
  ["new", "newest|latest|most recent(?:ly)?"],
  ["old", "oldest|earliest|stalest"],
  ["long", "longest|slowest"],
  ["short", "shortest|fastest|quickest"],
  [
    "low",
    "least (?:common|frequent|valuable)|least(?: often| frequently)?|fewest|lowest|smallest|tiniest|bottom|rarest",
  ],
  ["bad", "worst[ -]performing|worst|weakest|poorest"],
  ["good", "best[ -]performing|best|strongest|most successful(?:ly)?"],
  [
    "high",
    String.raw`number one|#1|no\. ?1|top|most (?:common(?:ly)?|frequent(?:ly)?|often|valuable|important|popular)|most|biggest|largest|highest|greatest|leading|main|key|toughest`,
  ],
]

/** Whether the word, in lower case, fills a slot by itself, so that it alone means no name. */
export const isQuestionWord = (word: string): boolean =>
  [...BASES, ...AGGREGATES].some(([, pattern]) => pattern.exec(word)?.[0] === word) ||
  [
    DEAL,
    ...NOUNS.map(({ words }) => words),
    ...SUPERLATIVES.map(([, words]) => words),
    ...GRAINS.map(([, words]) => words),
  ].some((words) => phrase(words).exec(word)?.[0] === word)
