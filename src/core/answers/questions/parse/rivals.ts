import type { FoundName, Unknown } from "../names/foundNames.ts"

/** Things that each company has. The workspace records ours alone. */
const OWN = String.raw`(?:(?:revenues?|sales|bookings|arr|acv|tcv|mrr|turnover|income|profits?|margins?|pipeline|customers?|clients?|accounts?|logos?|users?|growth|deals?|deal sizes?|(?:win|loss|hit|close|closing|success|conversion)[ -]?rates?|(?:sales )?cycles?|quotas?|reps?|sellers?|sales ?people|employees|staff|head ?count|people|offices?|products?|features?|market share|funding|valuation|performance|results)(?!\p{L}))`
/** "Orvanta's best reps". */
const OWNED_AFTER = new RegExp(String.raw`^[\s|]*(?:(?!(?:on|in|of|from|to|by|for|share)\s)\p{L}+ ){0,2}${OWN}`, "u")
/** "The revenue of Orvanta". */
const OWNED_BEFORE = new RegExp(String.raw`(?<!\p{L})${OWN} of (?:the )?$`, "u")
/** "The pipeline of Orvanta deals" is ours. */
const IS_OF_DEALS = /^[\s|]*(?:deals?|opportunit(?:y|ies)|opps?|loss(?:es)?|wins?|business)(?!\p{L})/u
const HAS_BEFORE = /(?<!\p{L})(?:does|do|did|has)\s+$/u
const HAVE = /^[\s|]*(?:have|make|earn|own|sell|sold|book|booked|generate|serve|employ)(?!\p{L})/u
/** "How many employees has Orvanta?" */
const HAS_LAST = /(?<!\p{L})has\s+$/u
/** "How much is Orvanta?", "How big is Orvanta?" */
const HOW_MUCH_IS = /(?<!\p{L})how (?:much|big|large) (?:is|are|was)\s+$/u
const ENDS = /^[\s|]*(?:worth)?[\s|?.!]*$/u
const OURS = /(?<!\p{L})(?:we|our|us|my)(?!\p{L})/u

/**
 * The competitor whose own business a question is about: "Orvanta's revenue", "how many reps does Orvanta have". Deals against it are
 * ours, so no report answers. `question` is in lower case.
 */
export const findOwner = (found: ReadonlyArray<FoundName>, question: string): FoundName | undefined => {
  const rivals = found.filter(({ kind }) => kind === "competitor")
  return rivals.find(({ said, name, start, end }) => {
    const [before, after] = [question.slice(0, start), question.slice(end)]
    const isPossessive = /['’]s?$/.test(said) || said.toLowerCase() === `${name.toLowerCase()}s`
    // Who compares rivals means our record against each.
    const isOnly = rivals.length === 1 && !OURS.test(question)
    return (
      (isPossessive && OWNED_AFTER.test(after)) ||
      (isOnly && OWNED_BEFORE.test(before) && !IS_OF_DEALS.test(after)) ||
      (HAS_BEFORE.test(before) && HAVE.test(after)) ||
      (HAS_LAST.test(before) && ENDS.test(after)) ||
      (HOW_MUCH_IS.test(before) && ENDS.test(after))
    )
  })
}

const ANYONE_BUT =
  /(?<!\p{L})(?:to|by|against|from|with) (?:any(?:one|body)|some(?:one|body)|(?:any|every|all) (?:other )?(?:competitors?|rivals?|vendors?))(?: else)?,? (?:but|except(?: for)?|excluding|other than|besides|apart from|aside from)(?!\p{L})/u

/** "Lost to anyone except Nimbrel" asks for deals with another competitor, and "without Nimbrel" also has those without any. */
export const findOtherRival = ({
  found,
  question,
}: {
  readonly found: ReadonlyArray<FoundName>
  readonly question: string
}): Unknown | undefined => {
  const said = found.some(({ kind, negated }) => kind === "competitor" && negated) ? ANYONE_BUT.exec(question) : null
  const hint = "Ask for deals without that competitor, or for deals by competitor."
  return said === null ? undefined : { said: said[0], as: "unfit", hint }
}
