import type { QuestionReader } from "../../QuestionReader.ts"
import type { FoundName } from "../names/foundNames.ts"
import { phrase } from "../words/lexicon.ts"
import { JOINED, MULTIPLE } from "./makeFilters.ts"

/** "Flow and Ledger together". */
const TOGETHER = phrase("(?:taken |put |all |both )?together|combined|added up|jointly")
const HAVING = String.raw`(?:with|ha(?:ve|s|d)|involv\p{L}*|includ\p{L}*|featur\p{L}*|mention\p{L}*|meet|face|see|where|when|if)`
/** Before names that one deal has "together". "The revenue of Flow and Ledger together" adds both up. */
const HAS_BEFORE = new RegExp(String.raw`(?<!\p{L})${HAVING} $`, "u")
const TOGETHER_WITH = /^[\s,]*together with\s/iu
/** "Deals with both Orvanta and Nimbrel", "when Orvanta and Nimbrel are both in a deal". */
const IN_ONE_DEAL = phrase(
  String.raw`(?<=${HAVING} )both(?=[\s|])|(?:are|is|were|was)? ?both (?:in the running|in the race|in|involved|present|competing|at the table|part of|on)(?: (?:in|of))?(?: (?:an?|the|one|it)(?: (?:same |one )?deals?)?)?|in the same deals?`,
)
/** "Lost on both total cost and terms". Both competitors can be two rows. */
const BOTH_OF = /(?<!\p{L})both(?=[\s|]*\|[\s|]*and[\s|]*\|)/u

const joinBy = (found: ReadonlyArray<FoundName>, joined: "or" | "both"): ReadonlyArray<FoundName> =>
  found.map((name) => (name.joined === "and" ? { ...name, joined } : name))

/** Whether names are "together" in each deal: "with Flow and Ledger together", "Flow together with Ledger". */
const areInOne = (
  { text, original }: QuestionReader,
  [first, second]: ReadonlyArray<FoundName>,
  said: string,
): boolean =>
  first !== undefined &&
  second !== undefined &&
  said === "together" &&
  (HAS_BEFORE.test(text.slice(0, first.start)) || TOGETHER_WITH.test(original.slice(first.end, second.start)))

/** Takes the words that join names: "revenue of Flow and Ledger together" adds both up; "deals with Flow and Ledger" have both. */
export const takeJoined = (reader: QuestionReader, taken: ReadonlyArray<FoundName>): ReadonlyArray<FoundName> => {
  const areJoined = taken.some(({ kind, joined }) => JOINED.has(kind) && joined === "and")
  const areRows = taken.some(({ kind }) => MULTIPLE.has(kind))
  if (areJoined && (reader.take(IN_ONE_DEAL) ?? (areRows ? undefined : reader.take(BOTH_OF))) !== undefined)
    return joinBy(taken, "both")
  const together = reader.take(TOGETHER)
  if (together === undefined) return taken
  const several = taken.filter(({ kind }) => JOINED.has(kind))
  return joinBy(taken, areJoined && areInOne(reader, several, together[0]) ? "both" : "or")
}
