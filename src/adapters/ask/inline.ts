import { decodeEntity, ENTITY, ESCAPE, hrefOf } from "./href.ts"
import { element, type AnswerNode, type Tag } from "./nodes.ts"

// Every pattern takes linear time: a text comes from a model.
const PLAIN = /[^\\&[!`*_~\n]+/y
const MARK = /\[(\d{1,4})\]/y
/** A bracket ends the search for the label of the one before it. */
const LINK =
  /!?\[((?:\\[^]|[^\\[\]])*)\]\( {0,3}((?:\\[^\s]|[^\s()\\]|\([^\s()]*\))*)(?: {1,3}(?:"[^"\n]*"|'[^'\n]*'))? {0,3}\)/y
const TICKS = /`+/y
const DELIMITER = /\*\*|__|~~|\*|_/y
const TAGS: Readonly<Record<string, Tag>> = { "**": "strong", __: "strong", "*": "em", _: "em", "~~": "del" }

/** Emphasis that is open at once. More is text. */
const MAX_OPENERS = 50

interface Opener {
  readonly delimiter: string
  /** The place of its text among the nodes. */
  readonly index: number
}

/** Reads the text of one block. `[n]` is a mark if there are so many citations. */
export const parseInline = (text: string, citations: number): ReadonlyArray<AnswerNode> =>
  new InlineParser(text, citations).parse()

class InlineParser {
  readonly #text: string
  readonly #citations: number
  #at = 0
  readonly #nodes: Array<AnswerNode> = []
  readonly #openers: Array<Opener> = []
  /** The next run of so many backticks; -1 if there is none. */
  readonly #ticks = new Map<number, number>()

  constructor(text: string, citations: number) {
    this.#text = text
    this.#citations = citations
  }

  parse(): ReadonlyArray<AnswerNode> {
    while (this.#at < this.#text.length) this.#step()
    return joinTexts(this.#nodes)
  }

  #step(): void {
    const plain = this.#take(PLAIN)
    if (plain !== undefined) return this.#add(plain[0])
    switch (this.#text[this.#at]) {
      case "\\":
        if (this.#text[this.#at + 1] === "\n") {
          this.#at += 2
          return this.#add(element("br"))
        }
        return this.#add(this.#take(ESCAPE)?.[1] ?? this.#next())
      case "&": {
        const entity = this.#take(ENTITY)
        return this.#add(entity === undefined ? this.#next() : decodeEntity(entity[0], entity[1], entity[2], entity[3]))
      }
      case "!":
      case "[":
        return this.#bracket()
      case "`":
        return this.#code()
      case "\n":
        return this.#line()
      default:
        return this.#delimiter()
    }
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text) ?? undefined
    if (match !== undefined) this.#at += match[0].length
    return match
  }

  #next(): string {
    return this.#text.charAt(this.#at++)
  }

  #add(...nodes: ReadonlyArray<AnswerNode>) {
    this.#nodes.push(...nodes)
  }

  #bracket() {
    const link = this.#take(LINK)
    if (link !== undefined) {
      const children = parseInline(link[1]!, 0)
      const href = hrefOf(link[2]!)
      // An image is its text: loading it would tell its host who reads.
      return link[0].startsWith("!") || href === undefined
        ? this.#add(...children)
        : this.#add(element("a", children, { href }))
    }
    const start = this.#at
    const number = Number(this.#take(MARK)?.[1] ?? 0)
    if (number >= 1 && number <= this.#citations) {
      // A mark stays on the line of its word.
      const last = this.#nodes.at(-1)
      if (typeof last === "string") this.#nodes[this.#nodes.length - 1] = last.replace(/ $/, "\u00A0")
      return this.#add(element("mark", [], { number }))
    }
    this.#at = start
    this.#add(this.#next())
  }

  #code() {
    const ticks = this.#take(TICKS)![0]
    const end = this.#closingTicks(ticks.length)
    if (end < 0) return this.#add(ticks)
    const code = this.#text.slice(this.#at, end).replaceAll("\n", " ")
    this.#at = end + ticks.length
    this.#add(element("code", [/^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code]))
  }

  /** Finds the next run of exactly `count` backticks. */
  #closingTicks(count: number): number {
    const known = this.#ticks.get(count)
    if (known !== undefined && (known < 0 || known >= this.#at)) return known
    let at = this.#text.indexOf("`", this.#at)
    while (at >= 0) {
      TICKS.lastIndex = at
      const { length } = TICKS.exec(this.#text)![0]
      if (length === count) break
      at = this.#text.indexOf("`", at + length)
    }
    this.#ticks.set(count, at)
    return at
  }

  /** Two blanks before the end of a line break it. */
  #line() {
    this.#at++
    const last = this.#nodes.at(-1)
    if (typeof last === "string" && last.endsWith("  ")) {
      this.#nodes[this.#nodes.length - 1] = last.trimEnd()
      return this.#add(element("br"))
    }
    this.#add("\n")
  }

  #delimiter() {
    const start = this.#at
    // `***` opens `*` first and closes what is inside.
    const last = this.#openers.at(-1)?.delimiter
    const isInner = (last === undefined || last === "*") && this.#text.startsWith("***", start)
    const delimiter = isInner ? this.#next() : this.#take(DELIMITER)?.[0]
    if (delimiter === undefined) return this.#add(this.#next())
    const before = this.#text[start - 1] ?? " "
    const after = this.#text[this.#at] ?? " "
    // `_` within a word is part of it.
    const isWithin = delimiter.startsWith("_") && WORD.test(before) && WORD.test(after)
    const opener = this.#openers.findLastIndex((open) => open.delimiter === delimiter)
    if (!isWithin && !/\s/.test(before) && opener >= 0) {
      const [{ index }] = this.#openers.splice(opener) as [Opener]
      return this.#add(element(TAGS[delimiter]!, joinTexts(this.#nodes.splice(index).slice(1))))
    }
    if (!isWithin && !/\s/.test(after) && this.#openers.length < MAX_OPENERS)
      this.#openers.push({ delimiter, index: this.#nodes.length })
    this.#add(delimiter)
  }
}

const WORD = /[\p{L}\p{N}]/u

const joinTexts = (nodes: ReadonlyArray<AnswerNode>): ReadonlyArray<AnswerNode> => {
  const joined: Array<AnswerNode> = []
  for (const node of nodes) {
    const last = joined.at(-1)
    if (typeof node === "string" && typeof last === "string") joined[joined.length - 1] = last + node
    else joined.push(node)
  }
  return joined
}
