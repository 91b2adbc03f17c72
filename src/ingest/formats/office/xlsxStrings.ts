import { LIMITS } from "../../document.ts"
import type { Zip } from "../../safety/zip.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { isOn } from "./office.ts"
import { readXml } from "./xml.ts"

/** The strings that cells share, by their index. */
export interface Strings {
  readonly shown: ReadonlyArray<string>
  /** The struck-out text of the strings that have some. */
  readonly struck: ReadonlyMap<number, string>
}

export const NO_STRINGS: Strings = { shown: [], struck: new Map() }

export const tooManyCells = () =>
  new UnreadableError(
    "too-large",
    "The file holds more cells than can be read. Split it into smaller files and upload those.",
  )

interface Bounds {
  readonly characters: number
  readonly cells: number
  readonly refuse: () => UnreadableError
}

const DOCUMENT: Bounds = { characters: LIMITS.characters, cells: LIMITS.cells, refuse: tooManyCells }

/** Reads the shared strings of a workbook. Text of rich runs is joined, and how a text is pronounced left out. */
export const readStrings = (zip: Zip, part: string, { characters: max, cells, refuse } = DOCUMENT): Strings => {
  const shown: Array<string> = []
  const struck = new Map<number, string>()
  let characters = 0
  let text = ""
  let struckText = ""
  let isStruck = false
  let inText = false
  let phonetic = false
  readXml(zip, part, {
    open: (name, attributes) => {
      if (name === "si") text = struckText = ""
      else if (name === "rPh") phonetic = true
      else if (name === "strike") isStruck = isOn(attributes)
      else if (name === "t") inText = !phonetic
    },
    close: (name) => {
      if (name === "t") inText = false
      else if (name === "rPh") phonetic = false
      else if (name === "r") isStruck = false
      else if (name === "si") {
        characters += text.length + struckText.length
        if (characters > max || shown.length >= cells) throw refuse()
        if (struckText !== "") struck.set(shown.length, struckText)
        shown.push(text)
      }
    },
    text: (value) => {
      if (!inText) return
      if (isStruck) struckText += value
      else text += value
    },
  })
  return { shown, struck }
}
