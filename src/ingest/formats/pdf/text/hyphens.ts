/** A line break at a hyphen inside a word. */
interface Break {
  readonly tail: string
  readonly head: string
}

/** Each pattern looks at a word once: without the first part it would try each of the word's letters as its start. */
const TAIL = /(?<!\p{L})(\p{L}+)[-\u2010]$/u
const HEAD = /^\p{Ll}+/u
/** No word has more letters. */
const MAX_WORD = 200

const findBreak = (line: string, next: string): Break | undefined => {
  const tail = TAIL.exec(line.slice(-MAX_WORD))?.[1]
  const head = HEAD.exec(next)?.[0]
  return tail === undefined || head === undefined ? undefined : { tail: tail.toLowerCase(), head }
}

const WORD = /\p{L}+/gu
const COMPOUND = /(?<!\p{L})(\p{L}+)-(?=(\p{L}+))/gu

/** How the document spells a word that is hyphenated somewhere. */
interface Evidence {
  breaks: number
  compounds: number
  whole: number
}

/** Joins lines. A hyphen at a line's end stays only if the rest of the document spells the word with it. */
export class Hyphens {
  private readonly words = new Map<string, Evidence>()

  /** Takes a document's lines, page by page. */
  constructor(pages: ReadonlyArray<ReadonlyArray<string>>) {
    const wholes = new Map<string, Evidence>()
    for (const lines of pages) {
      for (const [index, line] of lines.entries()) {
        const broken = findBreak(line, lines[index + 1] ?? "")
        if (broken === undefined) continue
        const { tail, head } = broken
        const evidence = this.words.get(`${tail}-${head}`) ?? { breaks: 0, compounds: 0, whole: 0 }
        evidence.breaks++
        this.words.set(`${tail}-${head}`, evidence)
        wholes.set(tail + head, evidence)
      }
    }
    if (this.words.size === 0) return
    for (const line of pages.flat()) {
      const text = line.toLowerCase()
      for (const [, tail, head] of text.matchAll(COMPOUND)) {
        const evidence = this.words.get(`${tail}-${head}`)
        if (evidence !== undefined) evidence.compounds++
      }
      for (const [word] of text.matchAll(WORD)) {
        const evidence = wholes.get(word)
        if (evidence !== undefined) evidence.whole++
      }
    }
  }

  /** A true compound appears within lines more often than it breaks at its hyphen. */
  private isCompound({ tail, head }: Break) {
    const evidence = this.words.get(`${tail}-${head}`)
    return evidence !== undefined && evidence.compounds >= evidence.breaks && evidence.compounds > evidence.whole
  }

  join(text: string, next: string, separator: string): string {
    return this.joinAll([text, next], () => separator)
  }

  /** Joins the lines of a text. `separatorOf` says what is between a line and the one before. */
  joinAll(lines: ReadonlyArray<string>, separatorOf: (index: number) => string): string {
    const parts = lines.map((line, index) => {
      const next = lines[index + 1]
      if (next === undefined) return line
      // A soft hyphen shows only where a line breaks.
      if (line.endsWith("\u00ad")) return line.slice(0, -1)
      const broken = findBreak(line, next)
      if (broken === undefined) return line + separatorOf(index + 1)
      return this.isCompound(broken) ? line : line.slice(0, -1)
    })
    return parts.join("")
  }
}
