import { readPdf } from "../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf } from "./pdf.ts"

/** Horizontal and vertical lines, in points from the lower left corner. */
export const across = (y: number, from: number, to: number) => `${from} ${y} m ${to} ${y} l S`
export const down = (x: number, from: number, to: number) => `${x} ${from} m ${x} ${to} l S`

/** The elements of a page with this content: rows as `[labels] cell | cell`, others with their kind. */
export const readDrawn = async (content: ReadonlyArray<string>) => {
  const { elements } = await readPdf(pagesOf([content.join("\n")]))
  return elements.map(({ kind, text, labels }) => {
    const marks = labels === undefined ? "" : `[${labels.join("|")}] `
    return kind === "table-row" ? marks + text.split("\t").join(" | ") : `${kind}: ${text}`
  })
}
