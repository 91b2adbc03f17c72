import { SHARED } from "./english.ts"

/** A name of the workspace. One private character replaces it while words are replaced. */
const NAME = String.raw`[\u{e000}-\u{f8ff}]`
const RIVAL = String.raw`[\u{e000}-\u{efff}]`
const WE = String.raw`(?:we|our (?:team|reps|people)|the (?:team|reps))`
const RIVALS = String.raw`(?:competitor|rival|vendor|competition|company)s?`
const NEW_CLIENTS = String.raw`new (?:logos|customers|clients|accounts)(?: (?:that )?(?:we )?(?:signed|won|closed|landed|acquired|added|did we (?:sign|win|close|land|add|get)))?`
const PERCENT_OF = "(?:percentage|percent|pct|%) of (?:(?:our|the|all) )*"
const NO_VERB =
  "(?![^?.!;]* (?:is|are|was|were|has|have|had|do|does|did|involv[a-z]*|includ[a-z]*|c[ao]mes?|go|goes|went|by|per|each|with|against)(?![a-z]))"
const OF_ALL = "(?:(?:of|our|the|all|these|those) )*"

/**
 * Phrases of people in sales, in the words that the parser reads. Each keeps the meaning: a phrase that only resembles a known one
 * stays as it is, and is refused.
 */
