import { FROM_FIRST, joinLabels, type TruthRow, type TruthTable, textCell } from "./truth.ts"
import { child, descendants, mainPart, type Node, openParts } from "./xmlTree.ts"

const isOn = (value: string | undefined) => value === "1" || value === "true"

const textOf = (cell: Node) =>
  descendants(cell, "p")
    .map((paragraph) =>
      paragraph.children.map((run) => (run.name === "br" ? " " : (child(run, "t")?.text ?? ""))).join(""),
    )
    .join("\n")
    .trim()

const tableOf = (table: Node, name: string, slide: number): TruthTable => {
  const grid = descendants(table, "tr").map((row) => descendants(row, "tc"))
  const rows = grid.map((row): TruthRow => ({
    cells: row.map((cell) => {
      const { hMerge, vMerge, rowSpan = "1" } = cell.attributes
      return isOn(hMerge) || isOn(vMerge) ? undefined : textCell(textOf(cell), Number(rowSpan))
    }),
  }))
  const [first = []] = grid
  const isSpanning = first.some(
    ({ attributes: { gridSpan = "1", rowSpan = "1" } }) => gridSpan !== "1" || rowSpan !== "1",
  )
  const isHeader = isOn(child(table, "tblPr")?.attributes["firstRow"]) && rows.length > 1 && !isSpanning
  return {
    kind: "pptx",
    name,
    rows: isHeader ? rows.slice(1) : rows,
    countings: FROM_FIRST,
    isOrdered: true,
    place: slide,
    ...(isHeader && { labels: joinLabels([first.map(textOf)]) }),
  }
}

/**
 * The tables of a presentation's slides, from `a:tbl`; every column has an `a:tc`, also inside a span. The header is the first row of a table that marks
 * it (`firstRow`), unless one of its cells spans: then a second row may belong to it, and only columns are judged.
 */
export const pptxTruth = (file: string, bytes: Uint8Array): ReadonlyArray<TruthTable> => {
  const parts = openParts(bytes)
  const main = mainPart(parts)
  const links = parts.links(main)
  return descendants(child(parts.tree(main), "sldIdLst"), "sldId").flatMap(({ attributes }, at) => {
    const slide = parts.tree(links.get(attributes["r:id"] ?? "")?.part ?? "")
    return descendants(slide, "tbl").map((table, index) =>
      tableOf(table, `${file}, slide ${at + 1}, table ${index + 1}`, at + 1),
    )
  })
}
