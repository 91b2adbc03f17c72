import { chromium as browsers } from "playwright-core"
import { chromium } from "../../../test/support/chromium.ts"
import { READERS } from "../../../src/ingest/readers.ts"
import { readRows, type Score, scoreTables } from "./score.ts"
import { makeDocumentPages } from "./documentPages.ts"
import { makePlainTables, plainHtmlOf } from "./plainPages.ts"
import { htmlOf, type MadeTable, makeTables } from "./ruledPages.ts"
import { FROM_FIRST, type Kind, textCell, type TruthTable } from "./truth.ts"

const TABLES = 60
const PLAIN_TABLES = 160
const PAGES_OF_A_KIND = 6
const SEED = 17

interface Printed {
  readonly kind: Kind
  readonly made: Pick<MadeTable, "name" | "grid"> & { readonly labels?: ReadonlyArray<string> }
  readonly html: string
}

const printed = (seed: number): ReadonlyArray<Printed> => [
  ...makeTables(TABLES, seed).map((made) => ({ kind: "pdf, printed" as const, made, html: htmlOf(made) })),
  ...makePlainTables(PLAIN_TABLES, seed).map((made) => ({
    kind: "pdf, printed borderless" as const,
    made,
    html: plainHtmlOf(made),
  })),
  ...makeDocumentPages(PAGES_OF_A_KIND, seed).map(({ html, ...made }) => ({
    kind: "pdf, printed documents" as const,
    made,
    html,
  })),
]

const truthOf = ({ kind, made: { name, grid, labels } }: Printed): TruthTable => ({
  kind,
  name,
  rows: grid.map((row) => ({ cells: row.map(({ text, rows }) => textCell(text, rows)) })),
  ...(labels !== undefined && { labels: labels.map((label) => textCell(label)) }),
  countings: FROM_FIRST,
  isOrdered: true,
  place: 1,
})

/** Prints generated tables with Chromium and scores their reading; undefined without Chromium. `show` prints the tables whose name it is. */
export const scorePrinted = async (show?: string, seed = SEED): Promise<ReadonlyArray<Score> | undefined> => {
  if (chromium === undefined) return undefined
  const browser = await browsers.launch({ executablePath: chromium, args: ["--no-sandbox"] })
  try {
    const page = await browser.newPage()
    const scores: Array<Score> = []
    for (const each of printed(seed)) {
      const { made, html } = each
      if (show !== undefined && made.name !== show) continue
      await page.setContent(html)
      const { elements } = await READERS.pdf(
        new Uint8Array(await page.pdf({ format: "A4", margin: { top: "2cm", left: "2cm", right: "2cm" } })),
      )
      if (show !== undefined) {
        for (const row of made.grid) console.log(`truth: ${row.map(({ text }) => text).join(" | ")}`)
        console.log(`truth, labels: ${made.labels?.join(" | ") ?? "none"}`)
        for (const { cells, labels } of readRows(elements))
          console.log(`read: ${cells.join(" | ")}   (${labels.join(" | ")})`)
      }
      scores.push(...scoreTables([truthOf(each)], readRows(elements)))
    }
    return scores
  } finally {
    await browser.close()
  }
}
