import { Buffer } from "node:buffer"
import { strToU8, zipSync } from "fflate"
import { importPackage } from "../../../core/common/optionalPackage.ts"
import type { PagePicture, ReadDocument, Recognition } from "../../document.ts"
import { altChunkReader, type Nesting, outermost } from "./altChunks.ts"
import { type HtmlSink, readHtml } from "./docxHtml.ts"
import { readChart } from "./charts.ts"
import { sliceBody, WORD } from "./docxSlices.ts"
import { NO_STYLES, readParagraphStyles } from "./docxStyles.ts"
import { type ElementList, elementList, requireText } from "../../elements.ts"
import { frameNotes } from "../../frames.ts"
import { hiddenText } from "../../hiddenText.ts"
import { Pictures } from "../../pictures/Pictures.ts"
import { takePicture } from "../../pictures/takePicture.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import { mainPart, openOffice, findParts, readRelationships, type Relationship } from "./office.ts"
import { type PictureLink, wordPictures } from "./pictureLinks.ts"
import { asTranscript } from "../../transcripts/turns.ts"
import type { Zip } from "../../safety/zip.ts"
import { UnreadableError } from "../../UnreadableError.ts"

const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

const relationships = (...types: ReadonlyArray<readonly [type: string, target: string]>): Uint8Array => {
  const links = types.map(
    ([type, target]) => `<Relationship Id="${type}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`,
  )
  return strToU8(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.join("")}</Relationships>`,
  )
}

const PACKAGE = relationships(["officeDocument", "word/document.xml"])
const DOCUMENT = relationships(["numbering", "numbering.xml"])
const NUMBERING = strToU8(
  `<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>` +
    `<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
)

/** A document of our own making around one slice: mammoth never opens a file that someone sent. */
const wrap = (slice: Uint8Array): Uint8Array =>
  zipSync(
    {
      "_rels/.rels": PACKAGE,
      "word/_rels/document.xml.rels": DOCUMENT,
      "word/numbering.xml": NUMBERING,
      "word/document.xml": slice,
    },
    { level: 0 },
  )

/** The only styles of a slice. Mammoth would parse its default map of forty styles again for each slice. */
const STYLES = {
  styleMap: [
    ...[1, 2, 3, 4, 5, 6].map((level) => `p.Heading${level} => h${level}:fresh`),
    "p:unordered-list(1) => ul > li:fresh",
  ],
  includeDefaultStyleMap: false,
  includeEmbeddedStyleMap: false,
}

const takesPrototype = (): boolean => {
  const probe: Record<string, unknown> = {}
  probe["__proto__"] = Array.prototype
  return Array.prototype.isPrototypeOf(probe)
}

/** Deno takes `__proto__` away, and mammoth assigns it. Read DOCX in a worker: this changes every object of its realm. */
const loadMammoth = async () => {
  if (!takesPrototype()) {
    // oxlint-disable-next-line no-extend-native -- it puts back what ECMAScript (B.2.2.1) has there
    Object.defineProperty(Object.prototype, "__proto__", {
      configurable: true,
      get(this: object) {
        return Object.getPrototypeOf(this)
      },
      set(this: object, prototype: object | null) {
        Object.setPrototypeOf(this, prototype)
      },
    })
  }
  return (await importPackage("mammoth", () => import("mammoth"))).default
}

interface SliceSink extends HtmlSink {
  readonly endSlice: (endsInTable: boolean) => void
}

const PLACE = { kind: "text" } as const

/** A table that goes on in the next slice ends there. */
const bodySink = (elements: ElementList): SliceSink => {
  const table = new TableWriter(elements)
  let hasEnded = false
  const settle = () => {
    if (hasEnded) table.end()
    hasEnded = false
  }
  return {
    add: (kind, text, level) => {
      settle()
      elements.add(kind, text, PLACE, level)
    },
    row: (row) => {
      settle()
      table.row(row)
    },
    endTable: () => {
      hasEnded = true
    },
    endSlice: (endsInTable) => {
      if (endsInTable) hasEnded = false
      else settle()
    },
  }
}

const noteSink = (add: (text: string) => void): SliceSink => ({
  add: (_kind, text) => add(text),
  row: ({ cells }) => add(cells.map(({ text }) => text).join(" ")),
  endTable: () => {},
  endSlice: () => {},
})

/**
 * Reads a Word document's headings, paragraphs, list items and table rows in their order, then its footnotes, endnotes
 * and comments and each header and footer of its pages as notes; files inside it (`w:altChunk`) where they stand, and charts and the recognized text of
 * large pictures after their paragraph; hidden runs as hidden text, after the text around them. Deleted text is left out. Throws
 * `UnreadableError`.
 */
