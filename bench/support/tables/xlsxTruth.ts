import { isPlainHeader, type TruthCell, type TruthRow, type TruthTable } from "./truth.ts"
import { type Cells, cellOf, sharedCells } from "./xlsxCells.ts"
import { child, descendants, mainPart, type Node, openParts, type Parts } from "./xmlTree.ts"

/** A long list would count more than all other tables together. */
const MAX_ROWS = 200

/** Rows and columns count from 1, both ends included. */
interface Area {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

interface Sheet {
  readonly name: string
  /** By row, then by column. */
  readonly rows: ReadonlyMap<number, ReadonlyMap<number, { readonly cell: TruthCell; readonly isNumber: boolean }>>
  readonly merged: ReadonlyArray<Area>
  readonly hiddenRows: ReadonlySet<number>
  readonly hiddenColumns: ReadonlySet<number>
  readonly tables: ReadonlyArray<Area & { readonly isLabelled: boolean }>
  /** Rows that the workbook itself treats as headers: above the filter, or frozen. */
  readonly headerRows: ReadonlySet<number>
}

const columnOf = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

const areaOf = (reference: string): Area => {
  const [from = "", to = from] = reference.replaceAll("$", "").toUpperCase().split(":")
  const at = (corner: string) => /^([A-Z]+)(\d+)$/.exec(corner) ?? ["", "A", "1"]
  const [, left = "", top = ""] = at(from)
  const [, right = "", bottom = ""] = at(to)
  return { top: Number(top), left: columnOf(left), bottom: Number(bottom), right: columnOf(right) }
}

const isOn = (value: string | undefined) => value === "1" || value === "true"

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)

const readSheet = (parts: Parts, part: string, name: string, cells: Cells): Sheet => {
  const root = parts.tree(part)
  const rows = new Map<number, Map<number, { cell: TruthCell; isNumber: boolean }>>()
  const hiddenRows = new Set<number>()
  let number = 0
  for (const row of child(root, "sheetData")?.children ?? []) {
    number = Number(row.attributes["r"] ?? number + 1)
    if (isOn(row.attributes["hidden"])) hiddenRows.add(number)
    const line = new Map<number, { cell: TruthCell; isNumber: boolean }>()
    let column = 0
    for (const node of row.children.filter((each) => each.name === "c")) {
      const { r = "" } = node.attributes
      column = r === "" ? column + 1 : areaOf(r).left
      const { cell, isNumber } = cellOf(node, cells)
      if (cell !== undefined) line.set(column, { cell, isNumber })
    }
    if (line.size > 0) rows.set(number, line)
  }
  const hiddenColumns = descendants(child(root, "cols"), "col").flatMap(({ attributes: { min, max, hidden } }) =>
    isOn(hidden) ? range(Number(min), Math.min(Number(max), 16_384)) : [],
  )
  const tables = [...parts.links(part).values()]
    .filter(({ type }) => type === "table")
    .flatMap((link) => {
      const { ref, headerRowCount = "1" } = parts.tree(link.part)?.attributes ?? {}
      return ref === undefined ? [] : [{ ...areaOf(ref), isLabelled: headerRowCount !== "0" }]
    })
  const headerRows = new Set<number>()
  const filter = child(root, "autoFilter")?.attributes["ref"]
  if (filter !== undefined) headerRows.add(areaOf(filter).top)
  for (const { attributes } of descendants(child(root, "sheetViews"), "pane")) {
    if (attributes["state"]?.startsWith("frozen") === true && attributes["ySplit"] === "1") headerRows.add(1)
  }
  const merged = descendants(child(root, "mergeCells"), "mergeCell").map(({ attributes }) => areaOf(attributes["ref"]!))
  return { name, rows, merged, hiddenRows, hiddenColumns: new Set(hiddenColumns), tables, headerRows }
}

const contains = ({ top, left, bottom, right }: Area, row: number, column: number) =>
  row >= top && row <= bottom && column >= left && column <= right

/** Cuts an area at its empty rows and columns until no part has any; a merged area counts as full. */
const blocksOf = (filled: ReadonlyArray<readonly [row: number, column: number]>): ReadonlyArray<Area> => {
  if (filled.length === 0) return []
  for (const axis of [0, 1] as const) {
    const taken = new Set(filled.map((at) => at[axis]))
    const gap = [...taken].toSorted((a, b) => a - b).find((at) => at + 1 <= Math.max(...taken) && !taken.has(at + 1))
    if (gap === undefined) continue
    return [...blocksOf(filled.filter((at) => at[axis] <= gap)), ...blocksOf(filled.filter((at) => at[axis] > gap))]
  }
  const rows = filled.map(([row]) => row)
  const columns = filled.map(([, column]) => column)
  return [
    { top: Math.min(...rows), left: Math.min(...columns), bottom: Math.max(...rows), right: Math.max(...columns) },
  ]
}

