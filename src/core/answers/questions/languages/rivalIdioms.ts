import { NAME, NEW_CLIENTS, OF_ALL, OTHER_NAME, RIVAL, RIVALS, WE, type Idiom } from "./idiomParts.ts"

const BESIDE = "(?:(?:when )?compared (?:to|with)|vs\\.?|versus|relative to|than|against)"
const OTHERS = "(?:(?:all|any|the|our|to|with) ){0,3}other "
const CONTENDERS = "(?:competitor|rival|opponent|competition)s?"

/** Phrases for competitors, and for the money that we win or lose. */
export const RIVAL_IDIOMS: ReadonlyArray<Idiom> = [
  // Rivals. A strong one is one that we seldom beat.
  [`(?:strongest|toughest|hardest|fiercest|best|most dangerous)(?= ${CONTENDERS} by (?!win))`, "highest"],
  [`(?:weakest|poorest|least dangerous)(?= ${CONTENDERS} by (?!win))`, "lowest"],
  [
    `(?<!as (?:our |the |their )?)(?:strongest|toughest|hardest|fiercest|best|most dangerous) (${CONTENDERS})(?! by (?!win))`,
    "$1 with the lowest win rate",
  ],
  [`(?:weakest|poorest|least dangerous) (${CONTENDERS})(?! by (?!win))`, "$1 with the highest win rate"],
  [
    `((?:which|what) ${CONTENDERS}|who of our ${CONTENDERS}) (?:is|are|was|were) (?:(?:the|our) )?(?:strongest|toughest|hardest|fiercest|best|most dangerous)(?! (?:at|for|in terms))`,
    "$1 has the lowest win rate",
  ],
  [
    `((?:which|what) ${CONTENDERS}) (?:is|are|was|were) (?:(?:the|our) )?(?:weakest|poorest|least dangerous)`,
    "$1 has the highest win rate",
  ],
  // All of them stand in one table.
  [
    `(?:vs\\.?|versus|against|to|with) ${RIVAL}(?: deals)?((?: [a-z0-9]+){0,4}),? ${BESIDE} ${OTHERS}(?:${CONTENDERS}|vendors|players)`,
    "$1 by competitor",
  ],
  [
    `(?:vs\\.?|versus|against|to|with) ${RIVAL}(?: deals)?((?: [a-z0-9]+){0,4}),? ${BESIDE} (?:the )?(?:others|rest)(?=\\W*$)`,
    "$1 by competitor",
  ],
  [
    `(?:in|for|of|by|with) (?:the )?${OTHER_NAME}(?: deals)?((?: [a-z0-9]+){0,4}),? ${BESIDE} ${OTHERS}(region|rep|owner|seller|product|client|customer)s`,
    "$1 by $2",
  ],
  [
    `(?:in|for|of) (?:the )?${OTHER_NAME}(?: deals)?((?: [a-z0-9]+){0,4}),? ${BESIDE} ${OTHERS}(?:industries|verticals)`,
    "$1 by industry",
  ],
  // A win of a competitor is a loss of ours.
  [
    `((?:which|what) ${CONTENDERS}) (?:(?:usually|often|mostly|typically) )?(?:wins?|won|(?:is|are) winning|(?:has|have) won)(?! (?:rates?|deals)(?![a-z]))(?![^?]* (?:against|from) us)`,
    "$1 beats us",
  ],
  [
    `(?:did|has|have|does) (${RIVAL}) (?:ever )?(?:win|won|take|took|beat|beaten)(?: us)?(?: (?:against|from) us)?`,
    "lost to $1",
  ],
  [
    `(?:who|which ${RIVALS}) (?:took|(?:was|were|is|are) behind)(?: most of| the most of)? (?:them|those|these)`,
    "by competitor",
  ],
  [
    `who(?:m)?(?: else)? (?:are|were) (?:they|we) (?:comparing(?: us)? (?:with|to|against)|evaluating|considering|looking at|talking to|facing|competing (?:with|against))(?: (?:there|here|in (?:it|there|(?:that|this|the) deal)))?(?=\\W*$)`,
    "who are we up against",
  ],
  [
    `(?:who(?:m)? else|(?:which|what)(?: other)? ${RIVALS}) (?:is|are|was|were) (?:involved|competing|bidding|there|in (?:it|there|play)|in (?:that|this|the) (?:deal|race|mix))(?=\\W*$)`,
    "who are we up against",
  ],
  [`who (?:shows?|turns?|pops?|comes?) up|who appears`, "which competitor is"],
  [
    "(?:did|do|does|had|have|has|is|are|was|were)(?: not|n['’]t) (?:involve|involving|include|have|face|facing|name)(?: an?| any)?(?= (?:competitor|rival|incumbent|collaborator|owner|region|industry|product)s?(?![a-z]))",
    "with no",
  ],
  ["(?:our |the )?head[- ]to[- ]head(?: record)? (?:with|against|versus|vs\\.?)", "win rate against"],
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
    `(?:cho(?:ose|oses|se|sen|osing)|pick(?:s|ed|ing)?|prefer(?:s|red|ring)?|buy(?:s|ing)?|bought|(?:go(?:es|ing)?|went) with|sign(?:s|ed)? with)(?: from)? (${RIVAL}) (?:instead of|over|rather than|and not) us`,
    "lose to $1",
  ],
  [
    `who did (${NAME}) (?:choose|pick|prefer|select|take) us over|who did we beat (?:at|with) (${NAME})`,
    "which competitors won deals $1$2",
  ],
  [
    `who did we lose (${NAME}) to|who (?:won|got|took) (?:the )?(${NAME})(?: deals?)?(?: from us)?`,
    "which competitors lost deals $1$2",
  ],

  ["(?<=^\\W*(?:and )?)to who(?:m)?(?=\\W*$)", "by competitor"],

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
  [
    String.raw`(?<!(?:deals|wins|opps|opportunities|customers|clients|many) (?:did|have|do) )${WE} (?:book|booked)`,
    "revenue",
  ],
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
  [
    "(?:customers|clients|logos|accounts)(?: that)?(?: did| have| do)? we (?:sign|signed|win|won|close|closed|land|landed|sell to|sold to) for the first time",
    "new clients",
  ],
  [String.raw`(which|list|show|show me|name) ${OF_ALL}${NEW_CLIENTS}`, "$1 customers with a first won deal"],
  [
    "(?:(?:came|comes?) )?(?:from|with|of|by|to) (?:the |our )*(?:new|first-time) (?:logos|customers|clients|accounts)(?! (?:that|we|signed|won))(?<=(?:revenue|wins?|won|amount|deals|bookings|sales|rate|pipeline)[^?.,]*)",
    "with a first won deal",
  ],
  [NEW_CLIENTS, "new clients"],
]
