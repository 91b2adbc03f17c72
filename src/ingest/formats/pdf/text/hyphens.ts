/** A line break at a hyphen inside a word. */
interface Break {
  readonly tail: string
  readonly head: string
}

const TAIL = /(\p{L}+)[-\u2010]$/u
const HEAD = /^\p{Ll}+/u

const findBreak = (line: string, next: string): Break | undefined => {
  const tail = TAIL.exec(line)?.[1]
  const head = HEAD.exec(next)?.[0]
  return tail === undefined || head === undefined ? undefined : { tail: tail.toLowerCase(), head }
}

const WORD = /\p{L}+/gu
const COMPOUND = /(\p{L}+)-(?=(\p{L}+))/gu

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
    // A soft hyphen shows only where a line breaks.
    if (text.endsWith("\u00ad")) return text.slice(0, -1) + next
    const broken = findBreak(text, next)
    if (broken === undefined) return text + separator + next
    return (this.isCompound(broken) ? text : text.slice(0, -1)) + next
  }
}
