import type { Element } from "../../document.ts"
import { joinCells } from "../../elements.ts"
import { xmlParser } from "./xml.ts"

type Add = (kind: Element["kind"], text: string, level?: number) => void

const BLOCKS: ReadonlySet<string> = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "li"])

/** Turns mammoth's HTML, which is well-formed XML but for its missing root, into elements. */
export const readHtml = (html: string, add: Add): void => {
  let text = ""
  let tables = 0
  let cells: Array<string> = []
  const parser = xmlParser("word/document.xml", {
    open: (name) => {
      if (name === "br") text += "\n"
      else if (name === "table" && ++tables === 1) text = ""
      else if (tables === 1 && name === "tr") cells = []
      else if (tables === 1 && (name === "td" || name === "th")) text = ""
    },
    close: (name) => {
      if (name === "table") {
        if (--tables === 0) text = ""
      } else if (tables === 1 && (name === "td" || name === "th")) cells.push(text.replaceAll(/\s+/g, " ").trim())
      else if (tables === 1 && name === "tr") add("table-row", joinCells(cells))
      else if (tables > 0) {
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
