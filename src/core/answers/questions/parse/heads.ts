import type { QuestionReader } from "../../QuestionReader.ts"
import { NUMBER_WORDS, parseNumber } from "../../words.ts"
import { DEAL, type Dimension, NOUNS, type Order, phrase, SUPERLATIVES } from "../words/lexicon.ts"
import type { Rank } from "./slots.ts"

const BY = String.raw`(?:(?:split|grouped|group|broken down|breakdown|break down|sorted|listed|differ\p{L}*|vary|varies) )?(?:by|per|for each|for every|each|every|across|in each|of each|among|between)(?: (?:the|our|all|different|various|each|individual|single))*`

/** Takes "by region", "per rep and product", "for each competitor". */
export const takeGroups = (reader: QuestionReader): ReadonlyArray<Placed> => {
  const groups: Array<Placed> = []
  for (const { dimension, words } of NOUNS) {
    const found = reader.take(phrase(String.raw`${BY} (?:${words})`))
    if (found !== undefined) groups.push({ index: found.index, dimension })
  }
  return groups
}

export interface Placed {
  readonly dimension: Dimension
  readonly index: number
}

const HOW_MANY = String.raw`(\d{1,3}|${NUMBER_WORDS.slice(2).join("|")})`

/** "Who's best and who's worst" asks for both ends. */
const OPPOSITES: Partial<Readonly<Record<Order, Order>>> = { good: "bad", bad: "good", high: "low", low: "high" }

