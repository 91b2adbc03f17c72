import type { Element } from "../../../src/ingest/document.ts"
import type { TruthCell, TruthTable } from "./truth.ts"

/** A table row as the readers give it: cells joined by tabs, labels on the first row of a table's body. */
type RowElement = Element & {
  readonly header?: boolean | undefined
  readonly labels?: ReadonlyArray<string> | undefined
}

/** A row of a reading, with the labels that hold for it. */
export interface ReadRow {
  readonly cells: ReadonlyArray<string>
  readonly labels: ReadonlyArray<string>
  /** The sheet's name, or the number of the page or slide. */
  readonly place: string | number | undefined
  readonly number: number | undefined
}

export interface Score {
  readonly table: TruthTable
  readonly cells: number
  readonly inColumn: number
  /** In the right column, and under the right label where the header is clear. */
  readonly underLabel: number
}

/** The table rows of a document. Labels hold until the next row with labels or until something else than a row. */
export const readRows = (elements: ReadonlyArray<Element>): ReadonlyArray<ReadRow> => {
  let labels: ReadonlyArray<string> = []
  return elements.flatMap((element: RowElement) => {
    if (element.kind !== "table-row") labels = []
    else if (element.labels !== undefined) labels = element.labels
    if (element.kind !== "table-row") return []
    const { place } = element
    const where =
      place.kind === "page"
        ? place.page
        : place.kind === "slide"
          ? place.slide
          : place.kind === "sheet"
            ? place.sheet
            : undefined
    const number = place.kind === "sheet" ? place.row : undefined
    return [{ cells: element.text.split("\t"), labels, place: where, number }]
  })
}

const isLabelled = (label: TruthCell | undefined, shown: string) =>
  label === undefined ? shown.trim() === "" : label.isShownAs(shown)

/** Which cells of a truth row a read row has in their column, and which of these under their label. */
const compare = (table: TruthTable, row: number, read: ReadRow, counting: (column: number) => number) =>
  table.rows[row]!.cells.map((cell, column) => {
    const at = counting(column)
    if (cell === undefined || !cell.isShownAs(read.cells[at] ?? "")) return { isThere: false, isLabelled: false }
    const { labels } = table
    return { isThere: true, isLabelled: labels === undefined || isLabelled(labels[column], read.labels[at] ?? "") }
  })

type Compared = ReturnType<typeof compare>

/** Pairs truth rows with read rows in the same order, each at most once, so that most cells agree. `undefined` where nothing agrees. */
const align = (matches: ReadonlyArray<ReadonlyArray<Compared | undefined>>, width: number) => {
  const weigh = (compared: Compared | undefined) =>
    (compared ?? []).reduce((sum, { isThere, isLabelled }) => sum + (isThere ? 1 : 0) + (isLabelled ? 0.01 : 0), 0)
  const weights = matches.map((row) => Float64Array.from(row, weigh))
  const best = Array.from({ length: matches.length + 1 }, () => new Float64Array(width + 1))
  for (let i = 1; i <= matches.length; i++) {
    for (let j = 1; j <= width; j++) {
      const paired = best[i - 1]![j - 1]! + weights[i - 1]![j - 1]!
      best[i]![j] = Math.max(paired, best[i - 1]![j]!, best[i]![j - 1]!)
    }
  }
  const pairs: Array<number | undefined> = Array.from({ length: matches.length })
  for (let i = matches.length, j = width; i > 0 && j > 0;) {
    if (best[i]![j] === best[i - 1]![j]) i--
    else if (best[i]![j] === best[i]![j - 1]) j--
    else pairs[--i] = --j
  }
  return pairs
}

interface Line {
  readonly table: TruthTable
  readonly row: number
}

const score = (lines: ReadonlyArray<Line>, rows: ReadonlyArray<ReadRow>, counting: (column: number) => number) => {
  const matches = lines.map(({ table, row }) => {
    const { number } = table.rows[row]!
    return rows.map((read) =>
      number === undefined || read.number === number ? compare(table, row, read, counting) : undefined,
    )
  })
  const pairs = align(matches, rows.length)
  const scores = new Map<TruthTable, { cells: number; inColumn: number; underLabel: number }>()
  for (const [at, { table, row }] of lines.entries()) {
    const own = scores.get(table) ?? { cells: 0, inColumn: 0, underLabel: 0 }
    scores.set(table, own)
    for (const [column, cell] of table.rows[row]!.cells.entries()) {
      if (cell === undefined) continue
      own.cells++
      // The text of a cell that covers several rows may be in any of them.
      const found = pairs.slice(at, at + cell.rows).flatMap((pair) => {
        const read = pair === undefined ? undefined : rows[pair]
        const at = counting(column)
        if (read === undefined || !cell.isShownAs(read.cells[at] ?? "")) return []
        return [table.labels === undefined || isLabelled(table.labels[column], read.labels[at] ?? "")]
      })
      if (found.length > 0) own.inColumn++
      if (found.includes(true)) own.underLabel++
    }
  }
  return [...scores].map(([table, own]): Score => ({ table, ...own }))
}

const total = (scores: ReadonlyArray<Score>) =>
  scores.reduce((sum, { inColumn, underLabel }) => sum + inColumn + underLabel, 0)

const linesOf = (table: TruthTable): ReadonlyArray<Line> => table.rows.map((_, row) => ({ table, row }))

/** Scores the tables of one file. Each table is counted in the way that suits the reading best, the same for all its rows. */
export const scoreTables = (tables: ReadonlyArray<TruthTable>, read: ReadonlyArray<ReadRow>): ReadonlyArray<Score> => {
  const groups = [
    ...Map.groupBy(
      tables.filter(({ isOrdered }) => isOrdered),
      ({ place }) => place,
    ).values(),
    ...tables.filter(({ isOrdered }) => !isOrdered).map((table) => [table]),
  ]
  return groups.flatMap((group) => {
    const rows = read.filter(({ place }) => group[0]!.place === undefined || place === group[0]!.place)
    const lines = group.flatMap(linesOf)
    const ways = group[0]!.countings.map((counting) => score(lines, rows, counting))
    return ways.reduce((best, way) => (total(way) > total(best) ? way : best))
  })
}
