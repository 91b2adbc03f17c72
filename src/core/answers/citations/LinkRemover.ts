import { type Character, CharacterReader } from "./characters.ts"

const REMOVED = "(link removed)"
const WORD_JOINER = "\u2060"

const STARTS_TAG = /^[A-Za-z/!?]/
const ENDS_ADDRESS = /[\s<>"`)\]}|]/
const TRAILING = /[.,;:!?]/

/** A word that is the beginning of an address: `https://`, `www.e`, `//e`, and of the other schemes that renderers link, `mailto:a`. */
const STARTS_ADDRESS = /:\/\/$|www\.\S$|^\/\/[^\s/]$|^(?:mailto|xmpp):\S$/i
/** A word that can become an address: a scheme of at most 24 characters, then `:` or `:/`. A longer scheme is text. */
const MAY_BECOME = /^(?:[A-Za-z][A-Za-z0-9+.-]{0,23}(?::\/?)?|\/{1,2})$/
/** After a letter or digit, slashes are part of a word: `x//y`. */
const JOINS_SLASHES = /[\p{L}\p{N}]/u

/**
 * Removes links, images, link definitions, tags and addresses from a model's Markdown, which arrives in pieces of any size. Keeps the
 * texts of links. E-mail addresses stay, as text. Decodes character references and escapes first, because renderers also link `https:&#47;&#47;` and `www\.`. Holds back
 * at most 26 decoded characters. Treats fenced code like any text: a renderer may end the fence elsewhere.
 */
export class LinkRemover {
  readonly #reader = new CharacterReader()
  #output = ""
  /** The last character of the output, across pieces. */
  #last = ""
  /** A word that can become an address. */
  #word: ReadonlyArray<Character> = []
  #mode: "text" | "address" | "destination" = "text"
  /** Punctuation that ends an address if white space follows. */
  #tail = ""
  #depth = 0

  push(text: string): string {
    for (const character of this.#reader.push(text)) this.#step(character)
    return this.#flush()
  }

  /** The text that is held back until it is clear that no address follows. */
  get held(): string {
    return this.#word.map(({ source }) => source).join("")
  }

  /** Ends the model's text, or a part of it before text of ours. Returns what was held back. */
  end(): string {
    for (const character of this.#reader.end()) this.#step(character)
    while (this.#word.length > 0) this.#releaseFirst()
    if (this.#mode === "address") this.#write(this.#tail)
    this.#mode = "text"
    this.#tail = ""
    this.#last = ""
    return this.#flush()
  }

  #flush(): string {
    const output = this.#output
    this.#output = ""
    return output
  }

  #step(character: Character): void {
    if (this.#mode === "destination") return this.#inDestination(character.source)
    if (this.#mode === "address") {
      if (!ENDS_ADDRESS.test(character.shown)) {
        this.#tail = TRAILING.test(character.shown) ? character.source : ""
        return
      }
      this.#mode = "text"
      this.#write(this.#tail)
      this.#tail = ""
    }
    this.#inText(character)
  }

  #inText(character: Character) {
    const word = [...this.#word, character]
    const shown = visibleText(word)
    if (STARTS_ADDRESS.test(shown) && !(shown.startsWith("/") && JOINS_SLASHES.test(this.#last))) {
      this.#word = []
      this.#write(REMOVED)
      this.#mode = "address"
      if (ENDS_ADDRESS.test(character.shown)) this.#step(character)
      return
    }
    this.#word = word
    while (this.#word.length > 0 && !MAY_BECOME.test(visibleText(this.#word))) this.#releaseFirst()
  }

  #releaseFirst() {
    const [first, ...rest] = this.#word
    this.#word = rest
    if (first === undefined) return
    // Renderers make a link of a bare e-mail address, even if its `@` is escaped, but not across an invisible character.
    if (first.shown === "@" && !/\s$/.test(this.#last)) this.#write(WORD_JOINER)
    this.#write(first.source)
  }

  #inDestination(source: string) {
    if (source === "(") this.#depth++
    else if (source === ")" && --this.#depth === 0) this.#mode = "text"
    else if (source === "\n") {
      this.#mode = "text"
      this.#write(source)
    }
  }

  #write(text: string) {
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

const visibleText = (word: ReadonlyArray<Character>) => word.map(({ shown }) => shown).join("")
