import { readdirSync, readFileSync } from "node:fs"
import { FROM_FIRST, joinLabels, type TruthTable, textCell } from "./truth.ts"

export const HALVES = ["work", "counted"] as const
export type Half = (typeof HALVES)[number]

export interface LabelledPage {
  readonly file: string
  readonly page: number
  readonly tables: ReadonlyArray<{
    readonly name: string
    readonly ruled: boolean
    /** A label that covers several columns is repeated in each; one that covers several rows stands in the first. */
    readonly header: ReadonlyArray<ReadonlyArray<string>>
    /** A text, or a text that covers several rows. Empty if there is no text, or none that a reader must agree on (check marks). */
    readonly rows: ReadonlyArray<ReadonlyArray<string | { readonly text: string; readonly rows: number }>>
  }>
}

/** The widest table beside the labelled one, in columns, that a reading may take for one with it. */
const MAX_OFFSET = 12

const FOLDER = new URL("../../tables/", import.meta.url)

/** The tables that were labelled by hand, with the file of each. */
export const pdfTruth = (half: Half): ReadonlyArray<readonly [file: string, table: TruthTable]> =>
  readdirSync(new URL(half, FOLDER))
    .toSorted()
    .flatMap((name) => {
      const page = JSON.parse(readFileSync(new URL(`${half}/${name}`, FOLDER), "utf8")) as LabelledPage
      return page.tables.map((table) => {
        const truth: TruthTable = {
          kind: table.ruled ? "pdf, ruled" : "pdf, borderless",
          name: `${page.file}, page ${page.page}, ${table.name}`,
          rows: table.rows.map((row) => ({
            cells: row.map((cell) => (typeof cell === "string" ? textCell(cell) : textCell(cell.text, cell.rows))),
          })),
          countings: [
            ...FROM_FIRST,
            ...Array.from({ length: MAX_OFFSET }, (_, at) => (column: number) => column + at + 1),
          ],
          isOrdered: false,
          place: page.page,
          ...(table.header.length > 0 && { labels: joinLabels(table.header) }),
        }
        return [page.file, truth] as const
      })
    })
