import { decodeEntities } from "../../../core/common/entities.ts"
import { LIMITS, type ReadDocument, type Warning } from "../../document.ts"
import { type ElementList, type Emit, elementList, requireText } from "../../elements.ts"
import { frameNotes } from "../../frames.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import type { Cell } from "../../tables/header.ts"
import {
  attribute,
  expectRoot,
  mainPart,
  openOffice,
  findParts,
  prefixedAttribute,
  readRelationships,
} from "./office.ts"
import { parseColumn } from "./cellReference.ts"
import { hiddenText } from "../../hiddenText.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { readSheetNotes } from "./xlsxNotes.ts"
import { mergedExtents } from "./xlsxMerges.ts"
import { writeLetter, makeHidden } from "./xlsxHidden.ts"
import { makeFrames } from "./xlsxFrames.ts"
import { shownNumber } from "./xlsxNumbers.ts"
import { NO_STRINGS, readStrings, richRuns, type Strings, tooManyCells } from "./xlsxStrings.ts"
import { makeStruck, readStruckStyles } from "./xlsxStruck.ts"
import { GENERAL, type NumberFormat, readStyles } from "./xlsxStyles.ts"
import { readXml } from "./xml.ts"
import type { Zip } from "../../safety/zip.ts"

/** Frozen rows above are a header, unless so many are frozen that values are among them. */
const MAX_FROZEN_ROWS = 4

interface Workbook {
  readonly zip: Zip
  readonly strings: Strings
  readonly formats: ReadonlyArray<NumberFormat>
  readonly showNumber: typeof shownNumber
  readonly from1904: boolean
  readonly elements: ElementList
  readonly addFrame: ReturnType<typeof frameNotes>
  /** Cells and rows so far, over all sheets. */
  readonly met: { count: number }
  /** Cells whose formula has no value; the first ones by name. */
  readonly uncalculated: { count: number; readonly cells: Array<string> }
  readonly struck: ReturnType<typeof makeStruck>
}

const showCell = (book: Workbook, type: string, style: number, raw: string): string => {
  if (raw.trim() === "") return ""
  if (type === "s") return book.strings.shown[Number(raw)] ?? ""
  if (type === "b") return raw.trim() === "1" ? "TRUE" : "FALSE"
  if (type === "n") return book.showNumber(raw, book.formats[style] ?? GENERAL, book.from1904)
  return raw
}

/** The header rows of the tables that a sheet declares. */
const readHeaderRows = (zip: Zip, sheet: string): ReadonlySet<number> => {
  const rows = new Set<number>()
  for (const part of findParts(zip, readRelationships(zip, sheet), "table")) {
    readXml(zip, part, {
      open: (name, { ref = "", headerRowCount = "1" }) => {
        const first = /^[A-Z]{1,3}(\d{1,7})/.exec(ref)?.[1]
        if (name === "table" && first !== undefined && headerRowCount !== "0") rows.add(Number(first))
      },
    })
  }
  return rows
}

const MAX_NAMED = 12

const noteUncalculated = ({ uncalculated }: Workbook, cell: string) => {
  uncalculated.count++
  if (uncalculated.cells.length < MAX_NAMED) uncalculated.cells.push(cell)
}

const formulasNotCalculated = ({ uncalculated: { count, cells } }: Workbook): ReadonlyArray<Warning> => {
  if (count === 0) return []
  const more = count > cells.length ? ` and ${(count - cells.length).toLocaleString("en")} more` : ""
  return [
    {
      code: "formulas_not_calculated",
      message: `The file has formulas without a value, in ${cells.join(", ")}${more}: the program that wrote it did not calculate them. Open it in a spreadsheet program, save it and upload it again.`,
    },
  ]
}

