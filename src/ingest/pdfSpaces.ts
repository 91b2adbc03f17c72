import type { TextItem } from "pdfjs-dist/types/src/display/api.js"

const CONTROL = new RegExp(String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F]`, "g")

/** Of a font's characters: a space is one of six or so, a ligature that lost its letters one of a hundred. */
const MIN_SHARE = 0.05

/** Some fonts name their space a control character. One that stands as often as spaces do, becomes one. */
export const restoreSpaces = (items: ReadonlyArray<TextItem>): ReadonlyArray<TextItem> => {
  const fonts = new Map<string, { characters: number; readonly controls: Map<string, number> }>()
  for (const { str, fontName } of items) {
    const font = fonts.get(fontName) ?? { characters: 0, controls: new Map<string, number>() }
    fonts.set(fontName, font)
    font.characters += str.length
    for (const [control] of str.matchAll(CONTROL)) font.controls.set(control, (font.controls.get(control) ?? 0) + 1)
  }
  if ([...fonts.values()].every(({ controls }) => controls.size === 0)) return items
  return items.map((item) => {
    const { characters, controls } = fonts.get(item.fontName)!
    const isSpace = (control: string) => controls.get(control)! >= characters * MIN_SHARE
    return { ...item, str: item.str.replaceAll(CONTROL, (control) => (isSpace(control) ? " " : control)) }
  })
}
