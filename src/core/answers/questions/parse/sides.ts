import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import type { QuestionReader } from "../../QuestionReader.ts"
import { takeTwoAmounts } from "../words/amounts.ts"
import type { FoundName, Unknown } from "../names/foundNames.ts"
import { phrase } from "../words/lexicon.ts"
import { nameFilters } from "./makeFilters.ts"
import type { Kind } from "../words/names.ts"
import type { QuestionSide, Slots } from "./slots.ts"

const RIVAL = "(?:competitors?|competition|rivals?)"
const JOIN = String.raw`(?:,? (?:vs\.?|versus|against|compared (?:to|with)|than|and|or) (?:(?:the|those|deals?|ones?) )*)`
const WITH = String.raw`with (?:an? |any |some )?${RIVAL}`
const WITHOUT = String.raw`(?:without|with no|with none)(?: (?:an? |any )?(?:${RIVAL}|one|any))?`
const TWO_WAYS = phrase(
  String.raw`${WITH}${JOIN}${WITHOUT}|with(?: (?:and|or|vs\.?|versus) )without (?:an? |any )?${RIVAL}|(?:without|with no) (?:an? |any )?${RIVAL}${JOIN}with (?:an? |any |some )?(?:${RIVAL}|one)`,
)

/** Deals that meet one of two conditions of different kinds. */
export const WITH_AND_WITHOUT =
  /(?<!\p{L})(?:with (?:and|or|vs\.?|versus) without|or (?:without|with no)(?= (?:an? |any )?\p{L}))(?!\p{L})/iu

/** Kinds that a filter can exclude. */
const EXCLUDABLE: ReadonlySet<Kind> = new Set([
  "competitor",
  "owner",
  "client",
  "product",
  "region",
  "industry",
  "deal_type",
  "stage",
])
/** Behind a name: "vs without", "compared to deals without them", "vs when they are not". */
const THAN_WITHOUT = new RegExp(
  String.raw`^(?: (?:(?:is|are|was|were) (?:involved|there|in it|mentioned|present)|c[ao]mes? up|competes?|shows? up))?${JOIN}(?:(?:when|where) )?(?:without(?: (?:it|them|him|her))?|(?:it|they) (?:is|are|was|were|does|do|did)(?: not|n't)(?: (?:come up|there|involved|mentioned|in it|present))?)(?=[^\p{L}]*$)`,
  "u",
)
const BETWEEN = /(?<!\p{L})(?:vs\.?|versus|against|compared (?:to|with)|than|and|or)(?!\p{L})/u

/** The name that a question puts beside its absence: "with Nimbrel vs without". */
const takeNameSides = (reader: QuestionReader, found: ReadonlyArray<FoundName>): FoundName | undefined => {
  const [name, other, ...more] = found
  if (name === undefined || name.negated || more.length > 0) return undefined
  if (other !== undefined)
    return other.negated && other.value === name.value && BETWEEN.test(reader.text.slice(name.end, other.start))
      ? name
      : undefined
  const after = THAN_WITHOUT.exec(reader.text.slice(name.end))
  if (after === null) return undefined
  reader.takeRange(name.end, name.end + after[0].length)
  return name
}

/** The two conditions, and the names that the question has beside them. No sides: no filter has the absence of the name. */
export const takeAllSides = (reader: QuestionReader, found: ReadonlyArray<FoundName>) => {
  const name = takeNameSides(reader, found)
  if (name === undefined) return { found, sides: takeSides(reader) }
  const sides = EXCLUDABLE.has(name.kind)
    ? [false, true].map((negated): QuestionSide => ({
        said: `${negated ? "without" : "with"} ${name.name}`,
        conditions: nameFilters([{ ...name, negated }], false, []) as CanonicalFilters,
      }))
    : []
  return { found: found.filter(({ value }) => value !== name.value), sides }
}

/** Takes two conditions that a question puts beside each other: on the amount, or on whether anybody competes. */
const takeSides = (reader: QuestionReader): ReadonlyArray<QuestionSide> | undefined => {
  const amounts = takeTwoAmounts(reader)
  if (amounts !== undefined) return amounts.map(({ said, amount }) => ({ said, conditions: { amount } }))
  return reader.take(TWO_WAYS) === undefined
    ? undefined
    : [
        { said: "with a competitor", conditions: { competitors_filter_type: "is not empty" } },
        { said: "without a competitor", conditions: { competitors_filter_type: "is empty" } },
      ]
}

/** "How many deals where Ease of use was for us and Reporting against us": a filter has one side for all reasons. */
export const findOpposed = ({ names, bases, counts, lists, outcomes }: Slots): ReadonlyArray<Unknown> =>
  (counts || lists || bases.length > 0 || outcomes.length > 0) &&
  new Set(names.flatMap(({ kind, value }) => (kind === "reason" ? [value] : []))).size > 1
    ? [{ said: "for us and against us", as: "unfit" }]
    : []
