import Papa from "papaparse"
import { decodeEntities } from "../../../core/common/entities.ts"
import { LIMITS, type ReadDocument } from "../../document.ts"
import { type Emit, elementList, requireText } from "../../elements.ts"
import { couldBeHeader } from "../../tables/header.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { decode } from "../../encodings/decode.ts"

/** The name of the only sheet. */
const SHEET = "Table"

/**
 * Reads a file of delimited values as one table, each row at its number in the file; empty lines count. The first row of texts
 * is its header. Throws `UnreadableError`.
 */
export const readCsv = (bytes: Uint8Array, delimiter: "" | "\t", emit?: Emit): ReadDocument => {
  const { text, warnings } = decode(bytes)
  if (text.length > LIMITS.characters) {
    throw new UnreadableError("too-large", "The file holds more text than can be read. Split it into smaller files.")
  }
  const elements = elementList(emit)
  const table = new TableWriter(elements, decodeEntities)
  let row = 0
  let cells = 0
  let hasHeader = false
  Papa.parse<ReadonlyArray<string>>(text, {
    // An empty delimiter makes Papa Parse guess it from the first rows.
    delimiter,
    step: ({ data }) => {
      row++
      cells += data.length
      if (cells > LIMITS.cells) {
        throw new UnreadableError(
          "too-large",
          "The file holds more cells than can be read. Split it into smaller files.",
        )
      }
      const filled = data.map((text, column) => ({ text, column })).filter(({ text }) => text.trim() !== "")
      const isHeader = !hasHeader && filled.length > 1 && couldBeHeader(filled)
      hasHeader ||= filled.length > 1
      table.row({ cells: filled, place: { kind: "sheet", sheet: SHEET, row }, isHeader })
    },
  })
  table.end()
  return requireText(elements, warnings)
}
