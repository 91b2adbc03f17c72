import type { Format, PagePicture, ReadDocument, Recognition } from "./document.ts"
import type { Emit } from "./elements.ts"
import { COMPOUND_REASONS, isCompound } from "./safety/compound.ts"
import { detectMarkup } from "./safety/markup.ts"
import { UnreadableError } from "./UnreadableError.ts"

/** Reads a document's elements, except those it already passed to `emit`, or throws `UnreadableError`. `bytes` may be shared memory and stay unchanged. */
export type Reader = (bytes: Uint8Array, emit?: Emit, recognition?: Recognition) => Promise<ReadDocument>

/** Draws a page, or takes a large picture out of a document without pages, counted from 1, or throws `UnreadableError`. */
export type Drawer = (bytes: Uint8Array, number: number) => Promise<PagePicture>

/** The formats that a parser reads; recordings are transcribed instead. */
export type DocumentFormat = Exclude<Format, "mp3" | "wav" | "m4a" | "mp4">

/** Programs save pages as MIME or HTML, whatever the file's name ends in. */
async function readPage(bytes: Uint8Array): Promise<ReadDocument> {
  if (isCompound(bytes)) return readOld()
  if (detectMarkup(bytes) === "mail") return (await import("./formats/mail/readEml.ts")).readEml(bytes)
  return (await import("./formats/text/readHtml.ts")).readHtmlPage(bytes)
}

/** A program converts these files first, where there is one. */
async function readOld(): Promise<never> {
  throw new UnreadableError("unsupported", COMPOUND_REASONS.doc)
}

/** Each reader loads its libraries with the first document of its format. */
export const READERS: Readonly<Record<DocumentFormat, Reader>> = {
  pdf: async (bytes, _, recognition) => (await import("./formats/pdf/readPdf.ts")).readPdf(bytes, recognition),
  docx: async (bytes, _, recognition) =>
    (await import("./formats/office/readDocx.ts")).readDocx(bytes, { recognition }),
  pptx: async (bytes, _, recognition) => (await import("./formats/office/readPptx.ts")).readPptx(bytes, recognition),
  xlsx: async (bytes, emit) => (await import("./formats/office/readXlsx.ts")).readXlsx(bytes, emit),
  csv: async (bytes, emit) => (await import("./formats/text/readCsv.ts")).readCsv(bytes, "", emit),
  tsv: async (bytes, emit) => (await import("./formats/text/readCsv.ts")).readCsv(bytes, "\t", emit),
  doc: readPage,
  ppt: readOld,
  xls: readOld,
  html: readPage,
  vtt: async (bytes) => (await import("./formats/text/readSubtitles.ts")).readSubtitles(bytes),
  srt: async (bytes) => (await import("./formats/text/readSubtitles.ts")).readSubtitles(bytes),
  eml: async (bytes) => (await import("./formats/mail/readEml.ts")).readEml(bytes),
  msg: async (bytes) => (await import("./formats/mail/readMsg.ts")).readMsg(bytes),
  rtf: async (bytes) => (await import("./formats/rtf/readRtf.ts")).readRtf(bytes),
  odt: async (bytes) => (await import("./formats/office/readOdt.ts")).readOdt(bytes),
  json: async (bytes) => (await import("./transcripts/readJson.ts")).readJson(bytes),
  md: async (bytes) => (await import("./formats/text/readText.ts")).readText(bytes, "md"),
  txt: async (bytes) => (await import("./formats/text/readText.ts")).readText(bytes, "txt"),
}

/** The formats whose pages can be drawn, or whose pictures taken out. */
export const DRAWERS: Partial<Readonly<Record<DocumentFormat, Drawer>>> = {
  pdf: async (bytes, page) => (await import("./formats/pdf/scans/drawPage.ts")).drawPage(bytes, page),
  docx: async (bytes, picture) => (await import("./formats/office/readDocx.ts")).takeDocxPicture(bytes, picture),
  pptx: async (bytes, picture) => (await import("./formats/office/readPptx.ts")).takePptxPicture(bytes, picture),
}
