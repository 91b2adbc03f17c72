import * as Effect from "effect/Effect"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { span } from "../../telemetry/tracing.ts"
import type { AnswerEvent, LinkKind } from "../Answerer.ts"
import type { Citation } from "../citation.ts"
import { cite } from "../citations/citing.ts"
import { type Grounded, Grounding } from "../citations/Grounding.ts"
import { linkTo } from "../citations/markdown.ts"
import type { Citable, References } from "../citations/References.ts"
import { valuesOf } from "../citations/values.ts"
import { FigureLinks } from "../figures/FigureLinks.ts"
import { isDenial, proseTokens } from "../words.ts"
import type { NumberPool } from "./NumberPool.ts"
import { type Sentence, Sentences } from "./Sentences.ts"
import { withoutRepeatedUnits } from "./units.ts"

/** In UTF-16 units: shorter text before a tool call is a remark about the call, not a part of the answer. */
const MAX_REMARK_LENGTH = 120

const WITHHELD = "(A sentence is withheld: a number in it is in no result.)"

interface Writing {
  readonly org: string
  readonly references: References
  /** The numbers that tools returned. */
  readonly pool: NumberPool
  /** The numbers of the question, which a sentence that denies may repeat. */
  readonly asked: NumberPool
  readonly emit: (event: AnswerEvent) => Effect.Effect<unknown>
}

type Needs = FigureLinks | ViewerLinks

/**
 * Writes a model's text for the caller: removes its links, adds ours where a cited passage supports the text, inserts values of
 * rows, and withholds each sentence with a number that no result has.
 */
export class CitedTextWriter {
  readonly #writing: Writing
  readonly #cited = new Set<string>()
  #grounding: Grounding
  #sentences = new Sentences()
  /** The text of this turn while it can still be a remark. */
  #held: string | undefined
  #last = "\n"
  #hasEmitted = false
  /** A sentence was withheld and the text does not say so yet. */
  #owesNote = false
  /** Whether any text of the model was written. */
  hasWritten = false

  constructor(writing: Writing) {
    this.#writing = writing
    this.#grounding = new Grounding(writing.references)
  }

  /** Begins a turn of the model. `mayRemark`: the model can call tools in it. */
  begin(mayRemark: boolean) {
    this.#grounding = new Grounding(this.#writing.references)
    this.#sentences = new Sentences()
    this.#held = mayRemark ? "" : undefined
  }

