import { findNoun } from "../words/lexicon.ts"
import { KINDS, type Kind } from "../words/names.ts"
import type { QuestionReader } from "../../QuestionReader.ts"

/** A name, and its place in the text of the question. */
interface Named {
  readonly kind: Kind
  readonly start: number
  readonly end: number
}

const ROLE = String.raw`(incumbents?|one to beat|(?:primary|main|principal) (?:competitor|rival|vendor)s?)`
const ROLE_AFTER = new RegExp(
  String.raw`^[\s|,]*(?:(?:is|are|was|were|as|being)[\s|]+)?(?:(?:the|our|an?|their)[\s|]+)*${ROLE}(?![\p{L}\p{N}])`,
  "u",
)
const ROLE_BEFORE = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:the )?${ROLE}(?: (?:is|was|are|were))?[\s|:]*$`, "u")

/** Takes "is the incumbent" behind a competitor, or "incumbent" before it. */
export const takeRole = (reader: QuestionReader, { start, end }: Named): "incumbent" | "primary" | undefined => {
  const after = ROLE_AFTER.exec(reader.text.slice(end))
  if (after !== null) reader.takeRange(end, end + after[0].length)
  const before = after === null ? ROLE_BEFORE.exec(reader.text.slice(0, start)) : null
  if (before !== null) reader.takeRange(before.index, start)
  const said = (after ?? before)?.[1]
  return said === undefined ? undefined : said.startsWith("incumbent") ? "incumbent" : "primary"
}

/** Takes the noun beside a name: "region DACH", "the Retail industry". */
export const takeLabel = (reader: QuestionReader, { kind, start, end }: Named): void => {
  const words = findNoun(KINDS[kind])?.words
  if (words === undefined) return
  // "Both were reasons", "Total cost as a reason".
  const link = kind === "reason" ? String.raw`(?:(?:is|are|was|were|as) (?:(?:an?|the|both) )?)?` : ""
  const after = new RegExp(String.raw`^[\s|]*${link}(?:${words})(?![\p{L}\p{N}])`, "u").exec(reader.text.slice(end))
  if (after !== null) {
    // "Total cost as a loss reason" is about lost deals.
    const outcome = kind === "reason" ? /(?<!\p{L})(?:win|loss)(?=[ -])/u.exec(after[0]) : null
    if (outcome === null) return reader.takeRange(end, end + after[0].length)
    reader.takeRange(end, end + outcome.index)
    return reader.takeRange(end + outcome.index + outcome[0].length, end + after[0].length)
  }
  const before = new RegExp(
    String.raw`(?<![\p{L}\p{N}])(${words})(?: (?:is|are|was|were|called|named|to|of|in))?[\s|:]*$`,
    "u",
  )
  const found = before.exec(reader.text.slice(0, start))
  // "Which competitors besides Orvanta" asks for competitors.
  const asks = /(?:which|what|many|top|by|per|each)[\s|]*$/u.test(reader.text.slice(0, found?.index ?? 0))
  if (found !== null && !asks && !found[1]!.endsWith("s")) reader.takeRange(found.index, found.index + found[0].length)
}
