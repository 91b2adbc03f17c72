import { numbersIn } from "./numbers.ts"
import { type Read, plain } from "./reading.ts"
import type { Language } from "./question.ts"

/** Ways to say that an answer is missing, or to ask back. */
const REFUSALS = [
  /\bnothing (?:in|about|that|on|here)\b|\b(?:holds?|knows?|contains?|finds?|found) (?:nothing|no )/,
  /\b(?:workspace|library|documents?|texts?|records?|sources?|passages?|i|we) (?:has|have|keeps?|records?|names?|says?) (?:nothing|no )/,
  /\b(?:i|we|it|they|workspace|deals|records|documents|texts|battlecards?|library|that|this) (?:do|does|did|could|can|is|are|was|were)(?: not|n't) (?:know|understand|hold|have|find|found|keep|say|tell|answer|record|contain|mean|read|in (?:this|the) workspace|stored|measured|recorded|held|understood)/,
  /\bcan(?:not|'t) (?:answer|tell|find|say|compute|group|split|rank|filter|read|compare)/,
  /\b(?:is|are|was|were)(?: not|n't) (?:held|recorded|understood|known|stored|in this workspace|a (?:region|competitor|measure|dimension))/,
  /\bno report combines\b/,
  /\b(?:there (?:is|are) no|no|unknown) (?:region|competitor|owner|rep|client|account|customer|industry|feature|reason|stage|product|measure|dimension|document|answer|value|such)s?\b/,
  /\bwhich (?:one|of (?:them|these)|deal|account|client|customer|owner|rep|competitor|product|do you mean)\b[^.]*\?/,
  /\b(?:did|do) you mean\b|\bcan mean\b/,
  /\b(?:nichts|nicht (?:verstanden|bekannt|gefunden|beantworten)|kenne ich nicht|meinen sie|keine antwort)/,
  /\b(?:no (?:existe|conozco|entiendo|se encontro|puedo)|no hay (?:nada|respuesta)|nada|quiere decir|cual de)\b/,
  /\b(?:ne (?:contient|connait|comprend|trouve|sait)|rien |n'existe|voulez-vous dire|lequel|laquelle)/,
]

/** The words that begin proposals. The text behind them asserts nothing about the question. */
const PROPOSALS =
  /\b(?:try|for example|you can ask|ask for|did you mean|these run|questions? that run|nearest|closest(?=:)|there are|candidates|versuchen sie|zum beispiel|pruebe|por ejemplo|essayez|par exemple)\b/i

/** Whether an answer says in its own words that it cannot answer, or asks back, and asserts no number besides those of the question. */
export const isRefusal = ({ headline, text }: Read, question: string, language: Language): boolean => {
  const shown = (headline === "" ? text : headline).replaceAll(/["“”][^"“”]*["“”]/g, '""')
  const said = plain(shown)
  if (!REFUSALS.some((refusal) => refusal.test(said.slice(0, 400)))) return false
  const proposals = shown.search(PROPOSALS)
  // The last word of "coverage divides by one" counts nothing.
  const claim = (proposals > 0 ? shown.slice(0, proposals) : shown).replaceAll(/\bone(?=[.,;:?!])/gi, "it")
  const asked = new Set(numbersIn(question, language).flatMap(({ readings }) => readings.map(({ value }) => value)))
  return numbersIn(claim, language).every(({ readings }) =>
    readings.every(({ value }) => value === 0 || asked.has(value)),
  )
}
