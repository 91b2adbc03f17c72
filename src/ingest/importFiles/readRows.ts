import {
  type Cell,
  MAX_COLUMNS,
  type StruckCell,
  type TableRow,
  type UncalculatedCell,
} from "../../core/ports/table.ts"
import { parseColumn } from "../formats/office/cellReference.ts"
import { expectRoot } from "../formats/office/office.ts"
import { stepXml } from "../formats/office/xml.ts"
import { isOn, makeHiddenColumns, writeLetter } from "../formats/office/xlsxHidden.ts"
import { richRuns, type Strings } from "../formats/office/xlsxStrings.ts"
import { GENERAL, type NumberFormat } from "../formats/office/xlsxStyles.ts"
import type { Zip } from "../safety/zip.ts"
import { LIMITS } from "./limits.ts"
import { mergedBelow } from "./mergedBelow.ts"
import { numberCell } from "./numberCell.ts"
import { tooManyCells, unescapeControls } from "./readStrings.ts"

export interface Book {
  readonly zip: Zip
  readonly strings: Strings
  readonly formats: ReadonlyArray<NumberFormat>
  /** The styles, by their index, that strike a cell out. */
  readonly struckStyles: ReadonlySet<number>
  readonly from1904: boolean
  /** Cells and rows so far, over all sheets. */
  readonly met: { count: number }
}

const readCell = (book: Book, type: string, style: number, raw: string): Cell => {
  switch (type) {
    case "n":
      return numberCell(raw, book.formats[style] ?? GENERAL, book.from1904)
    case "s":
      return unescapeControls(book.strings.shown[Number(raw)] ?? "")
    case "b": {
      const value = raw.trim() === "1"
      return { text: value ? "TRUE" : "FALSE", value }
    }
    case "d":
      return { text: raw, value: { date: raw.replace(/T00:00:00(?:\.0+)?$/, "").replace(/\.\d+$/, "") } }
    default:
      return unescapeControls(raw)
  }
}

/** Leaves merged cells as they are: those of a sheet follow all its rows. */
export const NO_MERGES = { fill: () => {} }

/** Reads the rows of a sheet, some at a time. A gap of empty rows is one row without cells. */
export function* readRows(
  book: Book,
  part: string,
  size: number,
  below: Pick<ReturnType<typeof mergedBelow>, "fill"> = mergedBelow(book.zip, part),
): Generator<ReadonlyArray<TableRow>> {
  let rows: Array<TableRow> = []
  let root: string | undefined
  let line = 0
  /** The last row that was read. */
  let last = 0
  let column = 0
  let cells: Array<Cell> = []
  let type = "n"
  let style = 0
  let raw = ""
  let hasValue = false
  let isFormula = false
  let isCollecting = false
  let isPhonetic = false
  let problem: string | undefined
  const runs = richRuns()
  let struckText = ""
  let struck: Array<StruckCell> = []
  let isHidden = false
  const hiddenColumns = makeHiddenColumns()
  let hiddenCells: ReadonlyArray<number> | undefined
  let uncalculated: Array<UncalculatedCell> = []
  const meet = () => {
    if (++book.met.count > LIMITS.cells) throw tooManyCells()
  }
  const put = (cell: Cell) => {
    if (cell === "") return
    if (column > MAX_COLUMNS) problem ??= `has a cell in column ${column}: a file may have ${MAX_COLUMNS} columns`
    else {
      while (cells.length < column - 1) cells.push("")
      cells[column - 1] = cell
    }
  }
  const strike = (text: string) => {
    if (text.trim() === "" || column > MAX_COLUMNS) return
    struck.push({ index: column - 1, cell: `${writeLetter(column)}${line}`, text: cutExcerpt([text.trim()]) })
  }
  const endCell = () => {
    if (book.struckStyles.has(style)) {
      if (hasValue) strike(textOf(readCell(book, type, style, raw)) || struckText)
      return
    }
    strike(type === "s" && hasValue ? (book.strings.struck.get(Number(raw)) ?? "") : struckText)
    // Programs that do not calculate leave the value out or empty. An empty text is a value: `=IF(A1="","",A1)` has it.
    const isUncalculated = isFormula && raw.trim() === "" && !(hasValue && type === "str")
    if (!isUncalculated) {
      if (hasValue) put(readCell(book, type, style, raw))
    } else if (column <= MAX_COLUMNS) {
      uncalculated.push({ index: column - 1, cell: `${writeLetter(column)}${line}` })
    }
  }
  const endRow = () => {
    below.fill(line, cells)
    const isBlank = cells.every((cell) => typeof cell === "string" && cell.trim() === "")
    // Blank rows and rows that are missing are alike.
    if (isBlank && problem === undefined && uncalculated.length === 0 && struck.length === 0) return
    hiddenCells ??= hiddenColumns.list(MAX_COLUMNS).map((each) => each - 1)
    if (line > last + 1 && last > 0) rows.push({ line: last + 1, cells: [] })
    rows.push({
      line,
      cells,
      ...(problem !== undefined && { problem, text: cutExcerpt(cells) }),
      ...(uncalculated.length > 0 && { uncalculated }),
      ...(struck.length > 0 && { struck }),
      ...(isHidden && { isHidden }),
      ...(hiddenCells.length > 0 && { hiddenCells }),
    })
    last = line
  }
  for (const _ of stepXml(book.zip, part, {
    open: (name, attributes) => {
      if (name === "c") {
        meet()
        column = parseColumn(attributes["r"] ?? "") || column + 1
        type = attributes["t"] ?? "n"
        style = Number(attributes["s"] ?? 0)
        raw = struckText = ""
        hasValue = false
        runs.restart()
        isFormula = false
      } else if (name === "v" || name === "t") {
        isCollecting = !isPhonetic
        hasValue ||= isCollecting
      } else if (name === "row") {
        meet()
        line = Number(attributes["r"]) || line + 1
        column = 0
        cells = []
        problem = undefined
        uncalculated = []
        struck = []
        isHidden = isOn(attributes["hidden"])
      } else if (name === "f") isFormula = true
      else if (name === "rPh") isPhonetic = true
      else if (name === "col") hiddenColumns.add(attributes)
      else if (root === undefined) expectRoot((root = name), "worksheet", "spreadsheet")
      else runs.open(name, attributes)
    },
    close: (name) => {
      if (name === "c") endCell()
      else if (name === "v" || name === "t") isCollecting = false
      else if (name === "row") endRow()
      else if (name === "rPh") isPhonetic = false
    },
    text: (value) => {
      if (isCollecting && runs.isStruck()) struckText += value
      else if (isCollecting) raw += runs.write(value)
    },
  })) {
    if (rows.length < size) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

const textOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.text)

const MAX_EXCERPT = 200
const cutExcerpt = (cells: ReadonlyArray<Cell>): string =>
  cells
    .map(textOf)
    .filter((text) => text !== "")
    .join(", ")
    .slice(0, MAX_EXCERPT)
    .toWellFormed()
