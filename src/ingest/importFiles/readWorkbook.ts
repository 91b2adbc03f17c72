import {
  attribute,
  expectRoot,
  mainPart,
  openOffice,
  findParts,
  prefixedAttribute,
  readRelationships,
} from "../formats/office/office.ts"
import { readXml } from "../formats/office/xml.ts"
import { NO_STRINGS } from "../formats/office/xlsxStrings.ts"
import { readStruckStyles } from "../formats/office/xlsxStruck.ts"
import { readStyles } from "../formats/office/xlsxStyles.ts"
import type { Zip } from "../safety/zip.ts"
import type { Cell } from "../../core/ports/table.ts"
import type { RecordType } from "../../core/records/record.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { LIMITS } from "./limits.ts"
import { MAX_HEADERS_SOUGHT, namesRecords } from "./namesRecords.ts"
import { readBookStrings } from "./readStrings.ts"
import { type Book, NO_MERGES, readRows } from "./readRows.ts"
import type { SheetReader } from "./sheetReader.ts"
import { PART_ROWS, type SheetPart } from "./sheetPart.ts"

const ZIP_LIMITS = {
  entryBytes: LIMITS.workbookBytes,
  inflatedBytes: LIMITS.workbookBytes,
  ratio: LIMITS.ratio,
  atOnceBytes: 64 * 1024 ** 2,
}

interface Sheet {
  readonly name: string
  readonly part: string
  readonly isHidden: boolean
}

/** Reads a sheet of a workbook; by default the first visible one that has headers of the records, or else a filled cell. */
export const readWorkbook: SheetReader = function* (bytes, { sheet: choice, type }): Generator<SheetPart> {
  const zip = openOffice(bytes, ZIP_LIMITS)
  refuseOthers(zip)
  const main = mainPart(zip)
  if (/\.bin$/i.test(main))
    throw new UnreadableError("unsupported", "is a binary workbook (XLSB): save it as XLSX or CSV")
  const { sheets, from1904 } = readSheets(zip, main)
  const names = sheets.map(({ name }) => name)
  const links = readRelationships(zip, main)
  const [strings] = findParts(zip, links, "sharedStrings")
  const [styles] = findParts(zip, links, "styles")
  const book: Book = {
    zip,
    strings: strings === undefined ? NO_STRINGS : readBookStrings(zip, strings),
    formats: styles === undefined ? [] : readStyles(zip, styles),
    struckStyles: styles === undefined ? new Set() : readStruckStyles(zip, styles),
    from1904,
    met: { count: 0 },
  }
  const sought = choice === undefined && type !== undefined ? findRecords(book, sheets, type as RecordType) : undefined
  for (const { name, part } of sought === undefined ? chosen(sheets, choice) : [sought.found]) {
    let hasCell = false
    for (const rows of readRows(book, part, PART_ROWS)) {
      if (!hasCell && !rows.some(({ cells }) => cells.length > 0)) continue
      if (!hasCell)
        yield {
          sheet: name,
          sheets: names,
          unread: choice === undefined ? findTables(book, sheets, name) : [],
          passedOver: sought?.passedOver,
        }
      hasCell = true
      yield { rows }
    }
    if (hasCell) return
  }
  const which = choice === undefined ? "no sheet with a filled cell" : `no filled cell in its sheet '${choice}'`
  throw new UnreadableError("empty", `has ${which}: its sheets are ${writeList(sheets)}`)
}

/** Finds the first sheet with headers of the records, if it is not the first one that has a cell, as behind a cover or a summary. */
const findRecords = (book: Book, sheets: ReadonlyArray<Sheet>, type: RecordType) => {
  const visible = sheets.filter(({ isHidden }) => !isHidden).slice(0, MAX_SOUGHT)
  let first: Sheet | undefined
  for (const sheet of visible.length > 1 ? visible : []) {
    const found = headersOf({ ...book, met: { count: 0 } }, sheet.part, type)
    if (found === "records") return first === undefined ? undefined : { found: sheet, passedOver: first.name }
    if (found === "cells") first ??= sheet
  }
  return undefined
}

const textOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.text)

