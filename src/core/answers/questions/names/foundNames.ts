import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import type { QuestionReader } from "../../QuestionReader.ts"
import { NOT, NOT_AFTER } from "../words/denial.ts"
import { isQuestionWord } from "../words/lexicon.ts"
import { makeIndex, type NameIndex } from "./nameIndex.ts"
import { isMonth } from "../words/periodWords.ts"
import type { Outcome, Kind, KnownName, WorkspaceNames } from "../words/names.ts"
import { makeForms } from "../words/shortForms.ts"
import { setsApart } from "./setApart.ts"
import { takeLabel, takeRole } from "./besideName.ts"
import { COMMON_WORDS, isMisspelt } from "./spelling.ts"

/** A part that was not understood. */
export interface Unknown {
  readonly said: string
  /** The role of the part, by the words around it. */
  readonly as:
    | "competitor"
    | "owner"
    | "place"
    | "reason"
    | "conflict"
    | "future"
    | "foreign"
    | "unfit"
    | "quota"
    | "unused"
    | "unanswered"
    | "other"
  /** The names that an ambiguous part can mean. */
  readonly several?: ReadonlyArray<string> | undefined
  /** The numbers that the workspace has in its place. */
  readonly hint?: string
}

/** The role of a competitor in a deal, or of a product whose features people judge. */
export type Role = "primary" | "incumbent" | "judged"

interface Place {
  readonly start: number
  readonly end: number
}

/** A name that the question contains. */
export interface FoundName extends KnownName, Place {
  readonly negated: boolean
  /** "Excluding renewals" narrows the whole question, as "are not renewals" does not. */
  readonly isSetApart?: true
  /** How it relates to the name before it: "and", "or", "versus", or in one deal with it: "both". */
  readonly joined?: "and" | "or" | "against" | "both" | undefined
  /** "Where Orvanta is the incumbent". */
  readonly role?: Role | undefined
  /** As the question says it. */
  readonly said: string
  /** Other names that the same word can mean: the second of two Annas. */
  readonly others: ReadonlyArray<KnownName>
}

/** "When Orvanta is in the evaluation" is of a process that every deal has. */
const IN_THE = /(?<!\p{L})in (?:the|an|their|any) $/u
const STAGE_NOUN = /^ (?:stage|phase|step|column)s?(?!\p{L})/u

/** Stages named only by their outcome. The word then means every stage with that outcome. */
const OUTCOME_STAGE = /^(?:closed[ -])?(?:won|lost|open)$/i

const PREPOSITION = String.raw`(?:(?:against|in|with|for|to|by|from|of|the)\s+)*`
const AND = new RegExp(String.raw`^[\s,]*(?:and|&|together with)\s+(?:also\s+)?${PREPOSITION}$`, "i")
const OR = new RegExp(String.raw`^[\s,]*or\s+${PREPOSITION}$`, "i")
const AGAINST = new RegExp(
  String.raw`^[\s,]*(?:vs\.?|versus|compared (?:to|with)|rather than|than)\s+${PREPOSITION}$`,
  "i",
)

const joinedBy = (between: string): FoundName["joined"] =>
  AND.test(between) ? "and" : OR.test(between) ? "or" : AGAINST.test(between) ? "against" : undefined

/** If two kinds have the same name, the first kind here is meant. */
const KIND_ORDER: ReadonlyArray<Kind> = [
  "competitor",
  "product",
  "feature",
  "product_area",
  "owner",
  "client",
  "region",
  "industry",
  "segment",
  "deal_type",
  "stage",
  "reason",
  "tag",
]

/** Letters before a word in which the word before it is looked for. */
const MAX_BEFORE = 30

/** "Evaluations" are deals more often than those in the stage Evaluation. */
const isPluralStage = ({ kind, name }: KnownName, said: string) =>
  kind === "stage" && said.length > name.length && !said.includes("'")

/** Contexts in which a word of a name means something else: "average price", "the signal in our numbers", "Qellaria Flow". */
export const isOrdinary = ({ kind, name }: KnownName, word: string, said: string, before: string) => {
  const isLower = said === word
  // A forecast is of sales, unless the question has the whole name of a "Forecast view".
  if (/^forecasts?$/.test(word) || isMonth(word) || (isLower && (COMMON_WORDS.has(word) || isQuestionWord(word))))
    return true
  if (kind !== "product") return false
  const words = name.toLowerCase().split(" ")
  if (word.length < 4 || (isLower && (word !== words.at(-1) || /^(?:the|an?|any|no|some)$/.test(before)))) return true
  // A misspelt name is corrected as a whole.
  return words.some((each) => each !== before && isMisspelt(before, each))
}

