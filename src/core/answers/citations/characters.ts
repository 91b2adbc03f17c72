/** A character as Markdown source, and as the rendered text shows it. */
export interface Character {
  readonly source: string
  readonly shown: string
}

const ESCAPABLE = /[!-/:-@[-`{-~]/
/** The beginning of a character reference. The names of characters in addresses have at most six letters. */
const UNFINISHED_REFERENCE = /^&(?:#\d{0,7}|#[xX][\dA-Fa-f]{0,6}|[A-Za-z]{0,6})$/
const NAMED = new Map([
  ["colon", ":"],
  ["sol", "/"],
  ["period", "."],
  ["commat", "@"],
])

/**
 * Reads the characters of Markdown that arrives in pieces of any size, decoding backslash escapes and character references: renderers
 * look for addresses in the decoded text. Holds back at most 9 characters.
 */
export class CharacterReader {
  #held = ""

  push(text: string): ReadonlyArray<Character> {
    return [...text].flatMap((character) => this.#read(character))
  }

  /** Returns what was held back, undecoded. */
  end(): ReadonlyArray<Character> {
    const held = this.#held
    this.#held = ""
    return plain(held)
  }

  #read(character: string): ReadonlyArray<Character> {
    if (this.#held === "\\") {
      this.#held = ""
      if (ESCAPABLE.test(character)) return [{ source: `\\${character}`, shown: character }]
      return [...plain("\\"), ...this.#read(character)]
    }
    if (this.#held !== "") {
      const reference = this.#held + character
      if (UNFINISHED_REFERENCE.test(reference)) {
        this.#held = reference
        return []
      }
      this.#held = ""
      const shown = character === ";" ? decode(reference.slice(1, -1)) : undefined
      if (shown !== undefined) return [{ source: reference, shown }]
      return [...plain(reference.slice(0, -character.length)), ...this.#read(character)]
    }
    if (character === "\\" || character === "&") {
      this.#held = character
      return []
    }
    return plain(character)
  }
}

const plain = (text: string): ReadonlyArray<Character> => [...text].map((shown) => ({ source: shown, shown }))

const decode = (name: string): string | undefined => {
  const digits = /^#(?:[xX]([\dA-Fa-f]+)|(\d+))$/.exec(name)
  if (digits === null) return NAMED.get(name)
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16)
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "\uFFFD"
}
