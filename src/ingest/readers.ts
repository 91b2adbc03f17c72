import type { Format, ReadDocument } from "./document.ts"
import type { Emit } from "./elements.ts"

/** Turns the bytes of a document into its text and places, less what it gave to `emit` before, or throws `UnreadableError`. The bytes may be shared memory, and stay as they are. */
export type Reader = (bytes: Uint8Array, emit?: Emit) => Promise<ReadDocument>

/** The formats that are read by parsing; sound and pictures are transcribed. */
export type DocumentFormat = Exclude<Format, "mp3" | "wav" | "m4a" | "mp4">

/** Each reader loads its libraries when a document of its format first comes. */
export const READERS: Readonly<Record<DocumentFormat, Reader>> = {
  pdf: async (bytes) => (await import("./formats/pdf/readPdf.ts")).readPdf(bytes),
  docx: async (bytes) => (await import("./formats/office/readDocx.ts")).readDocx(bytes),
  pptx: async (bytes) => (await import("./formats/office/readPptx.ts")).readPptx(bytes),
  xlsx: async (bytes, emit) => (await import("./formats/office/readXlsx.ts")).readXlsx(bytes, emit),
  md: async (bytes) => (await import("./formats/text/readText.ts")).readText(bytes, "md"),
  txt: async (bytes) => (await import("./formats/text/readText.ts")).readText(bytes, "txt"),
}
