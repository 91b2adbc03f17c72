import { strToU8 } from "fflate"
import { LIMITS } from "../../document.ts"
import { formFields } from "./docxFields.ts"
import { HIDING, hides, type ParagraphStyles, readShift } from "./docxStyles.ts"
import type { PictureLink, wordPictures } from "./pictureLinks.ts"
import { attribute, expectRoot, prefixedAttribute } from "./office.ts"
import { type Shift, shiftedText } from "../../shiftedText.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { type Attributes, readXml } from "./xml.ts"
import type { Zip } from "../../safety/zip.ts"

/** The namespace of WordprocessingML. */
export const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

/** A slice ends with the block in which it reaches this many elements: mammoth takes 2.5 kB and 15 us for each. */
const SLICE_ELEMENTS = 2_000
const MAX_BLOCK_ELEMENTS = 100_000
const MAX_ELEMENTS = 2_000_000
/** Mammoth recurses: 330 nested tables overflow its stack. Deeper tables become text of the enclosing cell. */
const MAX_DEPTH = 80
/** Files inside the document that wait for the end of their slice. */
const MAX_CHUNKS = 1000

/** Elements that carry text or structure; others, such as runs, are transparent. */
const KEPT: ReadonlySet<string> = new Set("p t tab br noBreakHyphen softHyphen sym tbl tr tc".split(" "))

/** Skipped: formatting, deleted and moved text, field instructions, phonetic guides, and copies for older programs. */
const DROPPED: ReadonlySet<string> = new Set(
  "rPr sectPr tblPr tblPrEx tblGrid tabs pPrChange del moveFrom instrText rt Fallback sdtPr".split(" "),
)

/** Properties of a table's rows and cells that say where its columns are. Others are dropped. */
const TABLE_PROPERTIES: ReadonlySet<string> = new Set(["tblHeader", "gridSpan", "vMerge"])

/** A drawing keeps only its text boxes, which follow the block that anchors them. */
const DRAWINGS: ReadonlySet<string> = new Set(["drawing", "pict", "object"])
/** Text is within any paragraph, and a paragraph within the deepest cell. */
const maxDepthOf = (name: string) => (name === "t" ? Infinity : name === "p" ? MAX_DEPTH + 1 : MAX_DEPTH)
const TEXT_BOX = "txbxContent"
const isBox = (name: string) => name === TEXT_BOX || DRAWINGS.has(name)

const DOCUMENT = `<w:document xmlns:w="${WORD}"><w:body>`
const LIST_ITEM = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const tooLarge = () =>
  new UnreadableError(
    "too-large",
    "The file holds more text than can be read. Split it into smaller files and upload those.",
  )

const openingTag = (name: string, attributes: Attributes): string => {
  if (name === "t") return '<w:t xml:space="preserve">'
  if (name !== "sym") return `<w:${name}>`
  const [font = "", char = ""] = [attribute(attributes, "font"), attribute(attributes, "char")]
  return `<w:sym w:font="${escape(font)}" w:char="${escape(char)}">`
}

const propertyTag = (name: string, attributes: Attributes): string => {
  const value = attribute(attributes, "val")
  return value === undefined ? `<w:${name}/>` : `<w:${name} w:val="${escape(value)}"/>`
}

/** The output target: the body, a drawing (discarded) or a text box. */
const output = (silent: boolean) => {
  /** Open elements, "" for those that are not written. */
  const open: Array<string> = []
  let xml = ""
  let texting = false
  /** Merges a paragraph's runs into one text: mammoth's cost grows with elements. */
  const settle = () => {
    if (texting) xml += "</w:t>"
    texting = false
  }
  return {
    silent,
    open,
    inText: () => open[open.length - 1] === "t",
    write: (markup: string) => {
      settle()
      xml += markup
    },
    startText: (markup: string): boolean => {
      if (texting) return false
      xml += markup
      return (texting = true)
    },
    text: (value: string) => {
      xml += escape(value)
    },
    take: (): string => {
      settle()
      const taken = xml
      xml = ""
      return taken
    },
  }
}

