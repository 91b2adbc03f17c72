import { randomOf } from "./random.ts"
import { type MadeCell, type MadeTable, rowHtml } from "./ruledPages.ts"

/** A generated table without rulings. Its first `headers` rows are the header. */
export interface PlainTable extends MadeTable {
  readonly headers: number
}

const NAMES = "Alpine Bold Copper Delta Ember Falcon Granite Harbor Indigo Juniper Kestrel Lumen Maple Nimbus".split(
  " ",
)
const THINGS = "licence seat module connector audit archive storage queue agent report export backup region".split(" ")
const WORDS =
  "covers every request of the contract year and is charged by the unit when usage exceeds the agreed volume in a quarter for each region".split(
    " ",
  )
const LABELS = ["Units", "Price", "Change", "Margin", "Owner", "Plan", "Notes", "Share", "Rank", "Since", "Scope"]
const GROUPS = ["First half", "Second half", "Actual", "Forecast", "North", "South"]
const SECTIONS = ["Hardware", "Services", "Subscriptions", "Training"]

/** The kinds of values in the columns of a generated table. */
const KINDS = ["whole", "money", "rate", "decimal", "word", "sentence", "year"] as const

/** Lines above and below the header and below the table at most: no ruling divides cells. */
const LINES = [
  "",
  "",
  "thead tr:first-child th{border-top:1.5px solid #000}thead tr:last-child th{border-bottom:0.7px solid #000}tbody tr:last-child td{border-bottom:1.5px solid #000}",
  "tbody tr:nth-child(odd){background:#eef}",
]

type Random = () => number

const tools = (random: Random) => {
  const below = (most: number) => Math.floor(random() * most)
  const pick = <A>(items: ReadonlyArray<A>) => items[below(items.length)]!
  const sentence = (least: number, more: number) => {
    const words = Array.from({ length: least + below(more) }, () => pick(WORDS)).join(" ")
    return words[0]!.toUpperCase() + words.slice(1)
  }
  const valueOf = (kind: (typeof KINDS)[number]): string => {
    if (kind === "whole") return (below(90_000) + 10).toLocaleString("en")
    if (kind === "money")
      return random() < 0.15 ? `(${below(900)}.${10 + below(90)})` : `$${below(9000)}.${10 + below(90)}`
    if (kind === "rate") return `${random() < 0.3 ? "-" : ""}${below(100)}.${below(10)}%`
    if (kind === "decimal") return `${below(99)}.${below(10)}`
    if (kind === "year") return String(1998 + below(28))
    return kind === "word" ? pick(THINGS) : sentence(4, 14)
  }
  return { below, pick, sentence, valueOf }
}

const cell = (text: string, columns = 1, rows = 1, isHeader = false): MadeCell => ({ text, columns, rows, isHeader })

/** Header rows, and the label of each column. Two levels, or one. */
const headerOf = (names: ReadonlyArray<string>, isGrouped: boolean, at: number) => {
  if (!isGrouped) return { rows: [names.map((name) => cell(name, 1, 1, true))], labels: names }
  const labels = [...names]
  const upper = [cell("", 1, 1, true)]
  for (let column = 1, n = at; column < names.length; n++) {
    const wide = Math.min(names.length - column, 2)
    const group = GROUPS[n % GROUPS.length]!
    upper.push(cell(group, wide, 1, true))
    for (let c = column; c < column + wide; c++) labels[c] = `${group} ${names[c]}`
    column += wide
  }
  return { rows: [upper, names.map((name) => cell(name, 1, 1, true))], labels }
}

/** Makes `count` tables without rulings, as reports, papers and price lists have them. The same seed makes the same tables. */
export const makePlainTables = (count: number, seed: number): ReadonlyArray<PlainTable> => {
  const random = randomOf(seed)
  const { below, pick, sentence, valueOf } = tools(random)
  return Array.from({ length: count }, (_, n) => {
    const columns = 2 + below(6)
    const height = 2 + below(10)
    const kinds = Array.from({ length: columns - 1 }, () => pick(KINDS))
    const isLong = random() < 0.25
    const hasSections = random() < 0.2
    const isTall = !hasSections && random() < 0.2
    const start = below(LABELS.length - columns + 1)
    const names = [pick(["Product", "Region", "Line item", "Model"]), ...LABELS.slice(start, start + columns - 1)]
    const { rows, labels } = headerOf(names, columns > 4 && random() < 0.3, n)
    const headers = rows.length
    const all: Array<ReadonlyArray<MadeCell>> = [...rows]
    const grid: Array<ReadonlyArray<{ readonly text: string; readonly rows: number }>> = []
    const missing = random() < 0.4 ? 0.15 : 0
    for (let row = 0; row < height;) {
      if (hasSections && row % 4 === 0) all.push([cell(SECTIONS[(row / 4 + n) % SECTIONS.length]!, columns)])
      const tall = isTall ? Math.min(1 + below(3), height - row) : 1
      const name = isLong ? sentence(3, 6) : `${pick(NAMES)} ${1 + below(90)}`
      for (let at = 0; at < tall; at++) {
        const values = kinds.map((kind) => (random() < missing ? "" : valueOf(kind)))
        all.push([...(at === 0 ? [cell(name, 1, tall)] : []), ...values.map((text) => cell(text))])
        grid.push([{ text: at === 0 ? name : "", rows: tall }, ...values.map((text) => ({ text, rows: 1 }))])
      }
      row += tall
    }
    const width = kinds.includes("sentence") || isLong ? 55 + below(45) : pick([0, 40, 70, 100])
    const [x, y] = [3 + below(10), below(5)]
    const aligned = kinds
      .map((kind, at) => {
        const side = kind === "word" || kind === "sentence" ? "left" : pick(["right", "right", "center", "left"])
        return `td:nth-last-child(${columns - 1 - at}):not([colspan]),th:nth-last-child(${columns - 1 - at}):not([colspan]){text-align:${side}}`
      })
      .join("")
    const style = `table{border-collapse:collapse;margin:${6 + below(20)}px 0;${width > 0 ? `width:${width}%` : ""}}td,th{padding:${y}px ${x}px;vertical-align:${pick(["top", "top", "middle"])};line-height:${pick(["1.15", "1.3", "1.5"])}}th{text-align:left;font-weight:${pick(["bold", "normal"])};vertical-align:bottom}th[colspan]{text-align:center}${aligned}${pick(LINES)}body{font-family:${pick(["serif", "sans-serif"])} !important;${random() < 0.25 ? "column-count:2;} table{break-inside:avoid;" : ""}}`
    return { name: `made borderless table ${n + 1}`, style, rows: all, headers, labels, grid }
  })
}

/** A page with a heading and prose around the table, for a browser to print. */
export const plainHtmlOf = ({ style, rows, headers }: PlainTable): string => {
  const prose =
    "<p>The offer holds for ninety days. All prices are without taxes and include the first year of support, which the customer may extend by one more year at the same price.</p>"
  return `<!doctype html><style>body{font-size:11px;margin:0}${style}</style><h2>Overview</h2>${prose}<table><thead>${rows.slice(0, headers).map(rowHtml).join("")}</thead><tbody>${rows.slice(headers).map(rowHtml).join("")}</tbody></table>${prose}`
}
