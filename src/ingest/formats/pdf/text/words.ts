import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import type { Glyph } from "../page/glyphs.ts"

/** A word of a text, where it is drawn. */
export interface WordItem extends TextItem {
  /** The usual width of the space that is drawn before it; 0 without one. */
  readonly space?: number
}

/** In points: how exact places are. */
const NEAR = 1

/** A soft hyphen is drawn, and stands in texts, as a hyphen. */
const fold = (text: string) => text.normalize("NFKC").replaceAll(/\s+/g, "").replaceAll("\u00ad", "-")

/** The letters of a text, from left to right; undefined if letters of other texts are among them. */
const lettersOf = ({ str, transform, width }: TextItem, glyphs: ReadonlyMap<number, ReadonlyArray<Glyph>>) => {
  const [, , , , x = 0, y = 0] = transform as ReadonlyArray<number>
  const own = [-1, 0, 1]
    .flatMap((by) => glyphs.get(Math.round(y) + by) ?? [])
    .filter(({ up, start, end }) => Math.abs(up - y) < NEAR && start > x - NEAR && end < x + width + NEAR)
  return own.map(({ text }) => fold(text)).join("") === fold(str) ? own : undefined
}

/** Divides texts into words: pdf.js joins texts that are close, also those of two cells, and has the place of the whole only. */
export const divideIntoWords = (
  items: ReadonlyArray<TextItem>,
  glyphs: ReadonlyArray<Glyph>,
): ReadonlyArray<WordItem> => {
  const byHeight = Map.groupBy(glyphs, ({ up }) => Math.round(up))
  return items.flatMap((item): ReadonlyArray<WordItem> => {
    const words = item.str.trim().split(/\s+/)
    const [a = 0, b = 0, c = 0, d = 0, , y = 0] = item.transform as ReadonlyArray<number>
    const letters = words.length > 1 && b === 0 && c === 0 ? lettersOf(item, byHeight) : undefined
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
