import { readXml } from "../formats/office/xml.ts"
import type { Zip } from "../safety/zip.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { LIMITS } from "./limits.ts"

/** Characters of all strings, which stay in the thread's memory. */
const MAX_CHARACTERS = 100_000_000

/** The shared strings of a workbook, by their index. Text of rich runs is joined, and how a text is pronounced left out. */
export const readStrings = (zip: Zip, part: string): ReadonlyArray<string> => {
  const strings: Array<string> = []
  let characters = 0
  let text = ""
  let inText = false
  let isPhonetic = false
  readXml(zip, part, {
    open: (name) => {
      if (name === "si") text = ""
      else if (name === "rPh") isPhonetic = true
      else if (name === "t") inText = !isPhonetic
    },
    close: (name) => {
      if (name === "t") inText = false
      else if (name === "rPh") isPhonetic = false
      else if (name === "si") {
        characters += text.length
        if (characters > MAX_CHARACTERS || strings.length >= LIMITS.cells) throw tooManyCells()
        strings.push(unescapeControls(text))
      }
    },
    text: (value) => {
      if (inText) text += value
    },
  })
  return strings
}

export const tooManyCells = () =>
  new UnreadableError(
    "too-large",
    `has more than ${LIMITS.cells.toLocaleString("en")} cells, or too long ones: save it as CSV, which has no limit`,
  )

/** Excel writes control characters, such as the carriage return, as `_x000D_` (ECMA-376 part 1, 22.9.2.19). */
export const unescapeControls = (text: string): string =>
  text.includes("_x")
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (all, code: string) =>
        code === "0000" ? all : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text
