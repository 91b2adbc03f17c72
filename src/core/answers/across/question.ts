import { replaceCountry } from "../QuestionReader.ts"

/** A question that every competitor's documents must be asked: "which competitor is cheapest?" */
export interface AcrossQuestion {
  /** The words to search for in the documents of each competitor. */
  readonly query: string
  /** The order of what the documents say, if the question compares amounts or counts. */
  readonly order?: "lowest" | "highest"
  /** The kind of value that is compared. */
  readonly compares?: "money" | "number"
  /** The superlative, as answers repeat it: "cheapest". */
  readonly superlative?: string
}

const COMPETITORS =
  /\b(?:which|what|how many) (?:of (?:our |the |these )?)?(?:other )?(?:competitors?|rivals?|vendors?)\b|\b(?:do|does|are|have|has) (?:any|all|each|every|our|the|some)(?: of (?:our|the))? (?:competitors?|rivals?|vendors?)\b|\b(?:each|every|all|any|our|the) (?:competitors?|rivals?|vendors?)['’]?s?\b|\bcompar\w+ (?:the |our )?(?:competitors?|rivals?|vendors?)\b|\b(?:competitors?|rivals?|vendors?)\b/i
const WHO =
  /^\W*who (?:is|are|has|have|offers?|charges?|supports?|provides?|holds?|hosts?|lacks?|answers?|requires?)\b/i
/** Questions about our own side are no questions about competitors' documents. */
const OURS = /\b(?:we|us|our (?:reps?|team|deals?|pipeline)|deals?|opportunit\w+|reps?|owners?|owns?)\b/i

/** The words of documents that state a price. */
const PRICE = "charges price per seat"
const PRICES = /^(?:(?:on|by|versus|vs\.?|against|with) )*(?:seat )?(?:pric(?:e|es|ing)|rates?|charges?)$/i

/** The words of documents that state how secure something is. */
const CERTIFIED = "certified"
const SECURITY =
  /^(?:(?:on|by|for|regarding|in|versus|vs\.?|against|with) )*(?:(?:data|information|it) )?(?:security|certifications?|compliance)$/i

/** Compares the competitors that it names, and asks for nothing of ours. */
const COMPARES_NAMED =
  /^\W*(?:(?:please|can you|could you|let's)\W+)*compare(?!\p{L})|(?<!\p{L})(?:vs\.?|versus|compared? (?:to|with))(?!\p{L})/iu

/** The topic of a comparison of named competitors: "security" of "compare Orvanta and Nimbrel on security"; undefined for other questions. */
export const topicOfComparison = (question: string, named: ReadonlyArray<string>): string | undefined => {
  if (named.length < 2 || !COMPARES_NAMED.test(question)) return undefined
  const words = named.reduce((rest, name) => rest.replaceAll(new RegExp(literal(name), "gi"), " "), question)
  return /(?<!\p{L})(?:on|regarding|in terms of|with regard to|when it comes to|for) (?:their |the )?(?<topic>\p{L}[\p{L}\p{N} -]*?)\W*$/iu.exec(
    words,
  )?.groups?.["topic"]
}

const ORDERS: ReadonlyArray<readonly [RegExp, Omit<AcrossQuestion, "query"> & { readonly about?: string }]> = [
  [
    /\b(?:cheapest|cheaper|least expensive|less expensive|lowest[- ]priced?|lowest prices?|charges? (?:the )?least)\b/i,
    { order: "lowest", compares: "money", superlative: "cheapest", about: PRICE },
  ],
  [
    /\b(?:most expensive|more expensive|dearest|priciest|highest[- ]priced?|highest prices?|charges? (?:the )?most)\b/i,
    { order: "highest", compares: "money", superlative: "most expensive", about: PRICE },
  ],
  [/\b(?:shortest|fastest|quickest|lowest|fewest|smallest)\b/i, { order: "lowest", compares: "number" }],
  [/\b(?:longest|slowest|highest|most|largest|biggest)\b/i, { order: "highest", compares: "number" }],
]

const EXCLUDES = String.raw`\b(?:other than|besides|except(?: for)?|apart from|aside from|but not)\b`
const ANYBODY_ELSE = /\b(?:any(?:body|one)|nobody|no one)(?: else)?\b/gi
const ANYBODY = /\b(?:any(?:body|one)|who|nobody|no one)\b/i

const literal = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Whether a question asks about others than the competitors that it names. "Other than price, how do both differ?" does not. */
export const excludesNamed = (question: string, named: ReadonlyArray<string>): boolean =>
  named.some((name) => new RegExp(String.raw`${EXCLUDES}\s+${literal(name)}`, "i").test(question))

/** The order of prices that a superlative asks for: "cheapest". "Cheaper" compares with something else. */
export const findPriceOrder = (question: string): AcrossQuestion["order"] =>
  ORDERS.find(
    ([pattern, { compares }]) =>
      compares === "money" && !/^(?:cheaper|less|more)/i.test(pattern.exec(question)?.[0] ?? "less"),
  )?.[1].order

const FRAME =
  /\b(?:which|what|who|how|many|of|our|the|these|other|competitors?|rivals?|vendors?|each|every|all|any|some|do|does|is|are|has|have|had|a|an|their|them|there|compare|comparing|comparison|list|show|me|tell|say|says|about|battle ?cards?|documents?|docs|and|or|between|among|than|by|for|in)\b/gi

/** Reads a question about what several competitors' documents say. `named` counts the competitors that it names. */
export const readAcross = (question: string, named: ReadonlyArray<string>): AcrossQuestion | undefined => {
  const asksAll = COMPETITORS.test(question) || WHO.test(question) || (named.length > 0 && ANYBODY.test(question))
  const isAcross = named.length > 1 || ((named.length === 0 || excludesNamed(question, named)) && asksAll)
  if (!isAcross || OURS.test(replaceCountry(question, ""))) return undefined
  let rest = question
  for (const name of named) rest = rest.replaceAll(new RegExp(literal(name), "gi"), " ")
  const found = ORDERS.find(([pattern]) => pattern.test(rest))
  if (found !== undefined) rest = rest.replace(found[0], " ")
  const words = rest
    .replaceAll(new RegExp(EXCLUDES, "gi"), " ")
    .replaceAll(ANYBODY_ELSE, " ")
    .replaceAll(FRAME, " ")
    .replaceAll(/[^\p{L}\p{N}'’.-]+/gu, " ")
    .trim()
  const { about, ...order } = found?.[1] ?? {}
  if (SECURITY.test(words)) return { query: CERTIFIED }
  if (PRICES.test(words)) return { query: PRICE, compares: "money", ...order }
  const query = [words, about ?? ""].join(" ").trim()
  return query === "" ? undefined : { query, ...order }
}
