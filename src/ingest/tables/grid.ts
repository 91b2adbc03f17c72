/** HTML and Word limit spans to about as many columns. */
const MAX_SPAN = 1000

/** As many as a sheet has. A page may state more, which would fill the memory. */
const MAX_COLUMNS = 16_384

/** Reads a `colspan` or `rowspan`. */
export const readSpan = (span: string | undefined): number => Math.min(Math.max(Number(span) || 1, 1), MAX_SPAN)

/** Gives each cell of a table's rows its column; cells that span rows push those below them aside. */
export const makeGrid = () => {
  /** For each column, the rows below that a cell from above still covers. */
  const covered: Array<number> = []
  let column = 0
  return {
    startRow: (): void => {
      column = 0
    },
    place: (span: number, rows: number): number => {
      while ((covered[column] ?? 0) > 0) covered[column++]!--
      const at = column
      for (let n = 0; n < span && column < MAX_COLUMNS; n++) covered[column++] = rows - 1
      return at
    },
    endRow: (): void => {
      for (; column < covered.length; column++) if (covered[column]! > 0) covered[column]!--
    },
  }
}
