import type { CanonicalFilters } from "../../deals/filters.ts"
import type { QuestionReader } from "../QuestionReader.ts"
import { nounOf } from "./lexicon.ts"
import { indexOf } from "./nameIndex.ts"
import { KINDS, type Kind, type KnownName, type WorkspaceNames } from "./names.ts"
import type { Outcome, Unknown } from "./slots.ts"

/** The role of a competitor in a deal. */
export type Role = "primary" | "incumbent"

/** A name that the question contains. */
export interface FoundName extends KnownName {
  readonly start: number
  readonly end: number
  readonly negated: boolean
  /** How it relates to the name before it: "and", "or", "versus". */
  readonly joined?: "and" | "or" | "against" | undefined
  /** "Where Orvanta is the incumbent". */
  readonly role?: Role | undefined
  /** As the question says it. */
  readonly said: string
  /** Other names that the same word can mean: the second of two Annas. */
  readonly others: ReadonlyArray<KnownName>
}

const NOT =
  /(?<![\p{L}\p{N}])(?:not|except(?: for)?|excluding|outside(?: of)?|without|other than|besides|apart from|isn't|aren't|wasn't)\s+(?:(?:in|to|from|against|by|for|of|with|on)\s+)?(?:the\s+)?$/u

/** Stages named only by their outcome. The word then means every stage with that outcome. */
const OUTCOME_STAGE = /^(?:closed[ -])?(?:won|lost|open)$/i

const PREPOSITION = String.raw`(?:(?:against|in|with|for|to|by|from|of|the)\s+)*`
const AND = new RegExp(String.raw`^[\s,]*(?:and|&)\s+(?:also\s+)?${PREPOSITION}$`, "i")
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

/** Takes every name of the workspace that the question contains, the longest first. */
export const takeNames = (reader: QuestionReader, { names: known }: WorkspaceNames): ReadonlyArray<FoundName> => {
  const found: Array<FoundName> = []
  const take = (names: ReadonlyArray<KnownName>, text: string) => {
    for (let at = reader.find(text); at !== undefined; at = reader.find(text)) {
      const not = NOT.exec(reader.text.slice(0, at.start))
      reader.takeRange(not?.index ?? at.start, at.end)
      const [first, ...others] = names
      if (first !== undefined)
        found.push({ ...first, ...at, said: reader.original.slice(at.start, at.end), negated: not !== null, others })
    }
  }
  const index = indexOf(known)
  const longestFirst = index
    .namesIn(reader.text)
    .toSorted((a, b) => b.name.length - a.name.length || KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind))
  for (const each of longestFirst) {
    const name = each.name.trim()
    if (name.length > 1 && !(each.kind === "stage" && OUTCOME_STAGE.test(name))) take([each], name)
  }
  // A question often uses one part of a name.
  for (const { text } of reader.unread()) {
    const part = text.replace(/'s$/, "")
    const meant = index.withPart(part)
    if (meant.length > 0) take(meant, part)
  }
  const inOrder = found
    .toSorted((a, b) => a.start - b.start)
    .map((each) => (each.kind === "competitor" ? { ...each, role: takeRole(reader, each) } : each))
  for (const each of inOrder) takeLabel(reader, each)
  return inOrder.map((each, index) => {
    const before = inOrder[index - 1]
    const between = before === undefined ? "" : reader.original.slice(before.end, each.start)
    return { ...each, joined: joinedBy(between) }
  })
}

const ROLE = String.raw`(incumbents?|(?:primary|main|principal) (?:competitor|rival|vendor)s?)`
const ROLE_AFTER = new RegExp(
  String.raw`^[\s|,]*(?:(?:is|are|was|were|as|being)[\s|]+)?(?:(?:the|our|an?|their)[\s|]+)*${ROLE}(?![\p{L}\p{N}])`,
  "u",
)
const ROLE_BEFORE = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:the )?${ROLE}(?: (?:is|was|are|were))?[\s|:]*$`, "u")

/** Takes "is the incumbent" behind a competitor, or "incumbent" before it. */
const takeRole = (reader: QuestionReader, { start, end }: FoundName): Role | undefined => {
  const after = ROLE_AFTER.exec(reader.text.slice(end))
  if (after !== null) reader.takeRange(end, end + after[0].length)
  const before = after === null ? ROLE_BEFORE.exec(reader.text.slice(0, start)) : null
  if (before !== null) reader.takeRange(before.index, start)
  const said = (after ?? before)?.[1]
  return said === undefined ? undefined : said.startsWith("incumbent") ? "incumbent" : "primary"
}

/** Takes the noun beside a name: "region DACH", "the Retail industry". */
const takeLabel = (reader: QuestionReader, { kind, start, end }: FoundName): void => {
  const words = nounOf(KINDS[kind])?.words
  if (words === undefined) return
  const after = new RegExp(String.raw`^[\s|]*(?:${words})(?![\p{L}\p{N}])`, "u").exec(reader.text.slice(end))
  if (after !== null) return reader.takeRange(end, end + after[0].length)
  const before = new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${words})(?: (?:is|are|was|were|called|named|to|of|in))?[\s|:]*$`,
    "u",
  )
  const found = before.exec(reader.text.slice(0, start))
  // "Which competitors besides Orvanta" asks for competitors.
  const asks = /(?:which|what|many|top|by|per|each)[\s|]*$/u.test(reader.text.slice(0, found?.index ?? 0))
  if (found !== null && !asks && !/s[\s|]*$/u.test(found[0]))
    reader.takeRange(found.index, found.index + found[0].length)
}

/** Kinds that a deal can have several of, so that it can have one and lack another. */
const PARALLEL: ReadonlySet<Kind> = new Set(["competitor", "product"])

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
