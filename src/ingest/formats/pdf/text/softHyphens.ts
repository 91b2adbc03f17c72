import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import type { Glyph } from "../page/glyphs.ts"

const MAPS_SOFT_HYPHEN = /<00ad>/i

/**
 * Whether a stream of the file is the character map of a font that names its hyphen U+00AD. pdf.js leaves that letter out of texts, and
 * with it the sign of "-3,255.00".
 */
export const namesSoftHyphen = (stream: string): boolean => stream.includes("beginbf") && MAPS_SOFT_HYPHEN.test(stream)

const SOFT_HYPHEN = "\u00ad"
/** In points: how exact baselines are. */
const NEAR = 1
/** In ems: a wider gap beside a hyphen is a space. */
const SPACE = 0.15

const fold = (text: string) => text.normalize("NFKC").replaceAll(/\s+/g, "")

/** The letters of one baseline in the order in which they are drawn, and how many of them the texts before have used. */
interface Baseline {
  readonly glyphs: ReadonlyArray<Glyph>
  used: number
}

interface Written {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly next: number
}

/** Writes a text with the letters from `first` on, each of which it looks at; undefined if they are not its letters. */
const write = (
  str: string,
  size: number,
  glyphs: ReadonlyArray<Glyph>,
  first: number,
  look: () => void,
): Written | undefined => {
  let text = ""
  let next = first
  let pending = ""
  let isAfterSpace = false
  /** Begins the next letter. Beside a soft hyphen the drawn gap decides on a space: pdf.js takes the hyphen itself for one. */
  const begin = () => {
    look()
    const [before, glyph] = [glyphs[next - 1], glyphs[next++]]
    const isBesideHyphen = before?.text === SOFT_HYPHEN || glyph?.text === SOFT_HYPHEN
    const isApart = isBesideHyphen ? glyph!.start - (before?.end ?? glyph!.start) > SPACE * size : isAfterSpace
    if (isApart && text !== "") text += " "
    isAfterSpace = false
    return glyph
  }
  const addHyphens = () => {
    while (glyphs[next]?.text === SOFT_HYPHEN) {
      begin()
      text += "-"
    }
  }
  for (const letter of str) {
    const folded = fold(letter)
    if (folded === "") isAfterSpace = true
    else {
      if (pending === "") {
        addHyphens()
        pending = fold(begin()?.text ?? "")
      }
      if (!pending.startsWith(folded)) return undefined
      pending = pending.slice(folded.length)
      text += letter
    }
  }
  const end = glyphs[next - 1]!.end
  if (Math.abs((glyphs[next]?.start ?? Number.POSITIVE_INFINITY) - end) <= SPACE * size) addHyphens()
  return { text, start: glyphs[first]!.start, end: glyphs[next - 1]!.end, next }
}

/** Letters that are looked at for each letter of a page. The texts of a baseline are in the order of its letters, but for few. */
const MAX_LOOKS = 40

/** Puts the hyphens of such fonts back into the texts of a page. `glyphs`: the letters of the page in the order in which they are drawn. */
export const restoreHyphens = (
  items: ReadonlyArray<TextItem>,
  glyphs: ReadonlyArray<Glyph>,
): ReadonlyArray<TextItem> => {
  if (!glyphs.some(({ text }) => text === SOFT_HYPHEN)) return items
  const baselines = new Map<number, Baseline>()
  for (const [up, own] of Map.groupBy(glyphs, ({ up }) => Math.round(up))) baselines.set(up, { glyphs: own, used: 0 })
  const left = { looks: glyphs.length * MAX_LOOKS }
  const look = () => void left.looks--
  return items.map((item) => {
    const [a = 0, b = 0, c = 0, d = 0, , y = 0] = item.transform as ReadonlyArray<number>
    if (fold(item.str) === "" || b !== 0 || c !== 0) return item
    for (const by of [0, -1, 1]) {
      const baseline = baselines.get(Math.round(y) + by)
      for (let first = baseline?.used ?? 0; first < (baseline?.glyphs.length ?? 0) && left.looks > 0; first++) {
        look()
        if (Math.abs(baseline!.glyphs[first]!.up - y) >= NEAR) continue
        const written = write(item.str.trim(), d, baseline!.glyphs, first, look)
        if (written === undefined) continue
        baseline!.used = written.next
        const transform = [a, b, c, d, written.start, y]
        return { ...item, str: written.text, transform, width: written.end - written.start }
      }
    }
    return item
  })
}
