import { ACCOUNTS, GOODS, METHODS, METRICS, NAMES, PEOPLE, ROLES, tools, type Tools } from "./documentWords.ts"
import { randomOf } from "./random.ts"
import { type MadeCell, rowHtml } from "./ruledPages.ts"

/** A page of a document with a table without rulings between its columns. Without `labels` the table has no header. */
export interface DocumentPage {
  readonly name: string
  readonly html: string
  readonly labels?: ReadonlyArray<string>
  /** The text that belongs to each row and column, and the rows that it spans: "" for an empty cell. */
  readonly grid: ReadonlyArray<ReadonlyArray<{ readonly text: string; readonly rows: number }>>
}

type Row = ReadonlyArray<string>

interface Layout {
  readonly header: ReadonlyArray<ReadonlyArray<MadeCell>>
  readonly labels?: Row
  /** The texts of the body; a text may have marks of HTML. */
  readonly body: ReadonlyArray<Row>
  readonly style: string
  /** HTML before and after the table. */
  readonly before?: string
  readonly after?: string
}

const head = (text: string, columns = 1, rows = 1): MadeCell => ({ text, columns, rows, isHeader: true })
const headers = (labels: Row) => [labels.map((label) => head(label))]

const right = (from: number) => `td:nth-child(n+${from}),th:nth-child(n+${from}){text-align:right}`
const RULES =
  "thead tr:first-child th{border-top:1.5px solid #000}thead tr:last-child th{border-bottom:0.7px solid #000}tbody tr:last-child td{border-bottom:1.5px solid #000}"

const invoice = ({ below, pick, take, times, sentence, amount, chance }: Tools): Layout => {
  const labels = pick([
    ["Description", "Qty", "Unit price", "Amount"],
    ["Pos.", "Description", "Quantity", "Price", "Total EUR"],
  ])
  const isNumbered = labels.length === 5
  const body = take(GOODS, 2 + below(6)).map((good, at) => [
    ...(isNumbered ? [String(at + 1)] : []),
    chance(0.5) ? `${good}<br>${sentence(4, 16)}` : good,
    String(1 + below(20)),
    amount(),
    amount(),
  ])
  const empty = isNumbered ? ["", "", ""] : ["", ""]
  const totals = ["Subtotal", "VAT 19%", "Total"].map((name) => [...empty, name, amount()])
  const from = isNumbered ? 3 : 2
  return {
    header: headers(labels),
    labels,
    body: [...body, ...totals],
    style: `table{width:100%}${right(from)}td{vertical-align:top}${pick(["", RULES, "th{border-bottom:1px solid}"])}`,
    before: `<p>Invoice no. ${below(90_000)}<br>Date: 12 March 2024<br>Customer: ${times(1, 1, () => pick(NAMES)).join("")}</p>`,
    after: "<p>Please pay within 30 days to the account below.</p>",
  }
}

const paper = ({ below, pick, take, prose, chance }: Tools): Layout => {
  const isSplit = chance(0.5)
  const columns = isSplit ? 4 : 3 + below(4)
  const metrics = take(METRICS, columns)
  const groups = pick([
    ["Validation", "Test"],
    ["CoNLL-2003", "OntoNotes 5.0"],
  ])
  const first = pick(["Method", "Model", ""])
  const value = () => {
    const text = `${below(90)}.${below(10)}`
    if (chance(0.2)) return `<b>${text}</b>`
    return chance(0.2) ? `${text} ± 0.${below(9)}` : text
  }
  return {
    header: isSplit
      ? [
          [head(""), head(groups[0]!, 2), head(groups[1]!, 2)],
          [head(first), ...metrics.map((name) => head(name))],
        ]
      : headers([first, ...metrics]),
    labels: [first, ...metrics.map((name, at) => (isSplit ? `${groups[at >> 1]} ${name}` : name))],
    body: take(METHODS, 3 + below(6)).map((name) => [
      chance(0.3) ? `${name} [${1 + below(40)}]` : name,
      ...metrics.map(() => (chance(0.1) ? pick(["–", "n/a", ""]) : value())),
    ]),
    style: `th{font-weight:normal;text-align:center}td{text-align:center}td:first-child,th:first-child{text-align:left}${RULES}table{margin:8px auto}body{${chance(0.5) ? "column-count:2;font-size:9px !important" : ""}}`,
    before: `${prose(5)}<p>Table ${1 + below(5)}: Results on both data sets.</p>`,
    after: prose(6),
  }
}

