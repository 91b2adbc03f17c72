import type { Element } from "../../document.ts"
import type { Cell, TableRow } from "../../tables/header.ts"
import { prefixedAttribute } from "./office.ts"
import { type PictureLink, slidePictures } from "./pictureLinks.ts"
import { type Attributes, readXml } from "./xml.ts"
import { type Shift, shiftedText, shiftOf } from "../../shiftedText.ts"
import type { Zip } from "../../safety/zip.ts"

type Add = (kind: Element["kind"], text: string, level?: number) => void

type SlideRow = Omit<TableRow, "place">

export interface SlideSink {
  readonly add: Add
  readonly addHidden: (text: string) => void
  readonly row: (row: SlideRow) => void
  readonly endTable: () => void
  /** The presentation skips the slide. Called before all others. */
  readonly hide: () => void
  /** The relationship whose part has the chart or diagram. */
  readonly graphic: (relationship: string) => void
  readonly picture: (picture: PictureLink) => void
}

const TITLES: ReadonlySet<string> = new Set(["title", "ctrTitle"])

/**
 * Text of DrawingML paragraphs (`a:p`): runs and fields joined, breaks as line feeds; alternates for old programs skipped. Struck-out
 * text is apart if the caller passes the attributes of elements.
 */
export const paragraphs = (onParagraph: (text: string, struck: string) => void) => {
  let text = ""
  let struck = ""
  let isStruck = false
  let shift: Shift
  const shifted = shiftedText()
  let inText = false
  let skipping = 0
  return {
    skipping: () => skipping > 0,
    open: (name: string, attributes: Attributes = {}) => {
      if (skipping > 0 || name === "Fallback") skipping++
      else if (name === "p") {
        text = struck = ""
        shifted.restart()
      } else if (name === "r" || name === "fld") {
        isStruck = false
        shift = undefined
      } else if (name === "rPr") {
        isStruck = (attributes["strike"] ?? "noStrike") !== "noStrike"
        // A percentage of the size, in thousandths; strict files write "30%".
        shift = shiftOf(Number.parseInt(attributes["baseline"] ?? "0", 10))
      } else if (name === "t") inText = true
      else if (name === "br") text += "\n"
      else if (name === "tab") text += "\t"
    },
    close: (name: string) => {
      if (skipping > 0) skipping--
      else if (name === "t") inText = false
      else if (name === "p") {
        onParagraph(text, struck)
        text = struck = ""
      }
    },
    text: (value: string) => {
      if (!inText || skipping > 0) return
      if (isStruck) struck += value
      else text += shifted.write(value, shift)
    },
  }
}

const relationship = (name: string, attributes: Attributes): string | undefined => {
  if (name === "chart") return prefixedAttribute(attributes, "id")
  return name === "relIds" ? prefixedAttribute(attributes, "dm") : undefined
}

const isTrue = (value: string | undefined) => value === "1" || value === "true"

export const makeCells = (texts: ReadonlyArray<string>): ReadonlyArray<Cell> =>
  texts.map((text, column) => ({ text, column }))

/** Reads one slide in the order of its shapes; its title comes first wherever it is drawn. */
export const readSlide = (zip: Zip, part: string, sink: SlideSink): void => {
  const title: Array<string> = []
  const later: Array<() => void> = []
  let inTitle = false
  let cell: Array<string> | undefined
  let cells: Array<Cell> = []
  /** The next row is the header that the table declares. */
  let isHeader = false
  let column = 0
  let span = 1
  let rows = 1
  const reader = paragraphs((text, struck) => {
    if (struck !== "") later.push(() => sink.addHidden(struck))
    if (cell !== undefined) cell.push(text)
    else if (inTitle) title.push(text)
    else later.push(() => sink.add("paragraph", text))
  })
  const pictures = slidePictures((picture) => void later.push(() => sink.picture(picture)))
  readXml(zip, part, {
    open: (name, attributes) => {
      reader.open(name, attributes)
      if (reader.skipping()) return
      pictures.open(name, attributes)
      if (name === "sld" && (attributes["show"] === "0" || attributes["show"] === "false")) sink.hide()
      const id = relationship(name, attributes)
      if (id !== undefined) later.push(() => sink.graphic(id))
      else if (name === "sp") inTitle = false
      else if (name === "ph") inTitle = TITLES.has(attributes["type"] ?? "")
      else if (name === "tblPr") isHeader = isTrue(attributes["firstRow"])
      else if (name === "tr") {
        cells = []
        column = 0
      } else if (name === "tc") {
        cell = []
        span = Math.max(Number(attributes["gridSpan"]) || 1, 1)
        rows = Math.max(Number(attributes["rowSpan"]) || 1, 1)
      }
    },
    close: (name) => {
      const skipped = reader.skipping()
      reader.close(name)
      if (skipped) return
      pictures.close(name)
      if (name === "sp") inTitle = false
      else if (name === "tc") {
        cells.push({ text: (cell ?? []).join(" "), column: column++, span, rows })
        cell = undefined
      } else if (name === "tr") {
        const row = { cells, isHeader }
        later.push(() => sink.row(row))
        isHeader = false
      } else if (name === "tbl") later.push(sink.endTable)
    },
    text: reader.text,
  })
  sink.add("heading", title.join(" ").replaceAll(/\s+/g, " "), 1)
  for (const add of later) add()
}

/** Reads a speaker's notes: the body only, neither the slide's picture nor its number. */
export const readNotes = (zip: Zip, part: string, add: Add): void => {
  let body = false
  const reader = paragraphs((text) => {
    if (body) add("note", text)
  })
  readXml(zip, part, {
    open: (name, attributes) => {
      reader.open(name)
      if (name === "sp") body = false
      else if (name === "ph") body = attributes["type"] === "body"
    },
    close: reader.close,
    text: reader.text,
  })
}

/** Reads the comments on a slide: `p:text` of older programs, paragraphs of newer ones with their replies. */
export const readComments = (zip: Zip, part: string, add: Add): void => {
  let old: string | undefined
  const reader = paragraphs((text) => add("note", text))
  readXml(zip, part, {
    open: (name) => {
      if (name === "text") old = ""
      reader.open(name)
    },
    close: (name) => {
      reader.close(name)
      if (name !== "text") return
      add("note", old ?? "")
      old = undefined
    },
    text: (value) => {
      reader.text(value)
      if (old !== undefined) old += value
    },
  })
}

/** Reads a diagram (SmartArt): the text of each of its points. */
export const readDiagram = (zip: Zip, part: string, add: Add): void => {
  const reader = paragraphs((text) => add("list-item", text))
  readXml(zip, part, { open: reader.open, close: reader.close, text: reader.text })
}
