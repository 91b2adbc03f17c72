/**
 * A piece of an answer: text, the refs of a marker such as `[[k7f3]]` or `[[k7f3, m2q9]]`, or what one such as
 * `[[k7f3.win_rate]]` or `[[k7f3.won / m2q9.won]]` asks for. Some models write markers in single brackets: if the ref does not exist, `else` is the text.
 */
type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "refs"; readonly refs: ReadonlyArray<string>; readonly else?: string }
  | { readonly type: "value"; readonly expression: string; readonly before: string }

/** A marker with the space before it, or the beginning of one. */
const MARKER =
  /^ ?(?:\[(?:\[(?:(?:[\w,; -]{0,32}|[\w-]{4}\.[^[\]\n]{0,99})(?:\]\]?)?)?|[b-df-hj-np-tv-xz2-9]{1,4}|[b-df-hj-np-tv-xz2-9]{4}\])?)?$/

/**
 * Finds markers in text that arrives in pieces of any size. The result does not depend on how the text is split. Holds back
 * at most 108 characters, and reads each a bounded number of times. Passes fenced code through.
 */
export class MarkerScanner {
  #held = ""
  #text = ""
  readonly #fences = new Fences()

  push(text: string): ReadonlyArray<Piece> {
    const pieces: Array<Piece> = []
    for (const character of text) this.#step(character, pieces)
    this.#flush(pieces)
    return pieces
  }

  /** Ends the text and returns what was held back. */
  end(): ReadonlyArray<Piece> {
    this.#text += this.#held
    this.#held = ""
    const pieces: Array<Piece> = []
    this.#flush(pieces)
    return pieces
  }

  #step(character: string, pieces: Array<Piece>) {
    if (this.#fences.isOpen) return this.#emit(character)
    let held = this.#held + character
    while (held !== "" && !MARKER.test(held)) {
      const [first = ""] = held
      held = held.slice(first.length)
      this.#emit(first)
    }
    this.#held = held
    const single = held.endsWith("]") && !held.includes("[[")
    if (!single && !held.endsWith("]]")) return
    this.#held = ""
    this.#flush(pieces)
    this.#fences.read("[")
    if (held.includes(".")) {
      const [before = "", expression = ""] = held.slice(0, -2).split("[[")
      return void pieces.push({ type: "value", expression: expression.trim(), before })
    }
    const refs = held.split(/[^\w-]+/).filter((ref) => ref !== "")
    pieces.push(single ? { type: "refs", refs, else: held } : { type: "refs", refs })
  }

  #emit(character: string) {
    this.#text += character
    this.#fences.read(character)
  }

  #flush(pieces: Array<Piece>) {
    if (this.#text !== "") pieces.push({ type: "text", text: this.#text })
    this.#text = ""
  }
}

/** Tracks whether the next character is in fenced code, by the rules of CommonMark. */
class Fences {
  isOpen = false
  /** The character and length of the open fence. */
  #open: { readonly mark: string; readonly length: number } | undefined
  #mark = ""
  #length = 0
  /** The part of the line: `indent` and `run` can begin a fence, `info` follows one. */
  #line: "indent" | "run" | "info" | "text" = "indent"
  #indent = 0

  read(character: string) {
    if (character === "\n") return this.#endLine()
    if (this.#line === "indent") {
      if (character === " " && ++this.#indent <= 3) return
      this.#line = character === "`" || character === "~" ? "run" : "text"
      this.#mark = character
      this.#length = 1
    } else if (this.#line === "run") {
      if (character === this.#mark) this.#length++
      else this.#line = this.#length >= 3 && this.#mayFollow(character) ? "info" : "text"
    } else if (this.#line === "info" && !this.#mayFollow(character)) this.#line = "text"
  }

  #mayFollow(character: string) {
    if (this.#open !== undefined) return character === " " || character === "\t" || character === "\r"
    return this.#mark !== "`" || character !== "`"
  }

  #endLine() {
    if ((this.#line === "run" && this.#length >= 3) || this.#line === "info") {
      if (this.#open === undefined) this.#open = { mark: this.#mark, length: this.#length }
      else if (this.#mark === this.#open.mark && this.#length >= this.#open.length) this.#open = undefined
    }
    this.isOpen = this.#open !== undefined
    this.#line = "indent"
    this.#indent = 0
  }
}
