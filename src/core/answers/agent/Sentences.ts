import type { Grounded } from "../citations/Grounding.ts"

/** The parts of one sentence or line, with the white space that follows it. */
export type Sentence = ReadonlyArray<Grounded>

/** In UTF-16 units. A longer sentence ends at a blank, and one of twice that length anywhere but in a number. */
const MAX_LENGTH = 1000

/** Closes what a sentence ends with: a quote, a bracket, emphasis. */
const CLOSING = /["”’)\]*_]/

/** Splits parts of a text that arrive in pieces of any size into sentences. Holds back one sentence, of bounded length. */
export class Sentences {
  #parts: Array<Grounded> = []
  #text = ""
  #length = 0
  #hasEnded = false

  push(part: Grounded): ReadonlyArray<Sentence> {
    if (part.type !== "text") {
      this.#closeText()
      this.#parts.push(part)
      return []
    }
    const sentences: Array<Sentence> = []
    for (const character of part.text) {
      this.#text += character
      this.#length += character.length
      if (this.#isEnd(character)) sentences.push(...this.end())
      else if (/[.!?…]/.test(character)) this.#hasEnded = true
      else if (!CLOSING.test(character)) this.#hasEnded = false
    }
    return sentences
  }

  /** Ends the text and returns what was held back. */
  end(): ReadonlyArray<Sentence> {
    this.#closeText()
    const parts = this.#parts
    this.#parts = []
    this.#length = 0
    this.#hasEnded = false
    return parts.length === 0 ? [] : [parts]
  }

  #isEnd(character: string) {
    if (character === "\n") return true
    if (/\s/.test(character)) return this.#hasEnded || this.#length > MAX_LENGTH
    return this.#length > 2 * MAX_LENGTH && (!/[\d.,]/.test(character) || this.#length > 3 * MAX_LENGTH)
  }

  #closeText() {
    if (this.#text !== "") this.#parts.push({ type: "text", text: this.#text })
    this.#text = ""
  }
}
