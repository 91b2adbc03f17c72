import type { Place } from "../document.ts"
import type { ElementList } from "../elements.ts"
import { headerOf } from "./header.ts"
import { labelsOf } from "./labels.ts"

/** A cell and its column, counted from 0. Readers omit empty cells, and may send them. */
export interface Cell {
  readonly text: string
  readonly column: number
  /** The columns that it covers; 1 by default. */
  readonly span?: number | undefined
  /** The file stores a number, however it is written. */
  readonly isValue?: boolean | undefined
}

export interface Row {
  readonly cells: ReadonlyArray<Cell>
  readonly place: Place
  /** The file marks the row as a header. Without any such row, the writer recognises the header by its cells. */
  readonly isHeader?: boolean | undefined
}

/** Rows that wait until the header is known. The header of a table is above its twelfth row of values. */
const MAX_HELD = 16

/** Empty cells between two filled ones keep their tabs up to this many: a value in column XFD does not need 16,000. */
const MAX_GAP = 64

/**
 * Adds the rows of tables as elements: cells joined by tabs, one for each column, and the labels of the columns on the first
 * row below the header.
 */
export class TableWriter {
  private readonly elements: ElementList
  private held: Array<Row> = []
  private isOpen = false
  private labels: ReadonlyArray<string> = []

  constructor(elements: ElementList) {
    this.elements = elements
  }

  row(row: Row): void {
    if (row.cells.every(({ text }) => text.trim() === "")) return
    if (this.isOpen && row.isHeader === true) this.end()
    if (this.isOpen) return this.write(row)
    this.held.push(row)
    if (this.held.length === MAX_HELD) this.open()
  }

  /** Ends a table. The next one keeps the labels if it `continues` this one and has no header of its own. */
  end({ continues = false }: { readonly continues?: boolean } = {}): void {
    if (!this.isOpen && this.held.length > 0) this.open()
    this.isOpen = false
    if (!continues) this.labels = []
  }

  private open(): void {
    const rows = this.held
    this.held = []
    this.isOpen = true
    const { first, count } = headerOf(rows)
    const header = rows.slice(first, first + count)
    if (header.length > 0) this.labels = labelsOf(header)
    else if (!this.fits(rows[0]!)) this.labels = []
    for (const [index, row] of rows.entries()) {
      if (index >= first && index < first + count) this.write(row, { header: true })
      else if (index === first + count) this.write(row, { labels: this.labels })
      else this.write(row, index === 0 ? { labels: [] } : {})
    }
  }

  /** Whether each cell of a row is under a label. */
  private fits({ cells }: Row): boolean {
    const filled = cells.filter(({ text }) => text.trim() !== "")
    return filled.length > 1 && filled.every(({ column }) => (this.labels[column] ?? "") !== "" || column === 0)
  }

  private write({ cells, place }: Row, how: { header?: true; labels?: ReadonlyArray<string> } = {}): void {
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
    this.elements.addRow(texts, place, how)
  }
}
