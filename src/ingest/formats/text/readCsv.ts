import Papa from "papaparse"
import { decodeEntities } from "../../../core/common/entities.ts"
import { LIMITS, type ReadDocument } from "../../document.ts"
import { type Emit, elementList, requireText } from "../../elements.ts"
import { type Cell, couldBeHeader } from "../../tables/header.ts"
import { areKeyValues } from "../../tables/keyValues.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { decode } from "../../encodings/decode.ts"

/** The name of the only sheet. */
const SHEET = "Table"

/** The names of columns. Cells apart may be groups of columns: the writer decides by the rows below. */
const couldBeFirst = (cells: ReadonlyArray<Cell>) =>
  cells.length > 1 && cells.at(-1)!.column - cells[0]!.column < cells.length && couldBeHeader(cells)

/** Rows that tell names and values from a table. */
const PREVIEW = 16

/** Spreadsheets name the delimiter in a first line of its own. */
const SEPARATOR = /^\ufeff?sep=(.)\r?\n/i

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
  const stated = SEPARATOR.exec(text)
  let row = stated === null ? 0 : 1
  let cells = 0
  const body = text.slice(stated?.[0].length ?? 0)
  // An empty delimiter makes Papa Parse guess it from the first rows.
  const how = { delimiter: stated?.[1] ?? delimiter }
  const { data: first } = Papa.parse<ReadonlyArray<string>>(body, { ...how, preview: PREVIEW })
  // Names and values have no header.
  let hasRows = areKeyValues(first)
  Papa.parse<ReadonlyArray<string>>(body, {
    ...how,
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
      const isHeader = !hasRows && couldBeFirst(filled)
      hasRows ||= filled.length > 1
      table.row({ cells: filled, place: { kind: "sheet", sheet: SHEET, row }, isHeader })
    },
  })
  table.end()
  return requireText(elements, warnings)
}
