import type { Element, ReadDocument } from "../../document.ts"
import { elementList, requireText } from "../../elements.ts"
import { frameNotes } from "../../frames.ts"
import { hiddenText } from "../../hiddenText.ts"
import { openZip, type Zip } from "../../safety/zip.ts"
import { makeGrid, readSpan } from "../../tables/grid.ts"
import { shiftedText } from "../../shiftedText.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import type { Cell } from "../../tables/header.ts"
import { asTranscript } from "../../transcripts/turns.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { attribute, expectRoot } from "./office.ts"
import { readOdtFrames } from "./odtFrames.ts"
import { odtHidden } from "./odtHidden.ts"
import { type Attributes, readXml } from "./xml.ts"

const PLACE = { kind: "text" } as const
/** Elements without text of the document. */
const SKIPPED: ReadonlySet<string> = new Set(["tracked-changes", "note-citation", "creator", "date"])
/** Spaces and columns that one element may state. */
const MAX_REPEATED = 256
const MAX_TITLES = 1000

const isEncrypted = (zip: Zip): boolean => {
  let found = false
  if (zip.has("META-INF/manifest.xml")) {
    readXml(zip, "META-INF/manifest.xml", { open: (name) => void (found ||= name === "encryption-data") })
  }
  return found
}

/**
 * Reads the headings, paragraphs, list items, tables, notes and comments of a text of OpenDocument (ODF 1.3) in their order, then each
 * header and footer of its pages as a note. Deleted text is left out. Throws `UnreadableError`.
 */
