import type { Place } from "../../document.ts"
import type { TableRow } from "../../tables/header.ts"

/** In twips: edges this close are one. Programs round each row's by itself. */
const SAME_EDGE = 30
/** Cells of a row whose edges count. Word has 63. */
const MAX_EDGES = 1000

/** How a row's definition describes one of its cells. */
interface Defined {
  /** Its right edge, in twips. */
  readonly edge: number
  /** It belongs to the cell before it, or to the one above. */
  readonly joins?: "left" | "above"
}

interface Row {
  readonly texts: ReadonlyArray<string>
  readonly left: number
  readonly cells: ReadonlyArray<Defined>
}

/** For each right edge of the rows, and for each row's left one: how many columns end there or before. */
const countColumns = (rows: ReadonlyArray<Row>) => {
  const ends = new Map<number, number>()
  const starts = new Map<number, number>()
  const lefts = [...new Set(rows.map(({ left }) => left))].sort((a, b) => b - a)
  let last = -Infinity
  let count = 0
  const passLefts = (to: number) => {
    while (lefts.length > 0 && lefts.at(-1)! + SAME_EDGE < to) starts.set(lefts.pop()!, count)
  }
  for (const edge of [...new Set(rows.flatMap(({ cells }) => cells.map(({ edge }) => edge)))].sort((a, b) => a - b)) {
    passLefts(edge)
    if (edge - last > SAME_EDGE) {
      count++
      last = edge
    }
    ends.set(edge, count)
  }
  passLefts(Infinity)
  return { starts, ends }
}

/** The cells of a row at the columns that lie between the edges of all rows; a row without edges counts its cells. */
const placeCells = ({ texts, left, cells }: Row, { starts, ends }: ReturnType<typeof countColumns>) => {
  const placed: Array<{ text: string; column: number; span: number; rows: number; joins?: Defined["joins"] }> = []
  let next = starts.get(left) ?? 0
  for (const [index, text] of texts.entries()) {
    const { edge, joins } = cells[index] ?? { edge: undefined, joins: undefined }
    const column = next
    next = Math.max(column + 1, edge === undefined ? 0 : ends.get(edge)!)
    const last = placed.at(-1)
    if (joins === "left" && last !== undefined)
      placed.splice(-1, 1, { ...last, text: `${last.text} ${text}`.trim(), span: next - last.column })
    else placed.push({ text, column, span: next - column, rows: 1, joins })
  }
  return placed
}

/** The rows of one table. A cell that covers others takes their columns and rows. */
export const placeRows = (rows: ReadonlyArray<Row>, place: Place): ReadonlyArray<TableRow> => {
  const columns = countColumns(rows)
  const placed = rows.map((row) => placeCells(row, columns))
  const above = new Map<number, (typeof placed)[number][number]>()
  for (const row of placed)
    for (const cell of row) {
      const owner = cell.joins === "above" ? above.get(cell.column) : undefined
      if (owner === undefined) above.set(cell.column, cell)
      else owner.rows++
    }
  return placed.map((row) => ({ cells: row.filter(({ joins, text }) => joins !== "above" || text !== ""), place }))
}

/** Collects the rows of a table and their definitions. */
export class Rows {
  private rows: Array<Row> = []
  private texts: Array<string> = []
  private left = 0
  private cells: Array<Defined> = []
  private joins: Defined["joins"]

  get hasOpenRow(): boolean {
    return this.texts.length > 0
  }

  /** The words of a row's definition. It holds for the next rows too. */
  readonly words: Readonly<Record<string, (value: number | undefined) => void>> = {
    trowd: () => {
      this.left = 0
      this.cells = []
      this.joins = undefined
    },
    trleft: (value = 0) => (this.left = value),
    clmrg: () => (this.joins = "left"),
    clvmrg: () => (this.joins ??= "above"),
    cellx: (edge = 0) => {
      if (this.cells.length < MAX_EDGES)
        this.cells.push(this.joins === undefined ? { edge } : { edge, joins: this.joins })
      this.joins = undefined
    },
  }

  endCell(text: string): void {
    this.texts.push(text.replaceAll(/\s+/g, " ").trim())
  }

  endRow(): void {
    const { texts, left, cells } = this
    this.rows.push({ texts, left, cells })
    this.texts = []
  }

  /** Takes the rows of the table out. */
  take(place: Place): ReadonlyArray<TableRow> {
    const rows = this.rows
    this.rows = []
    return placeRows(rows, place)
  }
}
