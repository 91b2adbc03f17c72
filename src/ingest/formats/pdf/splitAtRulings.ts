import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import type { Ruling } from "./rulings.ts"

/** Points of a text on both sides of a ruling that crosses it; a letter may touch a ruling. */
const MIN_SIDE = 2

/** The usual widths of letters, relative to each other: pdf.js states the width of a text alone. */
const estimateWidth = (letter: string) => {
  if (/[iljtfrI.,:;'|! ()[\]-]/.test(letter)) return 0.5
  return /[mwMW@%]/.test(letter) ? 1.5 : /\p{Lu}/u.test(letter) ? 1.2 : 1
}

/** Letters between a ruling and the space at which a text is divided: a text that overhangs its cell has spaces elsewhere. */
const MAX_DISTANCE = 1.5

/** The space at a share of a text's width; undefined if none is near. */
const spaceAt = (text: string, share: number): number | undefined => {
  const letters = [...text]
  const whole = letters.reduce((sum, letter) => sum + estimateWidth(letter), 0)
  let at = 0
  let width = 0
  let best: { readonly at: number; readonly distance: number } | undefined
  for (const letter of letters) {
    const distance = Math.abs((width + estimateWidth(letter) / 2) / whole - share)
    if (letter === " " && (best === undefined || distance < best.distance)) best = { at, distance }
    width += estimateWidth(letter)
    at += letter.length
  }
  return best !== undefined && best.distance * whole <= MAX_DISTANCE + whole * 0.03 ? best.at : undefined
}

/** pdf.js joins texts that are close, also those of two cells. Divides each text where a vertical ruling crosses it. */
export const splitAtRulings = (
  items: ReadonlyArray<TextItem>,
  rulings: ReadonlyArray<Ruling>,
): ReadonlyArray<TextItem> =>
  items.flatMap((item) => {
    const [, b = 0, c = 0, size = 0, x = 0, y = 0] = item.transform as ReadonlyArray<number>
    if (b !== 0 || c !== 0 || !item.str.includes(" ")) return [item]
    const height = y + size * 0.3
    const crossed = rulings
      .filter(
        ({ at, start, end }) => start <= height && height <= end && at > x + MIN_SIDE && at < x + item.width - MIN_SIDE,
      )
      .sort((one, other) => one.at - other.at)
    if (crossed.length === 0) return [item]
    const parts: Array<TextItem> = []
    const end = x + item.width
    let text = item.str
    let left = x
    const add = (str: string, right: number) =>
      parts.push({ ...item, str, transform: [...item.transform.slice(0, 4), left, y], width: right - left })
    for (const { at } of crossed) {
      const space = spaceAt(text, (at - left) / (end - left))
      if (space === undefined) continue
      add(text.slice(0, space), at - MIN_SIDE / 2)
      text = text.slice(space + 1)
      left = at + MIN_SIDE / 2
    }
    add(text, end)
    return parts
  })
