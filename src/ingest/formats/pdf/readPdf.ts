import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist"
import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import { type Element, LIMITS, type PageText, type ReadDocument, type Recognition } from "../../document.ts"
import { withPictures } from "./scans/boxes.ts"
import { formElements } from "./forms.ts"
import { findGrids, type Grid } from "./tables/grids.ts"
import { hiddenText } from "../../hiddenText.ts"
import { plain } from "../../plain.ts"
import { findSuspects, invisibleItems, type Suspects } from "./hidden/invisibleText.ts"
import { readGlyphs } from "./page/glyphs.ts"
import { drawsMarks, mayHaveMarks } from "./tables/drawnMarks.ts"
import { openDocument, REMEDY } from "./page/openDocument.ts"
import { joinLines, type Line } from "./text/lines.ts"
import { makeElements } from "./paragraphs.ts"
import { marksUnread, pagesPending, pagesRecognized, pagesUnreadable, pagesWithoutText } from "./pageWarnings.ts"
import { isPicture } from "./page/pictures.ts"
import { mayHaveTable } from "./tables/ruled.ts"
import { readRulings, type Ruling } from "./page/rulings.ts"
import { fromTopToBottom } from "./text/readingOrder.ts"
import { recognizedLines, recognizedParagraphs } from "./scans/recognized.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { Weights } from "./text/weights.ts"
import { restoreHyphens } from "./text/softHyphens.ts"
import { divideIntoWords } from "./text/words.ts"
import { whiteItems } from "./hidden/whiteText.ts"

/** In points. Nobody sees text in a smaller font. */
const MIN_SIZE = 0.1

/** Whether a text is too small to see. pdf.js itself leaves out what is off the page. */
const isHiddenItem = ({ transform: [, , c = 0, d = 0], str }: TextItem): boolean =>
  str.trim() !== "" && Math.hypot(c, d) < MIN_SIZE

const readPage = async (page: PDFPageProxy, number: number, weights: Weights, suspects: Suspects) => {
  const { items } = await page.getTextContent({ disableNormalization: false })
  const form = formElements(await page.getAnnotations({ intent: "any" }).catch(() => []), number)
  const all = items.filter((item): item is TextItem => "str" in item)
  const invisible = [
    ...(suspects.isInvisible ? [await invisibleItems(page, all)] : []),
    ...(suspects.isWhite ? [await whiteItems(page, all)] : []),
  ]
  const isHidden = (item: TextItem) => isHiddenItem(item) || invisible.some((items) => items.has(item))
  const hidden = all.filter(isHidden)
  const shown = hidden.length === 0 ? all : all.filter((item) => !isHidden(item))
  const texts = suspects.hasSoftHyphens ? restoreHyphens(shown, await readGlyphs(page)) : shown
  let lines = joinLines(texts, number)
  let grids: ReadonlyArray<Grid> = []
  let rules: ReadonlyArray<Ruling> = []
  const mayHaveRows = mayHaveTable(lines)
  if (mayHaveRows) {
    const rulings = await readRulings(page)
    grids = findGrids(rulings)
    rules = rulings.horizontal
    const { vertical } = grids.length > 0 ? rulings : { vertical: [] }
    lines = joinLines(divideIntoWords(texts, await readGlyphs(page)), number, vertical)
  }
  lines = fromTopToBottom(await weights.mark(page, lines))
  const marks = (mayHaveRows || mayHaveMarks(lines)) && (await drawsMarks(page, lines))
  const picture = lines.length === 0 && form.length === 0 && (await isPicture(page))
  page.cleanup()
  return { lines, grids, rules, form: [...form, ...hiddenElements(hidden, number)], picture, marks }
}

/** One text of the page's hidden items. */
const hiddenElements = (items: ReadonlyArray<TextItem>, page: number): ReadonlyArray<Element> => {
  const text = plain(items.map(({ str }) => str).join(" "))
  return text === "" ? [] : [{ kind: "paragraph", hidden: true, text, place: { kind: "page", page } }]
}

type RecognizedPages = ReadonlyMap<number, PageText>

const NONE: RecognizedPages = new Map()

