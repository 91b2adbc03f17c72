import type { TextItem } from "pdfjs-dist/types/src/display/api.js"

const CONTROL = new RegExp(String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F]`, "g")

/** The minimum share of spaces among a font's characters: usually one in six. A ligature without letters is rarer, or has its own font. */
const SHARE = { least: 0.05, most: 0.3 }

/** Counts the characters of a font on a page, its regular spaces and control characters. */
interface Usage {
  characters: number
  spaces: number
  readonly controls: Map<string, number>
}

const isSpace = ({ characters, spaces, controls }: Usage, control: string) => {
  const count = controls.get(control)!
  return count >= characters * SHARE.least && count <= characters * SHARE.most && count > spaces * 4
}

/** Some fonts map their space to a control character. One that is as frequent as spaces, in a font without spaces, becomes a space. */
export const restoreSpaces = (items: ReadonlyArray<TextItem>): ReadonlyArray<TextItem> => {
  const fonts = new Map<string, Usage>()
  for (const { str, fontName } of items) {
    const font = fonts.get(fontName) ?? { characters: 0, spaces: 0, controls: new Map<string, number>() }
    fonts.set(fontName, font)
    font.characters += str.length
    font.spaces += str.split(" ").length - 1
    for (const [control] of str.matchAll(CONTROL)) font.controls.set(control, (font.controls.get(control) ?? 0) + 1)
  }
  if ([...fonts.values()].every(({ controls }) => controls.size === 0)) return items
  return items.map((item) => {
    const font = fonts.get(item.fontName)!
    return { ...item, str: item.str.replaceAll(CONTROL, (control) => (isSpace(font, control) ? " " : control)) }
  })
}