/** Returns what the sheet hides. */
const readSheet = (book: Workbook, sheet: string, part: string) => {
  const hidden = makeHidden()
  const table = new TableWriter(book.elements, decodeEntities)
  const headerRows = readHeaderRows(book.zip, part)
  const extents = mergedExtents(book.zip, part, parseColumn)
  let frozen = 0
  let root: string | undefined
  let row = 0
  let column = 0
  let cells: Array<Cell> = []
  let type = "n"
  let style = 0
  let raw = ""
  let extent: { readonly span: number; readonly rows: number } | undefined
  let collecting = false
  let phonetic = false
  let isFormula = false
  const frames = makeFrames()
  const meet = () => {
    if (++book.met.count > LIMITS.cells) throw tooManyCells()
  }
  const runs = richRuns()
  /** The struck-out text of the cell. */
  let struck = ""
  const put = () => {
    const shown = showCell(book, type, style, raw)
    const isStruck = book.struck.styles.has(style)
    if (isStruck) book.struck.add(shown, row)
    book.struck.add(type === "s" ? book.strings.struck.get(Number(raw)) : struck, row)
    const text = isStruck ? "" : shown
    if (text.trim() === "") return
    cells.push({ text, column: column - 1, ...extent, isValue: type === "n" })
    hidden.cell(column)
  }
  const endRow = () => {
    if (cells.length === 0) return
    const isHeader = headerRows.has(row) || (row <= frozen && cells.length > 1)
    table.row({ cells, place: { kind: "sheet", sheet, row }, isHeader })
  }
  readXml(book.zip, part, {
    open: (name, attributes) => {
      if (root === undefined) expectRoot((root = name), "worksheet", "spreadsheet")
      if (name === "row") {
        meet()
        row = Number(attributes["r"]) || row + 1
        hidden.row(attributes)
        column = 0
        cells = []
      } else if (name === "c") {
        meet()
        column = parseColumn(attributes["r"] ?? "") || column + 1
        extent = extents.get(attributes["r"] ?? "")
        type = attributes["t"] ?? "n"
        style = Number(attributes["s"] ?? 0)
        raw = struck = ""
        isFormula = false
        runs.restart()
      } else if (name === "f") isFormula = true
      else if (name === "col") hidden.columns(attributes)
      else if (name === "pane" && Number(attributes["ySplit"]) <= MAX_FROZEN_ROWS) frozen = Number(attributes["ySplit"])
      else if (name === "rPh") phonetic = true
      else if (name === "v" || name === "t") collecting = !phonetic
      else {
        runs.open(name, attributes)
        frames.open(name, attributes)
      }
    },
    close: (name) => {
      if (name === "v" || name === "t") collecting = false
      else if (name === "rPh") phonetic = false
      else if (name === "c") {
        // The result "" of a formula has the type of a text.
        if (isFormula && type === "n" && raw.trim() === "")
          noteUncalculated(book, `${sheet}!${writeLetter(column)}${row}`)
        put()
      } else if (name === "row") endRow()
      else frames.close(name)
    },
    text: (value) => {
      if (collecting && runs.isStruck()) struck += value
      else if (collecting) raw += runs.write(value)
      else frames.text(value)
    },
  })
  table.end()
  book.struck.endSheet(sheet)
  readSheetNotes(book.zip, readRelationships(book.zip, part), (text, row) =>
    book.elements.add("note", text, { kind: "sheet", sheet, row }),
  )
  for (const text of frames.texts) book.addFrame(text, { kind: "sheet", sheet, row: 1 })
  return hidden
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
        name: decodeEntities(attribute(attributes, "name") ?? ""),
        id: prefixedAttribute(attributes, "id") ?? "",
        hidden: state !== "visible",
      })
    },
  })
  return { sheets, from1904 }
}

/**
 * Reads a workbook's sheets in order: a heading for each, then a table row for each row with a value, then notes of its cells, its header and its footer. Returns what `emit` did not
 * receive. Throws `UnreadableError`. `showNumber` writes the numbers, by default as their cells show them.
 */
export const readXlsx = async (bytes: Uint8Array, emit?: Emit, showNumber = shownNumber): Promise<ReadDocument> => {
  const zip = openOffice(bytes)
  const part = mainPart(zip)
  const { sheets, from1904 } = readWorkbook(zip, part)
  const links = readRelationships(zip, part)
  const [strings] = findParts(zip, links, "sharedStrings")
  const [styles] = findParts(zip, links, "styles")
  const elements = elementList(emit)
  const book: Workbook = {
    zip,
    strings: strings === undefined ? NO_STRINGS : readStrings(zip, strings),
    formats: styles === undefined ? [] : readStyles(zip, styles),
    showNumber,
    from1904,
    elements,
    addFrame: frameNotes(elements),
    met: { count: 0 },
    uncalculated: { count: 0, cells: [] },
    struck: makeStruck(elements, styles === undefined ? new Set() : readStruckStyles(zip, styles)),
  }
  const warnings: Array<Warning> = []
  for (const sheet of sheets) {
    const link = links.find(({ id, type }) => id === sheet.id && type === "worksheet")
    if (link === undefined) continue
    book.elements.add("heading", sheet.name, { kind: "sheet", sheet: sheet.name, row: 1 }, 1)
    const hidden = readSheet(book, sheet.name, link.target).describe()
    if (hidden !== undefined) {
      warnings.push({ code: "cells_hidden", message: `The sheet "${sheet.name}" hides ${hidden}; they were read.` })
    }
    if (sheet.hidden) {
      const message = `The sheet "${sheet.name}" is hidden in the workbook; it was read.`
      warnings.push({ code: "sheet_hidden", message })
    }
  }
  if (!book.elements.kinds.has("table-row")) {
    throw new UnreadableError("empty", "No filled cell was found in the file. Upload one that has some.")
  }
  return requireText(book.elements, [...warnings, ...formulasNotCalculated(book), ...hiddenText(book.struck.found)])
}
