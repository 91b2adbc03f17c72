import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist"
import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import { type Element, LIMITS, type ReadDocument } from "../../document.ts"
import { formElements } from "./forms.ts"
import { loadEngine, openPdf } from "./engine.ts"
import { type Line, linesOf } from "./lines.ts"
import { elementsOf } from "./paragraphs.ts"
import { pagesUnreadable, pagesWithoutText } from "./pageWarnings.ts"
import { isPicture } from "./pictures.ts"
import { plain } from "../../plain.ts"
import { UnreadableError } from "../../UnreadableError.ts"

const REMEDY = "Open it in a PDF viewer, save it again, and upload the new file."

const open = async (bytes: Uint8Array): Promise<PDFDocumentProxy> => {
  const engine = await loadEngine()
  try {
    return await openPdf(engine, bytes)
  } catch (cause) {
    if (cause instanceof Error && cause.name === "PasswordException") {
      throw new UnreadableError("encrypted", "This PDF asks for a password. Remove the password and upload it again.")
    }
    throw new UnreadableError("damaged", `This PDF is damaged: no viewer could find its pages. ${REMEDY}`)
  }
}

const readPage = async (page: PDFPageProxy, number: number) => {
  const { items } = await page.getTextContent({ disableNormalization: false })
  const form = formElements(await page.getAnnotations({ intent: "any" }).catch(() => []), number)
  const lines = linesOf(
    items.filter((item): item is TextItem => "str" in item),
    number,
  )
  const picture = lines.length === 0 && form.length === 0 && (await isPicture(page))
  page.cleanup()
  return { lines, form, picture }
}

const readPages = async (document: PDFDocumentProxy): Promise<ReadDocument> => {
  const lines: Array<ReadonlyArray<Line>> = []
  const forms: Array<ReadonlyArray<Element>> = []
  const failed: Array<number> = []
  const pictures: Array<number> = []
  let characters = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document
      .getPage(number)
      .catch(() => {
        // Without a valid page tree the page numbers, and so every citation, would be guesses.
        throw new UnreadableError("damaged", `This PDF is damaged: its page ${number} cannot be found. ${REMEDY}`)
      })
      .then((page) => readPage(page, number).catch(() => undefined))
    if (page === undefined) failed.push(number)
    if (page?.picture) pictures.push(number)
    for (const line of page?.lines ?? []) for (const cell of line.cells) characters += cell.length
    if (characters > LIMITS.characters) {
      const most = LIMITS.characters.toLocaleString("en")
      throw new UnreadableError("too-large", `This PDF has more than ${most} characters. Split it into smaller files.`)
    }
    lines.push(page?.lines ?? [])
    forms.push(page?.form ?? [])
  }
  if (failed.length === document.numPages) {
    throw new UnreadableError("damaged", `None of the pages of this PDF can be read. ${REMEDY}`)
  }
  const elements = elementsOf(lines)
    .flatMap((page, index) => [...page, ...forms[index]!])
    .map((element) => ({ ...element, text: plain(element.text) }))
    .filter((element) => element.text !== "")
  return { elements, warnings: [...pagesUnreadable(failed), ...pagesWithoutText(pictures)] }
}

/** Reads a PDF page by page: headings (by font size), paragraphs, lists, rows, form values and notes. Throws `UnreadableError`. */
export const readPdf = async (bytes: Uint8Array): Promise<ReadDocument> => {
  const document = await open(bytes)
  try {
    if (document.numPages === 0) throw new UnreadableError("damaged", `This PDF has no pages. ${REMEDY}`)
    if (document.numPages > LIMITS.pages) {
      const most = LIMITS.pages.toLocaleString("en")
      throw new UnreadableError("too-large", `This PDF has more than ${most} pages. Split it into smaller files.`)
    }
    const read = await readPages(document)
    if (read.elements.length === 0) {
      const remedy = "If it was scanned, run text recognition (OCR) on it and upload the result."
      throw new UnreadableError("empty", `This PDF has pages but no text. ${remedy}`)
    }
    return read
  } finally {
    await document.loadingTask.destroy().catch(() => undefined)
  }
}
