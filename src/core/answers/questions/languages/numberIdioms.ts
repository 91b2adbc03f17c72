import { NAME, NO_VERB, OTHER_NAME, OF_ALL, PERCENT_OF, type Idiom } from "./idiomParts.ts"

/** Phrases for times, rates, groups, reasons and comparisons. */
export const NUMBER_IDIOMS: ReadonlyArray<Idiom> = [
  // Times.
  [
    "how (?:did|was|has|is) ([^?.,]{2,30}?) (?:go|gone|going|look|looking|turn out|shape up)(?: so far)? (?:in terms of|in|on|for|with) (?:our |the )?((?:won |lost |open )?(?:revenue|amount|pipeline|bookings|win rate|deals))",
    "what is the $2 in $1",
  ],
  ["whose (?:deals|opps|opportunities)", "which owner"],
  ["(?:takes?|took|needs?|needed) (?:the )?(longest|shortest) to (?:close|win|sign)", "have the $1 sales cycle"],
  [
    `(?:getting|got|gotten|become|becoming) (?:better|worse)(?: or (?:better|worse))? at (?:beating|winning (?:against|over))(?= ${NAME})`,
    "win rate over time against",
  ],
  [
    "(?:(?:have|has|had|got|were|was|been|being) )*(?:pushed|moved|delayed|postponed|shifted)(?: back| out)? (?:their|the|its|our) (?:close|closing) dates?|(?:close|closing) dates? (?:(?:have|has|had|got|were|was|been) )*(?:pushed|delayed|postponed)(?: back| out)?",
    "slipped",
  ],
  [
    "(?:(?:are|is|have|do) (?:we|the team) )?(?:getting |got |gotten |become |becoming )?(?:faster|slower|quicker)(?: or (?:faster|slower|quicker))? (?:at|in|to) (?:close|closing|closing deals|close deals)",
    "sales cycle",
  ],
  [
    "(?:take|takes|taking|took|need|needs) (?:any )?(longer|shorter|less|more)(?: time)? (?:to|until they) (?:close|win|be won|sign)",
    "sales cycle $1",
  ],
  [
    "(?:take|takes|taking|took) (?:any )?(longer|shorter)(?= (?:in|for|at|against) | than(?! \\d)|\\W*$)",
    "sales cycle $1",
  ],

  // Rates and shares.
  [
    "(?<!(?:customer|client|account)s? )(?:all[- ]time|lifetime(?! value))(?= (?:won|lost|open|deals?|revenue|value|amount|wins|losses|bookings))",
    "",
  ],
  ["(?:percentage|percent|rate|ratio|share) of success", "win rate"],
  // "What percent of won deals are renewals" asks for a share of them.
  [`${PERCENT_OF}(?:won|wins)(?: deals)?${NO_VERB}`, "win rate"],
  [`${PERCENT_OF}(?:lost|losses)(?: deals)?${NO_VERB}`, "loss rate"],
  [
    String.raw`win rate (?:by|in|on) (?:value|amount|revenue|volume|money|euros?|dollars?|[€$])(?: terms)?(?: (?:and not|rather than|instead of|not) (?:by )?(?:the )?(?:number|count|deals)(?: of deals)?)?|(?:value|amount|revenue|dollar)[- ]weighted win rate|win rate (?:in terms of|measured by|weighted by) (?:value|amount|revenue|money)`,
    "amount win rate",
  ],
  [
    String.raw`(?:what|which|how much|how many) (?:percentages?|percents?|share|proportion|part|fraction|%) of ${OF_ALL}((?:(?!lost|loss|won|wins|pipeline|revenue)[^?.,]){1,60}?) (?:do|did|have|are|were) we (?:actually |usually |ever |end up )?(?:win|won|winning|close|closing)`,
    "win rate $1",
  ],
  [
    String.raw`(?:what|which|how much|how many) (?:percentages?|percents?|share|proportion|part|fraction|%) of ${OF_ALL}((?:(?!lost|loss|won|wins|pipeline|revenue|open|closed|decided)[^?.,]){1,60}?) (?:do|did|have|are|were) we (?:actually |usually |ever |end up )?(?:lose|lost|losing)(?! to)`,
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

  [
    "(?:how much|what(?: part)?)(?: of (?:it|that|them|those|the pipeline))?(?:['’]s| is| are) (?:it |that |they )?weighted|(?<=^\\W*(?:(?:and|or|now)\\W+)*)(?:what(?:['’]s| is) (?:it|that) )?(?:if )?weighted(?: (?:by|for) (?:the )?(?:stage )?(?:probability|stage))?(?=\\W*$)",
    "and weighted pipeline",
  ],
  [
    "pipeline(?: value| amount)?([^?.]{0,40}?),? (?:weighted|weighed|adjusted) (?:by|with|for) (?:the |its |their )?(?:stage )?(?:probability|probabilities|likelihood)",
    "weighted pipeline$1",
  ],
  [
    "(?:are|do|did|have) we (?:been )?(?:winning|win|won) (?:more(?: or less)?|less(?: or more)?) often(?: now)? than",
    "win rate compared to",
  ],
  [
    "(?:are|do|did|have) we (?:been )?(?:losing|lose|lost) (?:more(?: or less)?|less(?: or more)?) often(?: now)? than",
    "loss rate compared to",
  ],

  [
    `(?:are|do|did|have) (?:we|i|they) (?:been )?(?:winning|win|won|doing) (?:more(?: or less)?|less(?: or more)?|better(?: or worse)?|worse(?: or better)?)((?: often)?(?: now)?(?: (?:against|over|with|in)(?: the)? ${NAME})+)(?: now)? than`,
    "win rate$1 compared to",
  ],
  [
    `(?:are|do|did|have) (?:we|i|they) (?:been )?(?:losing|lose|lost) (?:more(?: or less)?|less(?: or more)?)((?: often)?(?: now)?(?: (?:against|to|with|in)(?: the)? ${NAME})+)(?: now)? than`,
    "loss rate$1 compared to",
  ],

  // Groups.
  [
    "where(?: in the world| geographically)? (?:are|do) we (?:do )?(?:the )?(?:weakest|worst)",
    "which region has the lowest win rate",
  ],
  [
    "where(?: in the world| geographically)? (?:are|do) we (?:do )?(?:the )?(?:strongest|best)",
    "which region has the highest win rate",
  ],
  [
    `where (?:are|do|did|have) we (?:beat|beating|beaten|(?:win|winning|won) against)(?= ${NAME})`,
    "win rate by region against",
  ],
  [`where (?:are|do|did|have) we (?:lose|losing|lost) to(?= ${NAME})`, "loss rate by region against"],
  [
    "(?:produc|yield|deliver|giv|bring|show|gett?|generat)(?:e|es|s|ed|ing)? (?:us )?the (best|highest|worst|lowest|largest|smallest|longest|shortest)",
    "has the $1",
  ],
  ["(?:loss|lost|win|decision)[- ]reason categor(y|ies)", "reason categor$1"],
  ["(?:contribut|deliver|generat)(?:e|es|ed|s) (?:the )?most(?! [a-z]+s(?![a-z]))", "is highest"],
  ["(?:contribut|deliver|generat)(?:e|es|ed|s) (?:the )?least(?! [a-z]+s(?![a-z]))", "is lowest"],
  [`(?:drop|remove|take out|leave out|strip out|kick out)(?= ${NAME})`, "without"],
  ["one (?:figure|number|value|line|row|bar|point) (?:per|for each|for every|each|a)", "per"],
  [
    "(?:(?:ordered |sorted |sort )?(?:by|from|with) )?(?:the )?(smallest|lowest|least|fewest|worst|weakest|largest|highest|biggest|best|strongest|oldest|newest|latest|earliest|longest|shortest) (?:ones? |values? )?first(?!-| (?:quarter|half|six|year|month|week|day|time|meeting|call|deal)s?(?![a-z]))",
    "$1",
  ],
  ["(?:sorted|ordered|sort|order) by (?:deal )?(?:amount|value|size|worth),? (?:in )?descending(?: order)?", "largest"],
  ["(?:sorted|ordered|sort|order) by (?:deal )?(?:amount|value|size|worth),? (?:in )?ascending(?: order)?", "smallest"],
  ["(?:sorted|ordered|sort|order) by ([^?.,]{1,30}?),? (?:in )?ascending(?: order)?", "with the lowest $1"],
  ["(?:sorted|ordered|sort|order) by ([^?.,]{1,30}?),? (?:in )?descending(?: order)?", "with the highest $1"],
  ["(?:sorted |ordered |sort )?(?:in )?ascending(?: order)?|(?:from )?low(?:est)? to high(?:est)?", "lowest"],
  ["(?:sorted |ordered |sort )?(?:in )?descending(?: order)?|(?:from )?high(?:est)? to low(?:est)?", "highest"],
  [
    "(?<=^\\W*(?:(?:and|now|ok|okay|then|can you|could you)\\W+)*)(?:group|sort|order|list|show|arrange|cluster|bucket|rank)(?: (?:it|that|this|them|those|these|the (?:list|rows|table)))(?= (?:by|per) )",
    "",
  ],
  ["(?<=^\\W*(?:(?:and|or|but|so)\\W+)*)(?:from|with|by|for) who(?:m)?(?=\\W*$)", "by client"],
  ["(?<=^\\W*(?:(?:and|or|but|so)\\W+)*)against who(?:m)?(?=\\W*$)", "by competitor"],
  [String.raw`(?:break|split|slice|cut|drill) ([^?.,]{1,60}?) (?:down |up |out )?(?:by|per)`, "$1 by"],
  [String.raw`(?:break|split|slice|cut|drill) (?:down|up|out) ([^?.,]{1,60}?) (?:by|per)`, "$1 by"],

  // Reasons.
  [
    `how (?:often|frequently) (?:do|did|have) we (?:lose|lost)(?: (?:deals?|out))? (?:because of|due to|on|over)(?: the| our)? (${OTHER_NAME})`,
    "how often is $1 the reason we lost",
  ],
  [
    `how (?:often|frequently) (?:do|did|have) we (?:win|won)(?: (?:deals?|out))? (?:because of|due to|thanks to|on)(?: the| our)? (${OTHER_NAME})`,
    "how often is $1 the reason we won",
  ],
  ["(?<=why [^?]*)(?:always|constantly|(?:do|did) we keep(?= losing| winning))", ""],
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
    "(?:differ(?:s|ed)?|difference|compare(?:s|d)?|var(?:y|ies)) between (?:the )?(won|lost|open|wins|losses)(?: (?:deals|ones))? and (?:the )?(won|lost|open|wins|losses)(?: (?:deals|ones))?",
    "of $1 versus $2 deals",
  ],
  [
    "(?:vs\\.?|versus|against|than|compared (?:to|with)) (?:in )?the (?<=(?:last|past|previous) (\\d{1,3}|two|three|four|six) (day|week|month|quarter|year)s[^?]*)(?:previous |preceding |prior )?\\1 \\2s(?: before| prior)?(?: that| it)?",
    "compared to the previous period",
  ],
  [
    "(?:vs\\.?|versus|against|than|compared (?:to|with)) the same (?:half|quarter|month|week|period|time) (?:of )?last year",
    "compared to last year",
  ],
  [
    String.raw`(?:vs\.?|versus|against|than|compared (?:to|with)) (?:in )?the (?:quarter|month|week|year|one|period) before(?: that| it)?`,
    "compared to the previous period",
  ],
  [
    "(?:change|changed|changes|develop|developed|move|moved|evolve|evolved|differ|differed) (?:since|from|compared (?:to|with)|vs\\.?|versus|against) last (quarter|month|year|week)",
    "compared to last $1",
  ],
]
