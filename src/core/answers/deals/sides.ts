import type { CanonicalFilters } from "../../deals/filters.ts"
import type { QuestionReader } from "../QuestionReader.ts"
import { takeTwoAmounts } from "./amounts.ts"
import { phrase } from "./lexicon.ts"

/** One of two conditions that a question puts beside each other. */
export interface QuestionSide {
  /** As the answer names it. */
  readonly said: string
  readonly conditions: CanonicalFilters
}

const RIVAL = "(?:competitors?|competition|rivals?)"
const JOIN = String.raw`(?:,? (?:vs\.?|versus|against|compared (?:to|with)|than|and|or) (?:(?:the|those|deals?|ones?) )*)`
const WITH = String.raw`with (?:an? |any |some )?${RIVAL}`
const WITHOUT = String.raw`(?:without|with no|with none)(?: (?:an? |any )?(?:${RIVAL}|one|any))?`
const TWO_WAYS = phrase(
  String.raw`${WITH}${JOIN}${WITHOUT}|with(?: (?:and|or|vs\.?|versus) )without (?:an? |any )?${RIVAL}|(?:without|with no) (?:an? |any )?${RIVAL}${JOIN}with (?:an? |any |some )?(?:${RIVAL}|one)`,
)

/** Takes two conditions that a question puts beside each other: on the amount, or on whether anybody competes. */
export const takeSides = (reader: QuestionReader): ReadonlyArray<QuestionSide> | undefined => {
  const amounts = takeTwoAmounts(reader)
  if (amounts !== undefined) return amounts.map(({ said, amount }) => ({ said, conditions: { amount } }))
  return reader.take(TWO_WAYS) === undefined
    ? undefined
    : [
        { said: "with a competitor", conditions: { competitors_filter_type: "is not empty" } },
        { said: "without a competitor", conditions: { competitors_filter_type: "is empty" } },
      ]
}
