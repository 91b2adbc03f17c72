import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import type { Glyph } from "../page/glyphs.ts"
import { countFirst } from "../../../sorted.ts"

/** A word of a text, where it is drawn. */
export interface WordItem extends TextItem {
  /** The usual width of the space that is drawn before it; 0 without one. */
  readonly space?: number
}

/** In points: how exact places are. */
const NEAR = 1

/** A soft hyphen is drawn, and stands in texts, as a hyphen. */
const fold = (text: string) => text.normalize("NFKC").replaceAll(/\s+/g, "").replaceAll("\u00ad", "-")

/** Letters at one height, from left to right, each with its place in drawing order. */
type Height = ReadonlyArray<Glyph & { readonly at: number }>

const byHeight = (glyphs: ReadonlyArray<Glyph>): ReadonlyMap<number, Height> => {
  const heights = Map.groupBy(
    glyphs.map((glyph, at) => ({ ...glyph, at })),
    ({ up }) => Math.round(up),
  )
  for (const height of heights.values()) height.sort((a, b) => a.start - b.start)
  return heights
}

/** Letters that are looked at for each letter of a text, which few others are drawn over. */
const MAX_LOOKS = 8

/** The letters of a text, in drawing order; undefined if letters of other texts are among them. */
const lettersOf = ({ str, transform, width }: TextItem, heights: ReadonlyMap<number, Height>) => {
  const [, , , , x = 0, y = 0] = transform as ReadonlyArray<number>
  const folded = fold(str)
  let looks = (folded.length + MAX_LOOKS) * MAX_LOOKS
  const own: Array<Height[number]> = []
  for (const by of [-1, 0, 1]) {
    const height = heights.get(Math.round(y) + by) ?? []
    for (let next = countFirst(height, ({ start }) => start <= x - NEAR); next < height.length; next++) {
      const glyph = height[next]!
      if (glyph.start >= x + width + NEAR) break
      if (looks-- === 0) return undefined
      if (Math.abs(glyph.up - y) < NEAR && glyph.end < x + width + NEAR) own.push(glyph)
    }
  }
  own.sort((a, b) => Math.round(a.up) - Math.round(b.up) || a.at - b.at)
  return own.map(({ text }) => fold(text)).join("") === folded ? own : undefined
}

/** Divides texts into words: pdf.js joins texts that are close, also those of two cells, and has the place of the whole only. */
export const divideIntoWords = (
  items: ReadonlyArray<TextItem>,
  glyphs: ReadonlyArray<Glyph>,
): ReadonlyArray<WordItem> => {
  const heights = byHeight(glyphs)
  return items.flatMap((item): ReadonlyArray<WordItem> => {
    const words = item.str.trim().split(/\s+/)
    const [a = 0, b = 0, c = 0, d = 0, , y = 0] = item.transform as ReadonlyArray<number>
    const letters = words.length > 1 && b === 0 && c === 0 ? lettersOf(item, heights) : undefined
    if (letters === undefined) return [item]
    let at = 0
    return words.flatMap((str, index) => {
      const { start, space } = letters[at]!
      for (let count = fold(str).length; count > 0; at++) count -= fold(letters[at]!.text).length
      const { end } = letters[at - 1]!
      const word = { ...item, str, space, transform: [a, b, c, d, start, y], width: end - start }
      return index === 0 ? [word] : [{ ...item, str: " ", width: 0 }, word]
    })
  })
}
