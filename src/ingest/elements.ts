import { type Element, LIMITS, type Place, type Warning } from "./document.ts"
import { plain } from "./plain.ts"
import { UnreadableError } from "./UnreadableError.ts"

/** Elements are held until the document is stored: a million of one letter each already take 150 MB. */
const MOST_ELEMENTS = 1_000_000

/** Takes elements away while a reader still reads, in order. */
export type Emit = (elements: ReadonlyArray<Element>) => void

const PART = 1000

/** Collects what a reader finds, within the limits, or hands it on in parts; empty text is dropped. */
export const elementList = (emit?: Emit) => {
  const list: Array<Element> = []
  const kinds = new Set<Element["kind"]>()
  let count = 0
  let characters = 0
  /** Throws "too-large" if that many more characters would be too many: ask before building them. */
  const claim = (more: number): void => {
    if (characters + more > LIMITS.characters || count >= MOST_ELEMENTS) {
      throw new UnreadableError(
        "too-large",
        "The file holds more text than can be read. Split it into smaller files and upload those.",
      )
    }
  }
  return {
    /** Those not handed on. */
    list: list as ReadonlyArray<Element>,
    /** The kinds of all that were found. */
    kinds: kinds as ReadonlySet<Element["kind"]>,
    claim,
    add: (kind: Element["kind"], raw: string, place: Place, level?: number): void => {
      const text = plain(raw)
      if (text === "") return
      claim(text.length)
      characters += text.length
      count++
      kinds.add(kind)
      list.push(level === undefined ? { kind, text, place } : { kind, level, text, place })
      if (emit !== undefined && list.length === PART) emit(list.splice(0))
    },
  }
}

export type ElementList = ReturnType<typeof elementList>

/** A table's cells as one line: what is inside of a cell keeps no tab or line feed. */
export const joinCells = (cells: ReadonlyArray<string>): string =>
  cells.map((cell) => (/[\t\r\n]/.test(cell) ? cell.replaceAll(/\s+/g, " ") : cell)).join("\t")

/** Throws "empty" if nothing was found. */
export const requireText = (elements: ElementList, warnings: ReadonlyArray<Warning> = []) => {
  if (elements.kinds.size === 0) {
    throw new UnreadableError(
      "empty",
      "No text was found in the file. If it shows pictures of text, upload the text itself.",
    )
  }
  return { elements: elements.list, warnings }
}
