import type { Element, Place } from "../../document.ts"
import { makeGrid, readSpan } from "../../tables/grid.ts"
import type { Cell, TableRow } from "../../tables/header.ts"
import { xmlParser } from "./xml.ts"

export interface HtmlSink {
  readonly add: (kind: Element["kind"], text: string, level?: number) => void
  readonly row: (row: TableRow) => void
  readonly endTable: () => void
}

const BLOCKS: ReadonlySet<string> = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "li"])
const PLACE: Place = { kind: "text" }
/** Turns mammoth's HTML, which is well-formed XML but for its missing root, into elements. */
export const readHtml = (html: string, { add, row, endTable }: HtmlSink): void => {
  let text = ""
  let tables = 0
  let cells: Array<Cell> = []
  let grid = makeGrid()
  let cell = { column: 0, span: 1, rows: 1 }
  let headers = 0
  const parser = xmlParser("word/document.xml", {
    open: (name, attributes) => {
      if (name === "br") text += "\n"
      else if (name === "table" && ++tables === 1) {
        text = ""
        grid = makeGrid()
      } else if (tables === 1 && name === "thead") headers++
      else if (tables === 1 && name === "tr") {
        cells = []
        grid.startRow()
      } else if (tables === 1 && (name === "td" || name === "th")) {
        text = ""
        const span = readSpan(attributes["colspan"])
        const rows = readSpan(attributes["rowspan"])
        cell = { column: grid.place(span, rows), span, rows }
      }
    },
    close: (name) => {
      if (name === "table") {
        if (--tables === 0) {
          text = ""
          endTable()
        }
      } else if (tables === 1 && name === "thead") headers--
      else if (tables === 1 && (name === "td" || name === "th"))
        cells.push({ ...cell, text: text.replaceAll(/\s+/g, " ").trim() })
      else if (tables === 1 && name === "tr") {
        grid.endRow()
        row({ cells, place: PLACE, isHeader: headers > 0 })
      } else if (tables > 0) {
        if (BLOCKS.has(name) || name === "td" || name === "th") text += "\n"
      } else if (BLOCKS.has(name)) {
        if (name === "li") add("list-item", text)
        else if (name === "p") add("paragraph", text)
        else add("heading", text.replaceAll(/\s+/g, " "), Number(name[1]))
        text = ""
      }
    },
    text: (value) => {
      text += value
    },
  })
  parser.write(`<html>${html}</html>`)
  parser.close()
}