const filledOf = ({ rows, merged, tables }: Sheet) => {
  const filled = [...rows].flatMap(([row, line]) => [...line.keys()].map((column) => [row, column] as const))
  const behind = merged
    .filter(({ top, left }) => rows.get(top)?.has(left))
    .flatMap(({ top, left, bottom, right }) =>
      range(top, Math.min(bottom, top + MAX_ROWS)).flatMap((row) => range(left, right).map((at) => [row, at] as const)),
    )
  return [...filled, ...behind].filter(([row, column]) => !tables.some((table) => contains(table, row, column)))
}

const isSpanned = (sheet: Sheet, { top, left, right }: Area) =>
  sheet.merged.some((area) => area.top <= top && area.bottom >= top && area.left <= right && area.right >= left)

const hasHeader = (sheet: Sheet, area: Area): boolean => {
  if (isSpanned(sheet, area)) return false
  if (sheet.headerRows.has(area.top)) return true
  const at = (row: number, column: number) => sheet.rows.get(area.top + row)?.get(area.left + column)
  const width = area.right - area.left + 1
  const texts = range(0, area.bottom - area.top).map((row) =>
    range(0, width - 1).map((column) => at(row, column)?.cell.text ?? ""),
  )
  return isPlainHeader(texts, (row, column) => at(row, column)?.isNumber ?? false)
}

const tableOf = (sheet: Sheet, file: string, area: Area, isLabelled: boolean): TruthTable => {
  const columns = range(area.left, area.right)
  const body = range(isLabelled ? area.top + 1 : area.top, area.bottom).slice(0, MAX_ROWS)
  const seen = (to: number) => [...sheet.hiddenColumns].filter((column) => column < to).length
  // A reading may see a larger table around this one, and count from its first column, with hidden columns or without.
  const filled = [...sheet.rows.values()].flatMap((line) => [...line.keys()]).filter((column) => column <= area.left)
  const starts = [...new Set([area.left, 1, ...filled])]
  const countings = starts.flatMap((start) => [
    (column: number) => area.left + column - start,
    ...(sheet.hiddenColumns.size === 0
      ? []
      : [(column: number) => area.left + column - seen(area.left + column) - (start - seen(start))]),
  ])
  return {
    kind: "xlsx",
    name: `${file}, ${sheet.name}, row ${area.top}, column ${area.left}`,
    rows: body
      .filter((row) => !sheet.hiddenRows.has(row))
      .map((number): TruthRow => ({
        number,
        cells: columns.map((column) =>
          sheet.hiddenColumns.has(column) ? undefined : sheet.rows.get(number)?.get(column)?.cell,
        ),
      })),
    countings,
    isOrdered: false,
    place: sheet.name,
    ...(isLabelled && { labels: columns.map((column) => sheet.rows.get(area.top)?.get(column)?.cell) }),
  }
}

/**
 * The tables of a workbook's visible sheets, from the letters of the cells' references. A table is what `xl/tables` says, or a block of at least two
 * rows and two columns between empty rows and columns. Hidden rows and columns are not judged, and of a table no more than 200 rows. The header is judged where it is
 * clear and has no merged cells: of `xl/tables`, the row of the filter, a single frozen row, or a first row of texts above numbers or dates (`isPlainHeader`).
 */
export const xlsxTruth = (file: string, bytes: Uint8Array): ReadonlyArray<TruthTable> => {
  const parts = openParts(bytes)
  const main = mainPart(parts)
  const workbook: Node = parts.tree(main)!
  const links = parts.links(main)
  const cells = sharedCells(parts, links, workbook)
  return descendants(workbook, "sheet").flatMap(({ attributes }) => {
    const link = links.get(attributes["r:id"] ?? attributes["id"] ?? "")
    if (link?.type !== "worksheet" || (attributes["state"] ?? "visible") !== "visible") return []
    const sheet = readSheet(parts, link.part, attributes["name"] ?? "", cells)
    const blocks = blocksOf(filledOf(sheet)).filter(({ top, left, bottom, right }) => bottom > top && right > left)
    return [
      ...sheet.tables.map((table) => tableOf(sheet, file, table, table.isLabelled)),
      ...blocks.map((block) => tableOf(sheet, file, block, hasHeader(sheet, block))),
    ]
  })
}
