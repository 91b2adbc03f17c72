import { hasWord } from "../words.ts"
import { LinkRemover } from "./LinkRemover.ts"
import { MarkerScanner } from "./MarkerScanner.ts"
import type { Citable, References } from "./References.ts"
import { splitUnits } from "./verifier.ts"

/**
 * A part of the grounded text: text without links, quotes that support the text before them, or a value of rows.
 * `missing`: a marker asks for a value that no row has, or that rows do not give together.
 */
export type Grounded =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "quotes"; readonly quotes: ReadonlyArray<Citable> }
  | { readonly type: "value"; readonly text: string; readonly citables: ReadonlyArray<Citable> }
  | { readonly type: "missing" }

/** In UTF-16 units: of a longer sentence, only the end is verified. */
const MAX_CLAIM_LENGTH = 1000

/**
 * Turns a model's text, in pieces of any size, into text that callers may see. Replaces each marker by quotes from those of
 * its refs that support its claim: the sentence before it, or the part since the previous marker. Drops other markers. Replaces
 * a marker that names a value of a row by the value.
 */
export class Grounding {
  readonly #references: References
  readonly #scanner = new MarkerScanner()
  readonly #links = new LinkRemover()
  /** The end of the text so far. */
  #recent = ""
  /** The claim of the last marker. A marker right after it has the same claim. */
  #claim = ""

  constructor(references: References) {
    this.#references = references
  }

  push(text: string): ReadonlyArray<Grounded> {
    return this.#ground(this.#scanner.push(text))
  }

  end(): ReadonlyArray<Grounded> {
    return [...this.#ground(this.#scanner.end()), ...this.#addText(this.#links.end())]
  }

  #ground(pieces: ReturnType<MarkerScanner["push"]>): ReadonlyArray<Grounded> {
    return pieces.flatMap((piece) => {
      if (piece.type === "text") return this.#addText(this.#links.push(piece.text))
      if (piece.type === "value") return this.#insert(piece)
      if (piece.else !== undefined && !piece.refs.every((ref) => this.#references.has(ref)))
        return this.#addText(this.#links.push(piece.else))
      const held = this.#links.held
      const claim = this.#claimBefore(this.#recent + held)
      const quotes = piece.refs.flatMap((ref) => this.#references.quote(ref, claim) ?? [])
      if (quotes.length === 0) return []
      const before = this.#addText(this.#links.end())
      this.#recent = ""
      this.#claim = claim
      return [...before, { type: "quotes", quotes } as const]
    })
  }

  #insert({ expression, before }: { readonly expression: string; readonly before: string }) {
    const value = this.#references.evaluate(expression)
    const pushed = this.#links.push(before)
    if (value === undefined) return [...this.#addText(pushed), { type: "missing" } as const]
    const text = this.#addText(pushed + this.#links.end())
    this.#recent += value.text
    return [...text, { type: "value", ...value } as const]
  }

  #claimBefore(text: string): string {
    if (!hasWord(text)) return this.#claim
    const last = splitUnits(text).findLast(({ start, end }) => hasWord(text.slice(start, end)))
    return last === undefined ? "" : text.slice(last.start, last.end)
  }

  #addText(text: string): ReadonlyArray<Grounded> {
    if (text === "") return []
    this.#recent = (this.#recent + text).slice(-MAX_CLAIM_LENGTH)
    return [{ type: "text", text }]
  }
}
