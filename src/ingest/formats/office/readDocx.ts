import { Buffer } from "node:buffer"
import { strToU8, zipSync } from "fflate"
import { importPackage } from "../../../core/common/optionalPackage.ts"
import type { ReadDocument } from "../../document.ts"
import { type HtmlSink, readHtml } from "./docxHtml.ts"
import { sliceBody, WORD } from "./docxSlices.ts"
import { readParagraphStyles } from "./docxStyles.ts"
import { type ElementList, elementList, requireText } from "../../elements.ts"
import { hiddenText } from "../../hiddenText.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import { mainPart, openOffice, partsOf, relationshipsOf } from "./office.ts"
import { asTranscript } from "../../transcripts/turns.ts"
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

const noteSink = (elements: ElementList): SliceSink => ({
  add: (_kind, text) => elements.add("note", text, PLACE),
  row: ({ cells }) => elements.add("note", cells.map(({ text }) => text).join(" "), PLACE),
  endTable: () => {},
  endSlice: () => {},
})

/**
 * Reads a Word document's headings, paragraphs, list items and table rows in their order, then its footnotes, endnotes
 * and comments as notes; hidden runs as hidden text, after the text around them. Page headers, footers and deleted text are left out. Throws `UnreadableError`.
 */
export const readDocx = async (bytes: Uint8Array): Promise<ReadDocument> => {
  const zip = openOffice(bytes)
  const main = mainPart(zip)
  const links = relationshipsOf(zip, main)
  const [stylesPart] = partsOf(zip, links, "styles")
  const styles =
    stylesPart === undefined ? { headings: new Map(), lists: new Set<string>() } : readParagraphStyles(zip, stylesPart)
  const elements = elementList()
  const mammoth = await loadMammoth()
  const read = async (part: string, root: string) => {
    const sink = root === "document" ? bodySink(elements) : noteSink(elements)
    for (const { bytes, endsInTable, hidden } of sliceBody(zip, part, root, styles)) {
      const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(wrap(bytes)) }, STYLES).catch(() => {
        throw new UnreadableError("damaged", "The file is damaged. Open it in Word, save it again and upload the copy.")
      })
      readHtml(value, sink)
      sink.endSlice(endsInTable)
      for (const line of hidden.split("\n")) elements.addHidden(line, PLACE)
    }
  }
  await read(main, "document")
  for (const type of ["footnotes", "endnotes", "comments"]) {
    for (const part of partsOf(zip, links, type)) await read(part, type)
  }
  const warnings = hiddenText(elements.list)
  const document = requireText(elements, warnings)
  if (warnings.length > 0) return document
  return { ...document, elements: asTranscript(document.elements) ?? document.elements }
}
