const REMOVED = "(link removed)"

const STARTS_TAG = /^[A-Za-z/!?]/
const ENDS_ADDRESS = /[\s<>"`)\]}|]/
const TRAILING = /[.,;:!?]/

/**
 * Takes links, images, link definitions, tags and addresses out of Markdown that arrives in pieces of any size: what a
 * model wrote, never what we wrote. Texts of links stay. It holds back at most 26 characters, and looks at each once;
 * fenced code is no refuge, for whoever shows the answer may see the fence end elsewhere.
 */
export class LinkRemover {
  #output = ""
  /** The last character that was let through, in this piece or before. */
  #last = ""
  /** A word that may be a scheme, and what follows it. */
  #word = ""
  #mode: "text" | "address" | "destination" = "text"
  /** Punctuation that ends an address if white space follows. */
  #tail = ""
  #depth = 0

  push(text: string): string {
    for (const character of text) this.#step(character)
    const output = this.#output
    this.#output = ""
    return output
  }

  /** Text that is held back, and will be let through unless an address follows. */
  get held(): string {
    return this.#word
  }

  /** What was held back: nothing more comes, or something of ours does. */
  end(): string {
    this.#release()
    if (this.#mode === "address") this.#let(this.#tail)
    this.#mode = "text"
    this.#tail = ""
    const output = this.#output
    this.#output = ""
    this.#last = ""
    return output
  }

  #step(character: string): void {
    if (this.#mode === "destination") return this.#inDestination(character)
    if (this.#mode === "address") {
      if (!ENDS_ADDRESS.test(character)) {
        this.#tail = TRAILING.test(character) ? character : ""
        return
      }
      this.#mode = "text"
      this.#let(this.#tail)
      this.#tail = ""
    }
    this.#inText(character)
  }

  #inText(character: string) {
    const word = this.#word + character
    if (word.endsWith("://") || /^www\.[^.\s]/i.test(word)) {
      this.#word = ""
      this.#let(REMOVED)
      this.#mode = "address"
      if (ENDS_ADDRESS.test(character)) this.#step(character)
      return
    }
    if (MAY_BECOME.test(word)) {
      this.#word = word
      return
    }
    this.#release()
    if (MAY_BECOME.test(character)) this.#word = character
    else this.#let(character)
  }

  #release() {
    const word = this.#word
    this.#word = ""
    for (const character of word) this.#let(character)
  }

  #inDestination(character: string) {
    if (character === "(") this.#depth++
    else if (character === ")" && --this.#depth === 0) this.#mode = "text"
    else if (character === "\n") {
      this.#mode = "text"
      this.#let(character)
    }
  }

  #let(text: string) {
    if (text === "") return
    if (this.#last === "]" && text === "(") {
      this.#mode = "destination"
      this.#depth = 1
      return
    }
    const parted = this.#last === "]" ? /^[(:]/.test(text) : this.#last === "<" && STARTS_TAG.test(text)
    this.#output += parted ? ` ${text}` : text
    this.#last = text.at(-1) ?? ""
  }
}

/** A scheme, or one and what leads to an address: `https`, `https:`, `https:/`. Of a longer one the beginning stays, as text. */
const MAY_BECOME = /^[A-Za-z][A-Za-z0-9+.-]{0,23}(?::\/?)?$/