  readonly write = (text: string): Effect.Effect<void, never, Needs> => {
    if (this.#held === undefined) return this.#writeGrounded(this.#grounding.push(text))
    this.#held += text
    if (this.#held.length <= MAX_REMARK_LENGTH) return Effect.void
    const held = this.#held
    this.#held = undefined
    return this.#writeGrounded(this.#grounding.push(held))
  }

  /** Begins a paragraph of ours, if there is a text before it. */
  readonly beginParagraph = () => (this.#hasEmitted ? this.#writeText("\n\n") : Effect.void)

  /** Writes a sentence of ours, which needs no check. */
  readonly say = (text: string) => this.#writeText(text)

  /** Ends the turn. If the model called tools, drops a remark and ends the paragraph. */
  readonly end = (hasCalls: boolean): Effect.Effect<void, never, Needs> => {
    const held = this.#held
    this.#held = undefined
    if (hasCalls && held !== undefined) return Effect.void
    const rest = this.#writeGrounded([...this.#grounding.push(held ?? ""), ...this.#grounding.end()])
    const all = Effect.andThen(
      rest,
      Effect.suspend(() => this.#writeSentences(this.#sentences.end())),
    )
    return Effect.andThen(
      all,
      Effect.suspend(() => {
        const note = this.#owesNote ? this.#writeNote("") : Effect.void
        return hasCalls && this.hasWritten ? Effect.andThen(note, this.#writeText("\n\n")) : note
      }),
    )
  }

  #writeGrounded(parts: ReadonlyArray<Grounded>) {
    return Effect.forEach(parts, (part) => this.#writeSentences(this.#sentences.push(part)), { discard: true })
  }

  #writeSentences(sentences: ReadonlyArray<Sentence>) {
    return Effect.forEach(sentences, (sentence) => this.#writeSentence(sentence), { discard: true })
  }

  #writeSentence(sentence: Sentence): Effect.Effect<void, never, Needs> {
    const text = textOf(sentence)
    if (!this.#isHeld(sentence, text)) {
      const note = this.#owesNote && !isTableRow(text) && text.trim() !== "" ? this.#writeNote("\n") : Effect.void
      this.hasWritten ||= text.trim() !== ""
      return Effect.andThen(
        note,
        Effect.forEach(withoutRepeatedUnits(sentence), (part) => this.#writePart(part), { discard: true }),
      )
    }
    if (isTableRow(text)) {
      this.#owesNote = true
      return Effect.void
    }
    return this.#writeNote(/\s*$/.exec(text)?.[0] ?? "")
  }

  #isHeld(sentence: Sentence, text: string): boolean {
    if (sentence.some(({ type }) => type === "missing")) return true
    const { pool, asked } = this.#writing
    const denies = proseTokens(text).some((token) => isDenial(token.text.toLowerCase()))
    return valuesOf(text.replace(LIST_NUMBER, "")).some(
      (value) => value.kind !== "code" && !pool.has(value) && !(denies && asked.has(value)),
    )
  }

  /** Says once for adjacent sentences that they are withheld. */
  #writeNote(after: string) {
    this.#owesNote = false
    if (this.#last.endsWith(WITHHELD)) return after.includes("\n") ? this.#writeText("\n") : Effect.void
    const before = /(?:^|\s)$/.test(this.#last) ? "" : " "
    return Effect.andThen(
      this.#writeText(`${before}${WITHHELD}${after}`),
      Effect.sync(() => void (this.#last = WITHHELD)),
    )
  }

  #writePart(part: Grounded): Effect.Effect<void, never, Needs> {
    switch (part.type) {
      case "text":
        return this.#writeText(part.text)
      case "value":
        return this.#cite(part.citable, "text", (citation) => `[${part.text}](${citation.url})`, part.text)
      case "quotes":
        return Effect.forEach(
          part.quotes,
          (quote) =>
            this.#cite(quote, "pointer", (citation) => `${/\s$/.test(this.#last) ? "" : " "}${linkTo(citation)}`, ""),
          { discard: true },
        )
      case "missing":
        return Effect.void
    }
  }

  /** Writes a link to what is cited, or `otherwise` if it has no link. */
  #cite(citable: Citable, kind: LinkKind, write: (citation: Citation) => string, otherwise: string) {
    const { org, emit, references } = this.#writing
    // The first row that is cited stores every report, for those that follow.
    const stored =
      citable.kind === "row" ? Effect.flatMap(FigureLinks, ({ keep }) => keep(org, references.reports)) : Effect.void
    return Effect.flatMap(span("answer.cite")(Effect.andThen(stored, cite(org, citable))), (citation) => {
      if (citation === undefined) return this.#writeText(otherwise)
      const link = this.#writeText(write(citation), kind)
      if (this.#cited.has(citation.url)) return link
      this.#cited.add(citation.url)
      return Effect.andThen(emit({ type: "citation", citation }), link)
    })
  }

  #writeText(content: string, link?: LinkKind) {
    if (content === "") return Effect.void
    this.#hasEmitted = true
    this.#last = content.at(-1) ?? this.#last
    return Effect.asVoid(this.#writing.emit({ type: "content_delta", content, ...(link && { link }) }))
  }
}

/** The number of an item of a list, which states nothing. */
const LIST_NUMBER = /^\s*(?:[-*#>]\s*)*\d{1,3}[.)](?=\s|$)/

const isTableRow = (text: string) => /^\s*\|/.test(text)

/** The model's own text: values of rows need no check. */
const textOf = (sentence: Sentence) =>
  sentence.map((part) => (part.type === "text" ? part.text : part.type === "value" ? "#" : "")).join("")