const statement = ({ pick, take, whole, prose, chance, below }: Tools): Layout => {
  const isSplit = chance(0.4)
  const years = pick([
    ["2023", "2022"],
    ["31 Dec 2023", "31 Dec 2022"],
    ["2024", "2023", "2022"],
  ])
  const value = () => (chance(0.15) ? "–" : chance(0.25) ? `(${whole()})` : whole())
  const hasNotes = chance(0.5)
  const first = pick(["", "EUR thousand", "In millions"])
  const body = take(ACCOUNTS, 5 + below(5)).flatMap((name, at) => {
    const row = [chance(0.6) ? `<span style="padding-left:10px">${name}</span>` : name]
    if (hasNotes) row.push(chance(0.4) ? String(1 + below(30)) : "")
    row.push(...years.map((_, year) => (at === 0 && year === 0 && chance(0.3) ? `$ ${whole()}` : value())))
    const title = [`${pick(["Current assets", "Equity", "Liabilities"])}:`, ...row.slice(1).map(() => "")]
    return at % 4 === 0 ? [title, row] : [row]
  })
  const group = pick(["As of December 31,", "Year ended"])
  const notes = hasNotes ? ["Note"] : []
  return {
    header: isSplit
      ? [
          [head(""), ...notes.map(() => head("")), head(group, years.length)],
          [head(first), ...notes.map((note) => head(note)), ...years.map((year) => head(year))],
        ]
      : headers([first, ...notes, ...years]),
    labels: [first, ...notes, ...years.map((year) => (isSplit ? `${group} ${year}` : year))],
    body: [...body, ["Total", ...notes.map(() => ""), ...years.map(whole)]],
    style: `table{width:${pick(["100%", "75%"])}}${right(2)}th[colspan]{text-align:center}td{padding:1px 4px !important}tr:last-child td{font-weight:bold;border-top:1px solid}`,
    before: prose(3),
    after: prose(2),
  }
}

const keyValues = ({ pick, sentence, amount, below, chance }: Tools): Layout => {
  const colon = pick([":", ""])
  const rows: ReadonlyArray<Row> = [
    ["Customer", pick(NAMES)],
    ["Contract number", `C-${1000 + below(9000)}`],
    ["Scope", sentence(8, 18)],
    ["Start of the term", "1 January 2025"],
    ["Annual fee", `EUR ${amount()}`],
    ["Contact", pick(PEOPLE)],
    ["Notice period", "three months"],
  ]
  return {
    header: [],
    body: rows.filter(() => chance(0.85)).map(([key, value]) => [`${key}${colon}`, value!]),
    style: `table{width:70%}td{vertical-align:top}td:first-child{width:35%;${pick(["", "font-weight:bold"])}}`,
    before: `<p>${sentence(9, 8)}.</p>`,
    after: `<p>${sentence(14, 10)}.</p>`,
  }
}

const wrapped = ({ pick, times, sentence, below, chance }: Tools): Layout => {
  const labels = pick([
    ["Risk", "Cause", "Measure", "Due"],
    ["Requirement", "Comment", "Status", "Owner"],
    ["Finding", "Recommendation", "Date"],
  ])
  const cellOf = (label: string) => {
    if (label === "Due" || label === "Date") return `${1 + below(28)}.${1 + below(12)}.2025`
    if (label === "Status") return pick(["open", "closed", "in progress"])
    return label === "Owner" ? pick(PEOPLE) : sentence(3, 14) + (chance(0.3) ? "." : "")
  }
  return {
    header: headers(labels),
    labels,
    body: times(3, 4, () => labels.map(cellOf)),
    style: `table{width:100%}td{vertical-align:${pick(["top", "middle", "bottom"])};padding-top:${2 + below(5)}px !important}th{text-align:left}`,
  }
}

const longHeaders = ({ pick, take, times, whole, below, prose }: Tools): Layout => {
  const long =
    "Number of employees at year end,Change against previous year,Revenue per employee,Share of total (%),Average age in years,Sites in operation,Hours of training per head".split(
      ",",
    )
  const columns = take(long, 3 + below(4))
  const first = pick(["Country", "Division", "Business unit"])
  return {
    header: headers([first, ...columns]),
    labels: [first, ...columns],
    body: times(3, 7, (at) => [
      NAMES[at]!,
      ...columns.map(() => pick([whole(), `${below(99)}`, `${below(9)}.${below(10)}`])),
    ]),
    style: `th{max-width:${50 + below(40)}px;vertical-align:${pick(["top", "bottom", "middle"])};font-weight:${pick(["bold", "normal"])}}th{text-align:left}${pick([right(2), "td,th{text-align:center}"])}td:first-child,th:first-child{text-align:left}${pick(["", RULES])}`,
    before: prose(3),
    after: prose(3),
  }
}

const directory = ({ below, take, pick, chance, prose }: Tools): Layout => {
  const labels = ["Name", "Function", "E-mail", "Phone"].slice(0, 3 + below(2))
  return {
    header: headers(labels),
    labels,
    body: take(PEOPLE, 3 + below(5)).map((name) =>
      [
        name,
        chance(0.15) ? "" : pick(ROLES),
        `${name.toLowerCase().replace(" ", ".")}@example.com`,
        `+49 30 ${10_000 + below(80_000)}`,
      ].slice(0, labels.length),
    ),
    style: `th{text-align:left;font-weight:${pick(["bold", "bold", "normal"])}}table{${pick(["width:100%", ""])}}${pick(["", RULES, "tr:nth-child(even){background:#eee}"])}`,
    before: prose(2),
    after: prose(1),
  }
}