export const readDocx = async (
  bytes: Uint8Array,
  { recognition, nesting = outermost() }: { readonly recognition?: Recognition; readonly nesting?: Nesting } = {},
): Promise<ReadDocument> => {
  const zip = openOffice(bytes)
  const main = mainPart(zip)
  const links = readRelationships(zip, main)
  const [stylesPart] = findParts(zip, links, "styles")
  const styles = stylesPart === undefined ? NO_STYLES : readParagraphStyles(zip, stylesPart)
  const elements = elementList()
  const files = altChunkReader(zip, links, nesting)
  const pictures = new Pictures(recognition)
  const mammoth = await loadMammoth()
  const slices = new Set<string>()
  const read = async (part: string, root: string, sink: SliceSink) => {
    const drawings = part === main ? wordPictures() : undefined
    for (const { bytes, endsInTable, hidden, chunks, pictures: shown } of sliceBody(
      zip,
      part,
      root,
      styles,
      drawings,
    )) {
      if (isFrame(root) && !isNew(slices, bytes)) continue
      const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(wrap(bytes)) }, STYLES).catch(() => {
        throw new UnreadableError("damaged", "The file is damaged. Open it in Word, save it again and upload the copy.")
      })
      readHtml(value, sink)
      sink.endSlice(endsInTable)
      for (const line of hidden.split("\n")) elements.addHidden(line, PLACE)
      for (const link of chunks) for (const element of await files.read(link)) elements.push(element)
      for (const element of addPictures(pictures, shown, zip, links)) elements.push(element)
      for (const { id } of shown)
        addChart(
          elements,
          links.find((link) => link.id === id && link.type === "chart"),
          zip,
        )
    }
  }
  await read(main, "document", bodySink(elements))
  for (const type of ["footnotes", "endnotes", "comments"]) {
    const sink = noteSink((text) => elements.add("note", text, PLACE))
    for (const part of findParts(zip, links, type)) await read(part, type, sink)
  }
  const length = elements.list.length
  const addFrame = frameNotes(elements)
  for (const type of ["header", "footer"] as const) {
    const sink = noteSink((text) => addFrame(text, PLACE))
    for (const part of findParts(zip, links, type)) await read(part, FRAME_ROOTS[type], sink)
  }
  const warnings = [...hiddenText(elements.list), ...files.warnings()]
  const isEmpty = elements.kinds.size === 0
  if (isEmpty && pictures.shown.length === 0) return requireText(elements)
  const document = { elements: elements.list, warnings: [...warnings, ...pictures.warnings(isEmpty)] }
  const body = document.elements.slice(0, length)
  const transcript = warnings.length > 0 ? undefined : asTranscript(body)
  return transcript === undefined
    ? document
    : { ...document, elements: [...transcript, ...document.elements.slice(length)] }
}

/** Takes out a large picture of the body, counted from 1. Throws `UnreadableError`. */
export const takeDocxPicture = async (bytes: Uint8Array, number: number): Promise<PagePicture> => {
  const zip = openOffice(bytes)
  const main = mainPart(zip)
  const links = readRelationships(zip, main)
  const pictures = new Pictures("pending")
  for (const slice of sliceBody(zip, main, "document", NO_STYLES, wordPictures()))
    addPictures(pictures, slice.pictures, zip, links)
  return takePicture(zip, pictures.shown, number)
}

const addPictures = (
  pictures: Pictures,
  shown: ReadonlyArray<PictureLink>,
  zip: Zip,
  links: ReadonlyArray<Relationship>,
) =>
  shown.flatMap(({ id, ...size }) => {
    const link = links.find((each) => each.id === id)
    return link?.type === "image" && zip.has(link.target) ? pictures.add({ part: link.target, ...size }, PLACE) : []
  })

/** Adds the titles and values of a chart, which follow its paragraph. */
const addChart = (elements: ElementList, link: Relationship | undefined, zip: Zip) => {
  if (link === undefined || !zip.has(link.target)) return
  const table = new TableWriter(elements)
  readChart(zip, link.target, {
    add: (kind, text) => elements.add(kind, text, PLACE),
    row: (row) => table.row({ ...row, place: PLACE }),
    endTable: () => table.end(),
  })
}

/** The root elements of the parts of headers and footers. */
const FRAME_ROOTS = { header: "hdr", footer: "ftr" } as const
const isFrame = (root: string) => root === "hdr" || root === "ftr"

const latin1 = new TextDecoder("latin1")

/** Sections repeat their headers: each is read once. */
const isNew = (seen: Set<string>, bytes: Uint8Array) => {
  const text = latin1.decode(bytes)
  if (seen.has(text)) return false
  seen.add(text)
  return true
}
