import { strFromU8, unzipSync } from "fflate"
import { SaxesParser } from "saxes"

/** A cell as a workbook stores it: its type (`n` without one), its value, and the code of its number format. */
export interface StoredCell {
  readonly type: string
  readonly value: string
  readonly format: string | undefined
}

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}

/** The elements of a part in order, each with the text right inside it. Throws if it is not well-formed XML. */
const elementsOf = (xml: string): ReadonlyArray<Element> => {
  const all: Array<Element> = []
  const open: Array<Element> = []
  const parser = new SaxesParser()
  parser.on("error", (error) => {
    throw error
  })
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: "" }
    all.push(element)
    open.push(element)
  })
  parser.on("text", (text) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  })
  parser.on("closetag", () => void open.pop())
  parser.write(xml).close()
  return all
}

/** ECMA-376, ST_Xstring: `_xHHHH_` is the character of this code. */
const unescape = (text: string) =>
  text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

const partsOf = (bytes: Uint8Array) =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, part]) => [name, elementsOf(strFromU8(part))]))

/** Reads every sheet of a workbook, by the specification: rows by their number, cells by their column. */
export const readXlsx = (bytes: Uint8Array): ReadonlyArray<ReadonlyArray<Readonly<Record<string, StoredCell>>>> => {
  const parts = partsOf(bytes)
  const styles = parts["xl/styles.xml"]!
  const codes = new Map(
    styles
      .filter(({ name }) => name === "numFmt")
      .map(({ attributes }) => [attributes["numFmtId"], attributes["formatCode"]]),
  )
  const from = styles.findIndex(({ name }) => name === "cellXfs") + 1
  const formats: Array<string | undefined> = []
  for (let at = from; styles[at]?.name === "xf"; at++) formats.push(codes.get(styles[at]!.attributes["numFmtId"]))
  return Object.keys(parts)
    .filter((name) => name.startsWith("xl/worksheets/"))
    .toSorted()
    .map((name) => {
      const rows: Array<Record<string, StoredCell>> = []
      let cell: { column: string; type: string; format: string | undefined } | undefined
      for (const { name: element, attributes, text } of parts[name]!) {
        if (element === "row") rows[Number(attributes["r"]) - 1] = {}
        if (element === "c") {
          const column = attributes["r"]!.replaceAll(/\d/g, "")
          cell = { column, type: attributes["t"] ?? "n", format: formats[Number(attributes["s"] ?? 0)] }
        }
        if ((element === "v" || element === "t") && cell !== undefined) {
          const { column, type, format } = cell
          rows.at(-1)![column] = { type, value: element === "t" ? unescape(text) : text, format }
        }
      }
      return rows
    })
}
