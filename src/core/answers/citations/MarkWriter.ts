import type { LinkKind } from "../Answerer.ts"

/** A cited link as a mark: its number, and what to do with its text. */
interface Mark {
  readonly number: number
  readonly kind: LinkKind
}

/** In UTF-16 units, of a link's text and of its address. Ours are shorter. */
const MAX_PART_LENGTH = 2048

const PART = `{0,${MAX_PART_LENGTH}}`
const LINK = new RegExp(String.raw`\[((?:\\[^\n]|[^\\[\]\n])${PART})\]\(([^\s()]${PART})\)`, "y")
/** The beginning of a link, up to the end of the text so far. */
const UNFINISHED = new RegExp(String.raw`\[(?:\\[^\n]|[^\\[\]\n])${PART}(?:\\?|\](?:\([^\s()]${PART})?)$`, "y")
/** The places at which a line would become a heading, a list or the rule below a heading: before its signs, after its number. */
const STARTS_BLOCK = /^(?:\d+(?=[.)](?:\s|$))|(?=[#+=-]+(?:\s|$)))/

/**
 * Replaces the cited links of Markdown, which arrives in pieces of any size, by numbered marks: `[36 %](url)` becomes `36 % [1]`.
 * Escapes other numbers in brackets, `[1\]`, so that exactly the matches of `/\[\d+\]/` are marks. Holds back the beginning of a link.
 */
export class MarkWriter {
  readonly #markOf: (url: string) => Mark | undefined
  #held = ""
  /** The end of the output is `[` and perhaps digits. */
  #bracket: "none" | "open" | "digits" = "none"
  #isAfterMark = false
  /** No letter is on this line yet, so Markdown can still read its beginning as the start of a block or definition. */
  #isLineStart = true

  /** `markOf` is called once for each link, in their order. Undefined leaves the link as it is. */
  constructor(markOf: (url: string) => Mark | undefined) {
    this.#markOf = markOf
  }

  /** `kind` applies to the links that this piece ends, and overrides that of `markOf`. */
  push(piece: string, kind?: LinkKind): string {
    return this.#write(this.#held + piece, kind, false)
  }

  /** Ends the text and returns what was held back. */
  end(): string {
    return this.#write(this.#held, undefined, true)
  }

  #write(text: string, kind: LinkKind | undefined, isEnd: boolean): string {
    let output = ""
    let at = 0
    this.#held = ""
    while (at < text.length) {
      const character = text.charAt(at)
      if (character === "\\") {
        if (at + 1 === text.length && !isEnd) break
        output += this.#emit(text.slice(at, at + 2))
        at += 2
        continue
      }
      if (character === "[") {
        const link = matchAt(LINK, text, at)
        if (link !== undefined) {
          output += this.#link(link, kind)
          at += link[0].length
          continue
        }
        if (!isEnd && matchAt(UNFINISHED, text, at) !== undefined) break
      }
      output += this.#emit(character)
      at++
    }
    this.#held = text.slice(at)
    return output
  }

  #link([link, text = "", url = ""]: RegExpExecArray, kind: LinkKind | undefined): string {
    const mark = this.#markOf(url)
    // An address that is no citation's: its text must not look like a mark.
    if (mark === undefined)
      return /^\d+$/.test(text)
        ? this.#emit(`\\[${text}\\]`) + this.#emit(link.slice(text.length + 2))
        : this.#emit(link)
    const isShown = (kind ?? mark.kind) === "text" && text !== ""
    const shown = isShown ? `${this.#emit(this.#isLineStart ? text.replace(STARTS_BLOCK, "$&\\") : text)} ` : ""
    this.#bracket = "none"
    this.#isAfterMark = true
    return `${shown}[${mark.number}]`
  }

  #emit(text: string): string {
    let output = ""
    for (const character of text) {
      // `[1](` would be a link, and `[1]:` at the start of a line a definition.
      const joins = this.#isAfterMark && (character === "(" || (character === ":" && this.#isLineStart))
      const closes = character === "]" && this.#bracket === "digits"
      output += joins || closes ? `\\${character}` : character
      this.#isAfterMark = false
      this.#bracket = character === "[" ? "open" : this.#bracket !== "none" && /\d/.test(character) ? "digits" : "none"
      if (character === "\n") this.#isLineStart = true
      else if (/\p{L}/u.test(character)) this.#isLineStart = false
    }
    return output
  }
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

/** Removes marks from an earlier answer of the conversation: a model would copy them. */
export const removeMarks = (text: string): string => text.replaceAll(/ ?\[\d+\]/g, "")