export const readOdt = async (bytes: Uint8Array): Promise<ReadDocument> => {
  if (bytes.length === 0) throw new UnreadableError("empty", "The file is empty. Upload it again.")
  const zip = openZip(bytes)
  if (!zip.has("content.xml"))
    throw new UnreadableError("damaged", "The file holds no OpenDocument text. Save it as ODT or DOCX and upload that.")
  if (isEncrypted(zip))
    throw new UnreadableError(
      "encrypted",
      "The file is protected by a password. Save it without one and upload that copy.",
    )
  const elements = elementList()
  const table = new TableWriter(elements)
  let root: string | undefined
  let isText = false
  let skipping = 0
  let lists = 0
  let tables = 0
  let headers = 0
  let grid = makeGrid()
  let cells: Array<Cell> = []
  let cell: { readonly column: number; readonly span: number; readonly rows: number } | undefined
  let text = ""
  /** The hidden text of the paragraph or row. */
  let hidden = ""
  const hiding = odtHidden()
  const shifted = shiftedText()
  let level = 1
  /** The paragraph around a note or comment. */
  const around: Array<string> = []
  const notes: Array<string> = []
  const endBlock = () => {
    for (const note of notes.splice(0)) elements.add("note", note, PLACE)
    elements.addHidden(hidden, PLACE)
    hidden = ""
  }
  const add = (kind: Element["kind"], heading?: number) => {
    if (tables === 0) table.end()
    elements.add(kind, kind === "heading" ? text.replaceAll(/\s+/g, " ") : text, PLACE, heading)
    text = ""
    endBlock()
  }
  const append = (value: string) => {
    if (hiding.isHidden()) hidden += value
    else text += shifted.write(value, hiding.shift())
  }
  const repeated = (value: string | undefined) => Math.min(Math.max(Number(value) || 1, 1), MAX_REPEATED)
  /** The style of a document's title, and those that inherit from it. */
  const titles = new Set(["Title"])
  const inheritTitle = (attributes: Attributes) => {
    const isOfTitle = titles.has(attribute(attributes, "parent-style-name") ?? "")
    if (isOfTitle && titles.size < MAX_TITLES) titles.add(attribute(attributes, "name") ?? "")
  }
  // Automatic styles, in the content, have those of this part as parents.
  const openStyle = (name: string, attributes: Attributes) => {
    hiding.open(name, attributes)
    if (name === "style") inheritTitle(attributes)
  }
  if (zip.has("styles.xml")) readXml(zip, "styles.xml", { open: openStyle, close: hiding.close })
  const startAside = () => {
    around.push(text)
    text = ""
  }
  const endAside = () => {
    notes.push(text)
    text = around.pop() ?? ""
  }
  const startCell = (attributes: Attributes) => {
    text = ""
    // The file itself states the cells that a span covers.
    const column = grid.place(repeated(attribute(attributes, "number-columns-repeated")), 1)
    const span = readSpan(attribute(attributes, "number-columns-spanned"))
    cell = { column, span, rows: readSpan(attribute(attributes, "number-rows-spanned")) }
  }
  const endParagraph = (kind: Element["kind"], heading?: number) => {
    if (around.length > 0 || tables > 0) text += "\n"
    else add(kind, heading)
  }
  let isTitle = false
  const styleParagraph = (attributes: Attributes) => {
    shifted.restart()
    if (around.length === 0) isTitle = titles.has(attribute(attributes, "style-name") ?? "")
  }
  const endShown = () => {
    if (isTitle && tables === 0) endParagraph("heading", 1)
    else endParagraph(lists > 0 ? "list-item" : "paragraph")
  }
  const openers = new Map<string, (attributes: Attributes) => void>([
    ["style", inheritTitle],
    ["p", styleParagraph],
    ["list", () => lists++],
    ["note", startAside],
    ["annotation", startAside],
    ["h", (attributes) => (level = Math.min(Math.max(Number(attribute(attributes, "outline-level")) || 1, 1), 9))],
    ["s", (attributes) => append(" ".repeat(repeated(attribute(attributes, "c"))))],
    ["tab", () => append("\t")],
    ["line-break", () => append("\n")],
    [
      "table",
      () => {
        if (++tables === 1) grid = makeGrid()
      },
    ],
  ])
  const closers = new Map<string, () => void>([
    ["list", () => lists--],
    ["note", endAside],
    ["annotation", endAside],
    ["p", endShown],
    ["h", () => endParagraph("heading", level)],
    [
      "table",
      () => {
        if (--tables > 0) return
        table.end()
        endBlock()
      },
    ],
  ])
  /** Parts of a table. Those of a table in its cells are text. */
  const openersInTable = new Map<string, (attributes: Attributes) => void>([
    ["table-header-rows", () => headers++],
    [
      "table-row",
      () => {
        cells = []
        grid.startRow()
      },
    ],
    ["table-cell", startCell],
    ["covered-table-cell", startCell],
  ])
  const closersInTable = new Map<string, () => void>([
    ["table-header-rows", () => headers--],
    [
      "table-cell",
      () => {
        if (cell !== undefined && text.trim() !== "") cells.push({ ...cell, text: text.replaceAll(/\s+/g, " ").trim() })
        text = ""
      },
    ],
    [
      "table-row",
      () => {
        grid.endRow()
        table.row({ cells, place: PLACE, isHeader: headers > 0 })
      },
    ],
  ])
  readXml(zip, "content.xml", {
    open: (name, attributes) => {
      if (root === undefined) expectRoot((root = name), "document-content", "OpenDocument")
      if (name === "text" && tables === 0 && around.length === 0) isText = true
      if (skipping > 0 || SKIPPED.has(name)) {
        skipping++
        return
      }
      hiding.open(name, attributes)
      const open = openers.get(name) ?? (tables === 1 ? openersInTable.get(name) : undefined)
      open?.(attributes)
    },
    close: (name) => {
      if (skipping > 0) {
        skipping--
        return
      }
      hiding.close(name)
      const close = closers.get(name) ?? (tables === 1 ? closersInTable.get(name) : undefined)
      close?.()
    },
    text: (value) => {
      if (skipping > 0 || !isText) return
      elements.claim(text.length + hidden.length + value.length)
      append(value.replaceAll(/[\n\r\t ]+/g, " "))
    },
  })
  const body = [...elements.list]
  const addFrame = frameNotes(elements)
  readOdtFrames(zip, hiding, elements.claim, (text) => addFrame(text, PLACE))
  const warnings = hiddenText(body)
  const read = requireText(elements, warnings)
  const transcript = warnings.length > 0 ? undefined : asTranscript(body)
  return { ...read, elements: [...(transcript ?? body), ...read.elements.slice(body.length)] }
}
