import { NAME, type Idiom } from "./idiomParts.ts"

const PEOPLE = String.raw`(?:our |the |your )?(?:customers|clients|buyers|prospects|people|users|accounts|they)`
const WHICH = "(?:[Ww]hich|[Ww]hat) (features?|product areas?|products?)"
const DISLIKE =
  "complain(?:ed|ing)? (?:most(?:ly)? |often |usually )*about|critici[sz](?:e|ed|ing)|dislike[sd]?|hated?|object(?:ed|ing)? to"
const BE = "(?:is|are|was|were|gets?|got)"
const GET = "(?:gets?|got|has|have|receives?|received|draws?|drew|attracts?|attracted)"
const OFTEN = "(?: (?:the )?most(?: often)?)?"
const BY_WHAT =
  "(?:with|on|by|through|over|because of|due to|thanks to)(?=\\W*$| (?:most|in|this|last|since|against)(?![a-z]))"
const BAD = "which $1 have the most negative mentions"
const GOOD = "which $1 have the most positive mentions"

/** Opinions of people on our features, as positive and negative mentions, the words of reports. Both readers read these. */
export const JUDGED: ReadonlyArray<Idiom> = [
  // "Our product" names no product: the features are what people judge.
  [
    `[Ww]hat ((?:do|did) ${PEOPLE} (?:really |mostly |usually |often )?(?:like|love|enjoy|praise)) (?:most |best )?(?:about|in|on|of) (?:our|the|your) (?:products?|offering|platform|software|solution|tools?)`,
    "which features $1",
  ],
  [
    `[Ww]hat (?:do|did) ${PEOPLE} (?:really |mostly |usually |often )?(?:${DISLIKE})(?: (?:most |least )?(?:about |in |on |of )?(?:our|the|your) (?:products?|offering|platform|software|solution|tools?)|(?: (?:the )?most)?(?=\\W*$))`,
    "which features have the most negative mentions",
  ],
  [`${WHICH} (?:do|did|are|have) ${PEOPLE} (?:${DISLIKE})${OFTEN}`, BAD],
  // Features win the deals in which buyers praise them.
  [
    `${WHICH} (?:do|did|have|are) we (?:mostly |usually |often )?(?:win|won|winning) (?:deals )?${BY_WHAT}`,
    `${GOOD} in won deals`,
  ],
  [
    `${WHICH} (?:do|did|have|are) we (?:mostly |usually |often )?(?:lose|lost|losing) (?:deals )?${BY_WHAT}`,
    `${BAD} in lost deals`,
  ],
  [`${WHICH} ${BE} (?:(?:the )?most )?(?:critici[sz]ed|disliked|hated|complained about)${OFTEN}`, BAD],
  [`${WHICH} ${BE} (?:(?:the )?most )?(?:praised|loved|liked|appreciated)${OFTEN}`, GOOD],
  [
    `${WHICH} ${GET} (?:the worst feedback|(?:the )?(?:most|harshest|heaviest) (?:criticism|complaints|negative feedback|objections))`,
    BAD,
  ],
  [`${WHICH} ${GET} (?:the best feedback|(?:the )?most (?:praise|positive feedback|compliments))`, GOOD],
]

/** The same of names, which the grammar alone reads. */
export const FEEDBACK_IDIOMS: ReadonlyArray<Idiom> = [
  [
    `who(?:['’]s| is| has| have| all)? (?:asked (?:us )?(?:for|about)|asking (?:us )?(?:for|about)|request(?:ed|ing|s)|mention(?:ed|ing|s)|brought up|wants?|wanted)(?: (?:the|our))?(?= ${NAME})`,
    "which customers mentioned",
  ],
  [
    "(?<=^\\W*(?:(?:and|but|so|ok)\\W+)*)(?:(?:is|was|are|were) (?:that|it|this|they|those) (?:mostly |more |rather )?)?(?:positive or negative|negative or positive|good or bad)(?: (?:mentions|feedback))?(?=\\W*$)",
    "sentiment of it",
  ],
  [
    `how (?:often|frequently|many times) (?:do|did|does|have|has) ${PEOPLE} (?:really |actually |ever )?(?:mention(?:ed)?|bring up|brought up|raised?|talk(?:ed)? about|ask(?:ed)? (?:us )?(?:for|about)|request(?:ed)?|want(?:ed)?)(?: (?:the|our))?(?= ${NAME})`,
    "how many mentions of",
  ],
  [`(?:(?:any|the|our|all) )?feedback (?:on|about|for|regarding) (?:the |our )?(?=${NAME})`, "sentiment of "],
  [
    `how often (?:is|was) (?:the |our )?(${NAME}) (?:tagged )?(?:as )?(?:an? )?(?=${NAME})`,
    "how many mentions of $1 tagged ",
  ],
]
