import type { ElementList } from "../elements.ts"
import {
  type Cell,
  type TableRow,
  findHeader,
  findOtherHeader,
  findValueColumns,
  isHeaderOf,
  isSection,
} from "./header.ts"
import { makeLabels } from "./labels.ts"

/** Rows that wait until the header is known. The header of a table is above its twelfth row of values. */
const MAX_HELD = 16

/** Empty cells between two filled ones keep their tabs up to this many: a value in column XFD does not need 16,000. */
const MAX_GAP = 64

/** Longer texts of merged cells are not repeated for the rows that they cover. */
const MAX_MERGED_LENGTH = 120
/** Merged cells beside each other that are repeated. */
const MAX_MERGED = 8
const MAX_MERGED_COLUMN = 64

interface Merged {
  readonly text: string
  readonly column: number
  /** The number of the first row below the cell. */
  readonly until: number
}

const NOTHING_MERGED: ReadonlyArray<string> = []

const textsByColumn = (merged: ReadonlyArray<Merged>): ReadonlyArray<string> => {
  const texts = Array.from({ length: Math.max(...merged.map(({ column }) => column)) + 1 }, () => "")
  for (const { column, text } of merged) texts[column] = text
  return texts
}

/**
 * Adds the rows of tables as elements: cells joined by tabs, one for each column, and the labels of the columns on the first
 * row below the header. A row below a merged cell has the text of that cell in `merged`.
 */
export class TableWriter {
  private readonly decodeLabel: (text: string) => string
  private readonly elements: ElementList
  private held: Array<TableRow & { readonly number: number }> = []
  private isOpen = false
  private labels: ReadonlyArray<string> = []
  /** The columns of values below these labels. */
  private values: ReadonlySet<number> = new Set()
  private number = 0
  /** The number of the last row that is not empty. */
  private last = 0
  private merged: ReadonlyArray<Merged> = []
  /** The `merged` that the last element stated. */
  private stated = NOTHING_MERGED

  /** `decodeLabel`: for files in whose headers programs leave entities of HTML. */
  constructor(elements: ElementList, decodeLabel = (text: string) => text) {
    this.elements = elements
    this.decodeLabel = decodeLabel
  }

  row(row: TableRow): void {
    this.number = row.place.kind === "sheet" ? row.place.row : this.number + 1
    if (row.cells.every(({ text }) => text.trim() === "")) return
    // A header cell alone, below a table's first row, names the rows that follow.
    const isHeader = row.isHeader === true && !(this.hasBody() && isSection(row))
    if (isHeader && this.hasBody()) this.end()
    else if (this.last > 0 && this.number > this.last + 1 && !this.isBelowHeader(row)) this.end({ continues: true })
    this.last = this.number
    const numbered = { ...row, isHeader, number: this.number }
    if (this.isOpen) return this.write(numbered)
    this.held.push(numbered)
    if (this.held.length === MAX_HELD) this.open()
  }

  /** Ends a table. The next one keeps the labels if it `continues` this one and has no header of its own. */
  end({ continues = false }: { readonly continues?: boolean } = {}): void {
    if (!this.isOpen && this.held.length > 0) this.open()
    this.isOpen = false
    if (continues) return
    this.last = 0
    this.labels = []
    this.merged = []
  }

  /** Whether a row behind a gap is the first below the header that the held rows end with. */
  private isBelowHeader(row: TableRow): boolean {
    return !this.isOpen && this.labels.length === 0 && isHeaderOf(this.held, row)
  }

  /** Whether a row stands below the table's header. */
  private hasBody(): boolean {
    return this.isOpen || (this.held.at(-1)?.isHeader !== true && this.held.some(({ isHeader }) => isHeader === true))
  }

  private open(): void {
    const rows = this.held
    this.held = []
    this.isOpen = true
    const isBelow = this.labels.length > 0
    const found = isBelow ? findOtherHeader(rows, this.values) : findHeader(rows)
    const { first, count } = found ?? { first: 0, count: 0 }
    const header = rows.slice(first, first + count)
    if (header.length > 0) this.labels = makeLabels(header).map(this.decodeLabel)
    else if (found !== undefined || !this.fits(rows[0]!)) this.labels = []
    if (found !== undefined) this.values = findValueColumns(rows.slice(first + count))
    for (const [index, row] of rows.entries()) {
      if (index >= first && index < first + count) {
        const cells = row.cells.map((cell) => ({ ...cell, text: this.decodeLabel(cell.text) }))
        this.write({ ...row, cells }, { header: true })
      } else if (index === first + count) this.write(row, { labels: this.labels })
      else this.write(row, index === 0 ? { labels: [] } : {})
    }
  }

  /** Whether each cell of a row is under a label. */
  private fits({ cells }: TableRow): boolean {
    const filled = cells.filter(({ text }) => text.trim() !== "")
    if (filled.length === 1 && filled[0]!.column === 0) return false
    return filled.every(({ column }) => (this.labels[column] ?? "") !== "" || column === 0)
  }

  private write(
    { cells, place, number }: TableRow & { readonly number: number },
    how: { header?: true; labels?: ReadonlyArray<string> } = {},
  ): void {
    const texts: Array<string> = []
    let width = 0
    let next = 0
    for (const { text, column } of cells) {
      const gap = Math.min(column - next, MAX_GAP)
      for (let blank = 0; blank < gap; blank++) texts.push("")
      width += text.length + 1 + Math.max(gap, 0)
      this.elements.claim(width)
      texts.push(text)
      next = column + 1
    }
    this.elements.addRow(texts, place, { ...how, ...this.mergedAbove(number, how.header === true) })
    if (how.header !== true) this.merge(cells, number)
  }

  /** States the merged cells that cover a row, if they have changed. */
  private mergedAbove(number: number, isHeader: boolean): { merged?: ReadonlyArray<string> } {
    if (isHeader) {
      this.merged = []
      this.stated = NOTHING_MERGED
      return {}
    }
    const still = this.merged.filter(({ until }) => until > number)
    if (still.length < this.merged.length) this.merged = still
    const texts = still.length === 0 ? NOTHING_MERGED : textsByColumn(still)
    if (texts.length === this.stated.length && texts.every((text, column) => text === this.stated[column])) return {}
    this.stated = texts
    return { merged: texts }
  }

  private merge(cells: ReadonlyArray<Cell>, number: number): void {
    for (const { text, column, rows = 1 } of cells) {
      const short = text.replaceAll(/\s+/g, " ").trim()
      if (rows < 2 || short === "" || short.length > MAX_MERGED_LENGTH || column > MAX_MERGED_COLUMN) continue
      if (this.merged.length < MAX_MERGED) this.merged = [...this.merged, { text: short, column, until: number + rows }]
    }
  }
}
