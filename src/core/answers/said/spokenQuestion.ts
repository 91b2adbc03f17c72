import type { Side } from "../../analysis/finding.ts"
import { putInEnglish } from "./putInEnglish.ts"

/** The act of a spoken sentence: it judges well or badly, requires, asks, promises an action, or takes a promise back. */
export type Attitude = "positive" | "negative" | "need" | "question" | "promise" | "withdrawal"

/** "Which clients told us that the rollout takes too long?", "What objections did Lars Fontaine raise?" */
export interface SpokenQuestion {
  /** Undefined: anyone. */
  readonly side: Exclude<Side, "unknown"> | undefined
  /** The deal, client or person that the question names; undefined if it asks all calls. */
  readonly name: string | undefined
  /** The part of the calls that the question asks for: statements, the people who speak, all statements of both sides, or those of the person of this name. */
  readonly asks: "statements" | "speakers" | "summary" | "person"
  /** The words for the thing that is spoken about, or the words that are said; undefined if the question asks for all. */
  readonly words: string | undefined
  readonly attitude: Attitude | undefined
  /** The question says that it asks for calls: then no other text answers it. */
  readonly isOfCalls: boolean
  /** The words are what somebody says, not what is spoken about: a sentence denies them or does not, as the words do. */
  readonly isClaim: boolean
}

const BUYERS = String.raw`(?:customers?|clients?|buyers?|prospects?|accounts?|companies|people|stakeholders?|anyone|anybody|someone|somebody|they|contacts?)`
const SELLERS = String.raw`(?:reps?|sellers?|colleagues?|sales ?people|account executives?|aes?)`
const VERBS: ReadonlyArray<readonly [verbs: string, attitude: Attitude | undefined]> = [
  [
    String.raw`complain(?:s|ed|ing)?|object(?:s|ed|ing)?|push(?:es|ed|ing)? back|worr(?:y|ies|ied|ying)|dislikes?d?|hate[sd]?|critici[sz](?:e[sd]?|ing)|objecting to|(?:(?:is|are|was|were) )?(?:worried|unhappy|concerned|afraid|dissatisfied|not (?:so |very |really |too )?(?:happy|satisfied|pleased))|(?:is|are|was|were) bothered by`,
    "negative",
  ],
  [
    String.raw`needs?|needed|needing|requires?|required|requiring|insists? on|insisted on|insisting on|must have|depends? on|(?:can(?:not|'t|’t| not)|could(?: not|n't)) (?:live|do|work|manage|go live) without`,
    "need",
  ],
  [
    String.raw`prais(?:e[sd]?|ing)|lov(?:e[sd]?|ing)|lik(?:e[sd]?|ing)|(?:is|are|was|were) (?:happy|pleased)`,
    "positive",
  ],
  [String.raw`promis(?:e[sd]?|ing)|commit(?:s|ted)?(?: to)?|agree[sd]? to|offer(?:s|ed)? to`, "promise"],
  [String.raw`(?:went|go|goes) back on|(?:took|takes?) back|backtracked?(?: on)?|broke|withdrew`, "withdrawal"],
  [String.raw`(?:asks?|asked|asking)(?! for)|want(?:s|ed)? to know|enquire[sd]?|inquire[sd]?`, "question"],
  [
    String.raw`says?|said|saying|tells?|told|mention(?:s|ed|ing)?|claim(?:s|ed)?|talk(?:s|ed|ing)?|speaks?|spoke|brings? up|brought up|rais(?:e|es|ed)|hears?|heard|thinks?|thought|admit(?:s|ted)?|state[sd]?|calls? us|called us|finds?|found|believes?|believed|feels?|felt`,
    undefined,
  ],
]
const REMARKS = "(?:feedback|comments?|quotes?|statements?|remarks?|opinions?|voices)"
const NOUNS: ReadonlyArray<readonly [nouns: string, attitude: Attitude | undefined]> = [
  [
    String.raw`objections?|complaints?|concerns?|worries|criticisms?|gripes?|pain points?|pushback|push-back`,
    "negative",
  ],
  [`(?:negative|critical|bad) ${REMARKS}`, "negative"],
  [`praise|compliments?|(?:positive|good) ${REMARKS}`, "positive"],
  ["promises?|commitments?|next steps?|follow[- ]?ups?|action items?", "promise"],
  ["questions?", "question"],
  ["requirements?|must[- ]haves?|deal[- ]?breakers?|demands?", "need"],
  ["quotes?|comments?|statements?|remarks?|words", undefined],
]