/** Takes a superlative with its number: "top 5", "three biggest", "most". */
export const takeRank = (reader: QuestionReader): Rank | undefined => {
  const found = SUPERLATIVES.flatMap(([order, words]) => {
    const pattern = new RegExp(
      // "At least two" bounds a number.
      String.raw`(?<![\p{L}\p{N}])(?<!(?:^|[^\p{L}])at )(?:${HOW_MANY} )?(${words})(?: ${HOW_MANY})?(?![\p{L}\p{N}])`,
      "u",
    )
    const all: Array<{ order: Order; word: string; index: number; limit: number | undefined }> = []
    for (let match = reader.take(pattern); match !== undefined; match = reader.take(pattern)) {
      const [, before, word = "", after] = match
      const said = before ?? after
      all.push({ order, word, index: match.index, limit: said === undefined ? undefined : Number(parseNumber(said)) })
    }
    return all
  })
  const latest = reader.take(
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:last|past|recent) ${HOW_MANY}(?=[\s|]+(?:\p{L}+[\s|]+){0,2}(?:${DEAL})(?!\p{L}))`,
      "u",
    ),
  )
  if (latest !== undefined) return { order: "new", word: "newest", limit: Number(parseNumber(latest[1] ?? "")) }
  const [first] = found.toSorted((a, b) => a.index - b.index)
  if (first === undefined) return undefined
  const { order, word } = first
  const limit = found.find((each) => each.limit !== undefined)?.limit ?? takeNumber(reader)
  // "Top 3 and bottom 3": one ranking has one direction.
  const other = found.find(
    (each) =>
      each.order !== order &&
      ((each.limit !== undefined && first.limit !== undefined) || each.order === OPPOSITES[order]),
  )
  return { order, word, limit, ...(other !== undefined && { other: [other.word, other.limit].join(" ").trim() }) }
}

/** Takes the number before the noun: "which three regions lost us the most". */
const takeNumber = (reader: QuestionReader): number | undefined => {
  const nouns = [DEAL, ...NOUNS.map(({ words }) => words)].join("|")
  const found = reader.take(
    new RegExp(String.raw`(?<![\p{L}\p{N}])${HOW_MANY}(?=[\s|]+(?:\p{L}+[\s|]+)?(?:${nouns})(?!\p{L}))`, "u"),
  )
  return found === undefined ? undefined : Number(parseNumber(found[1] ?? ""))
}

/** Words between "how many" or "which" and the noun that it is about. */
/** As few words as possible, so that "which sales reps" has the noun "sales reps". */
const BETWEEN = String.raw`(?:[\s|]+(?:open|won|lost|closed|active|new|overdue|decided|our|the|your|of|all|any|different|distinct|unique|other|such|most|sales|winning|losing|existing|current|potential|were|was|are|is|kinds?|types?|main|key|common|said|past)(?![\p{L}\p{N}]))*?[\s|]+`
const COUNT = String.raw`how (?:many(?: times)?|often|frequently)|(?:the )?(?:total )?(?:number|count) of|count|number(?=\W*$)|#|nr\.? of|no\. of`
const LIST = String.raw`which(?: of(?: our| the)?)?|what(?:'s| is| are| was| were)?|list|show(?: me)?|find|name|give me|display|do we (?:still )?have|did we have|are there|is there|see|any|every(?: single)?|each|get|pull up`

const nounAfter = (words: string, nouns: string) => phrase(String.raw`(${words})${BETWEEN}(${nouns})`)
const WHO_BEATS =
  /(?<!\p{L})(?:who(?:m)? (?:do|did|are|have|were) we (?=(?:mostly |often |usually |ever |been |most )*(?:los|up against|compet|fac|run into|see))|who (?=beat|wins? against us|takes? deals))/u
const AGAINST_WHOM = phrase("against whom|against who|whom")
const WHO = phrase(String.raw`who(?:'s| is| are| has| have| had)?|whose`)
const BIGGEST_DEAL =
  /(?<!\p{L})(?:biggest|largest|greatest|smallest) (?:(?:single|open|won|lost|closed) )*(?:deal|opportunity|opp)(?!\p{L})(?! (?:size|value|amount|type|owner|stage))/u
const ONE_DEAL = phrase("deal|opportunity|opp")
/** "Who lost it?" */
const WHO_ACTS =
  /^[^\p{L}]*(?:(?:and|but|so) )?who(?:'s| has| have| had)?(?= (?:\p{L}+ )?(?:w[io]ns?|los[et]s?|loses|closed?s?|sold|sells|signed|brought|booked|created))/u
/** "In the deal where Audit trail came up" asks for no place. */
const WHERE = phrase("where(?:'s| (?:is|are|was|were|do|does|did|have|has))|(?<=^[^a-z]*)where(?= we )")

export interface Head {
  readonly head?: "deal" | Dimension | undefined
  readonly counts: boolean
  readonly lists: boolean
  readonly isSingular: boolean
  /** The group that the question asks for beside its head. */
  readonly group?: Dimension
}

/** Takes what the question counts or lists: "how many deals", "which competitors", "the biggest deal". */
export const takeHead = (reader: QuestionReader, isRanked: boolean): Head => {
  const named = takeNamed(reader, COUNT, true) ?? takeNamed(reader, LIST, false)
  if (named !== undefined) return named
  if (reader.take(WHO_BEATS) !== undefined || (isRanked && AGAINST_WHOM.test(reader.text))) {
    reader.take(AGAINST_WHOM)
    return { head: "competitor", counts: false, lists: true, isSingular: false }
  }
  const counted = reader.take(phrase(COUNT)) !== undefined
  const listed = reader.take(phrase(LIST)) !== undefined
  // "Who are our top customers" names what it asks for.
  const hasNoun = NOUNS.some(({ words }) => phrase(words).test(reader.text))
  if (isRanked && reader.take(WHO) !== undefined && !hasNoun) {
    // "Who has the biggest deal?" ranks people by one deal of each.
    if (reader.take(ONE_DEAL) !== undefined)
      return { head: "deal", counts: counted, lists: false, isSingular: true, group: "owner" }
    return { head: "owner", counts: counted, lists: true, isSingular: true }
  }
  if (!hasNoun && reader.take(WHO_ACTS) !== undefined)
    return { head: "owner", counts: counted, lists: true, isSingular: false }
  if (isRanked && reader.take(WHERE) !== undefined && !hasNoun)
    return { head: "region", counts: counted, lists: true, isSingular: true }
  const deal = reader.take(phrase(DEAL))
  if (deal !== undefined) while (reader.take(phrase(DEAL)) !== undefined);
  return {
    head: deal === undefined ? undefined : "deal",
    counts: counted,
    lists: listed,
    isSingular: deal !== undefined && /^(?:deal|opportunity|opp)$/.test(deal[0]),
  }
}

/** Takes the noun behind "how many" or "which". */
const takeNamed = (reader: QuestionReader, words: string, counts: boolean): Head | undefined => {
  const found = nearestNoun(reader, words)
  if (found === undefined) return undefined
  reader.takeRange(found.start, found.start + found.lead)
  reader.takeRange(found.nounStart, found.end)
  if (counts) reader.take(phrase("different|distinct|unique|individual"))
  reader.take(phrase(LIST))
  // "Which rep has the biggest open deal?"
  if (!counts && found.head !== "deal" && BIGGEST_DEAL.test(reader.original.toLowerCase()))
    return { head: "deal", counts, lists: false, isSingular: true, group: found.head }
  return { head: found.head, counts, lists: !counts, isSingular: found.isSingular }
}

const nearestNoun = (reader: QuestionReader, words: string) => {
  const candidates = [{ dimension: "deal" as const, words: DEAL }, ...NOUNS].flatMap(({ dimension, words: nouns }) => {
    const match = nounAfter(words, nouns).exec(reader.text)
    if (match === null) return []
    const [whole, lead = "", noun = ""] = match
    const end = match.index + whole.length
    return [
      {
        head: dimension,
        start: match.index,
        lead: lead.length,
        nounStart: end - noun.length,
        end,
        isSingular: !noun.endsWith("s"),
      },
    ]
  })
  return candidates.toSorted((a, b) => a.start - b.start || a.nounStart - b.nounStart || b.end - a.end)[0]
}

/** Behind these a noun names a group: "by region and customer". */
const JOINS = /(?:[,&/+]|(?<!\p{L})(?:x|and|or|then|per|by|each|every|within))\s*(?:the\s+)?$/u
/** People who do what the question asks about: "the features that customers like", "deals with Retail customers". */
const isOfPeople = (text: string, { index, 0: said }: RegExpExecArray) =>
  said.endsWith("s") && !JOINS.test(text.slice(0, index))

/** Takes the remaining nouns: the first becomes the head if the question has no other ("top competitors"), the rest become groups. */
export const takeRest = (reader: QuestionReader, head: Head["head"], grouped: ReadonlyArray<Placed>) => {
  while (reader.take(phrase(DEAL)) !== undefined);
  const all = NOUNS.flatMap(({ dimension, words }) => {
    const { text } = reader
    const match = reader.take(phrase(words))
    while (reader.take(phrase(words)) !== undefined);
    return match === undefined || dimension === head
      ? []
      : [{ dimension, index: match.index, isOfPeople: dimension === "client" && isOfPeople(text, match) }]
  }).toSorted((a, b) => a.index - b.index)
  const others = all.filter((each) => !each.isOfPeople)
  const left = head === undefined && grouped.length + others.length === 0 ? all : others
  const [first] = head === undefined && grouped.length === 0 ? left : []
  const groups = [...grouped, ...left].filter((each) => each !== first).toSorted((a, b) => a.index - b.index)
  return { head: head ?? first?.dimension, groups: [...new Set(groups.map(({ dimension }) => dimension))] }
}
