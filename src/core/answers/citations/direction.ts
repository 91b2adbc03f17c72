import { proseTokens } from "../words.ts"
import { canonical, isField, isLight, isStopWord } from "./vocabulary.ts"

const NAME = String.raw`\p{Lu}[\p{L}\p{N}'’-]*(?:\s\p{Lu}[\p{L}\p{N}'’-]*)*`
/** "Mia Lund succeeded Oskar Brandt". */
const STATEMENT = new RegExp(String.raw`(${NAME})\s+(\p{Ll}{4,})\s+(${NAME})`, "u")

/** Whether the evidence lets the same name act as the claim does; true if it does not say who acts. */
export const actsAlike = (claim: string, evidence: string): boolean => {
  const [, subject = "", verb = "", object = ""] = STATEMENT.exec(claim) ?? []
  if (verb === "" || [verb, subject.toLowerCase()].some((word) => isStopWord(word) || isLight(word))) return true
  // "The deal cost the buyer 5" and "the seller got 5" state the same amount.
  if (isField(canonical(verb))) return true
  const tokens = proseTokens(evidence)
  const at = tokens.findIndex(({ text }) => canonical(text.toLowerCase()) === canonical(verb))
  if (at === -1) return true
  const places = (name: string) => {
    const [last = ""] = name.toLowerCase().split(/\s+/).slice(-1)
    return tokens.flatMap(({ text }, index) => (text.toLowerCase().replace(/['’]s$/, "") === last ? [index] : []))
  }
  const isPassive =
    !/ing$/i.test(tokens[at]?.text ?? "") &&
    tokens
      .slice(Math.max(0, at - 2), at)
      .some(({ text }) => /^(?:was|were|been|is|are|being|wurde|wurden|wird)$/i.test(text))
  const isOnly = (name: string, side: (place: number) => boolean) => {
    const found = places(name)
    return found.length > 0 && found.every(side)
  }
  const [isBefore, isAfter] = [(place: number) => place < at, (place: number) => place > at]
  return isPassive
    ? !isOnly(subject, isBefore) && !isOnly(object, isAfter)
    : !isOnly(subject, isAfter) && !isOnly(object, isBefore)
}
