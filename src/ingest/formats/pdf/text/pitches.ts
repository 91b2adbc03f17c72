import type { TextItem } from "pdfjs-dist/types/src/display/api.js"

/** The width of a letter, in letter heights, by font: of fonts whose letters all have one width. */
export type Pitches = ReadonlyMap<string, number>

/** Fewer different letters may have one width in any font, as digits have. */
const MIN_LETTERS = 8
/** The share by which the widths of letters differ at most, for what programs round. */
const SAME_WIDTH = 0.02

interface Font {
  least: number
  most: number
  readonly letters: Set<string>
}

/** Finds the fonts of a page that have one width for all letters, as typewriters have. */
export const findPitches = (items: ReadonlyArray<TextItem>): Pitches => {
  const fonts = new Map<string, Font>()
  for (const { str, fontName, width, transform } of items) {
    const text = str.trim()
    if (text.length < 2 || text !== str) continue
    const [, , c = 0, d = 0] = transform as ReadonlyArray<number>
    const pitch = width / text.length / (Math.hypot(c, d) || 1)
    const font = fonts.get(fontName) ?? { least: Infinity, most: 0, letters: new Set() }
    fonts.set(fontName, font)
    font.least = Math.min(font.least, pitch)
    font.most = Math.max(font.most, pitch)
    if (font.letters.size < MIN_LETTERS) for (const letter of text) if (/\p{L}/u.test(letter)) font.letters.add(letter)
  }
  const fixed = [...fonts].filter(
    ([, { least, most, letters }]) => letters.size >= MIN_LETTERS && most - least <= most * SAME_WIDTH,
  )
  return new Map(fixed.map(([name, { most }]) => [name, most]))
}