/** Whether a sheet begins with a row of headers that names the records and more of them, or has cells at all. */
const headersOf = (book: Book, part: string, type: RecordType): "records" | "cells" | "nothing" => {
  let seen = 0
  for (const rows of readRows(book, part, 1, NO_MERGES)) {
    for (const { cells } of rows) {
      if (namesRecords(type, cells.map(textOf))) return "records"
      if (cells.some((cell) => textOf(cell).trim() !== "")) seen++
    }
    if (seen > MAX_HEADERS_SOUGHT) break
  }
  return seen > 0 ? "cells" : "nothing"
}

const chosen = (sheets: ReadonlyArray<Sheet>, choice: string | undefined): ReadonlyArray<Sheet> => {
  if (choice === undefined) return sheets.filter(({ isHidden }) => !isHidden)
  const wanted = choice.trim().toLowerCase()
  const found = sheets.find(({ name }) => name.trim().toLowerCase() === wanted) ?? sheets[Number(wanted) - 1]
  if (found === undefined) {
    throw new UnreadableError("unsupported", `has no sheet '${choice}': its sheets are ${writeList(sheets)}`)
  }
  return [found]
}

/** Sheets and rows in which tables are sought. */
const MAX_SOUGHT = 50
const MAX_ROWS_SOUGHT = 100

/** The visible sheets, but for one, that begin with a table: two rows of several cells. */
const findTables = (book: Book, sheets: ReadonlyArray<Sheet>, read: string): ReadonlyArray<string> =>
  sheets
    .filter(({ name, isHidden }) => !isHidden && name !== read)
    .slice(0, MAX_SOUGHT)
    .filter(({ part }) => beginsWithTable({ ...book, met: { count: 0 } }, part))
    .map(({ name }) => name)

const beginsWithTable = (book: Book, part: string): boolean => {
  let wide = 0
  let seen = 0
  for (const rows of readRows(book, part, 1, NO_MERGES)) {
    for (const { cells } of rows) if (cells.filter((cell) => cell !== "").length > 1) wide++
    seen += rows.length
    if (wide > 1 || seen > MAX_ROWS_SOUGHT) break
  }
  return wide > 1
}

const MAX_LISTED = 20
const writeList = (sheets: ReadonlyArray<Sheet>): string =>
  sheets
    .slice(0, MAX_LISTED)
    .map(({ name, isHidden }, index) => `${index + 1} '${name}'${isHidden ? " (hidden)" : ""}`)
    .join(", ") + (sheets.length > MAX_LISTED ? " and more" : "")

/** Zips that are something else. */
const OTHERS: ReadonlyArray<readonly [part: RegExp, name: string]> = [
  [/^word\//i, "a Word document: export the records as XLSX or CSV"],
  [/^ppt\//i, "a presentation: export the records as XLSX or CSV"],
  [/^content\.xml$/i, "an OpenDocument file: save it as XLSX or CSV"],
  [/^index\/.*\.iwa$/i, "a document of Apple's iWork: export it as XLSX or CSV"],
]

const refuseOthers = (zip: Zip): void => {
  if (zip.has("[Content_Types].xml") && zip.names.some((name) => /^xl\//i.test(name))) return
  const [, name] = OTHERS.find(([part]) => zip.names.some((each) => part.test(each))) ?? []
  const files = zip.names.slice(0, 3).join(", ")
  throw new UnreadableError(
    "unsupported",
    `is ${name ?? `a zip of other files (${files}): unpack it and send one of them`}`,
  )
}

const readSheets = (zip: Zip, main: string) => {
  const links = readRelationships(zip, main)
  const sheets: Array<Sheet> = []
  let root: string | undefined
  let from1904 = false
  readXml(zip, main, {
    open: (name, attributes) => {
      if (root === undefined) expectRoot((root = name), "workbook", "spreadsheet")
      if (name === "workbookPr") from1904 = ["1", "true"].includes(attributes["date1904"] ?? "")
      if (name !== "sheet") return
      const id = prefixedAttribute(attributes, "id")
      const link = links.find((each) => each.id === id && each.type === "worksheet" && zip.has(each.target))
      // Sheets of charts have no cells.
      if (link === undefined) return
      const isHidden = (attributes["state"] ?? "visible") !== "visible"
      sheets.push({ name: attribute(attributes, "name") ?? "", part: link.target, isHidden })
    },
  })
  return { sheets, from1904 }
}