export const IDIOMS: ReadonlyArray<readonly [pattern: string, replacement: string]> = [
  // Spellings.
  ["(what|who|how|when|where)s", "$1 is"],
  ["(win|loss|close|hit)rates?", "$1 rate"],
  ["w/o", "without"],
  ["w/", "with"],
  ["b/c", "because"],
  ["pls|plz|please", ""],
  [String.raw`(?:money|revenue|value)[- ]wise`, "amount"],
  [String.raw`(?:more than|over|above|>) ?(an?|one|\d+) (day|week|month|year)s? old`, "older than $1 $2s"],
  ["features?[- ]wise", "by feature"],
  ["rev", "revenue"],
  ["qtr", "quarter"],

  ["past[- ]due", "overdue"],
  ["(?:average )?(?:time|duration)(?= (?:from|between) )", "average sales cycle"],
  [
    "(?:in|for|over|across|during) each of the (?:last|past|previous) (\\d{1,2}|two|three|four|five|six|eight|twelve) (week|month|quarter|year)s",
    "in the last $1 $2s by $2",
  ],
  [
    `(?:the )?(?:difference (?:in|of)|gap in|compare(?: the)?) ([^?.,]{1,40}?) (?:between|of|in) (${NAME}) (?:and|with|to) (${NAME})`,
    "$1 $2 versus $3",
  ],
  ["half a year", "6 months"],
  ["where (?:does|do) (?:it|they) stand|where (?:is|are) (?:it|they) at", "which stage"],
  ["account execs?", "reps"],
  ["how (do|did|have) (we|our \\w+) (?:fare|fared)", "how $1 $2 do"],
  ["(?:our |the )?(?:track )?records?(?= (?:against|versus|vs\\.?) )", "win rate"],
  [
    "how often (?:do|did|have) we (?:actually |really )?(?:meet|met|see|saw|face|faced|encounter(?:ed)?|(?:come|came|run|ran|go|went) (?:up )?(?:against|into))",
    "how many deals against",
  ],
  ["(?:the |their )?close dates? (?:is |are |has |have )?(?:already )?(?:passed|gone by|lapsed|behind us)", "overdue"],
  ["(?:is|are|was|were) in the mix", "involved"],
  ["still(?= (?:in|at|on) )", ""],
  ["did (we|they) create", "were created by $1"],
  [
    "how long (?:does|do|did) (?:it|a deal|deals|us|we) take (?:us |we )?to (win|lose)(?: (?:it|a deal|deals|one))?",
    "sales cycle of deals we $1",
  ],
  ["time to (win|lose)", "sales cycle of deals we $1"],
  ["(?<=deals? )(?:did|have) (?:we|they) closed?", "closed"],
  [
    "when (?:was|is|did) (?:our|the|we) (?:last|latest|most recent) (?:win|won)(?! rate)(?: (?:something|anything|a deal|one))?",
    "latest won deal",
  ],
  ["when (?:was|is|did) (?:our|the|we) (?:last|latest|most recent) (?:loss|lose)", "latest lost deal"],
  ["how old is (?:our|the) oldest", "oldest"],
  // A bare year is the calendar year.
  ["(?:calendar|cal) (?:year )?(20\\d\\d)|(20\\d\\d) calendar year", "$1$2"],
  ["(before|by|until|till|after|since) (?:christmas|xmas)", "$1 December 25"],
  ["as (?:an? |the |our )?competitor", ""],
  ["and on what", "and why"],
  [
    "(which|what) ((?:two|three|four|five|six|seven|eight|nine|ten|\\d{1,2}) )?people(?= (?:closed|sold|won|lost|brought))",
    "$1 $2reps",
  ],
  ["(?:due|scheduled|supposed|set|slated) to close", "closing"],
  ["how much (?:did|have) (we|i|they) closed?", "how much revenue did $1 win"],
  ["than (?:a|one) (day|week|month|year)", "than 1 $1"],
  ["(?:broken|split|sliced|bucketed|segmented|grouped) (?:out|up|down|off) (?:by|per|into)", "by"],
  ["single(?= (?:largest|biggest|smallest|best|worst|highest|lowest|most))", ""],
  [
    "(?:give|name|show|list)(?: me| us)? (?:the )?(\\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (?:names|of them)",
    "top $1",
  ],

  // Politeness and the occasion say nothing about the numbers.
  [String.raw`(?:hey|hi|hello)(?: there| team| all)?[,!.]`, ""],
  [
    String.raw`(?:can|could|would|will) you (?:please |quickly )?(?:tell|show|give|find|get|list|pull(?: up)?)(?: me| us)?`,
    "show",
  ],
  ["(?:i|we)(?:['’]d| would)? (?:like|love|want|need) to (?:know|see|understand)|do you know|i wonder|wondering", ""],
  [String.raw`before (?:i|we) (?:walk|go|get|head|step)[^:,]{0,60}[:,]`, ""],
  [
    String.raw`(?:for|in|at) (?:the|my|our|a) (?:board|qbr|forecast|team|staff|sales) ?(?:meeting|deck|call|review|pack)?`,
    "",
  ],
  ["what(?:['’]s| is) (?:their|the|its) deal(?: with)?(?=\\W*$)", "brief me"],
  [String.raw`what(?:['’]s| is) (?:the latest|new|up|happening|going on) (?:on|with|at)`, "brief me on"],
  ["quick (?:question|one)[:,]?", ""],
  ["right now|at the moment|as of (?:now|today)|at present|at all|on record|so far", ""],
  ...SHARED,
  [`end(?:s|ed|ing)? up(?: as)?(?= (?:won|lost|open)(?![a-z])| in ${NAME})`, ""],

  // Amounts.
  ["(?:six|6)[- ]figures?", "between 100000 and 999999,"],
  ["(?:seven|7)[- ]figures?", "between 1000000 and 9999999,"],
  ["(?:five|5)[- ]figures?", "between 10000 and 99999,"],
  [String.raw`(?:to the )?north of|in excess of|upwards? of`, "above"],
  [String.raw`(?:to the )?south of`, "below"],
  [
    String.raw`(?:that )?(?:carry|carries|have|has|with|had|show) no (?:amounts?|values?)|without (?:an? |any )?(?:amounts?|values?)|missing (?:an? )?(?:amounts?|values?)`,
    "with empty amount",
  ],
  [
    String.raw`(?:that )?(?:carry|carries|have|has|with|had) no (?:close|closing) dates?|without (?:an? |any )?(?:close|closing) dates?|missing (?:an? )?(?:close|closing) dates?`,
    "with empty close date",
  ],

  // Deals, and what happened to them.
  ["signatures|signings", "won deals"],
  ["if we (?:win|won|close|closed) (?:it|them|one)", "won"],
  [
    "turn(?:ed|s)? us down|said no(?: to us)?|(?:went|go|going) elsewhere|(?:chose|choose|picked|preferred|went with) (?:someone|somebody) else|reject(?:ed|s)? us|walked away(?: from us)?",
    "lost",
  ],
  ["(?:sales )?funnel", "pipeline"],
  ["(average|avg\\.?|mean|median|typical) (?:ticket|order value)", "$1 deal size"],
  ["deals (?:that )?(?:got|slipped) away", "lost deals"],
  [String.raw`(?:riding|resting|depending|hanging) on (?:them|it)`, ""],
  ["(?:hangs?|rides?|rests?) on", "involves"],
  ["(?:logged|recorded|on file)", ""],
  [`among(?:st)?(?= ${NAME})`, "in"],
  [
    "everything(?: that)?(?= we(?:(?:['’]ve| have)? ever)? (?:lost|won|sold|closed|lose|win)| we(?:['’]ve| have) (?:ever )?(?:lost|won|sold|closed))",
    "deals",
  ],
  [
    String.raw`(?:in )?(?:the )?deals (?:that )?(${RIVAL}) (?:takes|took|wins|won|gets|got|beat|beats)(?: (?:us|from us))?`,
    "lost deals against $1",
  ],
  [
    String.raw`(?<=${NAME} )(?:present|in play|in the mix|at the table|around|in (?:it|them|there)|(?:is |was |were |are )?(?:involved|part of it))`,
    "",
  ],
  [String.raw`(?<=${NAME} )(?:companies|firms|businesses|organi[sz]ations|players)`, ""],

  [
    String.raw`(?<=${NAME} )(?:customers|clients|accounts|buyers|prospects)(?= (?:bring|ask|want|request|mention|like|need|complain))`,
    "",
  ],

  // Rivals.
  [
    `(?:did|has|have|does) (${RIVAL}) (?:ever )?(?:win|won|take|took|beat|beaten)(?: us)?(?: (?:against|from) us)?`,
    "lost to $1",
  ],
  [`who (?:shows?|turns?|pops?|comes?) up|who appears`, "which competitor is"],
  ["lack(?:s|ing)?(?: an?| any)?(?= (?:competitor|owner|region|industry|product)s?(?![a-z]))", "with no"],
  [
    String.raw`(?:who|which ${RIVALS})(?:['’]s| is| are)? (?:eating our lunch|killing us|crushing us|hurting us|(?:kicking|beating) our (?:butts?|asses)|stealing (?:our )?(?:deals|business)(?: from us)?)(?: (?:the )?most)?`,
    "which competitor beats us most",
  ],
  [
    String.raw`(?:who|which ${RIVALS}) (?:hurts|beats|kills|bothers|worries) us(?: the)? most`,
    "which competitor beats us most",
  ],
  [
    String.raw`(?:who(?:['’]s| is) |what(?:['’]s| is) )?(?:our |the )*(?:biggest|main|worst|toughest|greatest) (?:competitor |competitive |competition )?(?:threat|nemesis|enemy)`,
    "which competitor beats us most",
  ],
  [
    String.raw`which ${RIVALS} (?:is|are) (?:the )?easiest (?:for us )?to beat|who(?:['’]s| is| are) (?:the )?easiest (?:for us )?to beat|(?:the )?easiest ${RIVALS} to beat`,
    "which competitor has the best win rate",
  ],
  [
    String.raw`which ${RIVALS} (?:is|are) (?:the )?(?:hardest|toughest) (?:for us )?to beat|who(?:['’]s| is| are) (?:the )?(?:hardest|toughest) (?:for us )?to beat|(?:the )?(?:hardest|toughest) ${RIVALS} to beat`,
    "which competitor has the worst win rate",
  ],
  [
    "who(?:m)? (?:do|did|have|are) we (?:beat|beaten|beating|win against|winning against|win over)(?: the)? (most|least)(?: often)?",
    "which competitor has the $1 won deals",
  ],
  [
    "who(?:m)? (?:do|did|have) we (?:win|won) (?:the )?(most|least)(?: often)? (?:against|over)",
    "which competitor has the $1 won deals",
  ],

  [
    `who did (${NAME}) (?:choose|pick|prefer|select|take) us over|who did we beat (?:at|with) (${NAME})`,
    "which competitors won deals $1$2",
  ],
  [
    `who did we lose (${NAME}) to|who (?:won|got|took) (?:the )?(${NAME})(?: deals?)?(?: from us)?`,
    "which competitors lost deals $1$2",
  ],

  // Money.
  [
    String.raw`(?:what|how much)(?: (?:business|revenue|money))? (?:did|have|has|do|does) ${WE} (?:book|booked|sell|sold|make|made|earn|earned|bring in|brought in|close in revenue)`,
    "revenue",
  ],
  [
    String.raw`(?:what|how much)(?: (?:business|revenue|money))? (?:did|has|does) (${NAME}) (?:book|booked|sell|sold|make|made|earn|earned|bring in|brought in)`,
    "revenue of $1",
  ],
  [String.raw`where (?:did|do|have) ${WE} (?:book|booked|sell|sold|earn|earned|make|made)`, "revenue"],
  [String.raw`${WE} (?:book|booked)`, "revenue"],
  [
    String.raw`(?:have |has )?(?:lost|lose|loses|cost|costs|costing) us (?:the )?(most|least) (?:money|revenue|value|business)`,
    "have the $1 lost amount",
  ],
  [String.raw`(?:by )?(?:the )?money (?:we )?(?:lost|lose)(?: to them)?|lost money`, "by lost amount"],
  [String.raw`(?:rank|order|sort)(?=.* by )`, ""],
  [
    String.raw`what (?:does|do|did) (?:an? |our |the )?([^?.,]{1,40}?) (?:usually |typically |normally |on average |generally )+(?:go for|sell for|cost|bring(?: in)?|be worth)`,
    "average deal size $1",
  ],
  [String.raw`only (?:the )?ones(?: that)?(?= we)`, ""],
  ["(revenue|bookings|pipeline|sales) growth|growth (?:of|in) (revenue|bookings|pipeline|sales)", "$1$2 over time"],
  [String.raw`(which|list|show|show me|name) ${OF_ALL}${NEW_CLIENTS}`, "$1 customers with a first won deal"],
  [NEW_CLIENTS, "new clients"],

  // Times.
  [
    "(?:(?:are|is|have|do) (?:we|the team) )?(?:getting |got |gotten |become |becoming )?(?:faster|slower|quicker)(?: or (?:faster|slower|quicker))? (?:at|in|to) (?:close|closing|closing deals|close deals)",
    "sales cycle",
  ],
  [
    "(?:take|takes|taking|took|need|needs) (?:any )?(longer|shorter|less|more)(?: time)? (?:to|until they) (?:close|win|be won|sign)",
    "sales cycle $1",
  ],

  // Rates and shares.
  ["(?:all[- ]time|lifetime)(?= (?:won|lost|open|deals?|revenue|value|amount|wins|losses|bookings))", ""],
  ["(?:percentage|percent|rate|ratio|share) of success", "win rate"],
  // "What percent of won deals are renewals" asks for a share of them.
  [`${PERCENT_OF}(?:won|wins)(?: deals)?${NO_VERB}`, "win rate"],
  [`${PERCENT_OF}(?:lost|losses)(?: deals)?${NO_VERB}`, "loss rate"],
  [
    String.raw`win rate (?:by|in|on) (?:value|amount|revenue|volume|money|euros?|dollars?|[€$])(?: terms)?(?: (?:and not|rather than|instead of|not) (?:by )?(?:the )?(?:number|count|deals)(?: of deals)?)?|(?:value|amount|revenue|dollar)[- ]weighted win rate|win rate (?:in terms of|measured by|weighted by) (?:value|amount|revenue|money)`,
    "amount win rate",
  ],
  [
    String.raw`(?:what|which) (?:percentage|percent|share|proportion|part|fraction|%) of ${OF_ALL}((?:(?!lost|loss|won|wins|pipeline|revenue)[^?.,]){1,60}?) (?:do|did|have) we (?:actually |usually |ever |end up )?(?:win|won|winning|close)`,
    "win rate $1",
  ],
  [
    String.raw`(?:what|which) (?:percentage|percent|share|proportion|part|fraction|%) of ${OF_ALL}((?:(?!lost|loss|won|wins|pipeline|revenue|open|closed|decided)[^?.,]){1,60}?) (?:do|did|have) we (?:actually |usually |ever |end up )?(?:lose|lost|losing)(?! to)`,
    "loss rate $1",
  ],
  [String.raw`(?:in |as an? )?(?:percent|percentage)(?=\W*$)(?<=(?:rate|often|beat|win|lose)[^?]*)`, ""],
  [
    String.raw`(?:how many )?days (?:does it take )?(?:from|between) (?:creation|opening|created|start|first contact|open) (?:to|and|until|till) (?:the )?(?:close|closing|closed|signature|win|won)`,
    "sales cycle",
  ],
  [
    String.raw`how long have (${OF_ALL}[^?]{0,40}?) been (?:around|open|sitting|sitting there|in (?:the )?pipeline)`,
    "how old are $1",
  ],
  [String.raw`across(?= ${OF_ALL}(?:open |won |lost |closed )?(?:deals|opps|opportunities))`, "of"],

  // Groups.
  [String.raw`(?:break|split|slice|cut|drill) ([^?.,]{1,60}?) (?:down |up |out )?(?:by|per)`, "$1 by"],
  [String.raw`(?:break|split|slice|cut|drill) (?:down|up|out) ([^?.,]{1,60}?) (?:by|per)`, "$1 by"],

  // Reasons.
  [
    "what (?:do|did|have) (?:the |our )?(?:people|customers|clients|buyers|prospects|they) tag(?:ged)? as",
    "features tagged",
  ],
  ["an? (?:point|plus|argument|reason) in our favou?r", "in our favour"],
  [
    String.raw`(?:was|is|were) (?:the|an?|our) (?:problem|issue|blocker|culprit|deal[- ]?breaker)s?`,
    "spoke against us",
  ],
  [
    "what (?:do|did|have) (?:the )?(?:buyers|customers|clients|prospects|people|they) (?:hold|held|have|had|say|said) against us",
    "reasons that spoke against us",
  ],
  [
    String.raw`what (?:convinces|convinced|persuades|persuaded|makes|made|gets|got) (?:our |the )?([^?.,]{0,40}?)(?:customers|clients|buyers|prospects|people|companies|them)? ?(?:to )?(?:buy from|buy|choose|pick|go with|sign with) us`,
    "why do $1 buy from us",
  ],
  ["(?:good|positive) (?:vs\\.?|versus|and|or) (?:bad|negative) mentions", "sentiment"],
  [
    "(?:did|do) (?:people|customers|clients|buyers|prospects|they) (?:actually |really )?(?:like|love|enjoy)|how (?:do|did) (?:people|customers|clients|buyers|prospects) (?:feel about|like|rate|receive)|how (?:is|was|are|were) (.{1,40}) received",
    "sentiment $1",
  ],

  // Comparisons.
  [
    String.raw`(?:vs\.?|versus|against|than|compared (?:to|with)) (?:in )?the (?:quarter|month|week|year|one|period) before(?: that| it)?`,
    "compared to the previous period",
  ],
  [
    "(?:change|changed|changes|develop|developed|move|moved|evolve|evolved|differ|differed) (?:since|from|compared (?:to|with)|vs\\.?|versus|against) last (quarter|month|year|week)",
    "compared to last $1",
  ],
]
