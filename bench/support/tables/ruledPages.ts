import { randomOf } from "./random.ts"

/** A cell of a generated table. */
export interface MadeCell {
  readonly text: string
  /** Columns that it covers. */
  readonly columns: number
  /** Rows that it covers. */
  readonly rows: number
  readonly isHeader: boolean
}

/** A generated table: `rows` has the cells that begin in each row; `grid` what each place shows, "" below a cell that covers rows. */
export interface MadeTable {
  readonly name: string
  readonly style: string
  readonly rows: ReadonlyArray<ReadonlyArray<MadeCell>>
  readonly labels: ReadonlyArray<string>
  readonly grid: ReadonlyArray<ReadonlyArray<{ readonly text: string; readonly rows: number }>>
}

const NOUNS =
  "licence seat module connector audit archive storage queue agent report export backup region tenant".split(" ")
const ADJECTIVES = "annual basic extended regional shared dedicated certified monthly optional managed".split(" ")
const SENTENCE = "included up to the agreed volume, then charged by the unit at the price of the current list"
const LABELS = [
  "Item",
  "Code",
  "Owner",
  "Region",
  "Quantity",
  "Unit price",
  "Discount",
  "Total",
  "Status",
  "Renewal date",
]
const GROUPS = ["First half", "Second half", "Plan", "Actual", "North", "South"]

/** Ways in which documents draw tables. */
const STYLES = [
  "table{border-collapse:collapse}td,th{border:1px solid #000;padding:4px 6px}",
  "table{border-collapse:collapse}td,th{border:0.5px solid #888;padding:1px 2px}",
  "table{border-collapse:separate;border-spacing:0;border-top:1px solid #333;border-left:1px solid #333}td,th{border-right:1px solid #333;border-bottom:1px solid #333;padding:3px}",
  "table{border-collapse:collapse}td,th{border:1px solid #000;padding:6px 10px;text-align:center}th{background:#ddd}",
  "table{border-collapse:collapse;width:100%}td,th{border:2px solid #446;padding:4px}td{text-align:right}td:first-child{text-align:left}tr:nth-child(even){background:#eef}",
]

/** Makes `count` tables with known cells. The same seed makes the same tables. */
export const makeTables = (count: number, seed: number): ReadonlyArray<MadeTable> => {
  const random = randomOf(seed)
  const below = (most: number) => Math.floor(random() * most)
  const pick = <A>(items: ReadonlyArray<A>) => items[below(items.length)]!
  const valueOf = (column: number) => {
    if (random() < 0.12) return ""
    const kind = column % 5
    if (kind === 0) return `${pick(ADJECTIVES)} ${pick(NOUNS)}`
    if (kind === 1) return `${pick(["SKU", "REF", "A"])}-${1000 + below(9000)}`
    if (kind === 2) return `${below(9000)}.${10 + below(90)}`
    if (kind === 3) return random() < 0.25 ? SENTENCE.slice(0, SENTENCE.indexOf(" ", 20 + below(60))) : pick(NOUNS)
    return `${below(100)} %`
  }
  return Array.from({ length: count }, (_, n) => {
    const columns = 3 + below(5)
    const height = 4 + below(9)
    const isGrouped = random() < 0.4
    const names = LABELS.slice(below(LABELS.length - columns + 1)).slice(0, columns)
    const rows: Array<ReadonlyArray<MadeCell>> = []
    const labels = [...names]
    const head = (text: string, columns = 1, rows = 1): MadeCell => ({ text, columns, rows, isHeader: true })
    if (isGrouped) {
      const upper: Array<MadeCell> = [head(names[0]!, 1, 2)]
      for (let column = 1; column < columns;) {
        const wide = Math.min(columns - column, 2)
        const group = GROUPS[(n + column) % GROUPS.length]!
        upper.push(head(group, wide))
        for (let at = column; at < column + wide; at++) labels[at] = `${group} ${names[at]}`
        column += wide
      }
      rows.push(
        upper,
        names.slice(1).map((name) => head(name)),
      )
    } else rows.push(names.map((name) => head(name)))
    const grid: Array<ReadonlyArray<{ readonly text: string; readonly rows: number }>> = []
    for (let row = 0; row < height;) {
      const tall = random() < 0.2 ? Math.min(2, height - row) : 1
      for (let at = 0; at < tall; at++) {
        const own: Array<MadeCell> = []
        const line: Array<{ readonly text: string; readonly rows: number }> = []
        for (let column = 0; column < columns; column++) {
          if (column === 0 && at > 0) {
            line.push({ text: "", rows: 1 })
            continue
          }
          const text = column === 0 ? `${pick(ADJECTIVES)} ${pick(NOUNS)} ${row + 1}` : valueOf(column)
          const covered = column === 0 ? tall : 1
          own.push({ text, columns: 1, rows: covered, isHeader: false })
          line.push({ text, rows: covered })
        }
        rows.push(own)
        grid.push(line)
      }
      row += tall
    }
    return { name: `made table ${n + 1}`, style: STYLES[n % STYLES.length]!, rows, labels, grid }
  })
}

export const rowHtml = (row: ReadonlyArray<MadeCell>): string => {
  const cell = ({ text, columns, rows, isHeader }: MadeCell) => {
    const tag = isHeader ? "th" : "td"
    return `<${tag}${columns > 1 ? ` colspan="${columns}"` : ""}${rows > 1 ? ` rowspan="${rows}"` : ""}>${text}</${tag}>`
  }
  return `<tr>${row.map(cell).join("")}</tr>`
}

/** A page with prose above and below the table, for a browser to print. */
export const htmlOf = ({ style, rows }: MadeTable): string => {
  const body = rows.map(rowHtml).join("")
  const prose =
    "<p>The offer holds for ninety days. All prices are without taxes and include the first year of support.</p>"
  return `<!doctype html><style>body{font:11px sans-serif;margin:0}${style}</style><h1>Offer</h1>${prose}<table>${body}</table>${prose}`
}
