import { LIMITS } from "../../document.ts"
import { type Shift, shiftedText } from "../../shiftedText.ts"
import type { Zip } from "../../safety/zip.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { readShift } from "./docxStyles.ts"
import { isOn } from "./office.ts"
import { type Attributes, readXml } from "./xml.ts"

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

/** Follows the runs of a rich text: which are struck out, and which raised or lowered. */
export const richRuns = () => {
  let isStruck = false
  let shift: Shift
  const shifted = shiftedText()
  const endRun = () => {
    isStruck = false
    shift = undefined
  }
  return {
    isStruck: () => isStruck,
    /** Begins the text of another cell. */
    restart: (): void => {
      endRun()
      shifted.restart()
    },
    open: (name: string, attributes: Attributes): void => {
      if (name === "r") endRun()
      else if (name === "strike") isStruck = isOn(attributes)
      else shift = readShift(name, attributes, shift)
    },
    write: (value: string): string => shifted.write(value, shift),
  }
}

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
  const runs = richRuns()
  let inText = false
  let phonetic = false
  readXml(zip, part, {
    open: (name, attributes) => {
      if (name === "si") {
        text = struckText = ""
        runs.restart()
      } else if (name === "rPh") phonetic = true
      else if (name === "t") inText = !phonetic
      else runs.open(name, attributes)
    },
    close: (name) => {
      if (name === "t") inText = false
      else if (name === "rPh") phonetic = false
      else if (name === "si") {
        characters += text.length + struckText.length
        if (characters > max || shown.length >= cells) throw refuse()
        if (struckText !== "") struck.set(shown.length, struckText)
        shown.push(text)
      }
    },
    text: (value) => {
      if (!inText) return
      if (runs.isStruck()) struckText += value
      else text += runs.write(value)
    },
  })
  return { shown, struck }
}
