import { type Element, LIMITS, type Place, type Warning } from "./document.ts"
import { plain } from "./plain.ts"
import { UnreadableError } from "./UnreadableError.ts"

/** Elements stay in memory until the document is stored: a million one-letter elements take 150 MB. */
const MAX_ELEMENTS = 1_000_000

/** Receives elements in order while a reader still reads. */
export type Emit = (elements: ReadonlyArray<Element>) => void

const PART_ELEMENTS = 1000

/** Joins a row's cells by tabs, without empty cells at the end; inside a cell, spaces replace other white space. */
const joinCells = (cells: ReadonlyArray<string>): string =>
  cells
    .map((cell) => plain(cell).replaceAll(/[\t\n]+/g, " "))
    .join("\t")
    .trimEnd()

/** Collects elements within the limits, or emits them in parts; drops empty text. */
export const elementList = (emit?: Emit) => {
  const list: Array<Element> = []
  const kinds = new Set<Element["kind"]>()
  let count = 0
  let characters = 0
  /** Throws "too-large" if `more` characters exceed the limit. Call it before building the text. */
  const claim = (more: number): void => {
    if (characters + more > LIMITS.characters || count >= MAX_ELEMENTS) {
      throw new UnreadableError(
        "too-large",
        "The file holds more text than can be read. Split it into smaller files and upload those.",
      )
    }
  }
  const push = (element: Element) => {
    claim(element.text.length)
    characters += element.text.length
    count++
    kinds.add(element.kind)
    list.push(element)
    if (emit !== undefined && list.length === PART_ELEMENTS) emit(list.splice(0))
  }
  return {
    /** The elements that were not emitted. */
    list: list as ReadonlyArray<Element>,
    /** The kinds of all elements so far. */
    kinds: kinds as ReadonlySet<Element["kind"]>,
    claim,
    /** Adds an element of another reader. */
    push,
    add: (kind: Element["kind"], raw: string, place: Place, level?: number): void => {
      const text = plain(raw)
      if (text === "") return
      push(level === undefined ? { kind, text, place } : { kind, level, text, place })
    },
    /** Adds text that no reader of the file sees. */
    addHidden: (raw: string, place: Place): void => {
      const text = plain(raw)
      if (text !== "") push({ kind: "paragraph", hidden: true, text, place })
    },
    /** Adds a row of a table, one text for each column. */
    addRow: (
      cells: ReadonlyArray<string>,
      place: Place,
      how: Pick<Element, "header" | "labels" | "merged"> = {},
    ): void => {
      const text = joinCells(cells)
      if (text === "") return
      // Without this, each row of a file could repeat long merged cells.
      characters += (how.merged ?? []).reduce((sum, cell) => sum + cell.length, 0)
      push({ kind: "table-row", ...how, text, place })
    },
  }
}

export type ElementList = ReturnType<typeof elementList>

/** Throws "empty" if there are no elements. */
export const requireText = (elements: ElementList, warnings: ReadonlyArray<Warning> = []) => {
  if (elements.kinds.size === 0) {
    throw new UnreadableError(
      "empty",
      "No text was found in the file. If it shows pictures of text, upload the text itself.",
    )
  }
  return { elements: elements.list, warnings }
}
