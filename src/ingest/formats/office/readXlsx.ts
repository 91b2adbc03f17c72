import { LIMITS, type ReadDocument, type Warning } from "../../document.ts"
import { type ElementList, type Emit, elementList, joinCells, requireText } from "../../elements.ts"
import { attribute, expectRoot, mainPart, openOffice, partsOf, prefixedAttribute, relationshipsOf } from "./office.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { type NumberKind, readStyles, showNumber } from "./xlsxStyles.ts"
import { readXml } from "./xml.ts"
import type { Zip } from "../../safety/zip.ts"

/** Empty cells between two filled ones keep their tabs up to this many: a value in column XFD does not need 16,000. */
const MAX_GAP = 64

interface Workbook {
  readonly zip: Zip
  readonly strings: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<NumberKind>
  readonly from1904: boolean
  readonly elements: ElementList
  /** Cells and rows so far, over all sheets. */
  readonly met: { count: number }
}

const readStrings = (zip: Zip, part: string): ReadonlyArray<string> => {
  const strings: Array<string> = []
  let characters = 0
  let text = ""
  let inText = false
  let phonetic = false
  readXml(zip, part, {
    open: (name) => {
      if (name === "si") text = ""
      else if (name === "rPh") phonetic = true
      else if (name === "t") inText = !phonetic
    },
    close: (name) => {
      if (name === "t") inText = false
      else if (name === "rPh") phonetic = false
      else if (name === "si") {
        characters += text.length
        if (characters > LIMITS.characters || strings.length >= LIMITS.cells) throw tooManyCells()
        strings.push(text)
      }
    },
    text: (value) => {
      if (inText) text += value
    },
  })
  return strings
}

const tooManyCells = () =>
  new UnreadableError(
    "too-large",
    "The file holds more cells than can be read. Split it into smaller files and upload those.",
  )

const columnOf = (reference: string): number => {
  let column = 0
  for (let at = 0; at < reference.length && at < 3; at++) {
    const letter = reference.charCodeAt(at) & ~32
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
  }
  return column
}

const showCell = (book: Workbook, type: string, style: number, raw: string): string => {
  if (raw.trim() === "") return ""
  if (type === "s") return book.strings[Number(raw)] ?? ""
  if (type === "b") return raw.trim() === "1" ? "TRUE" : "FALSE"
  if (type === "n") return showNumber(raw, book.kinds[style] ?? "number", book.from1904)
  return raw
}

const readSheet = (book: Workbook, sheet: string, part: string): void => {
  let root: string | undefined
  let row = 0
  let column = 0
  /** The column of the last filled cell. */
  let last = 0
  let cells: Array<string> = []
  let width = 0
  let type = "n"
  let style = 0
  let raw = ""
  let collecting = false
  let phonetic = false
  const meet = () => {
    if (++book.met.count > LIMITS.cells) throw tooManyCells()
  }
  const put = (text: string) => {
    if (text.trim() === "") return
    const gap = Math.min(column - 1 - last, MAX_GAP)
    for (let blank = 0; blank < gap; blank++) cells.push("")
    width += text.length + 1 + Math.max(0, gap)
    book.elements.claim(width)
    cells.push(text)
    last = column
  }
  readXml(book.zip, part, {
    open: (name, attributes) => {
      if (root === undefined) expectRoot((root = name), "worksheet", "spreadsheet")
      if (name === "row") {
        meet()
        row = Number(attributes["r"]) || row + 1
        column = 0
        last = 0
        cells = []
        width = 0
      } else if (name === "c") {
        meet()
        column = columnOf(attributes["r"] ?? "") || column + 1
        type = attributes["t"] ?? "n"
        style = Number(attributes["s"] ?? 0)
        raw = ""
      } else if (name === "rPh") phonetic = true
      else if (name === "v" || name === "t") collecting = !phonetic
    },
    close: (name) => {
      if (name === "v" || name === "t") collecting = false
      else if (name === "rPh") phonetic = false
      else if (name === "c") put(showCell(book, type, style, raw))
      else if (name === "row") book.elements.add("table-row", joinCells(cells), { kind: "sheet", sheet, row })
    },
    text: (value) => {
      if (collecting) raw += value
    },
  })
}

const readWorkbook = (zip: Zip, part: string) => {
  const sheets: Array<{ readonly name: string; readonly id: string; readonly hidden: boolean }> = []
  let root: string | undefined
  let from1904 = false
  readXml(zip, part, {
    open: (name, attributes) => {
      if (root === undefined) expectRoot((root = name), "workbook", "spreadsheet")
      if (name === "workbookPr") from1904 = ["1", "true"].includes(attributes["date1904"] ?? "")
      if (name !== "sheet") return
      const { state = "visible" } = attributes
      sheets.push({
        name: attribute(attributes, "name") ?? "",
        id: prefixedAttribute(attributes, "id") ?? "",
        hidden: state !== "visible",
      })
    },
  })
  return { sheets, from1904 }
}

/** Reads a workbook's sheets in order: a heading for each, then a table row for each row with a value. Returns what `emit` did not receive. Throws `UnreadableError`. */
export const readXlsx = async (bytes: Uint8Array, emit?: Emit): Promise<ReadDocument> => {
  const zip = openOffice(bytes)
  const part = mainPart(zip)
  const { sheets, from1904 } = readWorkbook(zip, part)
  const links = relationshipsOf(zip, part)
  const [strings] = partsOf(zip, links, "sharedStrings")
  const [styles] = partsOf(zip, links, "styles")
  const book: Workbook = {
    zip,
    strings: strings === undefined ? [] : readStrings(zip, strings),
    kinds: styles === undefined ? [] : readStyles(zip, styles),
    from1904,
    elements: elementList(emit),
    met: { count: 0 },
  }
  const warnings: Array<Warning> = []
  for (const sheet of sheets) {
    const link = links.find(({ id, type }) => id === sheet.id && type === "worksheet")
    if (link === undefined) continue
    book.elements.add("heading", sheet.name, { kind: "sheet", sheet: sheet.name, row: 1 }, 1)
    readSheet(book, sheet.name, link.target)
    if (sheet.hidden) {
      const message = `The sheet "${sheet.name}" is hidden in the workbook; it was read.`
      warnings.push({ code: "sheet_hidden", message })
    }
  }
  if (!book.elements.kinds.has("table-row")) {
    throw new UnreadableError("empty", "No filled cell was found in the file. Upload one that has some.")
  }
  return requireText(book.elements, warnings)
}
