import { spawnSync } from "node:child_process"
import { parseArgs } from "node:util"
import { corpus } from "../../test/ingest/support/corpus.ts"
import { heading, judgeLeast, summary, table } from "../support/report.ts"
import { officeTables, ours, pdfTables, poppler, scoreAll } from "../support/tables/files.ts"
import { scorePrinted } from "../support/tables/printedTables.ts"
import { HALVES } from "../support/tables/pdfTruth.ts"
import type { Score } from "../support/tables/score.ts"
import { type Kind, KINDS } from "../support/tables/truth.ts"

const TARGETS: Readonly<Record<Kind, number>> = {
  xlsx: 0.995,
  docx: 0.99,
  pptx: 0.99,
  "pdf, ruled": 0.95,
  "pdf, printed": 0.95,
  "pdf, borderless": 0.85,
  "pdf, printed borderless": 0.85,
  "pdf, printed documents": 0.85,
}
const WORST = 20
const USAGE = "usage: npm run bench -- tables [--half work|counted|both] [--show PART_OF_A_NAME]"

const sum = (scores: ReadonlyArray<Score>, figure: "cells" | "inColumn" | "underLabel") =>
  scores.reduce((total, score) => total + score[figure], 0)

const share = (part: number, whole: number) => (whole === 0 ? "" : (part / whole).toFixed(3))

const rowOf = (name: string, scores: ReadonlyArray<Score>): ReadonlyArray<string> => {
  const cells = sum(scores, "cells")
  const labelled = scores.filter(({ table }) => table.labels !== undefined)
  return [
    name,
    String(scores.length),
    String(cells),
    share(sum(scores, "inColumn"), cells),
    share(sum(scores, "underLabel"), cells),
    String(labelled.length),
    share(sum(labelled, "underLabel"), sum(labelled, "cells")),
    String(scores.filter((score) => score.underLabel === score.cells).length),
  ]
}

const HEADER = [
  "",
  "tables",
  "cells",
  "right column",
  "and header",
  "with a clear header",
  "their cells under it",
  "tables all right",
]

const printWorst = (scores: ReadonlyArray<Score>) => {
  heading(`The ${WORST} worst tables (without the counted half of the PDFs)`)
  const wrong = scores.filter(({ cells, underLabel }) => underLabel < cells)
  const worst = wrong.toSorted((a, b) => a.underLabel / a.cells - b.underLabel / b.cells || b.cells - a.cells)
  table(
    ["table", "cells", "right column", "and header"],
    worst
      .slice(0, WORST)
      .map((each) => [
        each.table.name,
        String(each.cells),
        share(each.inColumn, each.cells),
        share(each.underLabel, each.cells),
      ]),
  )
}

/** Prints what the file has and what was read, row by row. */
const show = async (part: string) => {
  if (part.startsWith("made ")) return void (await scorePrinted(part))
  for (const [sample, tables] of [...officeTables(), ...pdfTables("work")]) {
    const shown = tables.filter(({ name }) => name.includes(part))
    if (shown.length === 0) continue
    const rows = await ours(sample)
    for (const { name, labels, rows: truth, place } of shown) {
      heading(name)
      console.log(`truth, labels: ${labels?.map((label) => label?.text ?? "").join(" | ") ?? "not judged"}`)
      for (const { cells } of truth) console.log(`truth: ${cells.map((cell) => cell?.text ?? "").join(" | ")}`)
      const numbers = new Set(truth.map(({ number }) => number))
      const read = rows.filter(
        (row) => (place === undefined || row.place === place) && (row.number === undefined || numbers.has(row.number)),
      )
      for (const { cells, labels } of read) console.log(`read: ${cells.join(" | ")}   (${labels.join(" | ")})`)
    }
  }
}

/** `--show` prints tables of the work half and of Office files. The counted half of the PDFs is only counted. */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: { half: { type: "string", default: "both" }, show: { type: "string" } },
  })
  const halves = HALVES.filter((half) => values.half === half || values.half === "both")
  if (halves.length === 0) {
    console.error(USAGE)
    process.exit(2)
  }
  if (corpus.length === 0) return console.log("no ../shared/data/documents here: there are no tables to read")
  if (values.show !== undefined) return show(values.show)
  const office = await scoreAll(officeTables(), ours)
  const pdfs = new Map<string, ReadonlyArray<Score>>()
  for (const half of halves) pdfs.set(half, await scoreAll(pdfTables(half), ours))
  const printed = await scorePrinted()
  if (printed === undefined) console.log("Chromium is not installed: no ruled tables are printed")
  const all = [...office, ...(printed ?? []), ...[...pdfs.values()].flat()]
  heading("Cells in the right column, and under the right header")
  const of = (kind: Kind, scores: ReadonlyArray<Score>) => scores.filter(({ table }) => table.kind === kind)
  const rows = KINDS.map((kind) => rowOf(kind, of(kind, all)))
  for (const [half, scores] of pdfs) rows.push(rowOf(`pdf, ${half} half`, scores))
  if (spawnSync("pdftotext", ["-v"]).error === undefined) {
    const theirs = (await Promise.all(halves.map((half) => scoreAll(pdfTables(half), poppler)))).flat()
    rows.push(rowOf("pdftotext -layout, all PDFs", theirs))
  }
  table(HEADER, rows)
  console.log()
  for (const kind of KINDS) {
    const scores = of(kind, all)
    judgeLeast(`${kind}: cells under the right header`, sum(scores, "underLabel") / sum(scores, "cells"), TARGETS[kind])
  }
  printWorst([...office, ...(printed ?? []), ...(pdfs.get("work") ?? [])])
  summary()
}
