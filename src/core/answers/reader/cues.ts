import { KINDS } from "../questions/words/names.ts"
import type { Plan } from "../questions/plan/plan.ts"
import type { Slots } from "../questions/parse/slots.ts"
import type { Prediction } from "./predict.ts"

/** A reading by the network, beside what fixed rules read in the same question. */
interface CueReading {
  readonly prediction: Prediction
  readonly plans: ReadonlyArray<Plan>
  readonly rules: Slots
}

/** Words that ask for a part of the answer, and whether a reading has that part. */
interface Cue {
  readonly words: RegExp
  /** Words beside which they may mean something else. */
  readonly unless?: RegExp
  readonly isRead: (read: CueReading) => boolean
}

/** Tokens have blanks between them and no capitals: "isn t", "w / o", "50 %". */
const words = (pattern: string) => new RegExp(String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`, "u")

/** Words that compare the things that a question names. */
export const COMPARED = words(
  String.raw`who|whose|more|fewer|less|versus|vs|than|(?:bigg|larg|small|high|low|long|short|fast|slow|old|new|bett|wors)\p{L}*er|compared?`,
)

const countGroups = ({ plans }: CueReading) =>
  Math.max(...plans.map((plan) => (plan.kind === "report" ? plan.query.groupBy.length : Infinity)))

/** Whether a question has several names of one kind. */
export const hasSeveral = ({ names }: Pick<Slots, "names">) =>
  [...Map.groupBy(names, ({ kind }) => kind).values()].some((same) => same.length > 1)

const namesOf = ({ rules }: CueReading, kind: "competitor" | "reason") =>
  rules.names.filter((name) => name.kind === kind)

const isOfReasons = ({ kind }: Prediction) => kind === "why" || kind === "side"

const LOW = words("least|fewest|lowest|smallest|bottom|small (?:to|first)|ascending")
const HIGH = words("most|highest|biggest|largest|(?<!at the |on )top|(?:big|large) (?:to|first)|descending")

const KIND = "competitor|region|industry|owner|product|deal_type|client|segment|stage"
const DIMENSIONS =
  "stage|competitor|rival|region|industry|vertical|product|reason|rep|owner|segment|type|customer|client|feature"

/**
 * Cues for the parts that the network misses most in the words of people whom no training has. Each refutes wrong readings and next to
 * no right ones: counted on voices that a training left out.
 */
const CUES: ReadonlyArray<Cue> = [
  {
    // "By decision reason", "per helper", "each". "Over 20k each" is of one deal.
    words: words(
      String.raw`(?:by|per) (?!(?:now|then|far|value|amount|count|number|volume|size|worth|the end)(?!\p{L}))\p{L}+|(?<!> )each|every(?:one|body)|apiece|\p{L}+(?: -)? wise|over the (?:weeks|months|quarters|years)`,
    ),
    isRead: (read) => countGroups(read) > 0,
  },
  { words: COMPARED, isRead: (read) => countGroups(read) > 0 || !hasSeveral(read.rules) },
  {
    words: words(
      String.raw`(?:${DIMENSIONS}) x (?:${DIMENSIONS})|within (?:each|it|that|those|them)|underneath|in turn`,
    ),
    isRead: (read) => countGroups(read) > 1,
  },
  {
    // "Lost deals for Ledger", "do we have any lost deals": a list or a number, whatever conditions follow.
    words:
      /^(?:(?:which|list|show(?: me)?|give me|do we have|are there|have we)(?: all| any)? )?(?:the |our )?(?:(?:open|won|lost|overdue|<\w+>) )*deals(?!\p{L})/u,
    isRead: ({ prediction: { kind } }) => kind !== "why",
  },
  {
    // "New, renewal and so on" names examples of groups, and leaves out none.
    words: words(
      String.raw`and so (?:on|forth)|(?:that|this) sort of thing|etc|and the like|for example|e \. g|such as`,
    ),
    isRead: ({ plans, rules }) => {
      const grouped = new Set(plans.flatMap((plan) => ("query" in plan ? plan.query.groupBy : [])))
      return rules.names.every(({ kind }) => !grouped.has(KINDS[kind]))
    },
  },
  {
    // "What did we lose in October?" asks for the deals.
    words: words(
      String.raw`what (?:did|do|have) we (?:\p{L}+ )?(?:lose|lost|win|won)(?! (?:it |them |deals |most |\p{L}+ly )*(?:on|over|because|due|for|by|from))`,
    ),
    isRead: ({ prediction: { kind } }) => kind !== "why",
  },
  // No plan has one name beside all others.
  {
    words: words(
      String.raw`(?:compar\p{L}* (?:to|with)|versus|vs(?: \.)?|than|relative to) (?:(?:the|all|any|our) )*(?:others?|rest|everyone|everybody|average)`,
    ),
    isRead: () => false,
  },
  // Deals begin as opportunities: nothing counts what was there before.
  {
    words: words(
      String.raw`conver\p{L}+ [^?]{0,40}(?:from|of|between) [^?]{0,40}(?:to|into|and) \p{L}+|(?<!(?:who|<property>) )leads?(?! (?:source|times?|competitor|rival|opponent|(?:\p{L}+ ){0,3}<property>)(?!\p{L}))|mqls?|sqls?|visitors?|trials?`,
    ),
    isRead: () => false,
  },
  // The training knows no measure that is weighted.
  {
    words: words(String.raw`(?:un)?weight(?:ed|ing)|(?:risk|probability) (?:- )?(?:adjusted|weighted)`),
    isRead: () => false,
  },
  // A part of the Nordics, which the voices of the training say for them.
  { words: words(String.raw`(?:skandinavi|scandinavi|escandinav)\p{L}*|scandinaves?`), isRead: () => false },
  // "The second most common reason": no plan begins at a place.
  { words: words("second|third|fourth|fifth|<number> (?:st|nd|rd|th)"), isRead: () => false },
  {
    // "Top" and superlatives are of any ranking.
    words: words(
      String.raw`(?:order|rank|sort)(?:ed)? by|(?:big|great|high|large|low|new|old|small)\p{L}* (?:first|to|down|up)|(?:worst|best|weakest|strongest|longest|shortest|least|fewest|most|earliest|latest) first|(?:a|de)scending|top down`,
    ),
    isRead: ({ prediction: { order } }) => order !== "-",
  },
  // "The smallest of the largest deals" has words for both.
  { words: LOW, unless: HIGH, isRead: ({ prediction: { order } }) => order !== "high" && order !== "big" },
  { words: HIGH, unless: LOW, isRead: ({ prediction: { order } }) => order !== "low" && order !== "small" },
  {
    words: words(
      String.raw`no|not|never|without|except\p{L}*|exclud\p{L}*|excl|ex|ignor\p{L}*|strip\p{L}*|disregard\p{L}*|w / ?o|minus|skip\p{L}*|aside|apart|besides|barring|other than|(?:leav|tak)(?:e|ing) out|out of (?:it|the (?:way|picture))|\p{L}+n t`,
    ),
    isRead: (read) =>
      namesOf(read, "competitor").length === 0 ||
      read.rules.names.some(({ negated }) => negated) ||
      read.prediction.flags.has("excludes") ||
      read.prediction.flags.has("uncontested"),
  },
  {
    words: words(
      String.raw`w / ?o|minus|except\p{L}*|exclud\p{L}*|excl|outside|not (?:in|from|counting|includ\p{L}*|incl)|other than|apart from`,
    ),
    isRead: ({ rules: { names, conditions }, prediction: { flags } }) =>
      names.length === 0 ||
      names.some(({ negated }) => negated) ||
      flags.has("excludes") ||
      flags.has("uncontested") ||
      flags.has("without_owner") ||
      Object.keys(conditions).some((key) => key.endsWith("_filter_type")),
  },
  // No report has "against Nimbrel or without a competitor".
  { words: words("or (?:without|with no|no)"), isRead: () => false },
  {
    // "Stuck for 90 days" is no age.
    words: words(
      String.raw`(?:no|without|zero) (?:\p{L}+ )?(?:movement|progress|activity|changes?)|(?:not|never|n t) (?:been )?(?:moved?|progressed|advanced|changed|touched)|stuck|stalled|stagnant`,
    ),
    isRead: ({ rules: { conditions } }) => conditions.open_days === undefined,
  },
  {
    // "This time last year" is a day, or the part of a year until it.
    words: words("(?:this|same|that) time (?:<period>|last|previous|a|one|the)"),
    isRead: ({ prediction: { compare } }) => compare !== "-",
  },
  {
    words: words(
      "(?:main|primary|principal|chief|lead|biggest|toughest) (?:competitor|rival|opponent|threat|one)|one to beat",
    ),
    isRead: (read) =>
      namesOf(read, "competitor").every(({ role }) => role !== undefined) ||
      read.prediction.flags.has("primary") ||
      read.prediction.order !== "-",
  },
  {
    words: words("nobody|no one|noone|none of us|orphan(?:ed|s)?|unowned|unassigned|ownerless"),
    isRead: ({ prediction: { flags }, rules: { conditions } }) =>
      flags.has("without_owner") ||
      flags.has("uncontested") ||
      conditions.owner_filter_type !== undefined ||
      conditions.competitors_filter_type !== undefined,
  },
  {
    // "Kindly share the figure" asks for no share.
    words: words(
      "(?<!(?:^|,|kindly|please|pls|you|can|could) ?)share|share of|how much of|of all (?:the|our)|percentage|proportion|fraction|percent|contribution|%",
    ),
    isRead: ({ prediction: { kind, base } }) => kind === "share" || kind === "list" || /rate/.test(base),
  },
  {
    // The network reads no condition of a whole: "of all deals in Nordics, what % came from Logistics", "the share of Renewals in each region".
    words: words(
      String.raw`(?:out )?of [^?]*<(?:${KIND})> [^?]*(?:what|which|how) (?:%|percent\p{L}*|share|proportion|fraction|many|much)|(?:%|percent\p{L}*|share|proportion|portion|fraction) of [^?]*<(?:${KIND})> [^?]*(?:is|are|was|were|has|have|had|came|comes?|go|goes|went|involv\p{L}*|belong\p{L}*|(?:in|within|per) (?:each|every))`,
    ),
    isRead: ({ prediction: { kind } }) => kind !== "share",
  },
  {
    // "What share of deals is open in Energy" is of the deals in Energy.
    words: words(
      String.raw`(?:%|percent\p{L}*|share|proportion|fraction) of (?:the |our |all )*(?:deals|opportunities|opps) (?:is|are|was|were|got) (?:still )?(?:open|won|lost|overdue) (?:in|for|from|at|with) [^?]*<(?:${KIND})>`,
    ),
    isRead: ({ prediction: { kind } }) => kind !== "share",
  },
  {
    words: words(
      String.raw`(?:not|never|n t) (?:really |much )?(?:like|love|enjoy)|dislike\p{L}*|hate\p{L}*|put(?:s|ting)? (?:\S+ )?off|annoy\p{L}*|grumbl\p{L}*|complain\p{L}*|critici\p{L}*`,
    ),
    isRead: ({ prediction: { kind, side } }) => kind !== "side" || side === "negative",
  },
  {
    words: words(
      "(?:does not|doesn t|don t|do not|no) matter|whatever (?:happened|the (?:outcome|result))|regardless|irrespective|(?:any|either|whichever) (?:outcome|result)",
    ),
    isRead: ({ prediction: { outcome, base } }) => outcome === "-" || outcome === "decided" || /rate/.test(base),
  },
  {
    words: words("still|undecided|up in the air|pending|outstanding|unclosed"),
    isRead: ({ prediction: { outcome, base } }) => outcome !== "-" || /overdue|age/.test(base),
  },
  {
    words: words(
      String.raw`(?:came|comes?|gets?|got|been|brought|brings?|reach\p{L}*) (?:to )?an? (?:decision|conclusion|verdict|answer)|(?<!be )decid(?:ed|ing)|yes or no|win or lose`,
    ),
    isRead: ({ prediction }) =>
      prediction.outcome !== "-" ||
      /rate|cycle/.test(prediction.base) ||
      isOfReasons(prediction) ||
      [...prediction.flags].some((flag) => flag.startsWith("by:driver")),
  },
  {
    words: words("weeks?|months?|quarters?|years?"),
    isRead: ({ prediction: { grain, base, compare }, rules: { periods, conditions } }) =>
      grain !== "-" ||
      compare !== "-" ||
      periods.length > 0 ||
      conditions.open_days !== undefined ||
      /cycle|age/.test(base),
  },
  {
    words: words(
      String.raw`moved?|moving|shift\p{L}*|chang(?:e|ed|es|ing)|(?:get|got|getting) (?:\p{L}+er|worse)|improv\p{L}*|(?:up|down) (?:on|from)|stack\p{L}* up|(?:more|fewer|less|(?:high|low|long|short|bigg|small)er|better|worse) than (?:the )?(?:<period>|last|before|a year)`,
    ),
    isRead: ({ prediction: { compare, grain }, rules: { periods } }) =>
      compare !== "-" || grain !== "-" || periods.length === 0,
  },
  {
    words: words(
      "against us|hit by|hurts?|hurting|for us|our side|in our favou?r|helped|helps|helping|a (?:plus|minus|strike)|working for|with us",
    ),
    isRead: (read) =>
      namesOf(read, "reason").length === 0 ||
      isOfReasons(read.prediction) ||
      read.prediction.flags.has("reason_for") ||
      read.prediction.flags.has("reason_against"),
  },
]

/** Whether a reading leaves words unread that ask for a part of the answer. `said`: the words of the question as `tokenize` gives them. */
export const missesCue = (said: string, read: CueReading): boolean =>
  CUES.some(({ words, unless, isRead }) => words.test(said) && unless?.test(said) !== true && !isRead(read))
