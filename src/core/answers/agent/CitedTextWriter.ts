import * as Effect from "effect/Effect"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { span } from "../../telemetry/tracing.ts"
import type { AnswerEvent, LinkKind } from "../Answerer.ts"
import type { Citation } from "../citation.ts"
import { cite } from "../citations/citing.ts"
import { type Grounded, Grounding } from "../citations/Grounding.ts"
import { linkTo } from "../citations/markdown.ts"
import type { Citable, References } from "../citations/References.ts"
import type { Value } from "../citations/values.ts"
import { findCourtesy } from "../questions/reply/holdings.ts"
import { FigureLinks } from "../figures/FigureLinks.ts"
import { hasWord } from "../words.ts"
import { countItems, isCount, isInList, isItem } from "./lists.ts"
import { LIST_NUMBER, type Sentence, Sentences } from "./Sentences.ts"
import { hasForeignDigits, type SourcedNumbers } from "./SourcedNumbers.ts"
import { withoutRepeatedUnits } from "./units.ts"

/** In UTF-16 units: shorter text before a tool call is a remark about the call, not a part of the answer. */
const MAX_REMARK_LENGTH = 120

/** In UTF-16 units. With the 108 that a marker and the 63 that a link hold back, text is released at most 1,000 behind the model. */
const MAX_HELD_LENGTH = 820

/** Ticks, of a second each, after which complete sentences are released. */
const MAX_TICKS = 2

const WITHHELD = "(A sentence is withheld: a number in it has no source.)"

interface Writing {
  readonly org: string
  readonly references: References
  readonly numbers: SourcedNumbers
  readonly emit: (event: AnswerEvent) => Effect.Effect<unknown>
}

type Needs = FigureLinks | ViewerLinks

/**
 * Writes a model's text for the caller, a sentence at a time: removes its links, adds ours where a cited passage supports the text,
 * inserts values of rows, and withholds each sentence with a number that has no source.
 */
export class CitedTextWriter {
  readonly #writing: Writing
  readonly #cited = new Set<string>()
  #grounding: Grounding
  #sentences = new Sentences()
  /** The text of this turn while it can still be a remark. */
  #held: string | undefined
  #ticks = 0
  /** A sentence whose number can be the count of the list behind it, and the lines of this list so far. */
  #waiting: Array<Sentence> = []
  #last = "\n"
  #hasEmitted = false
  /** The white space behind the note about a sentence, if a sentence was withheld and the text does not say so yet. */
  #owed: string | undefined
  /** Whether the next sentence begins a line of the model's text, and the number of the last item of a list. */
  #isAtLine = true
  #item = 0
  #withheld = 0
  /** Whether any text of the model was written, a sentence that is no greeting, and one with a citation or an inserted value. */
  #hasWritten = false
  #hasStated = false
  #hasSourced = false

  constructor(writing: Writing) {
    this.#writing = writing
    this.#grounding = new Grounding(writing.references)
  }

  /** Begins a turn of the model. `mayRemark`: the model can call tools in it. */
  begin(mayRemark: boolean) {
    this.#grounding = new Grounding(this.#writing.references)
    this.#sentences = new Sentences()
    this.#held = mayRemark ? "" : undefined
    this.#isAtLine = true
  }

