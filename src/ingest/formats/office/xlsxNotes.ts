import { attribute, findParts, type Relationship } from "./office.ts"
import { paragraphs } from "./pptxParts.ts"
import { richRuns } from "./xlsxStrings.ts"
import { readXml } from "./xml.ts"
import type { Zip } from "../../safety/zip.ts"

/** Adds a note. `row`: of the cell that it belongs to. */
type AddNote = (text: string, row: number) => void

const parseRow = (reference: string): number => Number(/^[A-Z]{1,3}(\d{1,7})$/.exec(reference)?.[1] ?? 1)

/** Reads comments as Excel has them since 2019, with their replies; returns the cells that have some. */
const readThreads = (zip: Zip, part: string, add: AddNote): ReadonlySet<string> => {
  const cells = new Set<string>()
  let cell = ""
  let text = ""
  readXml(zip, part, {
    open: (name, attributes) => {
      if (name === "threadedComment") cell = attribute(attributes, "ref") ?? ""
      else if (name === "text") text = ""
    },
    close: (name) => {
      if (name === "threadedComment") cells.add(cell)
      else if (name === "text") add(labelled(cell, text), parseRow(cell))
      text = ""
    },
    text: (value) => {
      text += value
    },
  })
  return cells
}

/** Reads the notes of cells. `threaded`: those whose note only says that older programs cannot show their comments. */
const readNotes = (zip: Zip, part: string, threaded: ReadonlySet<string>, add: AddNote): void => {
  let cell = ""
  let text = ""
  let inText = false
  const runs = richRuns()
  readXml(zip, part, {
    open: (name, attributes) => {
      if (name === "comment") {
        cell = attribute(attributes, "ref") ?? ""
        text = ""
        runs.restart()
      } else if (name === "t") inText = true
      else runs.open(name, attributes)
    },
    close: (name) => {
      if (name === "t") inText = false
      else if (name === "comment" && !threaded.has(cell)) add(labelled(cell, text), parseRow(cell))
    },
    text: (value) => {
      if (inText) text += runs.write(value)
    },
  })
}

const labelled = (cell: string, text: string) => (text.trim() === "" ? "" : `${cell}: ${text.trim()}`)

/** Reads the text of shapes and text boxes that lie on a sheet. */
const readShapes = (zip: Zip, part: string, add: AddNote): void => {
  let row = ""
  let inRow = false
  let inFrom = false
  const reader = paragraphs((text) => add(text, (Number(row) || 0) + 1))
  readXml(zip, part, {
    open: (name) => {
      reader.open(name)
      if (name === "from") inFrom = true
      else if (name === "row" && inFrom) {
        inRow = true
        row = ""
      }
    },
    close: (name) => {
      reader.close(name)
      if (name === "from") inFrom = false
      else if (name === "row") inRow = false
    },
    text: (value) => {
      reader.text(value)
      if (inRow) row += value
    },
  })
}

/** Reads what lies beside the cells of a sheet: comments, notes and text boxes. */
export const readSheetNotes = (zip: Zip, links: ReadonlyArray<Relationship>, add: AddNote): void => {
  const threaded = new Set<string>()
  for (const part of findParts(zip, links, "threadedComment"))
    for (const cell of readThreads(zip, part, add)) threaded.add(cell)
  for (const part of findParts(zip, links, "comments")) readNotes(zip, part, threaded, add)
  for (const part of findParts(zip, links, "drawing")) readShapes(zip, part, add)
}
