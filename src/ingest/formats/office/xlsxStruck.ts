import type { Element } from "../../document.ts"
import type { ElementList } from "../../elements.ts"
import type { Zip } from "../../safety/zip.ts"
import { isOn } from "./office.ts"
import { readXml } from "./xml.ts"

/** The cell styles, by index, whose font strikes its text out. */
export const readStruckStyles = (zip: Zip, part: string): ReadonlySet<number> => {
  const fonts = new Set<number>()
  const styles = new Set<number>()
  let list = ""
  let font = -1
  let style = -1
  readXml(zip, part, {
    open: (name, attributes) => {
      if (name === "fonts" || name === "cellXfs") list = name
      else if (list === "fonts" && name === "font") font++
      else if (list === "fonts" && name === "strike" && isOn(attributes)) fonts.add(font)
      else if (list === "cellXfs" && name === "xf") {
        style++
        if (fonts.has(Number(attributes["fontId"]))) styles.add(style)
      }
    },
    close: (name) => {
      if (name === list) list = ""
    },
  })
  return styles
}

/** The warning names no more places. */
const MAX_FOUND = 1000

/** Adds the struck-out texts of a workbook as hidden text, at the end of each sheet: between its rows they would divide a table. */
export const makeStruck = (elements: ElementList, styles: ReadonlySet<number>) => {
  const found: Array<Element> = []
  const texts: Array<readonly [text: string, row: number]> = []
  return {
    styles,
    /** The first ones. */
    found: found as ReadonlyArray<Element>,
    add: (text: string | undefined, row: number): void => {
      if (text === undefined || text.trim() === "") return
      elements.claim(text.length)
      texts.push([text.trim(), row])
    },
    endSheet: (sheet: string): void => {
      for (const [text, row] of texts.splice(0)) {
        const place = { kind: "sheet", sheet, row } as const
        elements.addHidden(text, place)
        if (found.length < MAX_FOUND) found.push({ kind: "paragraph", hidden: true, text, place })
      }
    },
  }
}
