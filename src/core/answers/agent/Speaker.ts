import * as Effect from "effect/Effect"
import type { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import type { AnswerEvent } from "../Answerer.ts"
import { citationOf } from "../citations/citing.ts"
import { type Grounded, Grounding } from "../citations/Grounding.ts"
import { linkTo } from "../citations/markdown.ts"
import type { References } from "../citations/References.ts"

/** Text shorter than this before a call of a tool is a remark on the call, and not part of the answer. */
const REMARK = 120

/** Says to the caller what a model writes: without links of its own, and with ours where it cites what carries it. */
export class Speaker {
  readonly #org: string
  readonly #links: ViewerLinks["Service"]
  readonly #references: References
  readonly #emit: (event: AnswerEvent) => Effect.Effect<unknown>
  readonly #cited = new Set<string>()
  #grounding: Grounding
  /** What the model wrote since it was last asked, while it may be a remark. */
  #held: string | undefined
  #last = "\n"
  /** Whether anything was said. */
  spoke = false

  constructor(
    org: string,
    links: ViewerLinks["Service"],
    references: References,
    emit: (event: AnswerEvent) => Effect.Effect<unknown>,
  ) {
    this.#org = org
    this.#links = links
    this.#references = references
    this.#emit = emit
    this.#grounding = new Grounding(references)
  }

  /** The model is asked again; `mayRemark`: it may call tools. */
  begin(mayRemark: boolean) {
    this.#grounding = new Grounding(this.#references)
    this.#held = mayRemark ? "" : undefined
  }

  readonly write = (text: string): Effect.Effect<void> => {
    if (this.#held === undefined) return this.#say(this.#grounding.push(text))
    this.#held += text
    if (this.#held.length <= REMARK) return Effect.void
    const held = this.#held
    this.#held = undefined
    return this.#say(this.#grounding.push(held))
  }

  /** The model has ended; where it called tools, a remark is dropped, and what was said already is a paragraph. */
  readonly end = (called: boolean): Effect.Effect<void> => {
    const held = this.#held
    this.#held = undefined
    if (called && held !== undefined) return Effect.void
    const rest = this.#say([...this.#grounding.push(held ?? ""), ...this.#grounding.end()])
    return called && this.spoke ? Effect.andThen(rest, this.#text("\n\n")) : rest
  }

  #say(pieces: ReadonlyArray<Grounded>) {
    return Effect.forEach(
      pieces,
      (piece) =>
        piece.type === "text"
          ? this.#text(piece.text)
          : Effect.forEach(piece.quotes, (quote) =>
              Effect.flatMap(citationOf(this.#links, this.#org, quote), (citation) => this.#cite(citation)),
            ),
      { discard: true },
    )
  }

  #cite(citation: Effect.Success<ReturnType<typeof citationOf>>) {
    const said = this.#text(`${/\s$/.test(this.#last) ? "" : " "}${linkTo(citation)}`)
    if (this.#cited.has(citation.url)) return said
    this.#cited.add(citation.url)
    return Effect.andThen(this.#emit({ type: "citation", citation }), said)
  }

  #text(content: string) {
    this.#last = content.at(-1) ?? this.#last
    this.spoke ||= content.trim() !== ""
    return this.#emit({ type: "content_delta", content })
  }
}