const matrix = ({ pick, times, below, chance, prose }: Tools): Layout => {
  const labels = [
    "Feature",
    ...pick([
      ["Basic", "Team", "Business", "Enterprise"],
      ["Mon", "Tue", "Wed", "Thu", "Fri"],
      ["Q1", "Q2", "Q3"],
    ]),
  ]
  const mark = pick(["x", "yes", "✓", "12 h"])
  return {
    header: headers(labels),
    labels,
    body: times(4, 6, (at) => [
      GOODS[at]!,
      ...labels.slice(1).map(() => (chance(0.4) ? "" : chance(0.2) ? String(below(50)) : mark)),
    ]),
    style: `td,th{text-align:center}td:first-child,th:first-child{text-align:left}table{width:${pick(["100%", "80%"])}}`,
    before: prose(2),
  }
}

const footnoted = ({ pick, times, amount, below, chance, whole }: Tools): Layout => {
  const labels = ["Article", "Pack size", "List price (EUR)", "Weight"].map((label, at) =>
    at > 1 && chance(0.3) ? `${label}<sup>a</sup>` : label,
  )
  return {
    header: headers(labels),
    labels,
    body: times(4, 8, (at) => [
      `${GOODS[at % GOODS.length]} ${whole()}`,
      pick(["1 pc", "10 pcs", "box of 25"]),
      `${pick(["", "", "€ ", "*"])}${amount()}${chance(0.2) ? `<sup>${1 + below(3)}</sup>` : ""}`,
      `${below(40)} kg`,
    ]),
    style: `th{text-align:left}${right(3)}${pick(["", RULES])}table{${pick(["width:100%", ""])}}`,
    after: `<p style="font-size:8px;margin:0"><sup>1</sup> Prices without packaging.</p><p style="font-size:8px;margin:0"><sup>2</sup> Only while stocks last.</p>`,
  }
}

const schedule = ({ pick, times, sentence, below }: Tools): Layout => {
  const labels = ["Time", "Topic", "Speaker"]
  return {
    header: headers(labels),
    labels,
    body: times(4, 5, (at) => [`${8 + at}:00–${8 + at}:45`, sentence(2, 12), pick(PEOPLE)]),
    style: `th{text-align:left;font-weight:${pick(["bold", "normal"])}}td{vertical-align:${pick(["top", "middle"])}}table{width:${55 + below(45)}%}`,
  }
}

const datasheet = ({ pick, times, below, chance, prose }: Tools): Layout => {
  const labels = ["Parameter", "Symbol", "Min.", "Typ.", "Max.", "Unit"]
  const value = () => (chance(0.45) ? "" : `${below(40)}.${below(10)}`)
  return {
    header: headers(labels),
    labels,
    body: times(4, 8, (at) => [
      `${["Supply voltage", "Input current at full load", "Operating temperature", "Rise time"][at % 4]}`,
      ["VDD", "IIN", "TA", "tr"][at % 4]!,
      value(),
      `${below(30)}`,
      value(),
      ["V", "mA", "°C", "ns"][at % 4]!,
    ]),
    style: `td,th{text-align:center;padding:1px ${3 + below(8)}px !important}td:first-child,th:first-child{text-align:left}${pick(["", RULES])}body{font-size:${pick(["8px", "9px", "10px"])} !important}`,
    before: prose(2),
    after: prose(2),
  }
}

const KINDS: Readonly<Record<string, (tools: Tools) => Layout>> = {
  invoice,
  paper,
  statement,
  "key values": keyValues,
  "wrapped cells": wrapped,
  "long headers": longHeaders,
  directory,
  matrix,
  footnotes: footnoted,
  schedule,
  datasheet,
}

const plainText = (html: string) =>
  html
    .replaceAll("<br>", " ")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&amp;", "&")

/** Makes `count` pages of each kind. The same seed makes the same pages. */
export const makeDocumentPages = (count: number, seed: number): ReadonlyArray<DocumentPage> => {
  const random = randomOf(seed)
  const own = tools(random)
  const { below, pick } = own
  return Object.entries(KINDS).flatMap(([kind, make]) =>
    Array.from({ length: count }, (_, n) => {
      const { header, labels, body, style, before = "", after = "" } = make(own)
      const base = `body{margin:0;font:${9 + below(4)}px ${pick(["serif", "sans-serif", "Georgia, serif", "Arial, sans-serif"])}}table{border-collapse:collapse;margin:${4 + below(12)}px 0}td,th{padding:${below(5)}px ${3 + below(8)}px;line-height:${pick(["1.15", "1.3", "1.5"])}}`
      const rows = body.map((row) => row.map((text): MadeCell => ({ text, columns: 1, rows: 1, isHeader: false })))
      const table = `<table><thead>${header.map(rowHtml).join("")}</thead><tbody>${rows.map(rowHtml).join("")}</tbody></table>`
      return {
        name: `made ${kind} ${n + 1}`,
        html: `<!doctype html><style>${base}${style}</style><h2>${pick(GOODS)}</h2>${before}${table}${after}`,
        ...(labels !== undefined && { labels: labels.map(plainText) }),
        grid: body.map((row) => row.map((text) => ({ text: plainText(text), rows: 1 }))),
      }
    }),
  )
}
