import { NUMBER_WORDS } from "../words.ts"
import type { Part } from "./parts.ts"

const escape = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const whole = (text: string) => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${text})(?![\p{L}\p{N}])`, "iu")

/**
 * Whether a sentence states the fact that a question asks of a company: it has the asked words as they are written, after a number
 * if the question asks how many. Sentences that only share words are many, and none of them is about the company's size.
 */
export const statesFact = (question: string, asked: ReadonlyArray<string>): ((sentence: string) => boolean) => {
  const patterns = asked.map((word) =>
    /(?<!\p{L})(?:how many|number of)(?!\p{L})/iu.test(question)
      ? whole(String.raw`(?:\d[\d.,]*|${NUMBER_WORDS.join("|")}|thousand|million)\+? (?:\p{L}+ )?${escape(word)}`)
      : whole(escape(word)),
  )
  return (sentence) => patterns.length > 0 && patterns.every((pattern) => pattern.test(sentence))
}

/** Says that the texts about a subject do not answer with the asked words: the parts that none of them names, or all words. A name in a list, or in a table without labels, says nothing of it. */
export const describeAbsence = (
  name: string,
  asked: ReadonlyArray<string>,
  parts: ReadonlyArray<Part>,
  texts: ReadonlyArray<{ readonly text: string; readonly headings: ReadonlyArray<string> }>,
  time?: string,
): string => {
  const unsaid = parts.filter(({ isIn }) => !texts.some(({ headings, text }) => isIn([...headings, text].join(" "))))
  const sought = unsaid.length > 0 ? unsaid.map((part) => part.name) : asked
  if (sought.length === 0) return ""
  const words = `“${sought.join(" ")}”`
  return texts.some(({ text }) => statesFact("", sought)(text))
    ? ` The texts about ${name} have ${words}, but no sentence that answers this.`
    : ` No text about ${name} says ${words}${time === undefined ? "" : ` of “${time}”`}.`
}
