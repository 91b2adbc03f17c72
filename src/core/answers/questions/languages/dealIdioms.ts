import { SHARED } from "./english.ts"
import { NAME, OTHER_NAME, RIVAL, type Idiom } from "./idiomParts.ts"
import { MONTH } from "./months.ts"

/** Begins a period that lies ahead. */
const WHEN = `(?:in|by|before|during|within|over|until|this|(?:the )?(?:coming|next)|(?:${MONTH})(?![a-z]))`

/** A word for what is renewed. */
const RENEWED = "(?:deals?|contracts?|accounts?|clients?|customers?)"

/** Spellings, courtesies, amounts, and phrases for deals and for what happened to them. */
export const DEAL_IDIOMS: ReadonlyArray<Idiom> = [
  // Spellings.
  ["(what|who|how|when|where)s", "$1 is"],
  ["(win|loss|close|hit)rates?", "$1 rate"],
  ["r(?= (?:we|they|you|our|the)(?![a-z]))", "are"],
  ["w/o", "without"],
  ["amt(s?)", "amount$1"],
  ["w/", "with"],
  ["b/c", "because"],
  ["pls|plz|please", ""],
  [String.raw`(?:money|revenue|value)[- ]wise`, "amount"],
  [String.raw`(?:more than|over|above|>) ?(an?|one|\d+) (day|week|month|year)s? old`, "older than $1 $2s"],
  ["features?[- ]wise", "by feature"],
  ["rev", "revenue"],
  ["(?<=(?:euros?|dollars?|deals|ones) )(?:what|who)(?= are (?:open|won|lost|overdue)(?![a-z]))", "that"],
  ["make (?:me|us) +(?:an? |the )?(?:list|table|overview) of", "list"],
  [`because(?= ${NAME})`, "because of"],
  ["qtr", "quarter"],
  ["ly", "last year"],
  ["lq", "last quarter"],
  ["wr", "win rate"],
  [
    `(?:no|nr|num)\\.? of(?= (?:[a-z]+ ){0,2}(?:deals|opps|opportunities|wins|losses|renewals|clients|customers)(?![a-z]))`,
    "number of",
  ],

  ["past[- ]due", "overdue"],
  [
    "(?:is |are )?(?:there )?anything (?:that(?:['’]s| is) )?(?:overdue|late)(?= (?:for|of|with|from|at|by|in))",
    "overdue deals",
  ],
  [
    String.raw`(?:is|are) (${NAME}|\p{L}+(?: \p{L}+)?) (?:late|behind|overdue) (?:with|on) (?:anything|something|any deals?|any of (?:his|her|their) deals)`,
    "overdue deals of $1",
  ],
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
  [
    `(?<=(?:deals?|opportunities|opps) )(?:with|including|containing) (${NAME}) and (${NAME}) together`,
    "with both $1 and $2",
  ],
  [
    "how many (customers|clients|accounts|logos) (did|have) we (win|won|sign|signed|close|closed)([^?.,]{0,40}?) that (?:were|are) (?:brand )?new",
    "how many new $1 $2 we $3$4",
  ],
  // The best clients are those that bought most.
  [
    "best(?= (?:(?:\\d{1,2}|three|five|ten) )?(?:customers?|clients?|accounts?(?! (?:exec|manag|rep)))(?![a-z]))",
    "top",
  ],
  [
    "(?:our |the )?(?:very )?first(?= (?:deals?|renewals?|expansions?) (?:that )?(?:we|i) (?:ever )?(?:won|lost|closed|signed)(?![a-z]))",
    "oldest",
  ],
  [
    "(customers|clients|accounts|companies|prospects) (?:(?:that|which|who) )?we(?:['’]ve| have)? (?:already )?(lost|won) (?:twice or more(?: often)?|at least twice|more than once)",
    "$1 with at least 2 $2 deals",
  ],
  ["(?<=(?:#1|top|best|worst|biggest|number one|\\d) )closers?", "rep"],
  ["my(?= (?:(?:#1|top|best|worst|biggest|number one) |team|reps?|sellers?|people|pipeline|win rate))", "our"],
  [",? (?:just|only) (\\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)(?=\\W*$)", ", top $1"],
  [
    `how(?: are| is|['’]re|['’]s) (we|our \\w+|the team|renewals|expansions|${OTHER_NAME}) (?:doing|performing|tracking|faring)`,
    "how do $1 do",
  ],
  [
    `how (?:were|was) (we|our \\w+|the team|renewals|expansions|${OTHER_NAME}) (?:doing|performing|tracking|faring)`,
    "how did $1 do",
  ],
  ["how (do|did|have) (we|our \\w+) (?:fare|fared)", "how $1 $2 do"],
  ["(?:our |the )?(?:track )?records?(?= (?:against|versus|vs\\.?) )", "win rate"],
  [
    "how often (?:do|did|have) we (?:actually |really )?(?:meet|met|see|saw|face|faced|encounter(?:ed)?|(?:come|came|run|ran|go|went) (?:up )?(?:against|into))",
    "how many deals against",
  ],
  ["(?:the |their )?close dates? (?:is |are |has |have )?(?:already )?(?:passed|gone by|lapsed|behind us)", "overdue"],
  ["(?:is|are|was|were) in the mix", "involved"],
  ["still(?= (?:(?:in|at|on) |w[io]n(?![a-z])|los[et](?![a-z])))", ""],
  // "Up for renewal" and "coming up" say when deals close.
  [
    `(?:(?:what(?:['’]s| is)?|which|(?:which )?${RENEWED}|everything|anything) )?(?:(?:that|which) )?(?:(?:is|are|comes?) )?(?:(?:coming |due )?up|coming|due) for (renewals?|${NAME})(?= ${WHEN})`,
    "open $1 deals closing",
  ],
  [`(?:what|which ${RENEWED}|who) (?:renews?|(?:is|are) renewing|will renew)(?= ${WHEN})`, "open renewals closing"],
  [
    `(?<=(?:renewals?|expansions?|deals?|opportunit(?:y|ies)|opps?) )(?:(?:that|which) )?(?:(?:is|are) )?(?:com(?:e|es|ing) (?:up|due)|due(?: for)?|up(?: for)?|fall(?:s|ing)? due|run(?:s|ning)? out|end(?:s|ing)?)(?= ${WHEN})`,
    "closing",
  ],
  [
    "(?:is |are )?(?:there )?(?:anything|something|everything)(?: (?:that|which)(?:['’]s| is| are| will)?)?(?: (?:left|scheduled|set|going|due))?(?: to)?(?= (?:clos(?:e|es|ing)|open|overdue|won|lost)(?![a-z]))",
    "deals",
  ],
  [
    "(?<=(?:how many|number of) )(?:existing|current) (customers|clients|accounts|logos)(?: (?:do|did) we (?:now |already |currently )?have)?(?=\\W*$)",
    "$1 with won deals",
  ],
  [
    "(?<=^(?:(?!(?:by|per) )[^?])*(?:deals|opps|opportunities|losses|wins|renewals)(?:(?! (?:by|per) )[^?])*[, ])(?:sort|order|rank)ed by (?:amount|value|size)(?:,? desc(?:ending)?)?(?=\\W*$)",
    "largest first",
  ],
  [`when did we (lose|win|close|sign) (${NAME})(?: deals?)?(?=\\W*$)`, "list the deals with $2 that we $1"],
  ["(?:did|do|have) (we|they) (?:newly )?(?:create|open)(?:d|ed)?(?! deals)", "were created by $1"],
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
  [`(?:most )?likely to close(?= ${WHEN})`, "closing"],
  ["how much (?:did|have) (we|i|they) closed?", "how much revenue did $1 win"],
  ["than (?:a|one) (day|week|month|year)", "than 1 $1"],
  ["(?:broken|split|sliced|bucketed|segmented|grouped) (?:out|up|down|off) (?:by|per|into)", "by"],
  ["single(?= (?:largest|biggest|smallest|best|worst|highest|lowest|most))", ""],
  [
    "(?:give|name|show|list)(?: me| us)? (?:the )?(\\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (?:names|of them)",
    "top $1",
  ],

  // Politeness and the occasion say nothing about the numbers.
  [String.raw`^(?:hey|hi|hello|dear|good (?:morning|afternoon|evening))(?: [a-z]+)?(?:[,!.:]| [-–—])`, ""],
  [String.raw`(?:hey|hi|hello)(?: there| team| all)?[,!.]`, ""],
  [
    String.raw`(?<=[\s.,!?])(?:(?:many )?thanks|thank you|thx|cheers|(?:best|kind|warm) (?:regards|wishes)|regards|danke|merci|gracias)(?:[,! ]+(?:in advance|a lot|so much|very much))?(?:[,.!]+ ?[a-z]+)?(?=\W*$)`,
    "",
  ],
  [
    String.raw`^(?:i['’]m|i am|we['’]re|we are|i have|we have|i['’]ve got|we['’]ve got) (?:(?:currently|just) )?(?:preparing|prepping|working on|building|putting together|writing|about to|in|an?) [^.!?;:\d\u{e000}-\u{f8ff}]{0,60}[.!](?= \S)`,
    "",
  ],
  ["(?:i|we)(?: also| just| only)? (?:need|want)(?= (?:the|our|all|a list|an? overview)(?![a-z]))", "show"],
  [
    String.raw`(?:can|could|would|will) you (?:please |quickly )?(?:tell|show|give|find|get|list|send|share|provide|forward|compile|prepare|pull(?: up| together)?|put together)(?: me| us)?(?: with)?(?: (?:an?|the) (?:full |complete )?list of)?`,
    "show",
  ],
  [
    "(?:i|we)(?:['’]d| would)? (?:like|love|want|need) (?:to )?(?:know|see|understand)|do you know|i wonder|wondering",
    "",
  ],
  [String.raw`before (?:i|we) (?:walk|go|get|head|step)[^:,]{0,60}[:,]`, ""],
  [
    String.raw`(?:for|in|at) (?:the|my|our|a) (?:board|qbr|forecast|team|staff|sales) ?(?:meeting|deck|call|review|pack)?`,
    "",
  ],
  ["what(?:['’]s| is) (?:their|the|its) deal(?: with)?(?=\\W*$)", "brief me"],
  [String.raw`what(?:['’]s| is) (?:the latest|new|up|happening|going on) (?:on|with|at)`, "brief me on"],
  ["quick (?:question|one)[:,]?", ""],
  [
    "what (?:will|can|could|do|are|should) (?:we|i) (?:(?:going|expect|expecting|likely|set) to )?(?:close|sign)(?= (?:by|before|in|this|next|from|until|over|during))",
    "open deals closing",
  ],
  [
    "how much (?:will|can|could|do|are|should) (?:we|i) (?:(?:going|expect|expecting|likely|set) to )?(?:close|sign)(?= (?:by|before|in|this|next|from|until|over|during))",
    "open pipeline closing",
  ],
  [",? (?:roughly|approximately|more or less|give or take)(?=\\W*$)", ""],
  [
    "who(?:(?:['’]s| is) (?:running|handling|leading|driving|(?:working )?on|responsible for|in charge of)| (?:runs|handles|leads|drives)) (?:it|them|this|that)",
    "who owns it",
  ],
  [
    `when (?:is|are|does|do|will) (?:the )?(${NAME}) (?:(?:supposed|due|expected|scheduled|planned|set|meant|going) to )?(?:be )?clos(?:e|es|ing)(?:,? and who owns (?:it|them))?`,
    "when does the open $1 deal close",
  ],
  ...SHARED,
  // The lines of a list have these.
  [
    "(?<=^(?:show|list|which|what|give|all) [^?]*(?:deals|opps|opportunities|losses|wins|renewals)(?![a-z])[^?]* )(?:and|with|incl\\.?|including|plus) (?:(?:the|their|its) )?(?:amounts?|values?|owners?|close dates?|stages?)(?:(?:,| and|, and) (?:(?:the|their|its) )?(?:amounts?|values?|owners?|close dates?|stages?))*(?=(?:,? (?:largest|smallest) first)?\\W*$)",
    "",
  ],
  ["right now|at the moment|as of (?:now|today)|at present|at all|on record|so far", ""],
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
  [
    `slip(?:s|ping)?(?: (?:out|away))? (?:out of|from)(?= (?:this|last|the (?:last|current|previous)|q[1-4]|${MONTH}))`,
    "slipped out of",
  ],
  ["since when (?:is|are|has|have) ([^?.,]{1,60}?) (?:been )?open", "when was $1 created"],
  [
    "(?:(?:have|has|had|got|were|was|been|being) )*(?:pushed|moved|delayed|postponed|shifted|slid)(?: back| out)? (?:in)?to (?:a |some |the )?(?:later|following|subsequent) (?:month|quarter|year|period|date)",
    "slipped",
  ],
  [`who (?:owns|handles|manages|covers|runs|looks after)(?= ${NAME}\\W*$)`, "which owners have deals with"],
  [
    "which (\\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) deals (?:make|made|makes) up (?:most|the bulk|the majority) of(?: the| our)?(?: (?:amount|value|money|revenue)(?: that)?)?",
    "top $1 deals",
  ],
  [
    "(?:do|did|have) we win (?:bigger|larger) (?:deals )?or smaller (?:ones|deals)",
    "average deal size of won versus lost deals",
  ],
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
]