/** The names that one word of a question means. Its capitals are those of `said`. */
const meantBy = (word: string, said: string, before: string, index: NameIndex): ReadonlyArray<KnownName> => {
  const part = word.replace(/'s$/, "")
  const parts = index.withPart(part).filter((each) => !isOrdinary(each, word, said, before))
  // Products share the name of their company.
  if (parts.length > 0) return parts.length > 1 && parts.every(({ kind }) => kind === "product") ? [] : parts
  // "Farahs deals", "Lars' deals".
  const person = /^(\p{L}{3,}?)(?:s|s'|')$/u.exec(part)?.[1]
  const people = person === undefined ? [] : [...index.withPart(person), ...index.withPart(`${person}s`)]
  const owners = people.filter(({ kind }) => kind === "owner")
  // "sso": in lower case only features, which have letters enough.
  const initialed = /^\p{Lu}{2,6}$/u.test(said)
    ? index.withInitials(word)
    : /^\p{Ll}{3,6}$/u.test(said)
      ? index.withInitials(word).filter(({ kind }) => kind === "feature")
      : []
  const found = owners.length > 0 ? owners : initialed.length === 1 ? initialed : []
  const isWord = (text: string) => COMMON_WORDS.has(text) || isQuestionWord(text) || isMonth(text)
  return found.length === 0 || isWord(part) || isWord(person ?? part) ? [] : found
}

/** Takes every name of the workspace that the question contains, the longest first. */
export const takeNames = (reader: QuestionReader, { names: known }: WorkspaceNames): ReadonlyArray<FoundName> => {
  const found: Array<FoundName> = []
  const takeAt = (names: ReadonlyArray<KnownName>, at: Place) => {
    const [first, ...others] = names
    const said = reader.original.slice(at.start, at.end)
    if (first === undefined || isPluralStage(first, said)) return
    const [before, after] = [reader.text.slice(0, at.start), reader.text.slice(at.end)]
    const [not, notAfter] = [NOT.exec(before), NOT_AFTER.exec(after)]
    reader.takeRange(not?.index ?? at.start, at.end + (notAfter?.[0].length ?? 0))
    const isSetApart = setsApart(before, not, notAfter)
    found.push({
      ...first,
      ...at,
      said,
      negated: not !== null || notAfter !== null,
      others,
      ...(isSetApart && { isSetApart }),
    })
  }
  const take = (names: ReadonlyArray<KnownName>, text: string) => {
    for (let at = reader.find(text); at !== undefined; at = reader.find(text, at.end)) takeAt(names, at)
  }
  const index = makeIndex(known)
  const candidates = index
    .namesIn(reader.text)
    .filter(({ name, kind }) => name.trim().length > 1 && !(kind === "stage" && OUTCOME_STAGE.test(name.trim())))
    .toSorted((a, b) => b.name.length - a.name.length || KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind))
  // "New-business deals" and "mid market" are said of New business and Mid-Market.
  for (const each of candidates) for (const text of listHyphened(each.name.trim())) take([each], text)
  const forms = candidates.map((each) => ({ each, forms: makeForms(each) }))
  const times = Map.groupBy(
    forms.flatMap((one) => one.forms),
    (form) => form.toLowerCase(),
  )
  for (const { each, forms: own } of forms)
    for (const form of own) if (times.get(form.toLowerCase())?.length === 1) take([each], form)
  // A question often uses one part of a name. Where all is in capitals, they say nothing.
  const isShouted = reader.original === reader.original.toUpperCase()
  for (const { text, start } of reader.unread()) {
    const word = text.replace(/(?<![.-])[.-]+$/, "")
    const said = reader.original.slice(start, start + word.length)
    const before = /([\p{L}]+) $/u.exec(reader.text.slice(Math.max(start - MAX_BEFORE, 0), start))?.[1] ?? ""
    const meant = meantBy(word, isShouted ? word : said, before, index)
    if (meant.length > 0) take(meant, said.replace(/'s$/, ""))
  }
  for (const { name, at } of listBeside(reader, found, index)) takeAt([name], at)
  const hasRival = found.some(({ kind }) => kind === "competitor")
  const isProcess = ({ kind, start, end }: FoundName) =>
    kind === "stage" &&
    IN_THE.test(reader.original.slice(0, start).toLowerCase()) &&
    !STAGE_NOUN.test(reader.original.slice(end).toLowerCase())
  const inOrder = found
    .filter((each) => !(hasRival && isProcess(each)))
    .toSorted((a, b) => a.start - b.start)
    .map((each) => (each.kind === "competitor" ? { ...each, role: takeRole(reader, each) } : each))
  for (const each of inOrder) takeLabel(reader, each)
  const joined: Array<FoundName> = []
  for (const each of inOrder) {
    const before = joined.at(-1)
    const between = before === undefined ? "" : reader.original.slice(before.end, each.start)
    const negated = each.negated || (before !== undefined && isAlsoNegated(before, each, between))
    joined.push({ ...each, negated, joined: joinedBy(between) })
  }
  return joined
}

/** "Not in DACH or Nordics" excludes both, as does "without Nimbrel or Orvanta". "Without Nimbrel but with Orvanta" does not. */
const isAlsoNegated = (before: FoundName, { kind }: FoundName, between: string): boolean =>
  before.negated && before.kind === kind && (PARALLEL.has(kind) ? ALSO : ALSO_IN).test(between)
const ALSO = /^,? (?:and|or|nor|&) $/i
const ALSO_IN = /^(?:,|,? (?:and|or|nor|&)) (?:(?:in|from|of) )?(?:the )?$/i

const listHyphened = (name: string) => new Set([name, name.replaceAll(" ", "-"), name.replaceAll("-", " ")])

/** Kinds of few names, whose words are ordinary ones: alone, "new" is no deal type. */
const LISTED: ReadonlySet<Kind> = new Set(["deal_type", "region", "industry", "segment", "stage"])
const COMMA = String.raw`(?:\s*[,/]\s*(?:and|or|&)?|\s+(?:and|or|&|vs\.?|versus))\s*`
const LISTED_BEFORE = new RegExp(
  String.raw`(\p{L}{3,}(?: (?:ones?|customers?|clients?|business|deals?))?)${COMMA}(?:an?\s+)?$`,
  "du",
)
const LISTED_AFTER = new RegExp(String.raw`^${COMMA}(?:an?\s+)?(\p{L}{3,})(?![\p{L}\p{N}])`, "du")

/** Words that mean a name by those beside them: "new, renewal and expansion" has the deal type New business. */
const listBeside = (reader: QuestionReader, found: ReadonlyArray<FoundName>, index: NameIndex) =>
  found.flatMap(({ kind, start, end }) => {
    if (!LISTED.has(kind)) return []
    const from = Math.max(start - MAX_BEFORE, 0)
    const places = [
      placeIn(LISTED_BEFORE, reader.text.slice(from, start), from),
      placeIn(LISTED_AFTER, reader.text.slice(end), end),
    ]
    return places.flatMap((at) => {
      if (at === undefined) return []
      const [word = ""] = reader.text.slice(at.start, at.end).split(" ")
      const meant = index.namesIn(word).filter((each) => each.kind === kind)
      const [name, ...more] = meant.filter((each) => each.name.toLowerCase().startsWith(`${word} `))
      return name === undefined || more.length > 0 ? [] : [{ name, at }]
    })
  })

/** The place of the word that the pattern finds in a part of a text, which begins at `from`. */
const placeIn = (pattern: RegExp, part: string, from: number): Place | undefined => {
  const [start, end] = pattern.exec(part)?.indices?.[1] ?? []
  return start === undefined || end === undefined ? undefined : { start: from + start, end: from + end }
}

/** Kinds that a deal can have several of, so that it can have one and lack another. */
const PARALLEL: ReadonlySet<Kind> = new Set(["competitor", "product"])

/** "Bastian Ilves" where Bastian Grabowski and Ines Ilves work: one person whom nobody knows, not two. */
const mixedPerson = (first: FoundName | undefined, last: FoundName): ReadonlyArray<Unknown> => {
  if (first?.kind !== "owner" || last.kind !== "owner" || last.start !== first.end + 1) return []
  const people = [first, ...first.others, last, ...last.others]
  const isKnown = [first, ...first.others].some(({ value }) =>
    [last, ...last.others].some((other) => other.value === value),
  )
  const isWhole = [first, last].some(({ said, name }) => said.toLowerCase() === name.toLowerCase())
  const said = `${first.said} ${last.said}`
  return isKnown || isWhole ? [] : [{ said, as: "owner", several: [...new Set(people.map(({ name }) => name))] }]
}

/** Names that are ambiguous, that are both included and excluded, or that no filter can exclude. */
export const findDoubtful = (
  found: ReadonlyArray<FoundName>,
  conditions: CanonicalFilters,
  outcomes: ReadonlyArray<Outcome>,
  { stages }: WorkspaceNames,
): ReadonlyArray<Unknown> => [
  ...("competitors_filter_type" in conditions && found.some(({ kind }) => kind === "competitor")
    ? [{ said: "without competitors", as: "conflict" as const }]
    : []),
  ...found.flatMap((each, n) => mixedPerson(found[n - 1], each)),
  ...found.flatMap((each): ReadonlyArray<Unknown> => {
    const { kind, name, others, negated, start, end, said } = each
    if (others.length > 0 && end > start)
      return [{ said, as: "other", several: [name, ...others.map((other) => other.name)] }]
    const mixed = !PARALLEL.has(kind) && found.some((other) => other.kind === kind && other.negated !== negated)
    const cannot = negated && (kind === "feature" || kind === "reason" || kind === "segment" || kind === "tag")
    const category = stages.find((stage) => kind === "stage" && stage.name === name)?.category
    const contradicts = category !== undefined && outcomes.length > 0 && !outcomes.includes(category)
    return mixed || cannot || contradicts ? [{ said: name, as: "conflict" }] : []
  }),
]