const any = (list: ReadonlyArray<readonly [string, unknown]>) => list.map(([each]) => each).join("|")
const SAY = `(?:${any(VERBS)})`
export const THINGS = `(?:${any(NOUNS)})`
const HEARER = String.raw`(?: to)?(?: us| me| our (?:rep|team|seller)s?)?`
const ABOUT = String.raw`(?: (?:that|(?<about>about|of|on|with|regarding|concerning|against|for|how|in)))?`
const CALLS = String.raw`(?:calls?|meetings?|conversations?|recordings?|transcripts?)`
const OF_CALLS = String.raw`(?:(?:a|any|all|the|our|their|its|his|her|recent|last|latest|sales|recorded) )*${CALLS}`
const IN =
  "(?:at the (?:end|beginning|start|close) of|in|on|from|during|at|across|according to|judging by|going by|based on)"
const BY_PHONE = "(?:on|over|by) the phone"
const ON_CALLS = String.raw`(?:,? (?:${IN} ${OF_CALLS}|${BY_PHONE}))?(?:,? (?:and )?(?:in|with) (?:what|which|their own|own) words)?(?:\W+(?:good or bad|positive or negative|for better or worse))?`

/** "Their promise to" of "went back on their promise to send". */
const LEAD =
  /^(?:(?:their|his|her|its|the) (?:promises?|word|commitments?|offers?) (?:to|of|about)|(?:that )?(?:they|he|she|we|you|it)(?:'re|'s|'ve| are| is| were| was| have| has)?) /iu

/** A pattern of the words that are spoken about. "On the call" is no such words. */
const WORDS = String.raw`(?!(?:${IN} )?${OF_CALLS}$)(?<words>.+?)`

const IN_CALLS = new RegExp(String.raw`(?<!\p{L})(?:${IN} ${OF_CALLS}|${BY_PHONE})(?!\p{L})`, "iu")
/** `ahead` is a look-ahead. Behind `\W*` it would be tried again for each mark that the question begins with. */
const make = (source: string, ahead = "") => new RegExp(String.raw`^${ahead}\W*${source}$`, "iu")

/** "Who is leaning towards Nimbrel on the calls?" asks for those who say it of themselves. */
const WHO_IS = make(
  String.raw`(?:who|which (?:of (?:our|the) )?(?:other )?(?<buyers>${BUYERS})) (?:is|are|was|were)(?: (?:still|already|now|currently))* (?<words>leaning .+?|considering .+?|evaluating .+?|switching .+?|moving to .+?|going (?:with|to) .+?|staying with .+?)${ON_CALLS}`,
)
/** "Quote me a customer praising our support". */
const QUOTE = make(
  String.raw`(?:quote|find|show|give|get|it gives|there (?:is|are)|(?:is|are) there|do we have|have we)(?: me| us)?(?: (?:a|an|any|some|one|all|the|two|three))*(?: (?:quotes?|sentences?|examples?|statements?) (?:of|from|by|where))?(?: (?:a|an|any|some|one|the))? (?<buyers>${BUYERS})(?: who| that)?(?: (?:is|are|was|were))? (?<verb>${SAY})${HEARER}${ABOUT} ${WORDS}${ON_CALLS}`,
)

/** Asks all calls who said something. */
const WHO = [
  make(
    String.raw`(?:who|which (?:of (?:our|the) )?(?:other )?(?:(?<buyers>${BUYERS})|(?<sellers>${SELLERS}))|(?:did|do|does|has|have) (?:any |a )?(?:other )?(?:(?<buyer>${BUYERS})|(?<seller>${SELLERS})))(?: else)?${ON_CALLS}(?: (?:has|have|had|ever|actually|also|explicitly|already|did))* (?<verb>${SAY})${HEARER}${ON_CALLS}${ABOUT} ${WORDS}${ON_CALLS}`,
  ),
]
const WHERE_OR_IS = [
  make(
    String.raw`where (?:have|has|do|did|are) (?:the |our )?(?<buyers>${BUYERS}) (?<verb>${SAY})${HEARER}${ABOUT} ${WORDS}${ON_CALLS}`,
  ),
  make(String.raw`(?:is|are|was|were) (?:any |a )?(?<buyers>${BUYERS}) (?<verb>${SAY})${ABOUT} ${WORDS}${ON_CALLS}`),
]
/** "How often was the workflow builder called slow?", "In how many calls do buyers say that they lean towards Nimbrel?" */
const CALLED = make(
  String.raw`how (?:often|many times) (?:was|were|is|are|has|have|had) (?:the |our )?(?<thing>.+?) (?:been )?(?:called|described as|said to be|found to be) (?<quality>.+?)${ON_CALLS}`,
)
const HOW_OFTEN = make(
  String.raw`(?:(?<calls>${IN} how many (?:of (?:our |the )?)?${CALLS})|how (?:often|many times)) (?:do|did|does|have|has) (?:the |our |a )?(?:(?<buyers>${BUYERS})|(?<sellers>${SELLERS})) (?<verb>${SAY})${HEARER}${ABOUT} ${WORDS}${ON_CALLS}`,
)
/** Asks what buyers say of something in all calls. */
const ALL = [
  make(
    String.raw`what (?:do|did|are|have|has|were|is) (?:the |our )?(?:(?<buyers>${BUYERS})|(?<sellers>${SELLERS})) (?:been )?(?<verb>${SAY})${HEARER}${ABOUT} ${WORDS}${ON_CALLS}`,
  ),
  make(
    String.raw`(?:what|which|(?:show|give|list|get|find)(?: me)?|any|(?:are|is) there(?: any)?)(?: (?:the|all|any|some|main|biggest|most common|common))* (?<things>${THINGS}) (?:(?:do|did|have|has|from|of|by) (?:the |our )?(?<buyers>${BUYERS}) )?(?:raised? |have |had |made? )?(?:about|on|of|against|regarding|with) ${WORDS}${ON_CALLS}`,
  ),
]
/** Asks what somebody says. */
const NAMED = [
  make(
    String.raw`(?:in|on) (?:which|what) (?:of )?(?:the |our )?${CALLS} (?:did|does|do|has|have) (?<name>.{2,80}?) (?<verb>${SAY})${HEARER}${ABOUT} ${WORDS}`,
  ),
  make(
    String.raw`what (?:else )?(?:did|do|does|has|have|is|was) (?:the |our )?(?<name>.{2,80}?) (?:ever |actually |exactly )*(?<verb>${SAY})${HEARER}(?:${ABOUT} ${WORDS})?${ON_CALLS}`,
  ),
  make(
    String.raw`(?:what|which) (?<things>${THINGS}) (?:did|do|does|has|have) (?:the |our )?(?<name>.{2,80}?) (?:ever )?(?:raise[sd]?|have|had|make|made|ask(?:ed)?|mention(?:ed)?|bring up|brought up|give|gave|voice[sd]?|commit(?:ted)? to|promise[sd]?|agree[sd]? (?:to|on)|say|said)(?: (?:about|on|of|against|regarding|with) ${WORDS})?${ON_CALLS}`,
  ),
  make(
    String.raw`(?:did|has|does|have) (?:the )?(?<name>.{2,80}?) (?:ever |already |actually )*(?<verb>${SAY})${HEARER}(?: anything| something)?${ABOUT} ${WORDS}${ON_CALLS}`,
  ),
]
/** "What are the most common objections in calls?" asks for all of them. */
const EVERY = make(
  String.raw`(?:what(?: are|'s|’s)?|which|(?:show|give|list|get|find)(?: me)?|any|(?:are|is) there(?: any)?)(?: (?:the|all|any|some|main|top|biggest|usual|typical|(?:most )?(?:common|frequent)))* (?<things>${THINGS})(?: (?:that )?(?:(?:do|did|have) )?(?:the |our )?${BUYERS}(?: (?:have|had))?(?: (?:raise[sd]?|have|had|made?|voice[sd]?|ask(?:ed)?|make))?)? ${IN} ${OF_CALLS}(?: (?:with|at|of) (?:the )?(?<name>.{2,80}?))?`,
)
const MOVED = make(
  String.raw`what (?:(?<bad>bothered|annoyed|worried|concerned|disappointed|bothers|worries|concerns)|(?<good>pleased|impressed|convinced|delighted|impresses|pleases)) (?:the )?(?<name>.{2,80}?)(?: (?:about|with|in|at) ${WORDS})?${ON_CALLS}`,
)
const HAD = make(
  String.raw`(?:did|does|do|has|have) (?:the )?(?<name>.{2,80}?) (?:have|had|raised?|mention(?:ed)?|got) (?:any |some )?(?<things>${THINGS})(?: (?:about|on|with|against) ${WORDS})?${ON_CALLS}`,
)
const SUMMARY = make(
  String.raw`(?:(?:can|could) you )?(?:please )?(?:summari[sz]e|recap|sum up|(?:give me |show me )?(?:a |the )?(?:summary|recap|key points|takeaways?|highlights|main points|gist) (?:of|from)|what (?:was|were) (?:said|discussed|covered|talked about) (?:in|on|at|during)|what happened (?:in|on|at|during)|what did we (?:discuss|talk about|cover)(?: with| in| on| at)) (?:the |our |my )?(?:last |latest |recent )?(?:${CALLS} (?:with|at) )?(?<name>.{2,80}?)(?: ${CALLS})?`,
  String.raw`(?=[^]*(?<!\p{L})${CALLS}(?!\p{L}))`,
)
const SPEAKERS = [
  make(
    String.raw`(?:who|which (?:of )?(?:our |the )?(?:reps?|people|sellers?|colleagues?|salespeople|persons?)) (?:else )?(?:was|were|is|are|joined|attended|took part|spoke|participated)(?: (?:on|at|in|to|part of|present))* (?:the |our )?(?:last |latest )?(?:${CALLS} (?:with|at) (?<at>.{2,80}?)|(?<name>.{2,80}?) ${CALLS})`,
  ),
  make(
    String.raw`(?:who|whom)(?: (?:at|from) (?:the )?(?<at>.{2,80}?))? (?:did|do|have) we (?:speak|talk|spoken|talked)(?:ed)? (?:to|with)(?: (?:at|from) (?:the )?(?<name>.{2,80}?))?${ON_CALLS}`,
  ),
]
const OURS = make(
  String.raw`what (?:did|do|have) (?:we|our (?:rep|reps|team)) (?<verb>${SAY}) (?:to )?(?<name>.{2,80}?)(?: (?:about|on|regarding|concerning) ${WORDS})?${ON_CALLS}`,
)

const PERSON = make(String.raw`who(?: is|'s|’s| was) (?<name>\p{L}[\p{L}'’-]+(?: \p{L}[\p{L}'’-]+){1,3})`)

const attitudeOf = (list: typeof VERBS, text: string | undefined) =>
  text === undefined ? undefined : list.find(([each]) => new RegExp(`^(?:${each})$`, "iu").test(text))?.[1]

/** "The price in the call with Corvane Capital": the words end before the call. */
const CALL_WITH = new RegExp(
  String.raw`^(?<words>.+?),? (?:in|on|from|during|at) ${OF_CALLS} (?:with|at|of) (?:the )?(?<at>.{2,80})$`,
  "iu",
)
/** The rest of "what do customers complain about". */
const BARE = /^(?:about|of|on|with|for)$/iu

/** "Customers said that they need the audit trail": the thing of a need that somebody states. */
const NEED = new RegExp(String.raw`^(?:${VERBS.find(([, attitude]) => attitude === "need")![0]}) (?<thing>.+)$`, "iu")

/** "couldnt" as "couldn't". */
const withApostrophes = (text: string) =>
  text.replaceAll(/(?<!\p{L})((?:could|would|should|did|does|do|is|are|was|were|has|have|had)n)t(?!\p{L})/giu, "$1't")

type Groups = Readonly<Record<string, string | undefined>>

/** The forms in which questions ask, in the order in which they are tried, with what each says beside its groups; undefined if it is another question after all. */
const FORMS: ReadonlyArray<
  readonly [patterns: ReadonlyArray<RegExp>, says: (groups: Groups) => Partial<SpokenQuestion> | undefined]
> = [
  [[CALLED], ({ thing = "", quality = "" }) => ({ side: "buyer", words: `${thing} ${quality}`, isClaim: true })],
  [
    [HOW_OFTEN],
    (groups) => ({
      side: sideOf(groups),
      isClaim: isClaimOf(groups),
      ...(groups["calls"] === undefined ? {} : { isOfCalls: true }),
    }),
  ],
  [[...WHO, ...WHERE_OR_IS], (groups) => ({ side: sideOf(groups), isClaim: isClaimOf(groups) })],
  [[WHO_IS], () => ({ side: "buyer", isClaim: true })],
  [[...ALL, QUOTE], (groups) => ({ side: sideOf(groups) })],
  [[EVERY], () => ({ side: "buyer" })],
  [[OURS], () => ({ side: "seller" })],
  [[PERSON], () => ({ asks: "person" })],
  [
    SPEAKERS,
    (groups) => {
      const name = groups["at"] ?? groups["name"]
      return name === undefined ? undefined : { name, asks: "speakers" }
    },
  ],
  [[MOVED], (groups) => ({ side: "buyer", attitude: groups["bad"] === undefined ? "positive" : "negative" })],
  [[SUMMARY], () => ({ asks: "summary" })],
  [[HAD, ...NAMED], () => ({})],
]

/** A thing that is mentioned is no claim. */
const isClaimOf = ({ about, verb = "" }: Groups) =>
  about === undefined && !/^(?:mention|talk|sp[eo]|br(?:ing|ought)|rais)/iu.test(verb)

const sideOf = (groups: Groups) => ((groups["sellers"] ?? groups["seller"]) === undefined ? "buyer" : "seller")

/** The words that are spoken about, and the name of their call. */
const readWords = (groups: Groups): { readonly words: string | undefined; readonly at?: string | undefined } => {
  const said = groups["words"]?.replace(LEAD, "").trim()
  if (said === undefined || BARE.test(said)) return { words: undefined }
  const { words = said, at } = CALL_WITH.exec(said)?.groups ?? {}
  return { words, at }
}

/** In UTF-16 units. The patterns take time by the square of the length. */
const MAX_LENGTH = 1000

/** Reads a question about what is said in calls; undefined for any other question. */
export const readSpoken = (question: string): SpokenQuestion | undefined => {
  if (question.length > MAX_LENGTH) return undefined
  const asked = putInEnglish(withApostrophes(question.trim().replace(/(?<![\s?.!])[\s?.!]+$/, "")))
  for (const [patterns, says] of FORMS)
    for (const pattern of patterns) {
      const groups = pattern.exec(asked)?.groups
      const said = groups && says(groups)
      if (groups === undefined || said === undefined) continue
      const attitude = attitudeOf(VERBS, groups["verb"]) ?? attitudeOf(NOUNS, groups["things"])
      const { words, at } = readWords(groups)
      const needed = attitude === undefined && words !== undefined ? NEED.exec(words)?.groups?.["thing"] : undefined
      return {
        side: undefined,
        name: groups["name"]?.trim() ?? at,
        words: needed ?? words,
        attitude: needed === undefined ? attitude : "need",
        asks: "statements",
        isOfCalls: IN_CALLS.test(asked),
        isClaim: false,
        ...said,
      }
    }
  return undefined
}

/** Whether a question asks for words of all calls, which a number of deals does not say: "What do people like about the audit trail?" */
export const asksForWords = (question: string): boolean => {
  const asked = readSpoken(question)
  if (asked?.asks !== "statements" || asked.name !== undefined) return false
  return asked.isOfCalls || (asked.attitude !== undefined && /^\W*what (?:do|did|have|has) /iu.test(question))
}
