import { LinkRemover } from "./LinkRemover.ts"
import { MarkerScanner } from "./MarkerScanner.ts"
import type { Quote, References } from "./References.ts"
import { sentencesOf } from "./verifier.ts"

/** What becomes of a model's text: text without links, and quotes of passages that carry what was said before them. */
export type Grounded =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "quotes"; readonly quotes: ReadonlyArray<Quote> }

/** The longest sentence that is looked at whole, in UTF-16 units. */
const LONGEST_CLAIM = 1000

/**
 * Turns a model's text, in pieces of any size, into what may be shown. A marker is answered by quotes of those of its
 * refs that carry the sentence it ends, or the part of it since the marker before. All else about it is dropped.
 */
export class Grounding {
  readonly #references: References
  readonly #scanner = new MarkerScanner()
  readonly #links = new LinkRemover()
  /** The end of what was said. */
  #recent = ""
  /** What the last marker stood for; one right behind it stands for the same. */
  #claim = ""

  constructor(references: References) {
    this.#references = references
  }

  push(text: string): ReadonlyArray<Grounded> {
    return this.#ground(this.#scanner.push(text))
  }

  end(): ReadonlyArray<Grounded> {
    return [...this.#ground(this.#scanner.end()), ...this.#say(this.#links.end())]
  }

  #ground(pieces: ReturnType<MarkerScanner["push"]>): ReadonlyArray<Grounded> {
    return pieces.flatMap((piece) => {
      if (piece.type === "text") return this.#say(this.#links.push(piece.text))
      if (piece.else !== undefined && !piece.refs.every((ref) => this.#references.has(ref)))
        return this.#say(this.#links.push(piece.else))
      const held = this.#links.held
      const claim = this.#claimBefore(this.#recent + held)
      const quotes = piece.refs.flatMap((ref) => this.#references.quote(ref, claim) ?? [])
      if (quotes.length === 0) return []
      const said = this.#say(this.#links.end())
      this.#recent = ""
      this.#claim = claim
      return [...said, { type: "quotes", quotes } as const]
    })
  }

  #claimBefore(text: string): string {
    if (!/[\p{L}\p{N}]/u.test(text)) return this.#claim
    const last = sentencesOf(text).findLast(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)))
    return last === undefined ? "" : text.slice(last.start, last.end)
  }

  #say(text: string): ReadonlyArray<Grounded> {
    if (text === "") return []
    this.#recent = (this.#recent + text).slice(-LONGEST_CLAIM)
    return [{ type: "text", text }]
  }
}
