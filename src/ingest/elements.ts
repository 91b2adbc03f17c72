import { type Element, LIMITS, type Place } from "./document.ts"
import { plain } from "./plain.ts"
import { UnreadableError } from "./UnreadableError.ts"

/** Elements are held until the document is stored: a million of one letter each already take 150 MB. */
const MOST_ELEMENTS = 1_000_000

/** Collects what a reader finds, within the limits; empty text is dropped. */
export const elementList = () => {
  const list: Array<Element> = []
  let characters = 0
  /** Throws "too-large" if that many more characters would be too many: ask before building them. */
  const claim = (more: number): void => {
    if (characters + more > LIMITS.characters || list.length >= MOST_ELEMENTS) {
      throw new UnreadableError(
        "too-large",
        "The file holds more text than can be read. Split it into smaller files and upload those.",
      )
    }
  }
  return {
    list: list as ReadonlyArray<Element>,
    claim,
    add: (kind: Element["kind"], raw: string, place: Place, level?: number): void => {
      const text = plain(raw)
      if (text === "") return
      claim(text.length)
      characters += text.length
      list.push(level === undefined ? { kind, text, place } : { kind, level, text, place })
    },
  }
}

export type ElementList = ReturnType<typeof elementList>

/** A table's cells as one line: what is inside of a cell keeps no tab or line feed. */
export const joinCells = (cells: ReadonlyArray<string>): string =>
  cells.map((cell) => (/[\t\r\n]/.test(cell) ? cell.replaceAll(/\s+/g, " ") : cell)).join("\t")

/** Throws "empty" if nothing was found. */
export const requireText = (elements: ElementList, warnings: ReadonlyArray<string> = []) => {
  if (elements.list.length === 0) {
    throw new UnreadableError(
      "empty",
      "No text was found in the file. If it shows pictures of text, upload the text itself.",
    )
  }
  return { elements: elements.list, warnings }
}