type Output = ReturnType<typeof output>

export interface Slice {
  readonly bytes: Uint8Array
  /** The last table goes on in the next slice. */
  readonly endsInTable: boolean
  /** The text of hidden and struck-out runs, in lines. */
  readonly hidden: string
  /** The links to files (`w:altChunk`) whose content follows. */
  readonly chunks: ReadonlyArray<string>
  /** The pictures in the last block. */
  readonly pictures: ReadonlyArray<PictureLink>
}

/**
 * Cuts a WordprocessingML part into documents of a few thousand elements, each of whole blocks or whole rows of one table,
 * with only text and structure. `root` is the expected root element: "document", "footnotes".
 */
export const sliceBody = (
  zip: Zip,
  part: string,
  root: string,
  styles: ParagraphStyles,
  pictures?: ReturnType<typeof wordPictures>,
): ReadonlyArray<Slice> => {
  const slices: Array<Slice> = []
  const body = output(false)
  const outputs = [body]
  let boxes = ""
  let dropping = 0
  let inSlice = 0
  let elements = 0
  let characters = 0
  let depth = 0
  let started = false
  /** For each open run, whether it is hidden or struck out. */
  const runs: Array<boolean> = []
  /** How the run is set off its base line. */
  let shift: Shift
  const shifted = shiftedText()
  /** For each open paragraph, whether its style hides its runs. */
  const hiddenParagraphs: Array<boolean> = []
  /** The open dropped element is the properties of a run. */
  let inRunProperties = false
  let hidden = ""
  let chunks: Array<string> = []
  const fields = formFields()
  let properties: { style: string; listed: boolean | undefined } | undefined
  /** The properties of the open row or cell, as markup. */
  let around = ""

  const top = () => outputs[outputs.length - 1]!
  const count = (more: number) => {
    inSlice += more
    elements += more
    if (elements > MAX_ELEMENTS || inSlice > MAX_BLOCK_ELEMENTS) throw tooLarge()
  }
  const endSlice = (suffix: string, prefix: string) => {
    const bytes = strToU8(`${DOCUMENT}${body.take()}${suffix}${boxes}</w:body></w:document>`)
    // Files and pictures inside a table follow it.
    const isWhole = suffix === ""
    const shown = isWhole ? (pictures?.take() ?? []) : []
    slices.push({ bytes, endsInTable: !isWhole, hidden, chunks: isWhole ? chunks : [], pictures: shown })
    hidden = ""
    if (isWhole) chunks = []
    boxes = ""
    body.write(prefix)
    inSlice = 0
  }
  const endBlock = () => {
    const enclosing = body.open.filter((name) => name !== "").join(" ")
    if (enclosing === "") {
      body.write(boxes)
      boxes = ""
    }
    const follows = chunks.length > 0 || pictures?.isEmpty() === false
    if (inSlice < SLICE_ELEMENTS && !(enclosing === "" && follows)) return
    if (enclosing === "") endSlice("", "")
    else if (enclosing === "tbl") endSlice("</w:tbl>", "<w:tbl>")
  }
  const styleRun = (name: string, attributes: Attributes) => {
    const last = runs.length - 1
    shift = readShift(name, attributes, shift)
    if (name === "rStyle") shift = styles.shifts.get(attribute(attributes, "val") ?? "")
    if (HIDING.has(name)) runs[last] = hides(name, attributes, runs[last] === true)
    // The style comes first among a run's properties.
    else if (name === "rStyle" && styles.hidden.has(attribute(attributes, "val") ?? "")) runs[last] = true
  }
  /** Adds the value of a form field to the open paragraph. */
  const writeValue = (value: string) => {
    const to = top()
    if (value === "" || to.silent || !to.open.includes("p")) return
    count(to.startText(openingTag("t", {})) ? 1 : 0)
    to.text(value)
  }
  const addChunk = (link = "") => {
    if (chunks.length >= MAX_CHUNKS) throw tooLarge()
    chunks.push(link)
    endBlock()
  }
  const openProperties = (name: string, attributes: Attributes) => {
    if (name === "trPr" || name === "tcPr") around = ""
    else if (TABLE_PROPERTIES.has(name) && attribute(attributes, "val") !== "0") around += propertyTag(name, attributes)
    if (name === "r") {
      runs.push(hiddenParagraphs.at(-1) === true)
      shift = undefined
    }
    if (name === "p") {
      hiddenParagraphs.push(false)
      shifted.restart()
    }
    if (name === "pPr") properties = { style: "", listed: undefined }
    else if (name === "pStyle" && properties !== undefined) {
      properties.style = attribute(attributes, "val") ?? ""
      hiddenParagraphs[hiddenParagraphs.length - 1] = styles.hidden.has(properties.style)
    } else if (name === "numId" && properties !== undefined) properties.listed = attribute(attributes, "val") !== "0"
  }
  /** Form fields, pictures and files. */
  const openOther = (name: string, attributes: Attributes) => {
    fields.open(name, attributes)
    pictures?.open(name, attributes)
    if (name === "fldChar" && attribute(attributes, "fldCharType") === "end") writeValue(fields.end())
    if (name === "altChunk") addChunk(prefixedAttribute(attributes, "id"))
  }
  /** Writes the properties of a row, cell or paragraph that ends. */
  const closeProperties = (name: string, to: Output) => {
    if ((name === "trPr" || name === "tcPr") && around !== "") {
      if (to.open[to.open.length - 1] === name.slice(0, 2)) to.write(`<w:${name}>${around}</w:${name}>`)
      around = ""
    }
    if (name === "pPr" && properties !== undefined) {
      const markup = describe(properties.style, properties.listed)
      if (markup !== "" && to.open[to.open.length - 1] === "p") to.write(markup)
      properties = undefined
    }
  }
  const describe = (style: string, listed: boolean | undefined): string => {
    const level = styles.headings.get(style)
    if (level !== undefined) return `<w:pPr><w:pStyle w:val="Heading${Math.min(level, 6)}"/></w:pPr>`
    return (listed ?? styles.lists.has(style)) ? LIST_ITEM : ""
  }

  readXml(zip, part, {
    open: (name, attributes) => {
      if (!started) expectRoot(name, root, "Word")
      started = true
      if (dropping > 0 || DROPPED.has(name)) {
        if (dropping === 0) inRunProperties = name === "rPr" && properties === undefined && runs.length > 0
        else if (dropping === 1 && inRunProperties) styleRun(name, attributes)
        dropping++
        return
      }
      openOther(name, attributes)
      if (isBox(name)) outputs.push(output(name !== TEXT_BOX))
      openProperties(name, attributes)
      const to = top()
      const shown = name === "cr" ? "br" : name
      const write = KEPT.has(shown) && !to.silent && depth < maxDepthOf(shown)
      to.open.push(write ? shown : "")
      if (!write) return
      depth++
      const markup = openingTag(shown, attributes)
      if (shown === "t") count(to.startText(markup) ? 1 : 0)
      else {
        count(1)
        to.write(markup)
      }
    },
    close: (name) => {
      if (dropping > 0) {
        dropping--
        return
      }
      if (name === "r") runs.pop()
      if (name === "p") hiddenParagraphs.pop()
      if (name === "p" && hidden !== "" && !hidden.endsWith("\n")) hidden += "\n"
      const to = top()
      const written = to.open.pop() ?? ""
      if (written !== "") depth--
      if (written !== "" && written !== "t") to.write(`</w:${written}>`)
      closeProperties(name, to)
      if (isBox(name)) {
        outputs.pop()
        boxes += to.take()
      } else if (outputs.length === 1 && (name === "p" || name === "tr" || name === "tbl")) endBlock()
    },
    text: (value) => {
      const to = top()
      if (dropping > 0 || !to.inText()) return
      characters += value.length
      if (characters > LIMITS.characters) throw tooLarge()
      fields.text(value)
      if (runs.at(-1) === true) hidden += value
      else to.text(shifted.write(value, shift))
    },
  })
  endSlice("", "")
  return slices
}
