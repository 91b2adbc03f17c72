import {
  FROM_FIRST,
  isFigure,
  isPlainHeader,
  joinLabels,
  type TruthCell,
  type TruthRow,
  type TruthTable,
  textCell,
} from "./truth.ts"
import { child, descendants, mainPart, type Node, openParts } from "./xmlTree.ts"

/** Elements whose text is not on the page, or stands elsewhere. */
const UNSEEN = new Set(["del", "moveFrom", "instrText", "delText", "txbxContent", "pPr", "rPr", "tbl", "oMath"])

interface Cell {
  readonly column: number
  readonly span: number
  readonly text: string
  readonly isContinued: boolean
  /** A nested table or a text box: a reading may put its text here or elsewhere. */
  readonly isUnclear: boolean
}

const textOf = (node: Node): string => {
  if (node.name === "t") return node.text
  if (["tab", "br", "cr"].includes(node.name)) return " "
  if (node.name === "noBreakHyphen") return "-"
  const inner = node.children.map((each) => (UNSEEN.has(each.name) ? "" : textOf(each))).join("")
  return node.name === "p" ? `${inner}\n` : inner
}

const numberOf = (node: Node | undefined, name: string, otherwise: number) =>
  Number(child(node, name)?.attributes["val"] ?? otherwise)

const isOn = (node: Node | undefined) => node !== undefined && !["0", "false", "off"].includes(node.attributes["val"]!)

const cellsOf = (row: Node): ReadonlyArray<Cell> => {
  let column = numberOf(child(row, "trPr"), "gridBefore", 0)
  return descendants(row, "tc", ["tbl"]).map((cell) => {
    const properties = child(cell, "tcPr")
    const span = Math.max(1, numberOf(properties, "gridSpan", 1))
    const merge = child(properties, "vMerge")
    const at = column
    column += span
    return {
      column: at,
      span,
      text: textOf(cell).trim(),
      isContinued: merge !== undefined && merge.attributes["val"] !== "restart",
      isUnclear: ["tbl", "txbxContent", "oMath"].some((name) => descendants(cell, name).length > 0),
    }
  })
}

/** The rows that the cell at `row` covers: those below continue its vertical merge. */
const heightOf = (rows: ReadonlyArray<ReadonlyArray<Cell>>, row: number, column: number) => {
  let height = 1
  while (rows[row + height]?.some((cell) => cell.column === column && cell.isContinued)) height++
  return height
}

const tableOf = (table: Node, name: string, isOrdered: boolean): TruthTable => {
  const nodes = descendants(table, "tr", ["tbl"])
  const grid = nodes.map(cellsOf)
  const width = Math.max(0, ...grid.flatMap((row) => row.map(({ column, span }) => column + span)))
  const marked = nodes.findIndex((row) => !isOn(child(child(row, "trPr"), "tblHeader")))
  const texts = grid.map((row) => {
    const line = Array.from({ length: width }, () => "")
    for (const { column, text, isContinued } of row) if (!isContinued) line[column] = text
    return line
  })
  const isPlain = isPlainHeader(texts, (row, column) => isFigure(texts[row]![column]!))
  // If every row is marked as a header, none is.
  const headers = marked > 0 ? marked : isPlain && marked === 0 ? 1 : 0
  const spread = grid.slice(0, headers).map((row) => {
    const line = Array.from({ length: width }, () => "")
    for (const { column, span, text, isContinued } of row) if (!isContinued) line.fill(text, column, column + span)
    return line
  })
  // One text over all columns is the table's title: it tells no column from another.
  const named = spread.filter((line) => new Set(line.filter((text) => text !== "")).size > 1)
  const rows = grid.map((row, at): TruthRow => {
    const cells: Array<TruthCell | undefined> = Array.from({ length: width })
    for (const { column, text, isContinued, isUnclear } of row) {
      if (!isContinued && !isUnclear) cells[column] = textCell(text, heightOf(grid, at, column))
    }
    return { cells }
  })
  return {
    kind: "docx",
    name,
    rows: rows.slice(headers),
    countings: FROM_FIRST,
    isOrdered,
    place: undefined,
    ...(headers > 0 && { labels: joinLabels(named.length > 0 ? named : spread) }),
  }
}

const nestedTables = (table: Node): ReadonlyArray<Node> =>
  descendants(table, "tbl", ["txbxContent"]).flatMap((each) => [each, ...nestedTables(each)])

/**
 * The tables of a Word document's body, from `w:tbl` with `w:gridBefore`, `w:gridSpan` and `w:vMerge`. A header is what `w:tblHeader` marks, or a
 * clear first row (`isPlainHeader`). Cells with a nested table, a text box or a formula are not judged; nested tables are tables of their own.
 */
export const docxTruth = (file: string, bytes: Uint8Array): ReadonlyArray<TruthTable> => {
  const parts = openParts(bytes)
  const body = child(parts.tree(mainPart(parts)), "body")
  const outer = descendants(body, "tbl", ["txbxContent"])
  const nested = outer.flatMap(nestedTables)
  return [
    ...outer.map((table, at) => tableOf(table, `${file}, table ${at + 1}`, true)),
    ...nested.map((table, at) => tableOf(table, `${file}, nested table ${at + 1}`, false)),
  ]
}
