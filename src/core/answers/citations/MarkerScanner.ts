/**
 * A piece of an answer: text, or the refs of a marker such as `[[k7f3]]` or `[[k7f3, m2q9]]`. `else`: a marker in single
 * brackets, as some models write it, is this text where its ref is none.
 */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "refs"; readonly refs: ReadonlyArray<string>; readonly else?: string }

/** A marker, or the beginning of one; a space before it belongs to it. */
const MARKER = /^ ?(?:\[(?:\[(?:[\w,; -]{0,32}(?:\]\]?)?)?|[b-df-hj-np-tv-xz2-9]{1,4}|[b-df-hj-np-tv-xz2-9]{4}\])?)?$/

/**
 * Finds markers in text that arrives in pieces of any size. What it says depends on the text alone, not on how it was
 * split. It holds back at most 37 characters, and looks at each a bounded number of times. Fenced code passes as it is.
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

  /** What was held back: nothing more comes. */
  end(): ReadonlyArray<Piece> {
    this.#text += this.#held
    this.#held = ""
    const pieces: Array<Piece> = []
    this.#flush(pieces)
    return pieces
  }

  #step(character: string, pieces: Array<Piece>) {
    if (this.#fences.within) return this.#emit(character)
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
    this.#fences.see("[")
    const refs = held.split(/[^\w-]+/).filter((ref) => ref !== "")
    pieces.push(single ? { type: "refs", refs, else: held } : { type: "refs", refs })
  }

  #emit(character: string) {
    this.#text += character
    this.#fences.see(character)
  }

  #flush(pieces: Array<Piece>) {
    if (this.#text !== "") pieces.push({ type: "text", text: this.#text })
    this.#text = ""
  }
}

/** Whether what comes next stands in fenced code, as CommonMark has it. */
class Fences {
  within = false
  /** Of the fence that is open: its character and its length. */
  #open: { readonly mark: string; readonly length: number } | undefined
  #mark = ""
  #length = 0
  /** What the line can still be: `indent` and `run` lead to a fence, `info` follows one. */
  #line: "indent" | "run" | "info" | "text" = "indent"
  #indent = 0

  see(character: string) {
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
    this.within = this.#open !== undefined
    this.#line = "indent"
    this.#indent = 0
  }
}