/** Stands for a page that cannot be read. */
const NO_PAGE: Awaited<ReturnType<typeof readPage>> = {
  lines: [],
  grids: [],
  rules: [],
  form: [],
  picture: false,
  marks: false,
}

const readPages = async (document: PDFDocumentProxy, pages: RecognizedPages, suspects: Suspects) => {
  const lines: Array<ReadonlyArray<Line>> = []
  const forms: Array<ReadonlyArray<Element>> = []
  const grids: Array<ReadonlyArray<Grid>> = []
  const rules: Array<ReadonlyArray<Ruling>> = []
  const failed: Array<number> = []
  const pictures: Array<number> = []
  const marked: Array<number> = []
  const weights = new Weights()
  let characters = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document
      .getPage(number)
      .catch(() => {
        // Without a valid page tree the page numbers, and so every citation, would be guesses.
        throw new UnreadableError("damaged", `This PDF is damaged: its page ${number} cannot be found. ${REMEDY}`)
      })
      .then((page) => readPage(page, number, weights, suspects).catch(() => undefined))
    if (page === undefined) failed.push(number)
    const { lines: read, grids: found, rules: across, form, picture, marks } = page ?? NO_PAGE
    if (picture) pictures.push(number)
    if (marks) marked.push(number)
    for (const line of read) for (const { text } of line.pieces) characters += text.length
    if (characters > LIMITS.characters) {
      const most = LIMITS.characters.toLocaleString("en")
      throw new UnreadableError("too-large", `This PDF has more than ${most} characters. Split it into smaller files.`)
    }
    const recognized = picture ? pages.get(number) : undefined
    lines.push(recognized === undefined ? read : recognizedLines(recognized, number))
    grids.push(found)
    rules.push(across)
    forms.push(recognized === undefined ? form : recognizedParagraphs(recognized, number))
  }
  if (failed.length === document.numPages) {
    throw new UnreadableError("damaged", `None of the pages of this PDF can be read. ${REMEDY}`)
  }
  return { elements: withPictures(makeElements(lines, forms, grids, rules), pages), failed, pictures, marked }
}

const pictureWarnings = (pictures: ReadonlyArray<number>, recognition: Recognition) => {
  if (recognition === "pending") return pagesPending(pictures)
  const isRead = (page: number) => hasText(recognition?.get(page))
  return [
    ...pagesRecognized(pictures.filter(isRead)),
    ...pagesWithoutText(
      pictures.filter((page) => !isRead(page)),
      recognition !== undefined,
    ),
  ]
}

const hasText = (page: PageText | undefined) =>
  page !== undefined && (typeof page.content === "string" ? page.content.trim() !== "" : page.content.length > 0)

/**
 * Reads a PDF page by page: headings (by font size and weight), paragraphs, lists, rows, form values and notes; of pages that are pictures,
 * the text that was recognized. Throws `UnreadableError`.
 */
export const readPdf = async (bytes: Uint8Array, recognition?: Recognition): Promise<ReadDocument> => {
  const suspects = findSuspects(bytes)
  const document = await openDocument(bytes)
  try {
    if (document.numPages === 0) throw new UnreadableError("damaged", `This PDF has no pages. ${REMEDY}`)
    if (document.numPages > LIMITS.pages) {
      const most = LIMITS.pages.toLocaleString("en")
      throw new UnreadableError("too-large", `This PDF has more than ${most} pages. Split it into smaller files.`)
    }
    const pages = recognition instanceof Map ? (recognition as RecognizedPages) : NONE
    const { elements, failed, pictures, marked } = await readPages(document, pages, suspects)
    if (elements.length === 0 && pictures.length === 0) {
      const remedy = "If it was scanned, run text recognition (OCR) on it and upload the result."
      throw new UnreadableError("empty", `This PDF has pages but no text. ${remedy}`)
    }
    return {
      elements,
      warnings: [
        ...pagesUnreadable(failed),
        ...pictureWarnings(pictures, recognition),
        ...marksUnread(marked),
        ...hiddenText(elements),
      ],
    }
  } finally {
    await document.loadingTask.destroy().catch(() => undefined)
  }
}
