import { NUMBER_WORDS } from "../../words.ts"
import { DEAL, type Dimension, findNoun, NOUNS, SUPERLATIVES } from "../words/lexicon.ts"
import { KINDS, type Kind } from "../words/names.ts"
import { asksFacts, asksNoun, asksOfList, isOfTheseDeals, WORTH } from "./ofList.ts"

/** A row of an answer: a thing of the workspace, or a deal. */
export interface AnsweredRow {
  readonly kind: Kind | "deal"
  /** The id of a deal. */
  readonly id?: string
  readonly name: string
}

/** The rows that an answer shows, in its order. */
export interface Answered {
  readonly rows: ReadonlyArray<AnsweredRow>
  /** The answer names one row: "Orvanta has the most lost deals". */
  readonly isSingular: boolean
  /** The rows are all that match, so that "those deals" are the filters of the question. */
  readonly isWhole: boolean
}

/** A reference of a question to the answer before it. */
export type Reference =
  /** The names of the rows, in the place of the words that refer to them. */
  | { readonly kind: "rows"; readonly question: string; readonly rows: ReadonlyArray<AnsweredRow> }
  /** The question is about the deals that the answer lists. */
  | { readonly kind: "deals"; readonly rows: ReadonlyArray<AnsweredRow> }
  /** The question asks for nothing but this row. */
  | { readonly kind: "row"; readonly row: number }
  /** The words can mean several rows, or none of them. */
  | { readonly kind: "unclear"; readonly said: string; readonly rows: ReadonlyArray<AnsweredRow> }

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ")
const ORDINAL = String.raw`${ORDINALS.join("|")}|1st|2nd|3rd|[4-9]th|10th|last|former|latter`

const ALL_NOUNS = [DEAL, ...NOUNS.map(({ words }) => words)].join("|")

const OPENING = String.raw`(?:and|or|but|so|ok(?:ay)?|what about|how about|which is|what is|who is|who['’]s|what['’]s|show(?: me)?)`
const AND_ORDINAL = new RegExp(
  String.raw`^\W*(?:${OPENING}\W+)*(?:(?:the |in |number |no\. ?|#)+(${ORDINAL}|\d{1,2}|${NUMBER_WORDS.slice(1).join("|")})(?: (?:one|place|${ALL_NOUNS}))?|(?<=(?:is|['’]s) )(${ORDINAL})|(?:the )?(${ORDINALS.slice(1).join("|")}) (?:best|worst|biggest|largest|highest|lowest|smallest|strongest|weakest|most))\W*$`,
  "u",
)
const WHY_ALONE = /^\W*(?:(?:and|but|so|ok)\W+)*(?:why|how come)(?: (?:is|was) (?:that|this|it)| so| not)?\W*$/u

const findIndex = (said: string, { length }: ReadonlyArray<unknown>): number => {
  if (said === "last") return length - 1
  if (said === "former") return 0
  if (said === "latter") return 1
  const word = Math.max(ORDINALS.indexOf(said), NUMBER_WORDS.indexOf(said) - 1)
  return word >= 0 ? word : Number.parseInt(said, 10) - 1
}

/** Words that refer to rows of an answer, each with the kinds that it can mean. */
interface Pointer {
  readonly pattern: RegExp
  readonly kinds?: ReadonlyArray<AnsweredRow["kind"]>
  readonly isPlural: boolean
  /** The words that stay before the name. */
  readonly keeps?: boolean
}

const bounded = (text: string) => new RegExp(String.raw`(?<![\p{L}\p{N}'])(?:${text})(?![\p{L}\p{N}])`, "u")

const RIVALRY = String.raw`(?:to|against|versus|vs\.?|beat|beats|beating|over)`
const PREPOSITION = String.raw`(?:in|into|to|for|with|from|of|at|by|about|on|against|sold|lose|lost|win|won)`

const POINTERS: ReadonlyArray<Pointer> = [
  { pattern: bounded(`(?<=${RIVALRY} )(?:them|those|these)`), kinds: ["competitor"], isPlural: true },
  { pattern: bounded(`(?<=${RIVALRY} )(?:it|him|her|that one|this one)`), kinds: ["competitor"], isPlural: false },
  { pattern: bounded("he|she|him|his|her"), kinds: ["owner"], isPlural: false },
  {
    pattern: bounded("(?<!(?:is|are|was|were) )there(?! (?:is|are|was|were|a|any))"),
    kinds: ["region", "industry"],
    isPlural: false,
  },
  // A deal has an owner and a close date: "who owns it", "when does it close".
  {
    pattern: bounded(
      String.raw`(?<=(?:owns?|owned|runs?|running|handles?|handling|leads?|leading|drives?|driving) )it|(?<=(?:is|was|does|did|will|should) )it(?= (?:\p{L}+ )?(?:clos(?:e|es|ed|ing)|due|worth|overdue|open|won|lost|created|owned|in)(?!\p{L}))`,
    ),
    kinds: ["deal"],
    isPlural: false,
  },
  { pattern: bounded(String.raw`(?:that|this) one|(?<=${PREPOSITION} )it|its`), isPlural: false },
  {
    pattern: bounded(
      String.raw`they|them|their|those(?= \p{L}+ (?:do|did|are|have))|(?<=${PREPOSITION} )(?:those|these)(?! \p{L})`,
    ),
    isPlural: true,
  },
]

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  Object.entries(KINDS).map(([kind, dimension]) => [dimension, kind as Kind]),
)

