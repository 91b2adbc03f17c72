import type { QuestionReader } from "../../QuestionReader.ts"
import type { FoundName } from "../names/foundNames.ts"
import { phrase } from "../words/lexicon.ts"
import { JOINED, MULTIPLE } from "./makeFilters.ts"

/** "Flow and Ledger together". */
const TOGETHER = phrase("(?:taken |put |all |both )?together|combined|added up|jointly")
/** "Deals with both Orvanta and Nimbrel", "when Orvanta and Nimbrel are both in a deal". */
const IN_ONE_DEAL = phrase(
  String.raw`(?<=(?:with|ha(?:ve|s|d)|involv\p{L}*|includ\p{L}*|featur\p{L}*|meet|face|see|where|when|if) )both(?=[\s|])|(?:are|is|were|was)? ?both (?:in the running|in the race|in|involved|present|competing|at the table|part of|on)(?: (?:in|of))?(?: (?:an?|the|one|it)(?: (?:same |one )?deals?)?)?|in the same deals?`,
)
/** "Lost on both total cost and terms". Both competitors can be two rows. */
const BOTH_OF = /(?<!\p{L})both(?=[\s|]*\|[\s|]*and[\s|]*\|)/u

const joinBy = (found: ReadonlyArray<FoundName>, joined: "or" | "both"): ReadonlyArray<FoundName> =>
  found.map((name) => (name.joined === "and" ? { ...name, joined } : name))

/** Takes the words that join names: "Flow and Ledger together" adds both up; "Flow and Ledger" means deals with both. */
export const takeJoined = (reader: QuestionReader, taken: ReadonlyArray<FoundName>): ReadonlyArray<FoundName> => {
  const areJoined = taken.some(({ kind, joined }) => JOINED.has(kind) && joined === "and")
  const areRows = taken.some(({ kind }) => MULTIPLE.has(kind))
  if (areJoined && (reader.take(IN_ONE_DEAL) ?? (areRows ? undefined : reader.take(BOTH_OF))) !== undefined)
    return joinBy(taken, "both")
  return reader.take(TOGETHER) === undefined ? taken : joinBy(taken, "or")
}
