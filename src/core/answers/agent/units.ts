import type { Sentence } from "./Sentences.ts"

/** Removes a unit that the model writes beside a value that has it: "36.4 %" followed by " %". */
export const withoutRepeatedUnits = (sentence: Sentence): Sentence =>
  sentence.map((part, index) => {
    if (part.type !== "text") return part
    const [before, after] = [sentence[index - 1], sentence[index + 1]]
    let { text } = part
    if (before?.type === "value") {
      const unit = /(?:%|percentage points|[A-Za-z]+)$/.exec(before.text)?.[0]
      if (
        unit !== undefined &&
        text.trimStart().startsWith(unit) &&
        !/^\p{L}/u.test(text.trimStart().slice(unit.length))
      )
        text = text.trimStart().slice(unit.length)
    }
    if (after?.type === "value" && /[A-Z]{3}$/.test(after.text)) text = text.replace(/[$€£]$/, "")
    return { ...part, text }
  })