/** The kind of the values of a dimension; undefined if a question cannot name them. */
export const findKind = (dimension: string): Kind | undefined =>
  dimension === "primary_competitor" || dimension === "incumbent" ? "competitor" : KIND_OF.get(dimension)

const nounsOf = (kind: AnsweredRow["kind"]): string =>
  kind === "deal" ? DEAL : (findNoun(KINDS[kind] satisfies Dimension)?.words ?? kind)

const KINDS_AND_DEALS: ReadonlyArray<AnsweredRow["kind"]> = ["deal", ...(Object.keys(KINDS) as ReadonlyArray<Kind>)]

const MAY_REFER = bounded(
  String.raw`(?:the|in|number|no\.?|#) ?(?:${ORDINAL}|\d{1,2}|${NUMBER_WORDS.slice(1).join("|")})|(?:that|this|those|these|same)|them|they|their|it|its|he|she|him|his|her|there|why|how come`,
)

/** Whether a question can refer to the answer before it, which is then computed again. */
export const mayRefer = (question: string): boolean =>
  /#\d/.test(question) ||
  asksOfList(question) ||
  MAY_REFER.test(question.toLowerCase()) ||
  AND_ORDINAL.test(question.toLowerCase())

const THE_MOST = new RegExp(
  String.raw`(?<!\p{L})the (?<most>${SUPERLATIVES.map(([, words]) => words).join("|")}) (?:one|of (?:them|those|these))(?!\p{L})|(?<=(?:owns?|owned|runs?|handles?|manages?|leads?) )the (?<last>${SUPERLATIVES.map(([, words]) => words).join("|")})(?=\W*$)`,
  "iu",
)
/** Asks for a fact of one deal. */
const OF_ONE = /(?<!\p{L})(?:who(?:se|m|'s)?|when|which stage|what stage|overdue|worth)(?!\p{L})/iu

/** "Who owns the biggest one?" asks which one is the biggest, and then who owns it. */
export const splitQuestion = (question: string): ReadonlyArray<string> => {
  const found = THE_MOST.exec(question)
  const most = found?.groups?.["most"] ?? found?.groups?.["last"]
  const about = question.replace(THE_MOST, "it")
  return most === undefined || !OF_ONE.test(about) ? [question] : [`which of them is the ${most}?`, about]
}

/** Finds what a question refers to in the answers before it, the latest first. Undefined if it refers to nothing. */
export const findReference = (
  question: string,
  answers: ReadonlyArray<Answered>,
  /** The kinds that earlier questions name once: a pronoun then means that name. */
  named: ReadonlySet<string>,
): Reference | undefined => {
  const lower = question.toLowerCase()
  // An ordinal counts the rows of a list.
  const list = answers.find(({ rows }) => rows.length > 1) ?? answers[0]
  const alone = AND_ORDINAL.exec(lower)
  if (alone !== null) {
    const said = alone[1] ?? alone[2] ?? alone[3] ?? ""
    const row = findIndex(said, list?.rows ?? [])
    return list?.rows[row] === undefined ? { kind: "unclear", said, rows: list?.rows ?? [] } : { kind: "row", row }
  }
  return (
    findOrdinal(question, lower, list) ??
    findListed(question, answers[0]) ??
    findDemonstrative(question, lower, answers, named) ??
    findOne(question, lower, answers[0]) ??
    findBehindReasons(question, answers) ??
    findPronoun(question, lower, answers, named)
  )
}

/** "The first one", "the second competitor". */
const findOrdinal = (question: string, lower: string, latest: Answered | undefined): Reference | undefined => {
  const kind = latest?.rows[0]?.kind
  const nouns = kind === undefined ? "one" : `one|${nounsOf(kind)}`
  const found = bounded(`the (${ORDINAL})(?: (?:${nouns})|(?=['’]s|\\W*$))`).exec(lower)
  if (found === null) return undefined
  const row = latest?.rows[findIndex(found[1] ?? "", latest.rows)]
  return row === undefined
    ? { kind: "unclear", said: found[0], rows: latest?.rows ?? [] }
    : { kind: "rows", question: replaceAt(question, found, [row]), rows: [row] }
}

/** "That competitor", "these regions". */
const findDemonstrative = (
  question: string,
  lower: string,
  answers: ReadonlyArray<Answered>,
  named: ReadonlySet<string>,
): Reference | undefined => {
  for (const kind of KINDS_AND_DEALS) {
    const found = bounded(`(that|this|those|these|the same) (?:${nounsOf(kind)})`).exec(lower)
    if (found === null || /^(?:that|this) \p{L}+s$/u.test(found[0])) continue
    const isPlural = /^(?:those|these)/.test(found[0])
    const answered = answers.find(({ rows }) => rows[0]?.kind === kind)
    // "Those deals" are the deals that the question before counted, against the competitor that its answer names.
    if (kind === "deal" && isPlural && answered === undefined) {
      const [latest] = answers
      return latest?.isSingular === true && latest.rows[0] !== undefined
        ? {
            kind: "rows",
            question: `${question.replace(/(?<!\W)\W+$/, "")} ${latest.rows[0].name}`,
            rows: [latest.rows[0]],
          }
        : undefined
    }
    if (answered === undefined && named.has(kind)) return undefined
    return choose(question, found, answered, isPlural)
  }
  return undefined
}

/** "Which close this year?" after the five largest deals is about these five. */
const findListed = (question: string, latest: Answered | undefined): Reference | undefined =>
  latest?.rows[0]?.kind === "deal" && latest.rows.length > 1 && !latest.isWhole && isOfTheseDeals(question)
    ? { kind: "deals", rows: latest.rows }
    : undefined

const WHICH_DEALS =
  /^\W*(?:(?:and|so|ok)\W+)*which (?:ones|of (?:them|those|these)) (?:is|are|was|were|did|do|have|had)(?!\p{L})/iu

/** "Which of them were against Orvanta?" after the reasons of ten deals is about these deals. */
const findBehindReasons = (question: string, [latest, ...others]: ReadonlyArray<Answered>): Reference | undefined => {
  const deals = others.find(({ rows }) => rows[0]?.kind === "deal")
  if (latest?.rows[0]?.kind !== "reason" || deals === undefined || deals.rows.length < 2) return undefined
  return WHICH_DEALS.test(question) && !deals.isWhole ? { kind: "deals", rows: deals.rows } : undefined
}

/** "Why?" and "how much money is that?" after an answer that names one row ask about that row. */
const findOne = (question: string, lower: string, latest: Answered | undefined): Reference | undefined => {
  const [row] = latest?.rows ?? []
  if (latest === undefined || row === undefined) return undefined
  if (latest.isSingular && row.kind !== "reason" && WHY_ALONE.test(lower))
    return { kind: "rows", question: `why ${row.name}`, rows: [row] }
  if (latest.isSingular && row.kind === "deal" && asksNoun(question))
    return { kind: "rows", question: `${question.replace(/(?<!\W)\W+$/, "")} of ${row.name}`, rows: [row] }
  // A ranking that shows all rows is asked again with amounts.
  if (!WORTH.test(question) || (latest.isWhole && !latest.isSingular)) return undefined
  const meant = latest.isSingular ? [row] : latest.rows
  return { kind: "rows", question: `how much ${meant.map(({ name }) => name).join(" versus ")}`, rows: meant }
}

const ANY_NOUN = bounded(ALL_NOUNS)

const findPronoun = (
  question: string,
  lower: string,
  answers: ReadonlyArray<Answered>,
  named: ReadonlySet<string>,
): Reference | undefined => {
  for (const { pattern, kinds, isPlural } of POINTERS) {
    const found = pattern.exec(lower)
    // In "what do customers want when they leave" the pronoun refers to the customers.
    if (
      found === null ||
      (found[0].startsWith("the") && kinds === undefined && ANY_NOUN.test(lower.slice(0, found.index)))
    )
      continue
    const answered = answers.find(({ rows }) => rows[0] !== undefined && (kinds?.includes(rows[0].kind) ?? true))
    if (answered === undefined) {
      if (kinds === undefined || kinds.some((kind) => named.has(kind)) || kinds.includes("region")) return undefined
      if (kinds.includes("deal")) continue
      return { kind: "unclear", said: found[0], rows: [] }
    }
    if (answered.rows[0]?.kind === "deal" && isPlural && answered.isWhole) return undefined
    // "When do they close" after a table of groups is about its deals, also those of groups that it does not show.
    if (answered.rows[0]?.kind !== "deal" && !answered.isSingular && asksFacts(question)) return undefined
    return choose(question, found, answered, isPlural)
  }
  return undefined
}

const choose = (
  question: string,
  found: RegExpExecArray,
  answered: Answered | undefined,
  isPlural: boolean,
): Reference | undefined => {
  const rows = answered?.rows ?? []
  const isOne = answered?.isSingular === true || rows.length === 1
  if (isPlural && rows[0]?.kind === "deal" && answered?.isWhole === true) return undefined
  if (isOne || (isPlural && rows.length > 1 && rows[0]?.kind !== "deal")) {
    const meant = isOne ? rows.slice(0, 1) : rows
    return { kind: "rows", question: replaceAt(question, found, meant), rows: meant }
  }
  return { kind: "unclear", said: found[0], rows }
}

const POSSESSIVE = /^(?:their|his|its|her)$/

const replaceAt = (question: string, { index, 0: said }: RegExpExecArray, rows: ReadonlyArray<AnsweredRow>): string => {
  const names = rows.map(({ name }) => name).join(" or ")
  return `${question.slice(0, index)}${names}${POSSESSIVE.test(said) ? "'s" : ""}${question.slice(index + said.length)}`
}
