import type { Format, ReadDocument } from "./document.ts"
import type { Emit } from "./elements.ts"

/** Reads a document's elements, except those it already passed to `emit`, or throws `UnreadableError`. `bytes` may be shared memory and stay unchanged. */
export type Reader = (bytes: Uint8Array, emit?: Emit) => Promise<ReadDocument>

/** The formats that a parser reads; recordings are transcribed instead. */
export type DocumentFormat = Exclude<Format, "mp3" | "wav" | "m4a" | "mp4">

/** Each reader loads its libraries with the first document of its format. */
export const READERS: Readonly<Record<DocumentFormat, Reader>> = {
  pdf: async (bytes) => (await import("./formats/pdf/readPdf.ts")).readPdf(bytes),
  docx: async (bytes) => (await import("./formats/office/readDocx.ts")).readDocx(bytes),
  pptx: async (bytes) => (await import("./formats/office/readPptx.ts")).readPptx(bytes),
  xlsx: async (bytes, emit) => (await import("./formats/office/readXlsx.ts")).readXlsx(bytes, emit),
  md: async (bytes) => (await import("./formats/text/readText.ts")).readText(bytes, "md"),
  txt: async (bytes) => (await import("./formats/text/readText.ts")).readText(bytes, "txt"),
}
