import type { Grounded } from "../citations/Grounding.ts"
import { isUnended } from "../citations/verifier.ts"

/** The parts of one sentence or line, with the white space that follows it. */
export type Sentence = ReadonlyArray<Grounded>

/** In UTF-16 units. A longer sentence ends at a blank, then anywhere but in a number, then anywhere. */
const MAX_LENGTH = 700
const MAX_WITHOUT_BLANK = 750
const MAX_NUMBER_END = 800

/** Closes what a sentence ends with: a quote, a bracket, emphasis. */
const CLOSING = /["”’)\]*_]/

/** The number of an item of a list: "2. ", "- 3) ". */
export const LIST_NUMBER = /^\s*(?:[-*#>]\s*)*(\d{1,3})[.)](?=\s|$)/

/** A full stop behind a number can be that of a day: the next word says. */
const AFTER_NUMBER = /(?<!\d)\d{1,2}\.\s$/

/** Splits parts of a text that arrive in pieces of any size into sentences. Holds back one sentence, of bounded length. */
export class Sentences {
  #parts: Array<Grounded> = []
  #text = ""
  #length = 0
  #hasEnded = false
  /** The possible end of the current sentence, which the next word decides. */
  #doubt: number | undefined

  /** The length of what is held back. */
  get length(): number {
    return this.#length
  }

  push(part: Grounded): ReadonlyArray<Sentence> {
    if (part.type !== "text") {
      const before = this.#doubt === undefined ? [] : this.#split(this.#doubt)
      this.#closeText()
      this.#parts.push(part)
      if (part.type === "value") this.#length += part.text.length
      return before
    }
    const sentences: Array<Sentence> = []
    for (const character of part.text) sentences.push(...this.#step(character))
    return sentences
  }

  /** Ends the text and returns what was held back. */
  end(): ReadonlyArray<Sentence> {
    const before = this.#doubt === undefined ? [] : this.#split(this.#doubt)
    const rest = this.#take()
    return rest.length === 0 ? before : [...before, rest]
  }

  #step(character: string): ReadonlyArray<Sentence> {
    this.#text += character
    this.#length += character.length
    if (this.#doubt !== undefined) {
      const next = this.#text.slice(this.#doubt)
      if (/^\p{L}*$/u.test(next) && next.length < 20) return []
      if (!isUnended(this.#text.slice(0, this.#doubt).trimEnd(), " ", next)) return this.#split(this.#doubt)
      this.#doubt = undefined
    }
    if (this.#isEnd(character)) return [this.#take()]
    if (/[.!?…]/.test(character)) this.#hasEnded = true
    else if (!CLOSING.test(character)) this.#hasEnded = false
    return []
  }

  #isEnd(character: string) {
    if (character === "\n") return true
    if (/\s/.test(character)) {
      if (this.#length > MAX_LENGTH) return true
      const before = this.#text.trimEnd()
      if (!this.#hasEnded || LIST_NUMBER.exec(before)?.[0] === before || isUnended(before, " ", "")) return false
      if (!AFTER_NUMBER.test(this.#text)) return true
      this.#doubt = this.#text.length
      return false
    }
    return this.#length > MAX_WITHOUT_BLANK && (!/[\d.,]/.test(character) || this.#length > MAX_NUMBER_END)
  }

  /** Ends the sentence at `end` and reads the text after it again. */
  #split(end: number): ReadonlyArray<Sentence> {
    const rest = this.#text.slice(end)
    this.#text = this.#text.slice(0, end)
    return [this.#take(), ...[...rest].flatMap((character) => this.#step(character))]
  }

  #take(): Sentence {
    this.#closeText()
    const parts = this.#parts
    this.#parts = []
    this.#length = 0
    this.#hasEnded = false
    this.#doubt = undefined
    return parts
  }

  #closeText() {
    if (this.#text !== "") this.#parts.push({ type: "text", text: this.#text })
    this.#text = ""
  }
}
