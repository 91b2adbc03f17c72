import { countFirst } from "../../../sorted.ts"
import type { Element, PageText, RecognizedLine, WordBox } from "../../../document.ts"

type Word = RecognizedLine["words"][number]

/** Bounds the comparisons on a page that repeats one word. */
const MAX_CANDIDATES = 50
/** Words that tell which of several equal words a text begins with. */
const LOOK_AHEAD = 4
const HYPHEN = /[-\u2010\u00ad]$/u

const makeWordBox = (start: number, length: number, { left, top, right, bottom }: Word): WordBox => [
  start,
  length,
  left,
  top,
  right - left,
  bottom - top,
]

/** Finds the words of a page again in its elements, which may be in another order than the words. */
class Words {
  private readonly words: ReadonlyArray<Word>
  /** The unused words by their text, in order. */
  private readonly unused = new Map<string, Array<number>>()
  private last = -1

  constructor(words: ReadonlyArray<Word>) {
    this.words = words
    for (const [index, { text }] of words.entries()) {
      const known = this.unused.get(text)
      if (known === undefined) this.unused.set(text, [index])
      else known.push(index)
    }
  }

  boxesOf(text: string): ReadonlyArray<WordBox> {
    const tokens = [...text.matchAll(/\S+/gu)]
    const texts = tokens.map(([token]) => token)
    return tokens.flatMap(({ index }, at): ReadonlyArray<WordBox> => {
      const token = texts[at]!
      const found = this.find(texts, at)
      if (found === undefined) return this.broken(token, index)
      this.use(found)
      return [makeWordBox(index, token.length, this.words[found]!)]
    })
  }

  private use(index: number) {
    const known = this.unused.get(this.words[index]!.text)!
    known.splice(
      countFirst(known, (other) => other < index),
      1,
    )
    this.last = index
  }

  private isUnused(index: number): boolean {
    const known = this.unused.get(this.words[index]!.text) ?? []
    return known[countFirst(known, (other) => other < index)] === index
  }

  /** The unused word that is followed by the most words of the text; of equal ones, the next after the last one. */
  private find(texts: ReadonlyArray<string>, at: number): number | undefined {
    const known = this.unused.get(texts[at]!) ?? []
    const next = countFirst(known, (index) => index <= this.last)
    if (at > 0 && known[next] === this.last + 1) return known[next]
    const from = next === known.length ? 0 : Math.max(0, Math.min(next, known.length - MAX_CANDIDATES))
    let best: { readonly index: number; readonly score: number } | undefined
    for (const index of known.slice(from, from + MAX_CANDIDATES)) {
      let following = 0
      while (following < LOOK_AHEAD && this.words[index + following + 1]?.text === texts[at + following + 1])
        following++
      const score = following + (index > this.last ? 0.5 : 0)
      if (best === undefined || score > best.score) best = { index, score }
    }
    return best?.index
  }

  /** A word whose halves are at the end of a line and at the start of the next one. */
  private broken(token: string, start: number): ReadonlyArray<WordBox> {
    const [tail, head] = [this.words[this.last + 1], this.words[this.last + 2]]
    if (tail === undefined || head === undefined) return []
    const half = token.startsWith(tail.text) ? tail.text : tail.text.replace(HYPHEN, "")
    if (half.length === 0 || half + head.text !== token) return []
    for (const index of [this.last + 1, this.last + 2]) if (this.isUnused(index)) this.use(index)
    return [makeWordBox(start, half.length, tail), makeWordBox(start + half.length, token.length - half.length, head)]
  }
}

/** Gives the elements of recognized pages the picture that they are on, with the boxes of their words. */
export const withPictures = (
  elements: ReadonlyArray<Element>,
  pages: ReadonlyMap<number, PageText>,
): ReadonlyArray<Element> => {
  const words = new Map<number, Words>()
  return elements.map((element) => {
    const page = element.place.kind === "page" ? element.place.page : 0
    const recognized = pages.get(page)
    if (recognized === undefined) return element
    const { content, width, height } = recognized
    if (!words.has(page))
      words.set(page, new Words(typeof content === "string" ? [] : content.flatMap((line) => line.words)))
    return { ...element, picture: { width, height, boxes: words.get(page)!.boxesOf(element.text) } }
  })
}
