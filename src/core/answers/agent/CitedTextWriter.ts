import * as Effect from "effect/Effect"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { span } from "../../telemetry/tracing.ts"
import type { AnswerEvent } from "../Answerer.ts"
import { makeCitation } from "../citations/citing.ts"
import { type Grounded, Grounding } from "../citations/Grounding.ts"
import { linkTo } from "../citations/markdown.ts"
import type { References } from "../citations/References.ts"

/** In UTF-16 units: shorter text before a tool call is a remark about the call, not a part of the answer. */
const MAX_REMARK_LENGTH = 120

/** Writes a model's text for the caller: removes its links, and adds ours where a cited passage supports the text. */
export class CitedTextWriter {
  readonly #org: string
  readonly #references: References
  readonly #emit: (event: AnswerEvent) => Effect.Effect<unknown>
  readonly #cited = new Set<string>()
  #grounding: Grounding
  /** The text of this turn while it can still be a remark. */
  #held: string | undefined
  #last = "\n"
  /** Whether any text was written. */
  hasWritten = false

  constructor(org: string, references: References, emit: (event: AnswerEvent) => Effect.Effect<unknown>) {
    this.#org = org
    this.#references = references
    this.#emit = emit
    this.#grounding = new Grounding(references)
  }

  /** Begins a turn of the model. `mayRemark`: the model can call tools in it. */
  begin(mayRemark: boolean) {
    this.#grounding = new Grounding(this.#references)
    this.#held = mayRemark ? "" : undefined
  }

  readonly write = (text: string): Effect.Effect<void, never, ViewerLinks> => {
    if (this.#held === undefined) return this.#writeGrounded(this.#grounding.push(text))
    this.#held += text
    if (this.#held.length <= MAX_REMARK_LENGTH) return Effect.void
    const held = this.#held
    this.#held = undefined
    return this.#writeGrounded(this.#grounding.push(held))
  }

  /** Ends the turn. If the model called tools, drops a remark and ends the paragraph. */
  readonly end = (hasCalls: boolean): Effect.Effect<void, never, ViewerLinks> => {
    const held = this.#held
    this.#held = undefined
    if (hasCalls && held !== undefined) return Effect.void
    const rest = this.#writeGrounded([...this.#grounding.push(held ?? ""), ...this.#grounding.end()])
    return hasCalls && this.hasWritten ? Effect.andThen(rest, this.#writeText("\n\n")) : rest
  }

  #writeGrounded(pieces: ReadonlyArray<Grounded>) {
    return Effect.forEach(
      pieces,
      (piece) =>
        piece.type === "text"
          ? this.#writeText(piece.text)
          : span("answer.cite")(
              Effect.forEach(piece.quotes, (quote) =>
                Effect.flatMap(makeCitation(this.#org, quote), (citation) => this.#cite(citation)),
              ),
            ),
      { discard: true },
    )
  }

  #cite(citation: Effect.Success<ReturnType<typeof makeCitation>>) {
    const link = this.#writeText(`${/\s$/.test(this.#last) ? "" : " "}${linkTo(citation)}`)
    if (this.#cited.has(citation.url)) return link
    this.#cited.add(citation.url)
    return Effect.andThen(this.#emit({ type: "citation", citation }), link)
  }

  #writeText(content: string) {
    this.#last = content.at(-1) ?? this.#last
    this.hasWritten ||= content.trim() !== ""
    return this.#emit({ type: "content_delta", content })
  }
}