  /** Whether the text answers. If sentences were withheld and there is `another` answer, only one with a source does. */
  isAnswer(another: boolean): boolean {
    if (this.#withheld === 0) return this.#hasWritten
    return this.#hasSourced || (!another && this.#hasStated)
  }

  readonly write = (text: string): Effect.Effect<void, never, Needs> => {
    if (this.#held === undefined) return this.#writeGrounded(this.#grounding.push(text))
    if (this.#held === "") this.#ticks = 0
    this.#held += text
    return this.#held.length > MAX_REMARK_LENGTH ? this.#release() : Effect.void
  }

  /** Runs each second while the model writes, so that a slow one's complete sentences do not wait for the end of a remark. */
  readonly tick = (): Effect.Effect<void, never, Needs> => {
    const isDue = ++this.#ticks >= MAX_TICKS && /[.!?…]["”’)\]*_]*\s|\n/.test(this.#held ?? "")
    return isDue ? this.#release() : Effect.void
  }

  /** Begins a paragraph of ours, if there is a text before it. */
  readonly beginParagraph = () => (this.#hasEmitted ? this.#writeText("\n\n") : Effect.void)

  /** Writes a sentence of ours, which needs no check. */
  readonly say = (text: string) => this.#writeText(text)

  /** Ends the turn. If the model called tools, drops a remark and ends the paragraph. */
  readonly end = (hasCalls: boolean): Effect.Effect<void, never, Needs> => {
    if (hasCalls && this.#held !== undefined) {
      this.#held = undefined
      return Effect.void
    }
    return Effect.gen({ self: this }, function* () {
      yield* this.#release()
      yield* this.#writeGrounded(this.#grounding.end())
      for (const sentence of this.#sentences.end()) yield* this.#take(withoutRepeatedUnits(sentence))
      yield* this.#settle()
      if (!this.#hasWritten) return
      if (this.#owed !== undefined) yield* this.#writeNote("")
      if (hasCalls) yield* this.#writeText("\n\n")
    })
  }

  #release() {
    const held = this.#held ?? ""
    this.#held = undefined
    return this.#writeGrounded(this.#grounding.push(held))
  }

  #writeGrounded(parts: ReadonlyArray<Grounded>): Effect.Effect<void, never, Needs> {
    return Effect.gen({ self: this }, function* () {
      for (const part of parts)
        for (const sentence of this.#sentences.push(part)) yield* this.#take(withoutRepeatedUnits(sentence))
      if (measureLength(this.#waiting) + this.#sentences.length > MAX_HELD_LENGTH) yield* this.#settle(false)
    })
  }

  /** Writes a sentence, or lets it wait for the list that its number counts. */
  #take(sentence: Sentence): Effect.Effect<void, never, Needs> {
    if (this.#waiting.length > 0) {
      if (isInList(this.#waiting.map(textOf), textOf(sentence))) {
        this.#waiting.push(sentence)
        return Effect.void
      }
      return Effect.andThen(
        this.#settle(),
        Effect.suspend(() => this.#take(sentence)),
      )
    }
    const unsourced = this.#unsourcedIn(sentence)
    const text = textOf(sentence)
    const mayCount = text.endsWith("\n") && !isItem(text) && unsourced.length > 0
    if (mayCount && unsourced.every((value) => isCount(value))) {
      this.#waiting.push(sentence)
      return Effect.void
    }
    return this.#writeSentence(sentence, unsourced)
  }

  /** Decides on the sentence that waits, by the items behind it that pass. The count of a list that goes on is not known. */
  #settle(isWhole = true): Effect.Effect<void, never, Needs> {
    const [first, ...list] = this.#waiting
    this.#waiting = []
    if (first === undefined) return Effect.void
    const [isAtLine, item] = [this.#isAtLine, this.#item]
    const shown = list.filter((each) => {
      this.#isAtLine = true
      return this.#unsourcedIn(each).length === 0
    })
    this.#isAtLine = isAtLine
    this.#item = item
    const count = isWhole ? countItems(shown.map(textOf)) : Number.NaN
    const unsourced = this.#unsourcedIn(first).filter((value) => !isCount(value, count))
    return Effect.gen({ self: this }, function* () {
      yield* this.#writeSentence(first, unsourced)
      for (const each of list) yield* this.#take(each)
    })
  }

  #writeSentence(sentence: Sentence, unsourced: ReadonlyArray<unknown>): Effect.Effect<void, never, Needs> {
    const text = textOf(sentence)
    this.#isAtLine = text.endsWith("\n")
    if (unsourced.length > 0) return this.#withhold(text)
    const isBlank = text.trim() === "" && sentence.every(({ type }) => type === "text")
    if (isBlank && !this.#hasEmitted) return Effect.void
    const note = this.#owed !== undefined && !isTableRow(text) && !isBlank ? this.#writeNote(this.#owed) : Effect.void
    this.#hasWritten ||= !isBlank
    this.#hasStated ||= hasWord(text) && findCourtesy(text) === undefined
    return Effect.andThen(
      note,
      Effect.forEach(sentence, (part) => this.#writePart(part), { discard: true }),
    )
  }

  /** Notes it at once behind a text, and else before the text that follows or behind its table. */
  #withhold(text: string): Effect.Effect<void, never, Needs> {
    this.#withheld++
    const after = isTableRow(text) ? "\n" : (/(?<!\s)\s*$/.exec(text)?.[0] ?? "")
    const isLater = isTableRow(text) || !this.#hasWritten
    if (isLater) this.#owed = after
    return Effect.andThen(
      this.#writing.emit({ type: "withheld" }),
      Effect.suspend(() => (isLater ? Effect.void : this.#writeNote(after))),
    )
  }

  /** The numbers of a sentence that have no source; its text, if it asks for a value that is not there. */
  #unsourcedIn(sentence: Sentence): ReadonlyArray<Value | string> {
    const { references, numbers } = this.#writing
    let text = textOf(sentence)
    if (sentence.some(({ type }) => type === "missing") || hasForeignDigits(text)) return [text]
    const item = this.#isAtLine ? LIST_NUMBER.exec(text) : null
    const number = Number(item?.[1])
    if (item !== null && (number === 1 || number === this.#item || number === this.#item + 1)) {
      this.#item = number
      text = text.slice(item[0].length)
    }
    return numbers.unsourcedIn(references.removeNames(text), sentence)
  }

  /** Says once for adjacent sentences that they are withheld. */
  #writeNote(after: string) {
    this.#owed = undefined
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
      case "value": {
        this.#hasSourced = true
        const [first, ...others] = part.citables
        if (first === undefined) return this.#writeText(part.text)
        const value = this.#cite(first, "text", (citation) => `[${part.text}](${citation.url})`, part.text)
        return Effect.andThen(value, this.#point(others))
      }
      case "quotes":
        this.#hasSourced = true
        return this.#point(part.quotes)
      case "missing":
        return Effect.void
    }
  }

  #point(citables: ReadonlyArray<Citable>) {
    const write = (citation: Citation) => `${/\s$/.test(this.#last) ? "" : " "}${linkTo(citation)}`
    return Effect.forEach(citables, (each) => this.#cite(each, "pointer", write, ""), { discard: true })
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

const isTableRow = (text: string) => /^\s*\|/.test(text)

/** The text with inserted values, without links. */
const textOf = (sentence: Sentence) => sentence.map((part) => ("text" in part ? part.text : "")).join("")

const measureLength = (sentences: ReadonlyArray<Sentence>) =>
  sentences.reduce((sum, sentence) => sum + textOf(sentence).length, 0)
